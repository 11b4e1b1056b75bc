//! What conditions and numbers may ask about besides the state.

use super::state::Action;
use crate::units::{PathPlace, Seat};

/// What a program may ask about besides the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// The colour that moves, or the seat in question.
    pub own: Seat,
    /// The other seat in question.
    pub other: Seat,
    /// The pawn in question.
    pub pawn: u8,
    /// Where it stands, or stood.
    pub from: PathPlace,
    /// Where it goes, or stands.
    pub to: PathPlace,
    /// What is spent.
    pub number: u8,
    /// Which throw of the hand is spent; [`Action::NO_THROW`]: none.
    pub throw: u8,
    /// Pawns captured.
    pub victims: u8,
    /// It moves as one of a pair.
    pub joint: bool,
    /// The argument of a choice.
    pub argument: PathPlace,
    /// Jumps by rules that led here, one out of another.
    pub jumps: u8,
}

impl Context {
    /// A question about a seat as a whole.
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
