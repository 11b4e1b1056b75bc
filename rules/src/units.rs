//! Seats, places and other basic values of the engine, and the limits on their number.

use std::num::NonZeroU8;

/// Most seats round one board.
pub const MAX_SEATS: usize = 4;
/// Most pawns of one colour.
pub const MAX_PAWNS: usize = 8;
/// Most places on one path, the place off the board and home included.
pub const MAX_PLACES: usize = 120;
/// Most squares of a board.
pub const MAX_SQUARES: usize = 120;
/// Most numbers that one throw can add to the hand.
pub const MAX_NUMBERS: usize = 4;
/// Most throws that the hand can hold in one turn. Further throws are not granted.
pub const MAX_BANKED: usize = 24;
/// Most bonuses that the hand can hold.
pub const MAX_BONUSES: usize = 8;
/// Most counters a rule set may declare for a seat.
pub const MAX_COUNTERS: usize = 8;
/// Most counters a rule set may declare for the game.
pub const MAX_GAME_COUNTERS: usize = 4;
/// Most steps of one move. No number, sum or bonus is greater.
pub const MAX_STEP: u8 = 32;

/// The square number of pawns off the board and at home. Pawns there block nobody.
pub const NOWHERE: u8 = 126;
/// The square number of positions beyond the end of a path. No pawn can land there.
pub const WALL: u8 = 127;

/// A seat, numbered from 0 in the order of travel round the board. It also stands for the colour of its pawns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// A pawn, given by its seat and its number. An `Option` of this type also takes one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct PawnOfSeat(
    // INVARIANT: the complement of seat (bits 4 and 5) and pawn (bits 0 to 2), which is never 0.
    NonZeroU8,
);

impl PawnOfSeat {
    /// Creates the value for pawn number `pawn` of a seat.
    #[inline(always)]
    pub fn new(seat: Seat, pawn: u8) -> PawnOfSeat {
        let byte = !((seat.0 & 3) << 4 | pawn & 7);
        PawnOfSeat(NonZeroU8::new(byte).expect("the two highest bits are set"))
    }

    /// The seat that owns the pawn.
    #[inline(always)]
    pub fn seat(self) -> Seat {
        Seat(!self.0.get() >> 4)
    }

    /// The number of the pawn within its seat.
    #[inline(always)]
    pub fn pawn(self) -> u8 {
        !self.0.get() & 7
    }

    /// Encodes a pawn as a byte: the seat in the high four bits, the pawn in the low four bits, 255 for `None`.
    #[inline(always)]
    pub(crate) fn to_byte(pawn: Option<PawnOfSeat>) -> u8 {
        pawn.map_or(u8::MAX, |pawn| !pawn.0.get())
    }
}

/// A place: an index on a colour's own path. Place 0 is off the board, the last place is home.
pub type PathPlace = u8;

/// A set of places of one path, with one bit for each place.
pub type Places = u128;

/// The time at which a player may take a bonus.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Due {
    /// After the numbers of the hand are spent.
    #[default]
    After = 0,
    /// When the turn has no further throw.
    Last = 1,
    /// Before the other numbers of the hand.
    Now = 2,
}
