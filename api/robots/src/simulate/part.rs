//! Plays a part of the games of a simulation, and stops in the middle of a game if it has to.

use std::ops::Range;

use pagade_rules::play::{Action, Engine, Seat, Throw};

use super::one_game::GameRecorder;
use super::tally::Tally;
use super::threads::{GameOutput, Plan, work};
use crate::workers::Pending;

/// Asks before each throw and action whether the games have to stop. Records nothing.
struct Stoppable<'s> {
    must_stop: &'s mut dyn FnMut() -> bool,
    is_stopped: bool,
}

impl GameOutput for Stoppable<'_> {
    const BATCH: u64 = 1;

    type Recorder<'o>
        = &'o mut Self
    where
        Self: 'o;

    fn recorder(&mut self, _: u64) -> &mut Self {
        self
    }

    fn end_batch(&mut self, _: Range<u64>) -> bool {
        !self.is_stopped
    }
}

impl GameRecorder for &mut Stoppable<'_> {
    const IDLE: bool = true;

    fn begin(&mut self, _: Seat) {}

    fn throw(&mut self, _: &Throw) {}

    fn play(&mut self, _: &Action) {}

    fn is_stopped(&mut self) -> bool {
        self.is_stopped = self.is_stopped || (self.must_stop)();
        self.is_stopped
    }
}

/// Plays those games of a plan that have these numbers, in this thread. Sums of several parts, merged in any order, are
/// those of the whole plan.
///
/// `must_stop` is asked before every throw and action. Returns `None` if it returned true: the sums would count an
/// unfinished game.
pub fn play_part(
    engine: &Engine,
    plan: &Plan,
    games: Range<u64>,
    must_stop: &mut dyn FnMut() -> bool,
) -> Option<Tally> {
    let mut output = Stoppable { must_stop, is_stopped: false };
    let tally = work(engine, plan, &Pending::new(games), &mut output);
    (!output.is_stopped).then_some(tally)
}

#[cfg(test)]
mod tests {
    use pagade_rules::bundled;
    use pagade_rules::ruleset::Options;

    use super::super::threads::run;
    use super::*;
    use crate::simulate::Robots;

    #[test]
    fn parts_are_the_games_of_the_whole_and_a_stopped_part_is_nothing() {
        let engine = bundled::ruleset("royal-game-of-ur").unwrap().table(&Options::new(), None).unwrap();
        let robots = Robots::parse("hunter,random", &engine).unwrap();
        let plan = Plan { games: 30, seed: 7, threads: 2, lines: true, robots };
        let mut sum = play_part(&engine, &plan, 11..30, &mut || false).unwrap();
        sum.merge(&play_part(&engine, &plan, 0..11, &mut || false).unwrap());
        assert_eq!(sum, run(&engine, &plan, &|_| ()));
        let mut asked = 0;
        let stopped = play_part(&engine, &plan, 0..30, &mut || {
            asked += 1;
            asked == 100
        });
        assert_eq!((stopped, asked), (None, 100), "it ends in the middle of a game");
    }
}
