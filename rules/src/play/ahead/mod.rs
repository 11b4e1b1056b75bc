//! Looking ahead, for the duty to spend most: finds the actions that begin a plan which spends as many numbers as
//! possible.
//!
//! The search stops at the first plan that reaches the upper bound ([`bound`]). It skips numbers that cannot fit into
//! the steps left to home ([`fits`]), and remembers positions that failed in a table of fixed size ([`memo`]).

mod alike;
mod assumptions;
mod beside;
mod bound;
mod due;
mod fits;
mod memo;
mod most;
mod quiet;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use assumptions::Assumptions;
