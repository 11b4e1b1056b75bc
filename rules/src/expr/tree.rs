//! Syntax trees of expressions and effects, with spans. Names in them are still text.

use crate::source::{Span, Text};
use crate::tables::{Each, Which};
use crate::units::Due;

/// An expression with its span.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// The kind of the expression, with its operands.
    pub node: Node,
    /// The span of the expression in the file.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// An integer.
    Number(i64),
    /// `yes`, `no`, `true`, `false`.
    Truth(bool),
    /// A name, with its qualifier if it has one: `cuts`, `other.won`, `pawn.returned`.
    Name(Option<String>, String),
    /// A function call: the function's name and its arguments as text (places, labels or numbers).
    Call(String, Vec<Text>),
    /// The number of pawns for which a condition holds, such as `pawns(loop where pawn.fresh)`: the name of the
    /// function, the places where the pawns stand (anywhere, if there are none), and the condition.
    Chosen(String, Vec<Text>, Box<Expr>),
    /// The number of pawns on a computed place, such as `own_at(to - 1)`: the name of the function and the place.
    Count(String, Box<Expr>),
    /// An operator with one operand: `not x`, `-x`.
    Unary(Unary, Box<Expr>),
    /// An operator with two operands: `x + y`, `x and y`, `x < y`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `x in [a, b]` or `x in a`. The items are text: numbers, labels, zones, words.
    In(Box<Expr>, Vec<Text>),
    /// `if c then a else b`, in this order.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// Logical not.
    Not,
    /// Minus.
    Minus,
}

/// Operators with two operands.
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

/// An effect with its span.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectText {
    /// The kind of the effect, with its arguments.
    pub kind: EffectKind,
    /// The span of the effect in the file.
    pub span: Span,
}

/// The place to which an effect or a spend line brings a pawn.
#[derive(Debug, Clone, PartialEq)]
pub enum GoalText {
    /// A single word that begins with a digit: a label.
    Place(Text),
    /// Any other single word: a label, zone or tag if one has this name, otherwise a name in expressions, such as a
    /// counter.
    Named(Text, Expr),
    /// An expression whose value is a place, such as `to - 3`.
    Computed(Expr),
    /// `by N`: the place that lies N places ahead of the pawn, or behind it if N is negative.
    By(Expr),
}

/// The pawn that jumps. It belongs to the seat that the rule calls own.
#[derive(Debug, Clone, PartialEq)]
pub enum JumperText {
    /// A pawn on the place with this label.
    On(Text),
    /// The pawn that a word stands for, such as `this`.
    Which(Which),
}

#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub enum EffectKind {
    /// `cuts = 0` or `other.won = no`, as qualifier, name and value.
    Set(Option<String>, String, Expr),
    /// `cuts += victims`, as qualifier, name and value. `cuts -= 1` adds the negative value.
    Add(Option<String>, String, Expr),
    /// `pawn.returned = yes`, as name and value.
    Mark(String, Expr),
    /// `each pawn.lifted = yes where COND`, as name, value and condition.
    MarkEach(String, Expr, Option<Expr>),
    ThrowAgain,
    ThrowAfter,
    /// `bonus 20 times victims now`.
    Bonus {
        steps: Expr,
        times: Option<Expr>,
        due: Due,
    },
    DropThrow,
    DropHand,
    EndTurn,
    UndoTurn,
    Send {
        which: Which,
        to: GoalText,
    },
    /// `send each enemy to PLACE where COND`.
    SendEach {
        each: Each,
        to: GoalText,
        condition: Option<Expr>,
    },
    /// `jump 12 to 24`, `jump this by 4`.
    Jump {
        pawn: JumperText,
        to: GoalText,
    },
    /// `jump each to PLACE where COND`.
    JumpEach {
        to: GoalText,
        condition: Option<Expr>,
    },
    Pounce {
        from: Text,
    },
    CutBehind,
}
