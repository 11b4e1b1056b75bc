//! The state of a game: a plain small value.

use crate::units::{
    Due, MAX_BANKED, MAX_BONUSES, MAX_COUNTERS, MAX_GAME_COUNTERS, MAX_NUMBERS, MAX_PAWNS, MAX_SEATS, PathPlace,
    PawnOfSeat, Seat,
};
use std::fmt;

/// What was thrown: dice in the order thrown, or the value of cowries and how many lie mouth up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Throw {
    /// The faces; those past `count` are 0.
    pub faces: [u8; MAX_NUMBERS],
    /// How many faces count.
    pub count: u8,
    /// For lots: how many lie mouth up. `None` for dice.
    pub up: Option<u8>,
}

/// One throw's numbers that wait to be spent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Banked {
    /// The numbers, in the order thrown (a 6 may count 7, doublets may become four numbers).
    pub numbers: [u8; MAX_NUMBERS],
    /// Bit `i`: number `i` is not spent yet.
    pub left: u8,
    /// Bit `p`: pawn `p` was moved by a number of this throw.
    pub moved: u8,
    /// Bit `p`: pawn `p` stood together with a pawn that this throw has moved away.
    pub parted: u8,
    /// Bit 0: all or none of the numbers must be spent. Bit 1: the throw was a doublet.
    pub flags: u8,
}

impl Banked {
    /// All of the numbers, or none, must be spent.
    pub const ALL_OR_NONE: u8 = 1;
    /// The faces thrown were all equal (and more than one).
    pub const DOUBLET: u8 = 2;

    /// A number of this size is spent.
    #[inline(always)]
    pub(crate) fn has_spent(&self, number: u8) -> bool {
        (0..MAX_NUMBERS).any(|i| self.numbers[i] == number && self.left >> i & 1 == 0)
    }

    /// Nothing of it is spent.
    #[inline(always)]
    pub(crate) fn is_whole(&self) -> bool {
        self.count_left() == self.count()
    }

    /// How many numbers it has.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        // No number has the top bit of its byte; those above 0 get it.
        let tops = (u32::from_le_bytes(self.numbers) + 0x7f7f_7f7f) & 0x8080_8080;
        (tops >> 7).wrapping_mul(0x0101_0101) >> 24
    }

    /// How many of its numbers are not spent.
    #[inline(always)]
    pub(crate) fn count_left(&self) -> u32 {
        // The counts of four bits, four bits each: the instruction for it is not on every machine.
        (0x4332_3221_3221_2110u64 >> (4 * (self.left & 15))) as u32 & 7
    }

    /// The sum of some of its numbers, a bit each.
    #[inline(always)]
    pub(crate) fn sum_of(&self, numbers: u8) -> u8 {
        let masks = [0u32, 0xff, 0xff00, 0xffff, 0xff_0000, 0xff_00ff, 0xff_ff00, 0xff_ffff];
        let mask = masks[numbers as usize & 7] | u32::from(numbers >> 3 & 1) * 0xff00_0000;
        ((u32::from_le_bytes(self.numbers) & mask).wrapping_mul(0x0101_0101) >> 24) as u8
    }
}

/// Steps granted by an event, to be taken whole by one pawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bonus {
    /// How many steps.
    pub steps: u8,
    /// When it is taken.
    pub due: Due,
}

/// What is left to spend.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand {
    /// The throws of this turn that are not spent, in the order thrown.
    pub banked: [Banked; MAX_BANKED],
    /// How many of `banked` are in use; entries past it are default.
    pub throws: u8,
    /// Bonuses that wait, in the order granted.
    pub bonuses: [Bonus; MAX_BONUSES],
    /// How many of `bonuses` are in use; entries past it are default.
    pub granted: u8,
}

/// What the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Phase {
    /// A throw; where choices are open, a choice instead.
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
/// Plain data: copied, compared and hashed as a whole. `occupied` is derived from `at`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(align(8))] // so that the places of a colour are read as one word
pub struct State {
    /// Place of every pawn by colour; pawns that do not play are at place 0 of a colour that has none.
    pub at: [[PathPlace; MAX_PAWNS]; MAX_SEATS],
    /// Marks of every pawn by colour: the bits that the rule set declares.
    pub marks: [[u8; MAX_PAWNS]; MAX_SEATS],
    /// Bit `p`: pawn `p` of the colour was the last to arrive on its square.
    pub newest: [u8; MAX_SEATS],
    /// Counters of every seat, as declared by the rule set.
    pub counters: [[i16; MAX_COUNTERS]; MAX_SEATS],
    /// Counters of the game.
    pub game: [i16; MAX_GAME_COUNTERS],
    /// Per square two bits a seat: how many of its pawns stand there (3 means three or more). Derived.
    pub occupied: [u8; 128],
    /// The seat whose turn it is.
    pub turn: Seat,
    /// What the game waits for.
    pub phase: Phase,
    /// Throws of this turn so far.
    pub thrown: u8,
    /// Further throws granted: now, before anything is spent, and after the hand is spent.
    pub owed: [u8; 2],
    /// The last throw of this turn.
    pub last: Throw,
    /// What is left to spend.
    pub hand: Hand,
    /// Per pawn of the colour that moves: the pawns of its colour it stood together with and left (see `reunite`).
    pub apart: [u8; MAX_PAWNS],
    /// The pawn that moved last in this turn.
    pub last_moved: Option<PawnOfSeat>,
    /// The seats in the order they finished; 255 past `placed`.
    pub ranking: [u8; MAX_SEATS],
    /// How many seats are in `ranking`.
    pub placed: u8,
    /// The turn ends as soon as the running action is done.
    pub ending: bool,
    /// What the turn can be taken back to.
    pub before: Before,
}

/// What a turn that is taken back comes back to; kept from the first throw of a turn on, by rules that take turns back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Before {
    /// It is kept.
    pub kept: bool,
    /// Places of the pawns, as in [`State`].
    pub at: [[PathPlace; MAX_PAWNS]; MAX_SEATS],
    /// Their marks.
    pub marks: [[u8; MAX_PAWNS]; MAX_SEATS],
    /// Last arrivals.
    pub newest: [u8; MAX_SEATS],
    /// Counters of the seats.
    pub counters: [[i16; MAX_COUNTERS]; MAX_SEATS],
    /// Counters of the game.
    pub game: [i16; MAX_GAME_COUNTERS],
    /// The seats that had finished, as many as `placed`.
    pub ranking: [u8; MAX_SEATS],
    /// How many.
    pub placed: u8,
}

impl State {
    /// How things stand now, to come back to.
    pub(crate) fn kept(&self) -> Before {
        let State { at, marks, newest, counters, game, ranking, placed, .. } = *self;
        Before { kept: true, at, marks, newest, counters, game, ranking, placed }
    }

    /// Comes back to how things stood; `occupied` is derived anew by the rules.
    pub(crate) fn come_back(&mut self, before: &Before) {
        (self.at, self.marks, self.newest) = (before.at, before.marks, before.newest);
        (self.counters, self.game) = (before.counters, before.game);
        (self.ranking, self.placed) = (before.ranking, before.placed);
    }

    /// A board with nobody on it.
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
            ranking: [255; MAX_SEATS],
            placed: 0,
            ending: false,
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

/// One legal action, resolved: what is moved, from where to where, and what is spent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Action {
    /// Index of the spending line, or of the choice where `kind` says so.
    pub line: u8,
    /// What kind of action this is.
    pub kind: ActionKind,
    /// The pawn that moves (the first of its place); for a joint move the first of the two.
    pub pawn: u8,
    /// The other pawn of a joint move, else [`Action::ALONE`]; for a choice the other seat that it is about.
    pub other: u8,
    /// Where the pawn stands. For a choice with an argument: the place meant.
    pub from: PathPlace,
    /// Where the pawn lands.
    pub to: PathPlace,
    /// Which throw of the hand it spends; [`Action::NO_THROW`] for a bonus.
    pub throw: u8,
    /// Which numbers of that throw it spends, a bit each; for a bonus its index.
    pub numbers: u8,
    /// Something is captured.
    pub captures: bool,
}

impl Action {
    /// Stands in [`Action::other`] where no other pawn moves.
    pub const ALONE: u8 = u8::MAX;
    /// Stands in [`Action::throw`] where no throw is spent.
    pub const NO_THROW: u8 = u8::MAX;

    /// Whether several pawns move together.
    #[inline(always)]
    pub fn is_joint(&self) -> bool {
        self.other != Action::ALONE
    }

    /// Whether a move spends a bonus, not numbers of a throw.
    #[inline(always)]
    pub fn spends_bonus(&self) -> bool {
        self.throw == Action::NO_THROW
    }

    /// How many numbers of the hand it spends.
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
    /// Nothing more is spent.
    Pass,
}
