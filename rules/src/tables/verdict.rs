//! Ordered tables that say what a landing or a passing does.

use super::lines::LineId;
use super::program::Program;

/// An ordered table of verdicts, answered by look-up.
#[derive(Debug)]
pub struct VerdictTable {
    /// Number of classes of places.
    pub classes: u8,
    /// `(mover * classes + class) * 256 + occupied`, seats turned so that the mover's colour is lowest.
    pub table: Vec<VerdictEntry>,
    /// Lines whose condition must be asked while playing; a verdict points to the first that may fit.
    pub asked: Vec<ConditionalVerdict>,
    /// No line at all: nothing to look up.
    pub is_empty: bool,
}

impl VerdictTable {
    /// Whether this answer may come, be it only where the conditions before it do not hold.
    pub(crate) fn can_answer(&self, answer: Verdict) -> bool {
        let is_it = |verdict: &VerdictEntry| matches!(verdict, VerdictEntry::Is(known, _) if *known == answer);
        self.table.iter().any(is_it) || self.asked.iter().any(|asked| asked.then == answer || is_it(&asked.otherwise))
    }
}

/// What the table says: a final answer or the first of the lines to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictEntry {
    /// By rule line `1`, the answer is `0`.
    Is(Verdict, LineId),
    /// Ask the line at this index of `asked`; where it does not hold, go on with its `otherwise`.
    Ask(u16),
}

/// A line of a verdict table with a condition.
#[derive(Debug)]
pub struct ConditionalVerdict {
    /// The rule line.
    pub line: LineId,
    /// The condition.
    pub when: Program,
    /// The answer where it holds.
    pub then: Verdict,
    /// Where it does not.
    pub otherwise: VerdictEntry,
}

/// Answers of the verdict tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    /// The action is not possible.
    Refuse,
    /// It stands there (landing), it may go by (passing).
    Allow,
    /// It stands there and every enemy there is captured.
    Cut,
    /// It stands there and the enemy that came last is captured (of partners alone, the partner).
    CutLast,
    /// It stands there and whoever came last is captured, enemy or partner.
    CutLastOfAll,
    /// It stops on the place before, by what the table says of that.
    StopBefore,
}
