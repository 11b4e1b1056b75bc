//! A fast engine for plain rule sets: each turn has one throw of two dice, spent as single die, sum or pair. Comments
//! call it the fast engine, names call it the short way or `quick`.
//!
//! The effect of a landing is looked up in a table for every square ([`landings`]). While whole turns are played, these
//! effects are kept up to date as pawns come and go ([`sight`]). A decision is then a few look-ups for each pawn, and a
//! set of actions is a set of bits. The tables of a rule set say whether it is plain ([`plain`]). The answers equal
//! those of [`super::legal`], and tests compare them.

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
