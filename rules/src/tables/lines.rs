//! Rule lines by number, and what is told of them.

/// Index of a rule line in [`Rules::lines`](super::Rules::lines).
pub type LineId = u16;
/// No rule line: an empty square, or an occupied one that no line speaks of.
pub const NO_LINE: LineId = LineId::MAX;

/// A rule line as documentation: where it stands and what it carries.
#[derive(Debug, Clone)]
pub struct LineInfo {
    /// `landing.pair-by-pair`
    pub name: String,
    /// Line in the file it came from, from 1.
    pub line: u32,
    /// Clause ids in its comment or its `clauses`.
    pub clauses: Vec<String>,
}
