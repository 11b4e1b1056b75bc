//! What rule files, tables and states of play count by: seats, places, and how many there may be of everything.

use std::num::NonZeroU8;

/// Most seats round one board.
pub const MAX_SEATS: usize = 4;
/// Most pawns of one colour.
pub const MAX_PAWNS: usize = 8;
/// Most places on one path, the place off the board and home included.
pub const MAX_PLACES: usize = 120;
/// Most squares of a board.
pub const MAX_SQUARES: usize = 120;
/// Most numbers that one throw gives to spend.
pub const MAX_NUMBERS: usize = 4;
/// Most throws that can wait to be spent in one turn; further throws are not granted.
pub const MAX_BANKED: usize = 24;
/// Most bonuses that can wait to be spent.
pub const MAX_BONUSES: usize = 8;
/// Most counters a rule set may declare for a seat.
pub const MAX_COUNTERS: usize = 8;
/// Most counters a rule set may declare for the game.
pub const MAX_GAME_COUNTERS: usize = 4;
/// Longest step: no number, sum or bonus exceeds it.
pub const MAX_STEP: u8 = 32;

/// The pseudo square of pawns off the board and at home: nobody ever stands in the way there.
pub const NOWHERE: u8 = 126;
/// The pseudo square beyond the end of a path: nothing can land there.
pub const WALL: u8 = 127;

/// A seat, 0.. in the order of travel round the board; also the colour of its pawns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// A pawn of a seat, in one byte; an `Option` of it needs no more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct PawnOfSeat(
    // INVARIANT: the complement of seat (bits 4 and 5) and pawn (bits 0 to 2), which is never 0.
    NonZeroU8,
);

impl PawnOfSeat {
    /// Pawn `pawn` of a seat.
    #[inline(always)]
    pub fn new(seat: Seat, pawn: u8) -> PawnOfSeat {
        let byte = !((seat.0 & 3) << 4 | pawn & 7);
        PawnOfSeat(NonZeroU8::new(byte).expect("the two highest bits are set"))
    }

    /// Whose pawn it is.
    #[inline(always)]
    pub fn seat(self) -> Seat {
        Seat(!self.0.get() >> 4)
    }

    /// Which pawn of that seat.
    #[inline(always)]
    pub fn pawn(self) -> u8 {
        !self.0.get() & 7
    }

    /// The seat in the high nibble, the pawn in the low one; 255 for none.
    #[inline(always)]
    pub(crate) fn to_byte(pawn: Option<PawnOfSeat>) -> u8 {
        pawn.map_or(u8::MAX, |pawn| !pawn.0.get())
    }
}

/// An index on a colour's own path: 0 is off the board, the last one is home.
pub type PathPlace = u8;

/// A set of places of one path, a bit each.
pub type Places = u128;

/// When a bonus is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Due {
    /// After the numbers of the hand.
    #[default]
    After = 0,
    /// When no throw of the turn is owed any more.
    Last = 1,
    /// Before the numbers that are left.
    Now = 2,
}
