//! Solving: the exact value of every position of a rule set for two players, if both play as well as possible.
//!
//! Positions are found through the engine, from the opening positions on, so that no rule set needs code of its own. A
//! position is a state in which a throw is due, or a choice before the throw. [`Graph`] holds the positions and what
//! each throw may lead to; [`Values`] are the chances of the first seat to win, computed by value iteration;
//! [`Solution`] plays by them, and is written to a file and read from it.

mod graph;
mod key;
mod solution;
mod values;

#[cfg(test)]
mod tests;

pub use graph::{Graph, SolveError};
pub use solution::{FileError, Solution, read, write};
pub use values::{Progress, Values};
