//! Chips, experience, ratings, levels and badges of competitive games, as pure functions. This folder uses no other
//! folder.
//!
//! `settlement` says what the end of a game means for each player, and `career` adds it to what a player has reached
//! so far.

pub mod awards;
pub(crate) mod career;
pub(crate) mod rating;
pub(crate) mod settlement;
mod share;
