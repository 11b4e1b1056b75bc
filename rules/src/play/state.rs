//! The state of a game.

use crate::units::{
    Due, MAX_BANKED, MAX_BONUSES, MAX_COUNTERS, MAX_GAME_COUNTERS, MAX_NUMBERS, MAX_PAWNS, MAX_SEATS, PathPlace,
    PawnIndex, PawnOfSeat, Pips, Seat, SquareId, ThrowIndex,
};
use std::fmt;

/// A throw: the faces of the dice in the order thrown, or the value of the lots and how many lie mouth up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Throw {
    /// The faces. Entries past `count` are 0.
    pub faces: [u8; MAX_NUMBERS],
    /// Number of faces.
    pub count: u8,
    /// For lots, how many lie mouth up. `None` for dice.
    pub up: Option<u8>,
}

/// The numbers of one throw in the hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Banked {
    /// The numbers, in the order thrown. They may differ from the faces: a rule may count a 6 as 7, or a doublet as
    /// four. Entries without a number are 0.
    pub numbers: [Pips; MAX_NUMBERS],
    /// Bit `i`: number `i` is not spent yet.
    pub left: u8,
    /// Bit `p`: pawn `p` was moved by a number of this throw.
    pub moved: u8,
    /// Bit `p`: pawn `p` stood together with a pawn that this throw has moved away.
    pub parted: u8,
    /// [`Banked::ALL_OR_NONE`] and [`Banked::DOUBLET`].
    pub flags: u8,
}

impl Banked {
    /// Flag: either all of the numbers or none must be spent.
    pub const ALL_OR_NONE: u8 = 1;
    /// Flag: the throw was a doublet, with all its faces equal.
    pub const DOUBLET: u8 = 2;

    /// Whether a number of this size is spent.
    #[inline(always)]
    pub(crate) fn has_spent(&self, number: Pips) -> bool {
        (0..MAX_NUMBERS).any(|i| self.numbers[i] == number && self.left >> i & 1 == 0)
    }

    /// Whether none of its numbers is spent.
    #[inline(always)]
    pub(crate) fn is_whole(&self) -> bool {
        self.count_left() == self.count()
    }

    /// How many numbers it has.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        // Numbers are below 128. The addition sets the top bit of each byte that is above 0.
        let tops = (self.word() + 0x7f7f_7f7f) & 0x8080_8080;
        (tops >> 7).wrapping_mul(0x0101_0101) >> 24
    }

    /// How many of its numbers are not spent.
    #[inline(always)]
    pub(crate) fn count_left(&self) -> u32 {
        // A table in one constant: four bits for each of the 16 masks. Not every machine has an instruction that counts
        // bits.
        (0x4332_3221_3221_2110u64 >> (4 * (self.left & 15))) as u32 & 7
    }

    /// The sum of some of its numbers, given with one bit for each.
    #[inline(always)]
    pub(crate) fn sum_of(&self, numbers: u8) -> Pips {
        let masks = [0u32, 0xff, 0xff00, 0xffff, 0xff_0000, 0xff_00ff, 0xff_ff00, 0xff_ffff];
        let mask = masks[numbers as usize & 7] | u32::from(numbers >> 3 & 1) * 0xff00_0000;
        Pips(((self.word() & mask).wrapping_mul(0x0101_0101) >> 24) as u8)
    }

    /// The numbers as one word, one byte each.
    #[inline(always)]
    fn word(&self) -> u32 {
        u32::from_le_bytes(self.numbers.map(|number| number.0))
    }
}

/// Steps that an event granted. One pawn takes them all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bonus {
    /// Number of steps.
    pub steps: Pips,
    /// The time at which it may be taken.
    pub due: Due,
}

/// The numbers and bonuses that are left to spend.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand {
    /// The throws of this turn, in the order thrown.
    pub banked: [Banked; MAX_BANKED],
    /// Number of entries of `banked` in use. The other entries are default values.
    pub throws: u8,
    /// The bonuses that are left, in the order granted.
    pub bonuses: [Bonus; MAX_BONUSES],
    /// Number of entries of `bonuses` in use. The other entries are default values.
    pub granted: u8,
}

impl Hand {
    /// A throw of the hand. `None` if no throw is asked for.
    #[inline(always)]
    pub(crate) fn thrown(&self, throw: Option<ThrowIndex>) -> Option<&Banked> {
        self.banked.get(throw?.index())
    }
}

/// The decision that a game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Phase {
    /// A throw.
    #[default]
    Throw,
    /// A choice that comes before any throw.
    Choose,
    /// An action that spends something of the hand.
    Move,
    /// A choice that ends the turn.
    Declare,
    /// Nothing: the game is over.
    Over,
}

/// The state of a game.
///
/// Plain data that is copied, compared and hashed as a whole. `occupied` is derived from `at`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(align(8))] // so that the places of a colour are read as one word
pub struct State {
    /// The place of every pawn by colour. Entries of pawns and colours that do not play are place 0.
    pub at: [[PathPlace; MAX_PAWNS]; MAX_SEATS],
    /// The marks of every pawn by colour, with one bit for each mark that the rule set declares.
    pub marks: [[u8; MAX_PAWNS]; MAX_SEATS],
    /// For each colour, bit `p` says that its pawn `p` was the last to arrive on its square.
    pub newest: [u8; MAX_SEATS],
    /// The counters of every seat, in the order in which the rule set declares them.
    pub counters: [[i16; MAX_COUNTERS]; MAX_SEATS],
    /// The counters of the game.
    pub game: [i16; MAX_GAME_COUNTERS],
    /// For each square, two bits for each seat: the number of its pawns there, where 3 means three or more. Derived.
    ///
    /// The index is a [slot](SquareId::slot). Slot 0, which stands for no square, and slots of no square are 0.
    pub(crate) occupied: [u8; 128],
    /// The seat whose turn it is.
    pub turn: Seat,
    /// The decision that the game waits for.
    pub phase: Phase,
    /// Number of throws in this turn so far.
    pub thrown: u8,
    /// Number of further throws granted: those before the hand is spent, and those after it.
    pub owed: [u8; 2],
    /// The last throw of this turn.
    pub last: Throw,
    /// The numbers and bonuses that are left to spend.
    pub hand: Hand,
    /// For each pawn of the moving colour, a mask of the pawns from which it was separated.
    pub apart: [u8; MAX_PAWNS],
    /// The pawn that moved last in this turn.
    pub last_moved: Option<PawnOfSeat>,
    /// The seats in the order in which they finished. Entries past `placed` are seat 0.
    pub ranking: [Seat; MAX_SEATS],
    /// Number of seats in `ranking`.
    pub placed: u8,
    /// Whether the turn ends after the running action.
    pub ending: bool,
    /// Number of jumps that the effects of a line have caused so far; 0 where no effect is running.
    pub(crate) jumps: u8,
    /// The values to which a rule may restore the state before the turn.
    pub before: Before,
}

/// The values of a state before the first throw of a turn. Kept only for rules that can undo a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Before {
    /// Whether the values are kept.
    pub kept: bool,
    /// The places of the pawns, as in [`State`].
    pub at: [[PathPlace; MAX_PAWNS]; MAX_SEATS],
    /// The marks of the pawns.
    pub marks: [[u8; MAX_PAWNS]; MAX_SEATS],
    /// The masks of the pawns that arrived last on their square.
    pub newest: [u8; MAX_SEATS],
    /// The counters of the seats.
    pub counters: [[i16; MAX_COUNTERS]; MAX_SEATS],
    /// The counters of the game.
    pub game: [i16; MAX_GAME_COUNTERS],
    /// The seats that had finished.
    pub ranking: [Seat; MAX_SEATS],
    /// Number of seats in `ranking`.
    pub placed: u8,
}

impl State {
    /// Copies the values that a rule may restore later in the turn.
    pub(crate) fn kept(&self) -> Before {
        let State { at, marks, newest, counters, game, ranking, placed, .. } = *self;
        Before { kept: true, at, marks, newest, counters, game, ranking, placed }
    }

    /// Restores the values from before the turn. The caller must derive `occupied` again.
    pub(crate) fn come_back(&mut self, before: &Before) {
        (self.at, self.marks, self.newest) = (before.at, before.marks, before.newest);
        (self.counters, self.game) = (before.counters, before.game);
        (self.ranking, self.placed) = (before.ranking, before.placed);
    }

    /// The pawns on a square: two bits for each seat, as in `occupied`. 0 for no square.
    #[inline(always)]
    #[must_use]
    pub fn on(&self, square: Option<SquareId>) -> u8 {
        self.occupied[SquareId::slot(square)]
    }

    /// The place of a pawn.
    #[inline(always)]
    pub fn place_of(&self, seat: Seat, pawn: PawnIndex) -> PathPlace {
        self.at[seat.index()][pawn.index()]
    }

    /// A state with all pawns off the board, and with all counters 0.
    pub fn empty() -> State {
        State {
            at: Default::default(),
            marks: Default::default(),
            newest: Default::default(),
            counters: Default::default(),
            game: Default::default(),
            occupied: [0; 128],
            turn: Seat(0),
            phase: Phase::Throw,
            thrown: 0,
            owed: [0; 2],
            last: Throw::default(),
            hand: Hand::default(),
            apart: Default::default(),
            last_moved: None,
            ranking: Default::default(),
            placed: 0,
            ending: false,
            jumps: 0,
            before: Before::default(),
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("turn", &self.turn)
            .field("phase", &self.phase)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

/// An action: the pawns that move, the places where the move begins and ends, and the part of the hand that is spent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    /// Index of the spending line. For a choice, index of the choice.
    pub line: u8,
    /// The kind of the action.
    pub kind: ActionKind,
    /// The pawn that moves. For a joint move, the first of its pawns.
    pub pawn: PawnIndex,
    /// The other pawn of a joint move.
    pub other: Option<PawnIndex>,
    /// The place where the move begins. For a choice with an argument, the place that it names.
    pub from: PathPlace,
    /// The place where the move ends.
    pub to: PathPlace,
    /// Which throw of the hand it spends. `None` for a bonus.
    pub throw: Option<ThrowIndex>,
    /// The numbers of that throw that it spends, with one bit for each. For a bonus, the index of the bonus.
    pub numbers: u8,
    /// Whether the action captures.
    pub captures: bool,
}

impl Action {
    /// Whether several pawns move together.
    #[inline(always)]
    pub fn is_joint(&self) -> bool {
        self.other.is_some()
    }

    /// Whether a move spends a bonus, not numbers of a throw.
    #[inline(always)]
    pub fn spends_bonus(&self) -> bool {
        self.throw.is_none()
    }

    /// The number of the hand's numbers that the action spends.
    #[inline(always)]
    pub(crate) fn spends(&self) -> u32 {
        if self.spends_bonus() { 0 } else { self.numbers.count_ones() }
    }
}

/// Kinds of actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ActionKind {
    /// A pawn or a pair moves.
    Move,
    /// A declared choice is made.
    Choice,
    /// The player spends nothing more in this turn.
    Pass,
}
