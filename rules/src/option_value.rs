//! Values of table options.

use std::fmt;

/// The value of a table option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionValue {
    /// A word.
    Word(String),
    /// A truth value.
    Truth(bool),
    /// A number.
    Number(i64),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Truth(truth) => truth.fmt(f),
            Self::Number(number) => number.fmt(f),
        }
    }
}
