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

impl OptionValue {
    /// The value as rule files write it: a truth value is `yes` or `no`.
    #[must_use]
    pub fn written(&self) -> String {
        match self {
            Self::Truth(true) => "yes".to_owned(),
            Self::Truth(false) => "no".to_owned(),
            Self::Word(_) | Self::Number(_) => self.to_string(),
        }
    }
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
