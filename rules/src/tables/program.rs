//! Conditions and numbers as small integer programs, and the counters that they read.

use crate::units::PathPlace;

/// All programs of a rule set.
#[derive(Debug, Default)]
pub struct ProgramCode {
    /// The operations of all programs, one after another.
    pub ops: Vec<Op>,
    /// The programs: each is a stretch of `ops`.
    pub(crate) programs: Vec<Program>,
}

/// The counters and marks that a rule set declares, in the order of its file.
#[derive(Debug)]
pub struct CounterTable {
    /// Counters of a seat.
    pub seat: Vec<Counter>,
    /// Counters of the game.
    pub game: Vec<Counter>,
    /// Marks of a pawn. Bit `i` of `State::marks` belongs to `marks[i]`.
    pub marks: Vec<Counter>,
}

/// A declared counter or mark.
#[derive(Debug, Clone)]
pub struct Counter {
    /// The name of the counter or mark.
    pub name: String,
    /// Whether its only values are true and false, stored as 1 and 0.
    pub truth: bool,
    /// Least and greatest value.
    pub range: (i16, i16),
    /// Value when the game begins.
    pub start: i16,
    /// Whether states and records leave it out.
    pub hidden: bool,
}

/// A stretch of [`ProgramCode::ops`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// Index of the first operation.
    pub start: u32,
    /// Number of operations.
    pub len: u16,
}

impl Program {
    /// The operations of the program.
    pub(crate) fn of(self, code: &[Op]) -> &[Op] {
        &code[self.start as usize..][..usize::from(self.len)]
    }
}

/// An operation of a program. It works on a stack of at most 16 integers; true is 1, false is 0. The first
/// of two operands is the one that was pushed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Pushes a number or a place.
    Push(i16),
    /// Pushes a counter.
    Counter(Whose, u8),
    /// Pushes whether the pawn in question has a mark.
    Mark(u8),
    /// Pushes whether a pawn of the other seat on the square in question has a mark.
    MarkThere(u8),
    /// Pushes whether an own pawn on the square in question has a mark.
    OwnMarkThere(u8),
    /// Pushes whether the other seat has a pawn with a mark on the place that the player names in a choice.
    MarkNamed(u8),
    /// Pushes a fact about the state or the action in question.
    Fact(Fact),
    /// Pushes a face of the last throw, by its index from 0.
    Face(u8),
    /// Pops a place and pushes whether it is in this set of places.
    In(u128),
    /// Pushes the number of pawns on places of a set, each by the count of its seat.
    Pawns(PawnsOf, u128),
    /// Pushes the number of places in a set with two or more pawns of one seat.
    Pairs(PawnsOf, u128),
    /// Pushes the number of pawns for which a condition holds.
    PawnsWhere(PawnsOf, Program),
    /// Pops a place of the own path, pushes the number of pawns on its square: own ones, enemies, or all. The number is
    /// 0 outside of the path, at home and off the board.
    CountAt(Crowd),
    /// Pops two numbers, pushes their sum.
    Add,
    /// Pops two numbers, pushes the first minus the second.
    Sub,
    /// Pops two numbers, pushes their product.
    Mul,
    /// Pops a number, pushes half of it, rounded down.
    Half,
    /// Pops two numbers, pushes the remainder of the first divided by the second.
    Rem,
    /// Pops two numbers, pushes whether they are equal.
    Eq,
    /// Pops two numbers, pushes whether the first is less than the second.
    Lt,
    /// Pops two numbers, pushes whether the first is less than or equal to the second.
    Le,
    /// Pops two truth values, pushes whether both are true.
    And,
    /// Pops two truth values, pushes whether at least one is true.
    Or,
    /// Skips this many operations if the top of the stack is false: the rest of an `and` cannot change the result.
    AndThen(u16),
    /// Skips this many operations if the top of the stack is true: the rest of an `or` cannot change the result.
    OrElse(u16),
    /// Pops a truth value, pushes its opposite.
    Not,
    /// Pops the value for a true condition, the condition, and the value for a false one, which lies deepest, so that a
    /// chain of `else if` needs no room for each of its values. Pushes the value that the condition picks.
    Pick,
}

impl Op {
    /// Maximum number of values that a program may hold on the stack.
    pub(crate) const STACK: usize = 16;

    /// The number of operations that run for this one: the condition of counted pawns runs for each pawn. `opponents`
    /// are the seats whose pawns a count of enemies asks, each with so many `pawns`.
    pub(crate) fn operations(self, opponents: usize, pawns: u8) -> usize {
        match self {
            Op::PawnsWhere(counted, condition) => {
                let seats = if counted == PawnsOf::Enemies { opponents } else { 1 };
                seats * usize::from(pawns) * usize::from(condition.len)
            }
            _ => 1,
        }
    }

    /// Whether the operation reads anything about the place where a move ends, or about the pawns there. Conditions of
    /// counted pawns may read anything.
    pub(crate) fn asks_end(self) -> bool {
        match self {
            Op::MarkThere(_) | Op::OwnMarkThere(_) | Op::PawnsWhere(..) => true,
            Op::Fact(fact) => matches!(
                fact,
                Fact::To | Fact::OwnThere | Fact::EnemiesThere | Fact::PawnsThere | Fact::GroupThere | Fact::ToAsOther
            ),
            _ => false,
        }
    }

    /// Whether the operation reads the number that is spent, or the throw from which it comes.
    pub(crate) fn asks_number(self) -> bool {
        matches!(self, Op::Fact(Fact::Number | Fact::ThrowNumber | Fact::Doublet))
    }

    /// Whether the operation reads anything about the other seat. Conditions of counted pawns may read anything.
    pub(crate) fn asks_other(self) -> bool {
        match self {
            Op::Counter(whose, _) => whose == Whose::Other,
            Op::MarkThere(_) | Op::MarkNamed(_) | Op::PawnsWhere(..) => true,
            Op::Pawns(counted, _) | Op::Pairs(counted, _) => counted == PawnsOf::Other,
            Op::Fact(fact) => matches!(fact, Fact::OtherFinished | Fact::OtherIsRight | Fact::ToAsOther),
            _ => false,
        }
    }
}

/// Whose pawns are counted on places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PawnsOf {
    /// Those of the own seat.
    Own,
    /// Those of the other seat in question.
    Other,
    /// Those of all opponents.
    Enemies,
}

/// The pawns that a count is about. Of each seat at most three are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crowd {
    /// Own pawns.
    Own,
    /// Pawns of opponents.
    Enemies,
    /// Pawns of all seats.
    All,
}

impl Fact {
    /// The number that stands for "no place" in conditions. It is greater than every index of a place.
    pub(crate) const NO_PLACE: u8 = 255;

    /// A place as conditions read it.
    #[inline(always)]
    pub(crate) fn place(place: Option<PathPlace>) -> u8 {
        place.map_or(Fact::NO_PLACE, |place| place.0)
    }
}

/// The owner of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The moving colour. For the event `Lost` it is the colour of the captured pawn, for `AnyTurnEnd` each playing
    /// seat, one after another.
    Own,
    /// The other seat in question: the captured pawn's, the capturer's, or the one whose turn ended.
    Other,
    /// The partner of the moving colour; without teams the colour itself.
    Partner,
    /// The seat whose turn it is, even while it moves its partner's pawns.
    Turn,
    /// The game.
    Game,
}

/// Facts about the state and the action in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// Whether the throw in question was a doublet: the throw that is being spent, else the last throw.
    Doublet,
    /// Sum of the faces of the last throw.
    Total,
    /// The number, sum or bonus that is being spent.
    Number,
    /// The position in the hand of the throw that is being spent, from 1.
    ThrowNumber,
    /// Number of throws in this turn so far.
    Throws,
    /// Number of throws that were granted and are still to be made.
    Owed,
    /// The place where the pawn in question stands before its move.
    From,
    /// The place where the pawn in question lands. In a verdict table it is the place that the verdict is about.
    To,
    /// Number of pawns that the action captured.
    Victims,
    /// Whether the pawn in question moves together with others.
    Joint,
    /// Number of own pawns on the square in question, 3 for three or more.
    OwnThere,
    /// Number of enemy pawns on the square in question. Of each colour at most three are counted.
    EnemiesThere,
    /// Number of pawns of all colours on the square in question. Of each colour at most three are counted.
    PawnsThere,
    /// Number of own pawns on the place of the pawn in question, including that pawn. It is 1 where pairs do not count.
    Group,
    /// Size of the largest group of one enemy colour on the square in question.
    GroupThere,
    /// Number of seats that play.
    Players,
    /// Number of the seat in question among all seats of the board, from 1.
    SeatNumber,
    /// Whether the seat in question has finished: at some time in the game `Finish::when` was true for it, or without
    /// such a condition all its pawns were home.
    Finished,
    /// Whether the other seat in question has finished.
    OtherFinished,
    /// Whether the pawn in question shares its square with another pawn of its colour, on a place where pairs count.
    InPair,
    /// Whether the seat whose turn it is moves its partner's pawns.
    Helping,
    /// Whether the other seat in question is on the right of the seat in question.
    OtherIsRight,
    /// Whether it is the turn of the seat in question. At the end of a turn it still counts as that seat's turn.
    IsTurn,
    /// Whether the pawn that moved last in this turn belongs to the seat in question.
    AnyMoved,
    /// The place of the pawn that moved last in this turn. `NO_PLACE` if no pawn moved.
    LastMovedAt,
    /// The square in question as a place of the other seat's path. `NO_PLACE` if that path does not lead there.
    ToAsOther,
    /// The place that a choice names.
    Argument,
    /// Number of bonuses that must be taken before the numbers of the hand.
    BonusesNow,
    /// Number of the hand's numbers that are not spent.
    NumbersLeft,
    /// Number of the hand's numbers that were dropped because no pawn could move by them.
    Unplayed,
}
