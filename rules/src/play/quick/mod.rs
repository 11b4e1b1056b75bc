//! The fast engine for plain rule sets: one throw of two dice in each turn, spent by die, sum or pair.
//!
//! Tables hold the result of a landing for every square and occupation ([`landings`]). While whole turns are played,
//! the results for the current position are kept up to date ([`sight`]). A decision is then a few look-ups for each
//! pawn, and actions are bits of a mask. The module [`plain`] decides whether a rule set is plain. Tests compare the
//! answers with those of [`super::legal`].

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
