//! The context of a condition: the values besides the state that it may read.

use crate::units::{PathPlace, PawnIndex, Pips, Seat, ThrowIndex};

/// The values besides the state that a program may read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// The seat that the condition is about. For a move, the moving colour.
    pub own: Seat,
    /// The other seat that the condition is about, for example the seat of a captured pawn. Equal to `own` if there is
    /// none.
    pub other: Seat,
    /// The pawn that the condition is about.
    pub pawn: PawnIndex,
    /// The place of this pawn before its move.
    pub from: PathPlace,
    /// The place of this pawn after its move.
    pub to: PathPlace,
    /// The number, sum or bonus that is spent.
    pub number: Pips,
    /// The number of entries of the hand that were dropped because no pawn could move by them.
    pub unplayed: u8,
    /// Which throw of the hand is spent.
    pub throw: Option<ThrowIndex>,
    /// Number of captured pawns.
    pub victims: u8,
    /// Whether the pawn moves together with others.
    pub joint: bool,
    /// The place that a choice names.
    pub argument: PathPlace,
    /// Length of the chain of jumps that led to this event. Each jump of the chain is an effect of the jump before.
    pub jumps: u8,
    /// Whether `own` is a player as a whole, with all its colours, and not one colour. It makes a difference only where
    /// a player has several colours.
    pub whole: bool,
}

impl Context {
    /// The context for a condition about a pawn that stands on a place: `from` and `to` are that place. For an
    /// opponent's pawn, `other` is the seat that the present context is about.
    pub(super) fn of_pawn(&self, seat: Seat, pawn: PawnIndex, stands: PathPlace) -> Context {
        let other = if seat == self.own { self.other } else { self.own };
        Context { own: seat, other, pawn, from: stands, to: stands, whole: false, ..*self }
    }

    /// The context for one colour of the player that the present context is about.
    pub(super) fn of_colour(&self, colour: Seat) -> Context {
        Context { own: colour, whole: false, ..*self }
    }

    /// The context for conditions about a seat, without a pawn or an action.
    #[inline(always)]
    pub(crate) fn seat(own: Seat) -> Context {
        Context {
            own,
            other: own,
            pawn: PawnIndex::FIRST,
            from: PathPlace::OUT,
            to: PathPlace::OUT,
            number: Pips(0),
            unplayed: 0,
            throw: None,
            victims: 0,
            joint: false,
            argument: PathPlace::OUT,
            jumps: 0,
            whole: false,
        }
    }

    /// The context for conditions about a player: of all its colours, if it has several.
    #[inline(always)]
    pub(crate) fn player(own: Seat) -> Context {
        Context { whole: true, ..Context::seat(own) }
    }
}
