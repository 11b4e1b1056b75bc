//! Turns that the server plays: those of robots, of late players, and of seats that gave up.

use pagade_robots::RobotKind;
use pagade_rules::play::{Action, ActionKind};

use crate::error::{Problem, internal};
use crate::game::edit::Edit;
use crate::game::terms::{Status, WhenLate};

/// Maximum number of throws and actions that the server plays in one turn of a seat.
const MOST_STEPS: usize = 64;

impl Edit {
    /// Throws and plays for the seat of a person who does not decide, until another seat has to decide. A question of
    /// the rules is answered by the last line of `choices` that is open.
    ///
    /// # Errors
    /// 409 unless the game is in play.
    pub(crate) fn finish_late_turn(&mut self, how: WhenLate) -> Result<(), Problem> {
        self.finish(how, last_choice)
    }

    /// Throws and plays for the seat that has to decide, until another seat has to decide.
    ///
    /// # Errors
    /// 409 unless the game is in play.
    pub(crate) fn finish_turn(&mut self, how: WhenLate) -> Result<(), Problem> {
        self.finish(how, |_| None)
    }

    /// Plays for a seat until another seat has to decide, or the game ends. `first` returns the index of the action to
    /// play, or `None`: then the action is chosen as `how` says.
    fn finish(&mut self, how: WhenLate, first: fn(&[Action]) -> Option<usize>) -> Result<(), Problem> {
        let seat = self.decider()?;
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
                    _ if first(open).is_some() => first(open).unwrap_or_default(),
                    WhenLate::First => 0,
                    WhenLate::Random => pick(|below| self.engine.pick(open, below))?,
                    WhenLate::Robot(kind) => {
                        if kind == RobotKind::Learned {
                            pagade_robots::enroll(&self.engine);
                        }
                        pick(|below| pagade_robots::choose(kind, &self.engine, play.state(), open, below))?
                    }
                };
                self.act_nth(index)?;
            }
            if self.game.status != Status::Playing || self.decider()? != seat {
                break;
            }
        }
        Ok(())
    }
}

/// Returns the index of the answer for a player who does not answer a question of the rules: the first action of the
/// last line of `choices` that is open. `None` if no question is open.
fn last_choice(open: &[Action]) -> Option<usize> {
    let last = open.iter().map(|action| action.line).max()?;
    let is_question = open.iter().all(|action| action.kind == ActionKind::Choice);
    open.iter().position(|action| is_question && action.line == last)
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

    use pagade_robots::RobotKind;
    use pagade_rules::bundled::{self, Bundled, SETS};
    use pagade_rules::play::Engine;
    use pagade_rules::ruleset::RuleSet;
    use pagade_rules::source::Source;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::game::GameId;
    use crate::game::stored::{Game, NewGame};
    use crate::ground::clock;
    use crate::ground::token::Token;

    /// Plays a game in which every decision is late.
    fn by_the_clock(set: &RuleSet, engine: &Arc<Engine>, seed: u64) -> Edit {
        let seed = seed.to_string();
        let new = NewGame { seed, ..NewGame::hot_seat(set, engine, Token::new().unwrap().hash()) };
        let mut edit = Edit::begin(GameId::nil(), Game::new(new, clock::now()), Arc::clone(engine));
        edit.start();
        while edit.game.status == Status::Playing {
            edit.finish_late_turn(WhenLate::Random).unwrap();
            edit.settle().unwrap();
            edit.events.clear();
        }
        edit
    }

    /// Plays games of a rule set by chance until `is_it` accepts the answers to an open question, and then lets the
    /// player be late. Returns the open answers, and the answer that the server gives.
    fn late_answer(set: &RuleSet, is_it: impl Fn(&[String]) -> bool) -> (Vec<String>, String) {
        let mut random = ChaCha8Rng::seed_from_u64(0);
        for seed in 0..100_u32 {
            let engine = Arc::new(set.table(&BTreeMap::new(), None).unwrap());
            let owner = Token::new().unwrap().hash();
            let new = NewGame { seed: seed.to_string(), ..NewGame::hot_seat(set, &engine, owner) };
            let mut edit = Edit::begin(GameId::nil(), Game::new(new, clock::now()), engine);
            edit.start();
            while edit.game.status == Status::Playing {
                let play = edit.playing().unwrap();
                let open = play.legal_texts(&edit.engine).to_vec();
                if is_it(&open) {
                    edit.events.clear();
                    edit.finish_late_turn(WhenLate::Robot(RobotKind::Hunter)).unwrap();
                    let given = edit.events.iter().find_map(|numbered| numbered.event.action.clone());
                    return (open, given.unwrap());
                }
                if play.awaits_throw() {
                    let throw = edit.next_throw(None).unwrap();
                    edit.throw(&throw).unwrap();
                } else {
                    let open = &play.legal(&edit.engine).actions;
                    let index = edit.engine.pick(open, &mut |below| random.random_range(0..below));
                    edit.act_nth(index).unwrap();
                }
            }
        }
        panic!("no game has such a question");
    }

    #[test]
    fn a_late_player_misses_the_turn_rather_than_bring_a_pawn() {
        let chopat = bundled::ruleset("chopat").unwrap();
        let has = |open: &[String], word: &str| open.iter().any(|action| action.starts_with(word));
        let (open, given) = late_answer(&chopat, |open| has(open, "khado") && has(open, "miss"));
        assert_eq!(given, "miss", "of {open:?}");
    }

    /// Two pairs stand on the board from the start, because games in which two come together are rare.
    #[test]
    fn a_late_player_declares_the_first_pair() {
        let text = "rules: pairs\nversion: 1.0.0\ntitle: Pairs\nextends: chopat\npawns: {start: [34, 33, 50, 53]}\n";
        let checked = RuleSet::check(&Source { name: "pairs.yaml".into(), text: text.into() }, &Bundled);
        let pairs = checked.ruleset.unwrap_or_else(|| panic!("{:?}", checked.problems));
        let is_it = |open: &[String]| open.len() > 1 && open.iter().all(|action| action.starts_with("declare"));
        let (open, given) = late_answer(&pairs, is_it);
        assert_eq!(given, open[0]);
    }

    /// Plays at least a thousand games over all rule sets. The variable `PAGADE_GAMES` sets the number for each rule
    /// set.
    #[test]
    fn games_by_the_clock_end() {
        let games = std::env::var("PAGADE_GAMES").ok().and_then(|games| games.parse().ok());
        let games = games.unwrap_or(1000_u64.div_ceil(SETS.len() as u64));
        for (id, _) in SETS {
            // All games of a set share its compiled rules.
            let set = bundled::ruleset(id).unwrap();
            let engine = Arc::new(set.table(&BTreeMap::new(), None).unwrap());
            for seed in 0..games {
                let game = by_the_clock(&set, &engine, seed).game;
                assert_eq!(game.setup.ending, None, "{id} {seed}: the rules end it, after {} steps", game.steps);
            }
        }
    }
}
