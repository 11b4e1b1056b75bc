//! A rule file as written: every value with its place, nothing resolved yet.

use crate::source::Span;
use crate::units::Due;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// Text with its place.
pub type Text = At<String>;

/// A fixed value, or `$option`.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// A word, number or truth value as written.
    Fixed(String),
    /// The value of a table option.
    Option(String),
}

/// An expression as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub node: Node,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// An integer.
    Number(i64),
    /// `yes`, `no`, `true`, `false`.
    Truth(bool),
    /// A name, with its qualifier: `cuts`, `other.won`, `pawn.returned`.
    Name(Option<String>, String),
    /// A call: the function's name, its arguments as written (places, labels or numbers).
    Call(String, Vec<Text>),
    /// `not x`, `-x`.
    Unary(Unary, Box<Expr>),
    /// `x + y`, `x and y`, `x < y`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `x in [a, b]`: the items as written (numbers, labels, zones, words).
    In(Box<Expr>, Vec<Text>),
    /// `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// Operators with one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// Logical not.
    Not,
    /// Minus.
    Minus,
}

/// Operators with two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Binary {
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// What every line of a table has.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its id (zones for the path; generated from the position where the table has no ids).
    pub id: Text,
    /// Its condition.
    pub when: Option<Expr>,
    /// Clause ids in its comment.
    pub clauses: Vec<String>,
    /// The whole line in the file.
    pub span: Span,
}

/// A whole file, variants already laid over what they extend.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the sections and keys of the language, described in the reference")]
pub struct Document {
    pub rules: Text,
    pub version: Text,
    pub title: Text,
    pub titles: Vec<(Text, Text)>,
    pub region: Option<Text>,
    pub period: Option<Text>,
    pub sources: Vec<Text>,
    pub about: Option<Text>,
    pub extends: Option<Text>,
    pub options: Vec<OptionLine>,
    pub board: BoardPart,
    pub pawns: PawnsPart,
    pub players: Vec<PlayersLine>,
    /// The condition under which opposite seats are a team.
    pub teams: Option<Expr>,
    pub dice: DicePart,
    pub numbers: Vec<NumbersLine>,
    pub turn: TurnPart,
    pub seat_counters: Vec<CounterLine>,
    pub game_counters: Vec<CounterLine>,
    pub pawn_marks: Vec<CounterLine>,
    pub spend: Vec<SpendLine>,
    pub must: Vec<MustLine>,
    pub landing: Vec<VerdictLine>,
    pub passing: Vec<VerdictLine>,
    pub on: Vec<EventLine>,
    pub choices: Vec<ChoiceLine>,
    pub finish: FinishPart,
    /// Clauses named in comments on lines that are not table lines (head, single settings): (clauses, span, what).
    pub other_clauses: Vec<(Vec<String>, Span, String)>,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct OptionLine {
    pub name: Text,
    pub kind: OptionKind,
    pub text: Text,
    pub clauses: Vec<String>,
    pub span: Span,
}

/// The kinds of table options, with their defaults.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub enum OptionKind {
    OneOf { words: Vec<Text>, default: Text },
    Truth { default: At<bool> },
    Range { from: At<i64>, to: At<i64>, default: At<i64> },
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct BoardPart {
    pub grid: At<(u8, u8)>,
    pub seats: Vec<Text>,
    pub paints: Vec<Text>,
    pub turned: Text,
    pub path: Vec<ZoneLine>,
    pub tags: Vec<TagLine>,
    /// Place lists whose union makes pairs, each under its condition.
    pub pairs_on: Vec<(Vec<Text>, Option<Expr>)>,
    pub gate: Option<GatePart>,
    pub span: Span,
}

/// How a zone gets its squares.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub enum Ground {
    Walk(Text),
    Again(Vec<Text>),
    OffBoard,
    Home,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct ZoneLine {
    pub line: Line,
    /// Labels and label ranges as written.
    pub squares: Vec<Text>,
    pub ground: Ground,
    pub private: bool,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct TagLine {
    pub line: Line,
    pub squares: Vec<Text>,
    /// `everyone` (true) or `owner`.
    pub everyone: bool,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct GatePart {
    pub after: Text,
    pub open_when: Expr,
    pub closed: At<Setting>,
    pub lap_to: Option<Text>,
    pub clauses: Vec<String>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct PawnsPart {
    pub each: At<u8>,
    /// The first line that holds.
    pub start: Vec<(Vec<Text>, Option<Expr>)>,
    /// Where captured pawns go; the place off the board where it is not said.
    pub cut_to: Option<Text>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct PlayersLine {
    /// These seats, or any so many.
    pub seats: Result<Vec<Text>, At<u8>>,
    pub when: Option<Expr>,
    pub clauses: Vec<String>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub enum DicePart {
    Dice { count: At<u8>, faces: Vec<At<u8>>, span: Span },
    Lots { lots: At<u8>, values: Vec<At<u8>>, span: Span },
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct NumbersLine {
    pub line: Line,
    pub numbers: Vec<Expr>,
    pub all_or_none: bool,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct TurnPart {
    pub order: At<Setting>,
    pub first: At<Setting>,
    pub use_dice: At<Setting>,
    /// A condition over options only.
    pub once_per_throw: Option<Expr>,
    pub reunite: At<Setting>,
    pub may_pass: Option<Expr>,
    pub turn_cap: At<u32>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct CounterLine {
    pub name: Text,
    /// Truth or a range.
    pub range: Option<(At<i64>, At<i64>)>,
    pub start: Option<At<i64>>,
    pub hidden: bool,
    pub clauses: Vec<String>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct SpendLine {
    pub line: Line,
    pub mover: Text,
    pub from: Vec<Text>,
    pub with: Text,
    pub exactly: Option<At<u8>>,
    pub to: Option<Text>,
    pub route: Option<Text>,
    pub steps: Option<Expr>,
    pub duty: Option<Text>,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct MustLine {
    pub line: Line,
    pub actions: Vec<Text>,
    pub within: At<Setting>,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct VerdictLine {
    pub line: Line,
    /// `on:` or `over:` as written.
    pub pattern: Text,
    pub by: Option<Text>,
    /// Empty: everywhere.
    pub within: Vec<Text>,
    pub then: Text,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct EventLine {
    pub line: Line,
    pub event: Text,
    pub effects: Vec<EffectText>,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct ChoiceLine {
    pub line: Line,
    /// The word that players use; the id where it is not said.
    pub word: Option<Text>,
    pub ask: Text,
    pub argument: Option<Text>,
    pub effects: Vec<EffectText>,
}

/// An effect, parsed but not resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectText {
    /// What it is.
    pub kind: EffectKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of effects.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub enum EffectKind {
    /// `cuts = 0`, `other.won = no`: qualifier, name, value.
    Set(Option<String>, String, Expr),
    /// `cuts += victims` (`-=` as plus minus).
    Add(Option<String>, String, Expr),
    /// `pawn.returned = yes`.
    Mark(String, Expr),
    /// `each pawn.lifted = yes where COND`.
    MarkEach(String, Expr, Option<Expr>),
    ThrowAgain,
    ThrowAfter,
    Bonus {
        steps: Expr,
        due: Due,
    },
    DropThrow,
    DropHand,
    EndTurn,
    UndoTurn,
    Send {
        which: Text,
        to: Text,
    },
    Jump {
        from: Text,
        to: Text,
    },
    Pounce {
        from: Text,
    },
    CutBehind,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub struct FinishPart {
    pub play_on: At<Setting>,
    pub ends_turn: bool,
    pub help: Option<Expr>,
    pub stays: Option<Expr>,
    pub ranks: Vec<Text>,
    pub clauses: Vec<String>,
    pub span: Span,
}
