//! The use cases of games.

pub(crate) mod change;
mod dice_proof;
mod endings;
pub(crate) mod history;
pub(crate) mod lobby;
mod pictures;
pub(crate) mod presence;
pub(crate) mod reading;
mod replayed;
pub(crate) mod tokens;
pub(crate) mod turns;
