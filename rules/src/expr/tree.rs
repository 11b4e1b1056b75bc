//! Syntax trees of expressions and effects, with spans. Names in them are not resolved.

use crate::source::{Span, Text};
use crate::tables::{Each, Which};
use crate::units::Due;

/// An expression with its span.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// Its kind, with its operands.
    pub node: Node,
    /// Its span in the file.
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
    /// A function call: the function's name and its arguments as text (places, labels or numbers).
    Call(String, Vec<Text>),
    /// `not x`, `-x`.
    Unary(Unary, Box<Expr>),
    /// `x + y`, `x and y`, `x < y`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `x in [a, b]`, `x in a`: the items are text (numbers, labels, zones, words).
    In(Box<Expr>, Vec<Text>),
    /// `if c then a else b`.
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
    /// Its kind, with its arguments.
    pub kind: EffectKind,
    /// Its span in the file.
    pub span: Span,
}

/// The kinds of effects.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub enum EffectKind {
    /// `cuts = 0`, `other.won = no`: qualifier, name, value.
    Set(Option<String>, String, Expr),
    /// `cuts += victims`. `cuts -= 1` adds the negative value.
    Add(Option<String>, String, Expr),
    /// `pawn.returned = yes`.
    Mark(String, Expr),
    /// `each pawn.lifted = yes where COND`.
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
        to: Text,
    },
    /// `send each enemy to LABEL where COND`.
    SendEach {
        each: Each,
        to: Text,
        condition: Option<Expr>,
    },
    Jump {
        from: Text,
        to: Text,
    },
    /// `jump each to LABEL where COND`.
    JumpEach {
        to: Text,
        condition: Option<Expr>,
    },
    Pounce {
        from: Text,
    },
    CutBehind,
}
