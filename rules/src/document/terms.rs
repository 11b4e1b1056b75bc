//! Terms: conditions and numbers with a name.

use super::{Expr, Text};
use crate::language::{Name, Named};
use crate::source::{Report, Span};
use crate::yaml::clauses::clauses;
use crate::yaml::tree::Entry;

/// A condition or number with a name, by which expressions use it.
#[derive(Debug, Clone, PartialEq)]
pub struct TermLine {
    /// Its name.
    pub name: Text,
    /// The expression that the name stands for.
    pub value: Expr,
    /// Clause ids in its comments.
    pub clauses: Vec<String>,
    /// From its name to the end of its line.
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
