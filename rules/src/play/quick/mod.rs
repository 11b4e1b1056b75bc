//! The short way for plain rule sets: one throw of two dice a turn, spent by die, sum or pair.
//!
//! What a landing would do is known of every square before anyone asks ([`words`]), and while whole turns are played it
//! is kept up to date as pawns come and go ([`sight`]); so a decision is a few look-ups a pawn, and sets of actions are
//! bits. Which rule sets are plain is read off their tables ([`plain`]); the answers equal those of [`super::legal`],
//! and tests compare them.

mod bits;
mod follow;
mod landings;
mod moves;
mod pairs;
mod plain;
mod sight;
mod special;
mod squares;
mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod turn;

pub(crate) use moves::Bits;
pub(crate) use sight::Sight;
pub(crate) use tables::Quick;
