//! Rule files as text, and what is wrong with them.

/// A place in a file: line and column from 1 (characters), and how many characters it covers on that line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Which file: 0 is the file itself, 1.. what it extends, in order.
    pub file: u16,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// At least 1.
    pub width: u32,
}

/// A file with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// As it is shown in messages: `rules/sets/pagade.yaml`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file cannot be played by.
    Error,
    /// It can, but probably not as meant.
    Warning,
}

/// Something wrong with a rule file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// A stable word: `unknown-label`.
    pub code: &'static str,
    /// What is wrong, in game words; lower case, no full stop, input in backticks.
    pub message: String,
    /// What would help.
    pub help: Option<String>,
    /// Where.
    pub span: Span,
    /// Name of the file of `span`.
    pub file: String,
    /// The text of that line.
    pub excerpt: String,
}
