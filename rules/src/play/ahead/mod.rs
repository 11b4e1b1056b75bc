//! Looks ahead: finds the actions that begin a plan which spends as many numbers of the hand as any plan can. A plan is
//! a sequence of actions until the hand is spent or no action is left.
//!
//! The search does not try every plan. It first finds an upper bound of the numbers that a plan can spend ([`bound`]).
//! An action is kept as soon as one plan that begins with it reaches the bound. The numbers have to fit into the steps
//! that the pawns have left ([`room_to_home`]). Results for positions are kept in a table of fixed size ([`memo`]).

mod alike;
mod assumptions;
mod best_actions;
mod bound;
mod due;
mod fixed_values;
mod gate;
mod locked_pawns;
mod long_hands;
mod memo;
mod plan;
mod progress;
mod quiet;
mod quietness;
mod relevant;
mod room_to_home;
mod search;
mod second_number;
mod separate_moves;
#[cfg(test)]
mod tests;
mod throw_lines;

pub(crate) use assumptions::Assumptions;
pub(crate) use relevant::Relevant;
pub(in crate::play) use separate_moves::{MOST_STEPS, StepList};
