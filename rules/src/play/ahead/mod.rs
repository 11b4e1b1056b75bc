//! Looks ahead: finds the actions that begin a plan which spends as many numbers of the hand as any plan can. A plan is
//! a sequence of actions until the hand is spent or no action is left.
//!
//! The search does not try every plan. It first takes an upper bound of the numbers that a plan can spend ([`bound`]).
//! An action is kept as soon as one plan that begins with it reaches the bound. The numbers have to fit into the steps
//! that the pawns have left ([`fits`]). Results for positions are kept in a table of fixed size ([`memo`]).

mod alike;
mod apart;
mod assumptions;
mod beside;
mod bound;
mod due;
mod fits;
mod gate;
mod known;
mod locked;
mod many;
mod memo;
mod most;
mod plan;
mod progress;
mod quiet;
mod quietness;
mod relevant;
mod search;
#[cfg(test)]
mod tests;

pub(in crate::play) use apart::{MOST_STEPS, StepList};
pub(crate) use assumptions::Assumptions;
pub(crate) use relevant::Relevant;
