//! Rule lines: their numbers, names and origins.

/// Index of a rule line in [`Rules::lines`](super::Rules::lines).
pub type LineId = u16;
/// Stands for no rule line. The verdict on an empty square, for example, comes from no line.
pub const NO_LINE: LineId = LineId::MAX;

/// A rule line: its name, its position in the rule file and the clauses that it cites.
#[derive(Debug, Clone)]
pub struct LineInfo {
    /// Table and id of the line, such as `landing.pair-by-pair`.
    pub name: String,
    /// Line number in the rule file, from 1.
    pub line: u32,
    /// The clause ids in the comments of the line, and for an option also those under its key `clause`.
    pub clauses: Vec<String>,
}
