//! The fast engine, for plain rule sets: each turn has one throw of two dice, spent as single die, sum or pair. Its
//! identifiers contain the word `quick`; the names of its tests say `the_short_way`.
//!
//! A table gives, for every square, the pawns that may land there ([`landings`]). While whole turns are played, these
//! results are stored, and updated when pawns come and go ([`sight`]). A decision is then a few look-ups for each pawn,
//! and a set of actions is a set of bits. [`plain`] decides which rule sets are plain.
//!
//! Only a [`Game`](super::Game) uses the fast engine, to play many games. [`Engine::legal`](super::Engine::legal) and
//! its callers always use the general engine ([`super::legal`]). Both list the same actions in the same order; tests
//! compare the two.

use crate::units::Seat;

mod bits;
mod follow;
mod foresight;
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
mod whole_turns;

/// Number of seats that the fast engine supports.
const SEATS: usize = 4;
/// Number of pawns of a colour that the fast engine supports.
const PAWNS: usize = 8;
/// Number of squares that the fast engine supports.
const SQUARES: usize = 126;

/// A colour as an index of the tables of the fast engine.
#[inline(always)]
fn index_of(colour: Seat) -> usize {
    colour.index() & (SEATS - 1)
}

#[cfg(test)]
pub(crate) use moves::Bits;
pub(crate) use moves::is_quick_hand;
pub(crate) use sight::Sight;
pub(crate) use tables::Quick;
