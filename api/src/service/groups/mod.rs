//! The use cases of groups of games.

pub(crate) mod access;
mod change;
mod due;
mod following;
mod gather;
mod hooks;
mod listing;
pub(crate) mod members;
mod owning;
