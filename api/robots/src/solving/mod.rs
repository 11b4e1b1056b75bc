//! Solving: the exact value of every position of a rule set for two players, if both play as well as possible.
//!
//! Positions are found through the engine, from the opening positions on, so that no rule set needs code of its own. A
//! position is a state in which a throw is due, or a choice before the throw. Its value is the chance of the seat to
//! move to win. [`Solution::find`] finds the positions, [`Solution::solve`] computes their values, set by set, and
//! [`Solution::choose`] plays by them.

mod arrangement;
mod class;
mod context;
mod expand;
mod file;
mod found;
mod key;
mod numbering;
mod pace;
mod positions;
mod search;
mod solution;
mod sweep;
mod units;
mod values;
mod verify;

#[cfg(test)]
mod tests;

use key::{MOST_ARRANGEMENTS, MOST_CONTEXTS};
use positions::MOST_POSITIONS;

pub use file::FileError;
pub use solution::Solution;
pub use verify::VerifiedValues;

/// Why a table cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The table has more or fewer than two sides.
    #[error("only tables of two players can be solved, and this one has {0}")]
    Players(usize),
    /// A player has several colours.
    #[error("only tables where each player has one colour can be solved")]
    Colours,
    /// In a turn, the rules let another seat decide, too.
    #[error("rules that ask another seat than the one whose turn it is cannot be solved")]
    AskedOthers,
    /// The positions and their values do not fit into the memory.
    #[error(
        "too many positions: {positions} were found, and {waiting} of them still lead on, when {megabytes} MB were full"
    )]
    TooLarge {
        /// Number of positions that were found.
        positions: usize,
        /// Number of positions whose throws were not played yet.
        waiting: usize,
        /// The memory, in millions of bytes.
        megabytes: usize,
    },
    /// The table has more positions, arrangements of a seat's pawns, or contexts than can be numbered.
    #[error(
        "too many positions: {positions} were found, and {waiting} of them still lead on; at most {MOST_POSITIONS} \
         positions can be numbered, with {MOST_ARRANGEMENTS} arrangements of a seat's pawns and {MOST_CONTEXTS} \
         combinations of everything else, such as counters"
    )]
    TooMany {
        /// Number of positions that were found.
        positions: usize,
        /// Number of positions whose throws were not played yet.
        waiting: usize,
    },
    /// The caller ended the work.
    #[error("the work was ended")]
    Stopped,
}

/// How a table is solved.
#[derive(Debug, Clone, Copy)]
pub struct SolveSettings {
    /// Number of threads.
    pub threads: usize,
    /// Bytes for the positions, their values, and the positions to which they lead.
    pub memory: usize,
    /// Greatest change of a value at which the iteration of a set of positions ends.
    pub tolerance: f64,
    /// Whether positions with exchanged seats share a value where both seats have the same rules.
    pub mirror: bool,
    /// Whether positions are solved in parts, those that come last in every game first, and not all at the same time.
    pub in_parts: bool,
}

/// The part of the work that is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolveStage {
    /// Positions are found.
    Search,
    /// Values are computed.
    Values,
    /// Values are checked.
    Check,
}

/// How far the work has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// The part of the work that is being done.
    pub stage: SolveStage,
    /// Number of positions: in the search those that were found so far, afterwards all.
    pub positions: usize,
    /// Number of positions whose throws were played, whose values are computed, or which were checked.
    pub done: usize,
    /// Number of sweeps so far over the set of positions whose values are being computed.
    pub sweeps: u32,
    /// Greatest change of a value in the last of these sweeps.
    pub change: f64,
    /// Number of positions whose throws are played anew in every sweep, because the memory is full.
    pub anew: usize,
}
