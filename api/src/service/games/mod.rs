//! The use cases of games.

pub(crate) mod absences;
mod change;
pub(in crate::service) mod creation;
mod dice_proof;
mod due;
mod endings;
mod following;
pub(crate) mod history;
mod hooks;
pub(crate) mod lobby;
mod pictures;
pub(crate) mod presence;
pub(crate) mod queries;
mod replayed;
pub(crate) mod tokens;
pub(crate) mod turns;
mod waiting;
