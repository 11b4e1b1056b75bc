//! Robots that are prepared for one table, for many decisions.

use std::time::Instant;

use pagade_rules::play::{Action, Engine, State};

use super::budget::Budget;
use super::deep::Deep;
use super::kind::RobotKind;
use super::learned::weights;
use super::search::MOST_TRIED;
use super::thinker::Thinker;
use super::view::View;
use super::weights::Weights;
use super::{foresight, hunter, runner};

/// A robot that is prepared for one table, for many decisions.
#[derive(Debug, Clone)]
pub enum Brain {
    /// A random legal action; a voluntary one only if no ordinary action is legal.
    Random,
    /// The pawn nearest home runs first (`runner.rs`).
    Runner,
    /// Captures, wins throws, brings pawns home, or plays as the runner (`hunter.rs`).
    Hunter,
    /// Searches the hand with the weights made by hand, or with learned ones.
    Thinker(Box<Thinker>),
    /// Looks ahead over the steps of all pawns.
    Deep(Deep),
}

impl Brain {
    /// Prepares a robot of this kind for a table. A learned robot plays by the bundled lessons.
    pub fn new(kind: RobotKind, engine: &Engine) -> Brain {
        match kind {
            RobotKind::Random => Brain::Random,
            RobotKind::Runner => Brain::Runner,
            RobotKind::Hunter => Brain::Hunter,
            RobotKind::Thinker => Brain::with_weights(engine, &Weights::BY_HAND),
            RobotKind::Learned => Brain::with_weights(engine, &weights(engine)),
        }
    }

    /// Prepares a robot that searches the hand with these weights.
    pub(crate) fn with_weights(engine: &Engine, weights: &Weights) -> Brain {
        Brain::Thinker(Box::new(Thinker::new(engine, weights)))
    }

    /// Chooses one of the legal actions `open` of `state`, and returns its index. The table has to be that for which
    /// the robot was prepared.
    ///
    /// `below(n)` returns a random number from 0 to n - 1. The list `open` must not be empty.
    pub fn choose(&self, engine: &Engine, state: &State, open: &[Action], below: &mut dyn FnMut(u32) -> u32) -> usize {
        self.choose_until(engine, state, open, None, below)
    }

    /// Chooses as [`Brain::choose`] does. With a budget greater than [`Budget::PLAYING`], the thinker and the learned
    /// robot also look at the turns that follow (`foresight.rs`); other robots do not use the budget.
    pub(crate) fn choose_within(
        &self,
        engine: &Engine,
        state: &State,
        open: &[Action],
        budget: Budget,
        below: &mut dyn FnMut(u32) -> u32,
    ) -> usize {
        match self {
            Brain::Thinker(thinker) if budget > Budget::PLAYING && open.len() > 1 => {
                foresight::choose(thinker, engine, state, open, budget)
            }
            _ => self.choose(engine, state, open, below),
        }
    }

    /// Chooses as [`Brain::choose`] does. A search ends at the time `until`.
    pub(super) fn choose_until(
        &self,
        engine: &Engine,
        state: &State,
        open: &[Action],
        until: Option<Instant>,
        below: &mut dyn FnMut(u32) -> u32,
    ) -> usize {
        if open.len() == 1 {
            return 0;
        }
        let view = View::new(engine, state, open);
        let chosen = match self {
            Brain::Random => None,
            Brain::Runner => runner::choose(&view),
            Brain::Hunter => hunter::choose(&view),
            Brain::Thinker(thinker) => Some(thinker.choose(engine, state, open, MOST_TRIED, until)),
            Brain::Deep(deep) => Some(deep.choose(engine, state, open)),
        };
        chosen.unwrap_or_else(|| engine.pick(open, below))
    }
}
