//! A checked rule set, the options for a table, and the problems of both.

use std::collections::BTreeMap;

use crate::document::Document;
pub use crate::option_value::OptionValue;
use crate::source::{Problem, Source};
use crate::texts::Sentence;

/// Finds the files that a rule file extends, by id or path.
pub trait RuleFiles {
    /// Finds the file with this name. Returns `None` if there is no such file.
    fn find(&self, name: &str) -> Option<Source>;
}

/// The result of a check.
#[derive(Debug)]
pub struct Checked {
    /// The rule set. `None` if the check has found errors.
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

/// A problem with the options or seats of a table: an option does not exist or has a wrong value, the values of several
/// options do not go together, or the seats cannot play together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableProblem {
    /// The kind of the problem: `unknown-option`, `bad-option-value`, `options-clash`, `unknown-seat` or
    /// `seats-not-playable`.
    pub code: &'static str,
    /// The name of the option, `options` if several options clash, or `players`.
    pub field: String,
    /// The error message.
    pub message: Sentence,
    /// Advice for the caller.
    pub help: Option<Sentence>,
}

/// A group of seats that can play together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayableTable {
    /// The seats that play, in the order of travel.
    pub players: Vec<String>,
    /// The seats of each team. Empty if every seat plays for itself.
    pub teams: Vec<Vec<String>>,
    /// The seats whose pawns each player plays, its own seat first. Empty if every player plays one colour.
    pub colours: Vec<Vec<String>>,
}

/// Values of options, by the name of the option.
pub type Options = BTreeMap<String, OptionValue>;
