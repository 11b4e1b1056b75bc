//! Chips, experience, ratings, levels and badges of competitive games, as pure functions. This folder uses no other
//! folder.
//!
//! `settlement` computes the consequences of the end of a game for each player, and `career` adds them to the career.

pub mod awards;
pub(crate) mod career;
pub(crate) mod rating;
pub(crate) mod settlement;
mod share;
