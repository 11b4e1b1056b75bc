//! Expressions and effects, parsed with their spans; no name in them is resolved yet.

use crate::source::{Span, Text};
use crate::tables::Which;
use crate::units::Due;

/// An expression and where it stands.
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

/// An effect and where it stands.
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
        which: Which,
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
