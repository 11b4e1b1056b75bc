//! Turns that the server plays: those of robots, of late players, and of seats that gave up.

use crate::error::{Problem, internal};
use crate::game::edit::Edit;
use crate::game::terms::{Status, WhenLate};
use crate::robots::{self, RobotKind};

/// Maximum number of throws and actions that the server plays in one turn of a seat.
const MOST_STEPS: usize = 64;

impl Edit {
    /// Returns the robot whose turn it is; `None` if a person decides, or nothing is to be decided.
    pub(crate) fn robot_to_play(&self) -> Option<RobotKind> {
        self.game.setup.robot_at(self.turn_name().ok()?)
    }

    /// Plays the turn of a robot to its end.
    ///
    /// # Errors
    /// 409 unless the game is in play.
    pub(crate) fn play_robot(&mut self, kind: RobotKind) -> Result<(), Problem> {
        self.finish_turn(WhenLate::Robot(kind))?;
        self.settle()
    }

    /// Throws and plays for the seat whose turn it is, until the turn ends.
    ///
    /// # Errors
    /// 409 unless the game is in play.
    pub(crate) fn finish_turn(&mut self, how: WhenLate) -> Result<(), Problem> {
        let seat = self.turn()?;
        for _ in 0..MOST_STEPS {
            let play = self.playing()?;
            if play.awaits_throw() {
                let throw = self.next_throw(None)?;
                self.throw(&throw)?;
            } else {
                let open = &play.legal(&self.engine).actions;
                if open.is_empty() {
                    return Err(internal("no action is legal"));
                }
                let index = match how {
                    WhenLate::First => 0,
                    WhenLate::Random => pick(|below| self.engine.pick(open, below))?,
                    WhenLate::Robot(kind) => {
                        if kind == RobotKind::Learned {
                            robots::enroll(&self.engine);
                        }
                        pick(|below| robots::choose(kind, &self.engine, play.state(), open, below))?
                    }
                };
                self.act_nth(index)?;
            }
            if self.game.status != Status::Playing || self.turn()? != seat {
                break;
            }
        }
        Ok(())
    }
}

/// Chooses an action by random numbers of the operating system. Unlike throws, these choices need no proof, because the
/// record shows the chosen action.
fn pick(choose: impl FnOnce(&mut dyn FnMut(u32) -> u32) -> usize) -> Result<usize, Problem> {
    let mut failed = None;
    let index = choose(&mut |below| {
        let random = getrandom::u64().unwrap_or_else(|error| {
            failed = Some(error);
            0
        });
        // The remainder prefers low numbers by less than one part in 10^9, which is too little to matter.
        u32::try_from(random % u64::from(below.max(1))).unwrap_or(0)
    });
    failed.map_or(Ok(index), |error| Err(error.into()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use pagade_rules::bundled::{self, SETS};

    use super::*;
    use crate::game::GameId;
    use crate::game::stored::{Game, NewGame};
    use crate::ground::clock;
    use crate::ground::token::Token;

    /// Plays a game in which every decision is late.
    fn by_the_clock(id: &str, seed: u64) -> Edit {
        let set = bundled::ruleset(id).unwrap();
        let engine = Arc::new(set.table(&BTreeMap::new(), None).unwrap());
        let seed = seed.to_string();
        let new = NewGame { seed, ..NewGame::hot_seat(&set, &engine, Token::new().unwrap().hash()) };
        let mut edit = Edit::begin(GameId::nil(), Game::new(new, clock::now()), engine);
        edit.start();
        while edit.game.status == Status::Playing {
            edit.finish_turn(WhenLate::Random).unwrap();
            edit.settle().unwrap();
            edit.events.clear();
        }
        edit
    }

    /// Plays at least a thousand games over all rule sets. The variable `PAGADE_GAMES` sets the number for each rule
    /// set.
    #[test]
    fn games_by_the_clock_end() {
        let games = std::env::var("PAGADE_GAMES").ok().and_then(|games| games.parse().ok());
        let games = games.unwrap_or(1000_u64.div_ceil(SETS.len() as u64));
        for (id, _) in SETS {
            for seed in 0..games {
                let game = by_the_clock(id, seed).game;
                assert_eq!(game.setup.ending, None, "{id} {seed}: the rules end it, after {} steps", game.steps);
            }
        }
    }
}
