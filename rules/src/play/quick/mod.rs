//! The fast engine, for plain rule sets: each turn has one throw of two dice, spent as single die, sum or pair. Its
//! identifiers contain the word `quick`; the names of its tests say `the_short_way`.
//!
//! A table gives, for every square, the pawns that may land there ([`landings`]). While whole turns are played, these
//! results are stored, and updated when pawns come and go ([`sight`]). A decision is then a few look-ups for each pawn,
//! and a set of actions is a set of bits. [`plain`] decides which rule sets are plain. The legal actions are those of
//! the general engine ([`super::legal`]); tests compare the two.

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
