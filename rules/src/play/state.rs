//! The state of a game.

use crate::units::{
    MAX_COUNTERS, MAX_GAME_COUNTERS, MAX_NUMBERS, MAX_PAWNS, MAX_SEATS, Occupancy, PathPlace, PawnIndex, PawnOfSeat,
    PawnSet, Places, SQUARE_ENTRIES, Seat, SquareId, ThrowIndex,
};
use std::fmt;

pub use super::hand::{Banked, Bonus, Hand};

/// A throw: the faces of the dice in the order thrown, or the value of the lots and the number that lie mouth up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Throw {
    /// The faces. Entries past `count` are 0.
    pub faces: [u8; MAX_NUMBERS],
    /// Number of faces.
    pub count: u8,
    /// The number of lots that lie mouth up. `None` for dice.
    pub up: Option<u8>,
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
    /// An action that spends a part of the hand.
    Move,
    /// A choice that ends the turn.
    Declare,
    /// Nothing: the game is over.
    Over,
}

/// The state of a game.
///
/// Plain data that is copied, compared and hashed as a whole. `occupied` and `barred` are derived from `at`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(align(16))] // so that the places of a colour are read as one word
pub struct State {
    /// The place of every pawn by colour. Entries of pawns and colours that do not play are place 0.
    pub at: [[PathPlace; MAX_PAWNS]; MAX_SEATS],
    /// The marks of every pawn by colour, with one bit for each mark that the rule set declares.
    pub marks: [[u8; MAX_PAWNS]; MAX_SEATS],
    /// For each colour, bit `p` says that its pawn `p` was the last to arrive on its square.
    pub newest: [PawnSet; MAX_SEATS],
    /// The counters of every seat, in the order in which the rule set declares them.
    pub counters: [[i16; MAX_COUNTERS]; MAX_SEATS],
    /// The counters of the game.
    pub game: [i16; MAX_GAME_COUNTERS],
    /// The number of pawns of each seat on each square. Derived from `at`.
    ///
    /// The index is the [`SquareId::table_index`] of the square. Index 0 means "no square" and is always 0, as are the
    /// slots above the number of squares.
    pub(crate) occupied: [Occupancy; SQUARE_ENTRIES],
    /// For each colour, the places of its path on squares where pawns may bar the way. Derived from `at`.
    pub(crate) barred: [Places; MAX_SEATS],
    /// The seat whose turn it is.
    pub turn: Seat,
    /// The decision that the game waits for.
    pub phase: Phase,
    /// The seat that has to make the choice that is due, if it is another one than the seat whose turn it is.
    pub asked: Option<Seat>,
    /// Number of throws in this turn so far.
    pub thrown: u8,
    /// Number of further throws granted: those that come before the hand is spent, and those that come after it.
    pub owed: [u8; 2],
    /// The last throw of this turn.
    pub last: Throw,
    /// The numbers and bonuses that are left to spend.
    pub hand: Hand,
    /// For each pawn of the moving colour, a mask of the pawns from which it parted in this turn. Empty if no rule asks
    /// for them.
    pub apart: [PawnSet; MAX_PAWNS],
    /// The pawn that moved last in this turn.
    pub last_moved: Option<PawnOfSeat>,
    /// The seats in the order in which they finished. At the end of a game, seats that have not finished may follow,
    /// scores may change the order, and a team that won goes first. Entries past `placed` are seat 0.
    /// [`Engine::places`](super::Engine::places) reads places from it.
    pub ranking: [Seat; MAX_SEATS],
    /// Number of seats in `ranking`.
    pub placed: u8,
    /// Whether the turn ends after the running action.
    pub ending: bool,
    /// Number of jumps that the effects of a line have caused so far; 0 where no effect is running.
    pub(crate) jumps: u8,
    /// The values from before the first throw of the turn, to which a rule may restore the state.
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
    pub newest: [PawnSet; MAX_SEATS],
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
    /// The seat whose decision is due: the seat whose turn it is, or another one that a choice asks.
    #[inline(always)]
    #[must_use]
    pub fn decider(&self) -> Seat {
        self.asked.unwrap_or(self.turn)
    }

    /// Copies the values that a rule may restore later in the turn.
    pub(crate) fn kept(&self) -> Before {
        let State { at, marks, newest, counters, game, ranking, placed, .. } = *self;
        Before { kept: true, at, marks, newest, counters, game, ranking, placed }
    }

    /// Restores the values from before the turn. The caller must derive `occupied` and `barred` again.
    pub(crate) fn come_back(&mut self, before: &Before) {
        (self.at, self.marks, self.newest) = (before.at, before.marks, before.newest);
        (self.counters, self.game) = (before.counters, before.game);
        (self.ranking, self.placed) = (before.ranking, before.placed);
    }

    /// The pawns on a square. 0 for no square.
    #[inline(always)]
    #[must_use]
    pub fn on(&self, square: Option<SquareId>) -> Occupancy {
        self.occupied[SquareId::table_index(square)]
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
            occupied: [0; SQUARE_ENTRIES],
            barred: [0; MAX_SEATS],
            turn: Seat(0),
            phase: Phase::Throw,
            asked: None,
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
    /// Index of the spend line. For a choice, index of the choice.
    pub line: u8,
    /// The kind of the action.
    pub kind: ActionKind,
    /// The colour of the pawns that move. For a choice, the seat whose turn it is.
    pub colour: Seat,
    /// The pawn that moves. For a joint move, the first of its pawns.
    pub pawn: PawnIndex,
    /// The second pawn of a pair that moves; for a group, the first of its other pawns. `None` if a pawn moves alone.
    pub other: Option<PawnIndex>,
    /// The place where the move begins. For a choice with an argument, the place that it names.
    pub from: PathPlace,
    /// The place where the move ends.
    pub to: PathPlace,
    /// Which throw of the hand the action spends. `None` for a bonus.
    pub throw: Option<ThrowIndex>,
    /// The numbers of that throw that the action spends, with one bit for each. For a bonus, the index of the bonus.
    pub numbers: u8,
    /// Whether the action captures.
    pub captures: bool,
    /// The parts by which the text of the action distinguishes it from another legal action.
    pub form: ActionForm,
}

/// The parts of an action that its text names only where several legal actions would otherwise have the same text. The
/// plain form of a text names neither part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ActionForm {
    /// Whether the text names the throw that is spent: `20-24:4@2`.
    pub names_throw: bool,
    /// Whether the text names which pawns of the square move: `12~2-15:3`.
    pub names_pawns: bool,
}

impl ActionForm {
    /// The form of a text that names neither the throw nor the pawns.
    pub const PLAIN: ActionForm = ActionForm { names_throw: false, names_pawns: false };

    /// Whether the text names neither the throw nor the pawns.
    #[must_use]
    pub fn is_plain(self) -> bool {
        self == ActionForm::PLAIN
    }
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

    /// The count of numbers of the hand that the action spends.
    #[inline(always)]
    pub(crate) fn spends(&self) -> u32 {
        if self.spends_bonus() { 0 } else { self.numbers.count_ones() }
    }
}

/// Kinds of actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ActionKind {
    /// A pawn, a pair or a group moves.
    Move,
    /// A declared choice is made.
    Choice,
    /// The player gives up the rest of the hand. Throws that are still owed follow.
    Pass,
}
