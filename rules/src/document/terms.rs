//! Terms: named conditions and numbers.

use super::{Expr, Text};
use crate::language::{Name, Named};
use crate::source::{Report, Span};
use crate::yaml::clauses::clauses;
use crate::yaml::tree::Entry;

/// A condition or number with a name. Expressions can use the name.
#[derive(Debug, Clone, PartialEq)]
pub struct TermLine {
    /// The name of the term.
    pub name: Text,
    /// The expression that the name stands for.
    pub value: Expr,
    /// The clause ids in the comments of the term.
    pub clauses: Vec<String>,
    /// The span from the name of the term to the end of the line.
    pub span: Span,
}

impl Named for TermLine {
    type Key = Name;
    type Written = Expr;
    type Output = Self;

    fn from_entry(name: Text, entry: &Entry, value: Expr, _: &mut Report) -> Option<Self> {
        Some(Self { name, value, clauses: clauses(&entry.value), span: entry.span() })
    }
}
