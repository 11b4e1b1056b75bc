//! The processor time of single decisions.

use std::collections::BTreeMap;
use std::time::Duration;

use cpu_time::ThreadTime;
use pagade_rules::play::Game;

use super::chance::Chance;
use super::lineup::Seated;
use super::robots::Robot;

/// Times are rounded up to this number of binary digits, which adds less than 2 %.
const DIGITS: u32 = 7;

/// The processor times of many decisions. Only decisions with more than one legal action count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecisionTimes {
    /// Number of decisions for each rounded time in nanoseconds.
    counts: BTreeMap<u64, u64>,
    longest: Option<Duration>,
}

impl DecisionTimes {
    /// Adds the time of a decision.
    pub fn add(&mut self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX >> DIGITS);
        *self.counts.entry(rounded_up(nanoseconds)).or_default() += 1;
        self.longest = self.longest.max(Some(time));
    }

    /// Adds the times of other decisions.
    pub fn merge(&mut self, other: &DecisionTimes) {
        for (time, count) in &other.counts {
            *self.counts.entry(*time).or_default() += count;
        }
        self.longest = self.longest.max(other.longest);
    }

    /// Number of decisions.
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The longest time of a decision; `None` if there was none.
    pub fn longest(&self) -> Option<Duration> {
        self.longest
    }

    /// The time that this share of the decisions does not exceed, rounded up by less than 2 %; 0.99 stands for the 99th
    /// percentile. `None` if there was no decision.
    pub fn at(&self, share: f64) -> Option<Duration> {
        let rank = ((self.count() as f64 * share).ceil() as u64).max(1);
        let mut sum = 0;
        let reached = self.counts.iter().find(|(_, count)| {
            sum += **count;
            sum >= rank
        });
        Some(Duration::from_nanos(*reached?.0).min(self.longest?))
    }
}

fn rounded_up(nanoseconds: u64) -> u64 {
    let dropped = (u64::BITS - nanoseconds.leading_zeros()).saturating_sub(DIGITS);
    nanoseconds.div_ceil(1 << dropped) << dropped
}

/// The robots of a lineup, whose decisions are timed.
#[derive(Debug)]
pub(super) struct Timed<'l> {
    seated: Seated<'l>,
    /// The times of each robot, in the order of [`Lineup::kinds`](super::Lineup::kinds).
    pub(super) times: Vec<DecisionTimes>,
}

impl<'l> Timed<'l> {
    pub(super) fn new(seated: Seated<'l>, kinds: usize) -> Self {
        Timed { seated, times: vec![DecisionTimes::default(); kinds] }
    }
}

impl Robot for Timed<'_> {
    fn begin(&mut self, number: u64) {
        self.seated.begin(number);
    }

    fn choose(&mut self, game: &Game<'_>, chance: &mut Chance) -> usize {
        let decider = self.seated.decider(game).filter(|_| game.open() > 1);
        let Some(times) = decider.and_then(|index| self.times.get_mut(index)) else {
            return self.seated.choose(game, chance);
        };
        let clock = ThreadTime::now();
        let index = self.seated.choose(game, chance);
        times.add(clock.elapsed());
        index
    }
}

#[cfg(test)]
mod tests {
    use pagade_rules::bundled;
    use pagade_rules::play::Engine;
    use pagade_rules::ruleset::Options;

    use super::super::robots::Robots;
    use super::super::threads::{Plan, run, run_timed};
    use super::*;

    /// The time within which 99 of 100 decisions at the playing level have to end.
    const PLAYING_LEVEL: Duration = Duration::from_millis(5);

    fn table(id: &str, players: usize) -> Engine {
        let set = bundled::ruleset(id).unwrap();
        let tables = set.playable_tables(&Options::new()).unwrap();
        let seats = tables.iter().find(|table| table.players.len() == players).unwrap();
        set.table(&Options::new(), Some(&seats.players)).unwrap()
    }

    fn plan(engine: &Engine, robots: &str, games: u64) -> Plan {
        let robots = Robots::parse(robots, engine).unwrap();
        Plan { games, seed: 1, threads: 1, lines: false, robots }
    }

    #[test]
    fn shares_of_times_are_found_to_one_part_in_a_hundred() {
        let (mut one, mut other) = (DecisionTimes::default(), DecisionTimes::default());
        assert_eq!((one.at(0.5), one.longest()), (None, None));
        (1..=900).for_each(|time| one.add(Duration::from_micros(time)));
        (901..=1_000).for_each(|time| other.add(Duration::from_micros(time)));
        one.merge(&other);
        assert_eq!((one.count(), one.longest()), (1_000, Some(Duration::from_micros(1_000))));
        for (share, exact) in [(0.001, 1), (0.5, 500), (0.99, 990), (1.0, 1_000)] {
            let (found, exact) = (one.at(share).unwrap().as_secs_f64(), Duration::from_micros(exact).as_secs_f64());
            assert!((exact..=1.01 * exact).contains(&found), "{share}: {found}, and {exact} is exact");
        }
    }

    #[test]
    fn games_whose_decisions_are_timed_are_the_same_games() {
        let engine = table("royal-game-of-ur", 2);
        let plan = Plan { lines: true, threads: 2, ..plan(&engine, "thinker,runner", 70) };
        let (tally, times) = run_timed(&engine, &plan, &|_| {});
        assert_eq!(tally, run(&engine, &plan, &|_| {}));
        let decisions = tally.statistics.unwrap().decisions;
        assert_eq!(times.iter().map(DecisionTimes::count).sum::<u64>(), decisions);
        assert!(times[0].at(0.5) > times[1].at(0.5), "a search takes longer: {times:?}");
    }

    /// The tables at which robots of the bundled rule sets need most time, and some others. `tests/decision_times.py`
    /// measures all. The time of the processor is measured, which other processes hardly change; the robots and the
    /// engine are optimized in all builds.
    #[test]
    fn ninety_nine_of_a_hundred_decisions_take_less_than_five_milliseconds() {
        for (id, players, games) in
            [("chopat", 4, 2), ("chaupar", 4, 2), ("pagade", 4, 4), ("royal-game-of-ur", 2, 20), ("ludo-eight", 8, 2)]
        {
            let engine = table(id, players);
            for robot in ["hunter", "thinker", "learned"] {
                let (_, times) = run_timed(&engine, &plan(&engine, robot, games), &|_| {});
                let (count, most) = (times[0].count(), times[0].at(0.99).unwrap());
                assert!(count > 100, "{id}: {count} decisions");
                assert!(most < PLAYING_LEVEL, "{id}, {players} players, {robot}: {most:?} of {count} decisions");
            }
        }
        // The measurement also finds decisions that take longer: those with a hundred times the budget.
        let engine = table("pagade", 2);
        let (_, times) = run_timed(&engine, &plan(&engine, "thinker-100", 1), &|_| {});
        assert!(times[0].at(0.99).unwrap() > PLAYING_LEVEL, "{times:?}");
    }
}
