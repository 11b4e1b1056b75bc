//! Robots, which decide for a seat in any rule set.
//!
//! A robot sees what a player sees: the tables of the rule set, the position and the hand. It never sees the seed of
//! the dice. A robot is a pure function: from a position and random numbers, it computes the index of a legal
//! action. Only the learned robot changes, when a training ends that [`enroll`] has begun.
//!
//! [`simulate`] plays many games by robots, and [`solving`] finds how small games are played perfectly.

mod brain;
mod budget;
mod deep;
mod features;
mod foresight;
mod hunter;
mod kind;
mod learned;
mod logistic;
mod reach;
mod runner;
mod school;
mod search;
pub mod simulate;
pub mod solving;
mod thinker;
pub mod training;
mod unasked;
mod view;
mod weights;
pub mod workers;

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use pagade_rules::play::{Action, Engine, State};

pub use brain::Brain;
pub use budget::{Budget, NoBudget};
pub use deep::Deep;
pub use kind::{RobotKind, UnknownRobot};
pub use learned::{Lesson, Lessons, MeasuredStrength, Origin, teach};
pub use school::enroll;
pub use search::winner;
pub use weights::Weights;

/// Longest time of a search in a game of the service. In bundled rule sets, only hands of many throws in Chopat need
/// more: for fewer than one of 100 decisions. A published rule set may be slower.
const LONGEST_SEARCH: Duration = Duration::from_millis(4);

/// Chooses one of the legal actions `open` of `state`, with the budget of the playing level, and returns its index.
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
    Brain::new(kind, engine).choose_until(engine, state, open, Some(Instant::now() + LONGEST_SEARCH), below)
}
