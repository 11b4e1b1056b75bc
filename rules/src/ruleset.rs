//! A checked rule set, the options chosen for a table of it, and what is wrong with either.

use std::collections::BTreeMap;

use crate::document::Document;
pub use crate::option_value::OptionValue;
use crate::source::{Problem, Source};

/// What reads files that a rule file extends: from a name (an id or a path) to its text.
pub trait Library {
    /// The file, if there is one.
    fn find(&self, name: &str) -> Option<Source>;
}

/// What a check found.
#[derive(Debug)]
pub struct Checked {
    /// The rule set, unless there are errors.
    pub ruleset: Option<RuleSet>,
    /// Errors and warnings, by place.
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
    /// What is wrong.
    pub message: String,
    /// What would help.
    pub help: Option<String>,
}

/// Options by name.
pub type Options = BTreeMap<String, OptionValue>;
