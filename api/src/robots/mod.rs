//! Robots, which decide for a seat in any rule set.
//!
//! A robot sees what a player sees: the tables of the rule set, the position and the hand. It never sees the seed of
//! the dice. A robot is a pure function: from a position and random numbers, it computes the index of a legal
//! action.

mod features;
mod hunter;
mod kind;
mod reach;
mod runner;
mod thinker;
mod view;

#[cfg(test)]
mod tests;

use pagade_rules::play::{Action, Engine, State};

pub use kind::{RobotKind, UnknownRobot};
use view::View;

/// Chooses one of the legal actions `open` of `state`, and returns its index.
///
/// `below(n)` returns a random number from 0 to n - 1. The list `open` must not be empty.
pub fn choose(
    kind: RobotKind,
    engine: &Engine,
    state: &State,
    open: &[Action],
    below: &mut dyn FnMut(u32) -> u32,
) -> usize {
    if open.len() == 1 {
        return 0;
    }
    let view = View::new(engine, state, open);
    let chosen = match kind {
        RobotKind::Random => None,
        RobotKind::Runner => runner::choose(&view),
        RobotKind::Hunter => hunter::choose(&view),
        RobotKind::Thinker => Some(thinker::choose(engine, state, open)),
    };
    chosen.unwrap_or_else(|| engine.pick(open, below))
}
