//! The context of a condition: the values besides the state that it may read.

use super::state::Action;
use crate::units::{PathPlace, Seat};

/// The values besides the state that a program may read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// The moving colour, or the seat in question.
    pub own: Seat,
    /// The other seat in question.
    pub other: Seat,
    /// The pawn in question.
    pub pawn: u8,
    /// The place of the pawn in question before its move.
    pub from: PathPlace,
    /// The place of the pawn in question after its move.
    pub to: PathPlace,
    /// The number, sum or bonus that is spent.
    pub number: u8,
    /// Which throw of the hand is spent; [`Action::NO_THROW`]: none.
    pub throw: u8,
    /// Number of captured pawns.
    pub victims: u8,
    /// Whether the pawn moves together with others.
    pub joint: bool,
    /// The place that a choice names.
    pub argument: PathPlace,
    /// Number of jumps that caused one another and led here.
    pub jumps: u8,
}

impl Context {
    /// The context for conditions about a seat, without a pawn or an action.
    #[inline(always)]
    pub fn seat(own: Seat) -> Context {
        Context {
            own,
            other: own,
            pawn: 0,
            from: 0,
            to: 0,
            number: 0,
            throw: Action::NO_THROW,
            victims: 0,
            joint: false,
            argument: 0,
            jumps: 0,
        }
    }
}
