//! A checked rule set, the options for a table, and the problems of both.

use std::collections::BTreeMap;

use crate::document::Document;
pub use crate::option_value::OptionValue;
use crate::source::{Problem, Source};

/// Finds the files that a rule file extends, by id or path.
pub trait Library {
    /// The file with this name; `None` if there is none.
    fn find(&self, name: &str) -> Option<Source>;
}

/// The result of a check.
#[derive(Debug)]
pub struct Checked {
    /// The rule set, unless there are errors.
    pub ruleset: Option<RuleSet>,
    /// Errors and warnings, in the order of the text.
    pub problems: Vec<Problem>,
}

/// A rule set that can be played once its options are chosen.
#[derive(Debug, Clone)]
pub struct RuleSet {
    pub(crate) document: Document,
    pub(crate) sources: Vec<Source>,
    pub(crate) digest: String,
    pub(crate) flattened: String,
}

/// A table option that cannot be taken, or seats that cannot play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableProblem {
    /// `unknown-option`, `bad-option-value`, `unknown-seat`, `seats-not-playable`.
    pub code: &'static str,
    /// The option's name, or `players`.
    pub field: String,
    /// The message.
    pub message: String,
    /// The help.
    pub help: Option<String>,
}

/// Options by name.
pub type Options = BTreeMap<String, OptionValue>;
