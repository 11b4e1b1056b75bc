//! The use cases of games.

pub(crate) mod change;
mod dice_proof;
pub(crate) mod history;
pub(crate) mod lobby;
mod pictures;
pub(crate) mod presence;
pub(crate) mod reading;
pub(crate) mod tokens;
pub(crate) mod turns;
