//! Seats, places and other basic values of the engine, and the limits on their number.

use std::fmt;
use std::num::NonZeroU8;

/// Maximum number of seats round one board.
pub const MAX_SEATS: usize = 8;
/// Maximum number of pawns of one colour.
pub const MAX_PAWNS: usize = 16;
/// Maximum number of places on one path. The place off the board and the place home count, too.
pub const MAX_PLACES: usize = 120;
/// Maximum number of squares of a board.
pub const MAX_SQUARES: usize = 240;
/// Number of entries of a table with one entry for each slot of a square: its number plus 1, or 0 for no square.
pub(crate) const SQUARE_ENTRIES: usize = 256;
/// Maximum number of numbers that one throw can add to the hand.
pub(crate) const MAX_NUMBERS: usize = 4;
/// Maximum number of throws that the hand can hold in one turn. Further throws are not granted.
pub const MAX_BANKED: usize = 24;
/// Maximum number of bonuses that the hand can hold.
pub(crate) const MAX_BONUSES: usize = 8;
/// Maximum number of counters that a rule set may declare for a seat.
pub const MAX_COUNTERS: usize = 8;
/// Maximum number of counters that a rule set may declare for the game.
pub const MAX_GAME_COUNTERS: usize = 8;
/// Maximum number of steps of one move. No number of the hand and no bonus is greater; the sum of a throw may be.
pub const MAX_STEP: Pips = Pips(32);

/// A seat, numbered from 0 in the order of travel round the board. It also stands for the colour of its pawns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & 7) as usize
    }
}

/// A set of pawns of one colour: bit `n` stands for pawn `n`.
pub type PawnSet = u16;

/// The number of pawns of each seat on a square, with two bits for each seat, the first seat in the lowest bits. 3
/// means three or more pawns.
pub type Occupancy = u16;

/// A pawn of one colour, numbered from 0. An `Option` of this type also takes one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PawnIndex(
    // INVARIANT: bits 0 to 3 hold the number of the pawn; bit 4 is always set, so the byte is never 0.
    NonZeroU8,
);

impl PawnIndex {
    /// Pawn number 0.
    pub const FIRST: PawnIndex = PawnIndex::new(0);

    /// The pawn of this number, which is below [`MAX_PAWNS`].
    #[inline(always)]
    #[must_use]
    pub const fn new(number: u8) -> PawnIndex {
        PawnIndex(NonZeroU8::new(number & 15 | 16).expect("bit 4 is set"))
    }

    /// The first `count` pawns.
    #[inline(always)]
    pub fn all(count: u8) -> impl DoubleEndedIterator<Item = PawnIndex> + ExactSizeIterator + Clone {
        (0..count).map(PawnIndex::new)
    }

    /// The number of the pawn.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0.get() & 15
    }

    /// The number of the pawn as an index.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.number() as usize
    }

    /// The set that contains only this pawn.
    #[inline(always)]
    #[must_use]
    pub const fn alone(self) -> PawnSet {
        1 << self.number()
    }

    /// Whether a set contains the pawn.
    #[inline(always)]
    #[must_use]
    pub const fn is_in(self, pawns: PawnSet) -> bool {
        pawns >> self.number() & 1 == 1
    }
}

impl fmt::Debug for PawnIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PawnIndex({})", self.number())
    }
}

/// A pawn, given by its seat and its number. An `Option` of this type also takes one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct PawnOfSeat(
    // INVARIANT: the bitwise complement of the seat (bits 4 to 6) and the pawn (bits 0 to 3). Bit 7 is always set, so
    // the byte is never 0.
    NonZeroU8,
);

impl PawnOfSeat {
    /// Creates the value for a pawn of a seat.
    #[inline(always)]
    pub fn new(seat: Seat, pawn: PawnIndex) -> PawnOfSeat {
        let byte = !((seat.0 & 7) << 4 | pawn.number());
        PawnOfSeat(NonZeroU8::new(byte).expect("the highest bit is set"))
    }

    /// The seat that owns the pawn.
    #[inline(always)]
    pub fn seat(self) -> Seat {
        Seat(!self.0.get() >> 4)
    }

    /// The number of the pawn within its seat.
    #[inline(always)]
    pub fn pawn(self) -> PawnIndex {
        PawnIndex::new(!self.0.get())
    }

    /// The byte that stands for no pawn in encoded states and in the keys of searches.
    pub(crate) const NO_PAWN: u8 = u8::MAX;

    /// Encodes a pawn as a byte: the seat in the high four bits, the pawn in the low four bits,
    /// [`NO_PAWN`](Self::NO_PAWN) for `None`.
    #[inline(always)]
    pub(crate) fn to_byte(pawn: Option<PawnOfSeat>) -> u8 {
        pawn.map_or(Self::NO_PAWN, |pawn| !pawn.0.get())
    }
}

/// A place: an index on a colour's own path. Place 0 is off the board, the last place is home.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct PathPlace(pub u8);

impl PathPlace {
    /// The place off the board where pawns wait.
    pub const OUT: PathPlace = PathPlace(0);

    /// The place as an index of tables with an entry for every place.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that contains only this place.
    #[inline(always)]
    #[must_use]
    pub const fn alone(self) -> Places {
        1 << self.0
    }

    /// Whether a set contains the place.
    #[inline(always)]
    #[must_use]
    pub const fn is_in(self, places: Places) -> bool {
        places >> self.0 & 1 == 1
    }

    /// The index of the place that lies `steps` ahead. It may be greater than the last index of the path.
    #[inline(always)]
    #[must_use]
    pub const fn ahead(self, steps: Pips) -> usize {
        self.0 as usize + steps.0 as usize
    }

    /// The places after this one and before `end`, as a set.
    #[must_use]
    pub const fn between(self, end: PathPlace) -> Places {
        if end.0 <= self.0 { 0 } else { (1 << end.0) - (1 << (self.0 + 1)) }
    }

    /// The places after this one and before `end`, in order.
    #[inline(always)]
    pub fn until(self, end: PathPlace) -> impl DoubleEndedIterator<Item = PathPlace> + Clone {
        (self.0 + 1..end.0).map(PathPlace)
    }

    /// The places of a colour's pawns as one 128-bit word, one byte for each pawn.
    #[inline(always)]
    pub(crate) fn word(places: &[PathPlace; MAX_PAWNS]) -> u128 {
        u128::from_le_bytes(places.map(|place| place.0))
    }
}

/// A set of places of one path: bit `n` stands for place `n`.
pub type Places = u128;

/// A square of the board, numbered from 0. Pawns off the board and at home are on no square, which is `None`. An
/// `Option` of this type takes one byte, as the type itself does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct SquareId(
    // INVARIANT: the byte is the number of the square plus 1, so it is never 0.
    NonZeroU8,
);

impl SquareId {
    /// The square of this number, which is below [`MAX_SQUARES`].
    ///
    /// # Panics
    /// The number is 255.
    #[must_use]
    pub const fn new(number: u8) -> SquareId {
        SquareId(NonZeroU8::MIN.checked_add(number).expect("boards have fewer squares"))
    }

    /// The number of the square as an index.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The index of a square in tables whose entry 0 means "no square". It is below [`SQUARE_ENTRIES`].
    #[inline(always)]
    pub(crate) fn table_index(square: Option<SquareId>) -> usize {
        square.map_or(0, |square| square.0.get()) as usize
    }

    /// The square with this index in tables whose entry 0 means "no square". `None` for index 0.
    #[inline(always)]
    pub(crate) fn of_table_index(index: u8) -> Option<SquareId> {
        NonZeroU8::new(index).map(SquareId)
    }
}

impl fmt::Debug for SquareId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SquareId({})", self.index())
    }
}

/// A count of steps, as dice show it: a number of the hand, a sum, a bonus or the length of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Pips(pub u8);

impl Pips {
    /// The count as an index.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Pips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A throw of the hand, numbered from 0 in the order thrown. An `Option` of this type also takes one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ThrowIndex(
    // INVARIANT: bits 0 to 4 hold the number of the throw; bit 5 is always set, so the byte is never 0.
    NonZeroU8,
);

const _: () = assert!(MAX_BANKED <= 32 && MAX_PAWNS <= 16 && MAX_SEATS <= 8 && MAX_SQUARES < SQUARE_ENTRIES);

impl ThrowIndex {
    /// The throw of this number, which is below [`MAX_BANKED`].
    #[inline(always)]
    #[must_use]
    pub const fn new(number: u8) -> ThrowIndex {
        ThrowIndex(NonZeroU8::new(number & 31 | 32).expect("bit 5 is set"))
    }

    /// The number of the throw.
    #[inline(always)]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0.get() & 31
    }

    /// The number of the throw as an index.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.number() as usize
    }
}

impl fmt::Debug for ThrowIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ThrowIndex({})", self.number())
    }
}

/// The time at which a bonus is spent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Due {
    /// The bonus is spent after the numbers of the hand.
    #[default]
    After = 0,
    /// The bonus is spent after all throws of the turn.
    Last = 1,
    /// The bonus is spent before the numbers of the hand.
    Now = 2,
}
