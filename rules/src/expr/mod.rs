//! Expressions and effects: the two small languages inside the values of a rule file.

mod effect;
mod parse;
#[cfg(test)]
mod tests;
mod token;
mod tree;

pub(crate) use effect::{EffectWord, TwoWordEffect, effect_forms, parse_effect, parse_goal};
pub(crate) use parse::parse_expression;
pub use tree::{Binary, EffectKind, EffectText, Expr, GoalText, JumperText, Node, Unary};

use crate::source::Span;

/// Words that cannot be names of counters, marks or options.
pub(crate) const RESERVED: &[&str] =
    &["and", "or", "not", "in", "if", "then", "else", "yes", "no", "true", "false", "now", "where", "each"];

/// An error in an expression or an effect.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SyntaxError {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) span: Span,
}
