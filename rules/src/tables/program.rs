//! Small integer programs, conditions and numbers, and the counters that they ask about.

/// All programs of a rule set.
#[derive(Debug, Default)]
pub struct Code {
    /// The operations of all programs, one after another.
    pub ops: Vec<Op>,
    /// The programs that make it up.
    pub(crate) programs: Vec<Program>,
}

/// The counters and marks that a rule set declares, in the order of its file.
#[derive(Debug)]
pub struct Counters {
    /// Counters of a seat.
    pub seat: Vec<Counter>,
    /// Counters of the game.
    pub game: Vec<Counter>,
    /// Marks of a pawn: bit `i` of `State::marks` is `marks[i]`.
    pub marks: Vec<Counter>,
}

/// A declared counter or mark.
#[derive(Debug, Clone)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// A truth value (0 or 1).
    pub truth: bool,
    /// Least and greatest value.
    pub range: (i16, i16),
    /// Value when the game begins.
    pub start: i16,
    /// Not shown in states and records.
    pub hidden: bool,
}

/// A stretch of [`Code::ops`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// Index of the first operation.
    pub start: u32,
    /// Number of operations.
    pub len: u16,
}

/// An operation of a program: a stack of integers, truth as 1 and 0. Depth is at most [`Op::STACK`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Pushes a number (or a place).
    Push(i16),
    /// Pushes a counter.
    Counter(Whose, u8),
    /// Pushes whether the pawn in question bears a mark.
    Mark(u8),
    /// Pushes whether some pawn of the other seat in question, on the square in question, bears a mark.
    MarkThere(u8),
    /// Pushes whether some pawn of the other seat, on the place that a choice names, bears a mark.
    MarkNamed(u8),
    /// Pushes a fact of the situation.
    Fact(Fact),
    /// Pushes a face of the last throw: 0..
    Face(u8),
    /// Pops a place, pushes whether it is in a set (index into the set given by a zone or tag of the own colour).
    In(u128),
    /// Pushes how many own pawns stand on places of a set.
    Pawns(u128),
    /// Pushes how many pawns of the other seat in question stand on places of a set.
    OtherPawns(u128),
    /// Pushes how many places of a set hold two or more own pawns.
    Pairs(u128),
    /// Pushes how many places of a set hold two or more pawns of the other seat.
    OtherPairs(u128),
    /// Arithmetic and logic on the top of the stack.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Half, rounded down.
    Half,
    /// Remainder.
    Rem,
    /// Equality.
    Eq,
    /// Less than.
    Lt,
    /// Less than or equal.
    Le,
    /// Both.
    And,
    /// Either.
    Or,
    /// After the first of both: where it does not hold, it is the answer, and so many operations are left out.
    AndThen(u16),
    /// After the first of either: where it holds, it is the answer, and so many operations are left out.
    OrElse(u16),
    /// Not.
    Not,
    /// Pops condition, then, else: pushes one of them.
    Pick,
}

impl Op {
    /// Deepest stack that a program may need.
    pub const STACK: usize = 16;

    /// Whether it asks about the other seat in question.
    pub(crate) fn asks_other(self) -> bool {
        match self {
            Op::Counter(whose, _) => whose == Whose::Other,
            Op::MarkThere(_) | Op::MarkNamed(_) | Op::OtherPawns(_) | Op::OtherPairs(_) => true,
            Op::Fact(fact) => matches!(fact, Fact::OtherFinished | Fact::OtherIsRight | Fact::ToAsOther),
            _ => false,
        }
    }
}

/// Whose counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The colour that moves (in `Lost`, the victim's; in `AnyTurnEnd`, the seat asked).
    Own,
    /// The other seat in question: the victim's, the capturer's, the seat whose turn ended.
    Other,
    /// The partner of the colour that moves (itself without teams).
    Partner,
    /// The seat whose turn it is, whatever it moves.
    Turn,
    /// The game.
    Game,
}

/// Facts of the situation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The last throw was a doublet; while a number is spent: its throw was.
    Doublet,
    /// Sum of the faces of the last throw.
    Total,
    /// The number (sum, bonus) that is spent.
    Number,
    /// Which throw of the turn is spent, from 1.
    ThrowNumber,
    /// Throws of this turn so far.
    Throws,
    /// Throws granted and not thrown yet.
    Owed,
    /// Where the pawn in question stands (stood, after it moved).
    From,
    /// Where it lands (stands, after it moved); in a verdict table the place in question.
    To,
    /// Pawns captured by this action.
    Victims,
    /// The pawn in question moves together with others.
    Joint,
    /// Own pawns on the place in question.
    OwnThere,
    /// Enemy pawns on the square in question.
    EnemiesThere,
    /// Pawns of every colour on the square in question.
    PawnsThere,
    /// Own pawns on the place of the pawn in question, itself included; 1 where pairs don't count.
    Group,
    /// Pawns of the largest group of one enemy colour on the square in question.
    GroupThere,
    /// Seats that play.
    Players,
    /// The seat in question has finished (all its pawns came home once).
    Finished,
    /// The other seat in question has finished.
    OtherFinished,
    /// The pawn in question shares its square with another of its colour where pairs count.
    InPair,
    /// The seat in question moves its partner's pawns.
    Helping,
    /// The other seat in question sits on the right of the seat in question.
    OtherIsRight,
    /// The seat in question is the one whose turn it is (or ended).
    IsTurn,
    /// A pawn moved in this turn, and it is of the seat's colour.
    AnyMoved,
    /// Place of the pawn that moved last in this turn.
    LastMovedAt,
    /// The place that the other seat calls the square in question; no place of a path for none.
    ToAsOther,
    /// The argument of a choice.
    Argument,
    /// Bonuses that wait to be taken now.
    BonusesNow,
    /// Numbers of the hand that are not spent.
    NumbersLeft,
    /// Numbers of the hand that were dropped, for nobody could play them.
    Unplayed,
}
