//! Verdict tables: the result of landing on a square, or of passing it.

use super::lines::LineId;
use super::program::Program;

/// The verdicts for every mover, class of place and occupation of a square.
#[derive(Debug)]
pub struct VerdictTable {
    /// Number of classes. Places for which the rule lines cannot differ share a class.
    pub classes: u8,
    /// The entries, indexed by `(joint * classes + class) * 256 + occupied`. The lowest bits of `occupied` are the
    /// mover's.
    pub table: Vec<VerdictEntry>,
    /// The lines whose condition must be checked during play. An entry of `table` points to the first that may apply.
    pub asked: Vec<ConditionalVerdict>,
    /// Whether the rule set has no such line at all.
    pub is_empty: bool,
}

impl VerdictTable {
    /// Whether this verdict is possible in any position.
    pub(crate) fn can_answer(&self, answer: Verdict) -> bool {
        let is_it = |verdict: &VerdictEntry| matches!(verdict, VerdictEntry::Is(known, _) if *known == answer);
        self.table.iter().any(is_it) || self.asked.iter().any(|asked| asked.then == answer || is_it(&asked.otherwise))
    }
}

/// An entry of a verdict table: a final verdict or a line with a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictEntry {
    /// A final verdict, and the rule line that gives it.
    Is(Verdict, LineId),
    /// The index in `asked` of the line to check. If the condition of that line is false, its entry `otherwise`
    /// decides.
    Ask(u16),
}

/// A line of a verdict table with a condition.
#[derive(Debug)]
pub struct ConditionalVerdict {
    /// The rule line.
    pub line: LineId,
    /// The condition.
    pub when: Program,
    /// The verdict if the condition is true.
    pub then: Verdict,
    /// The entry that decides if the condition is false.
    pub otherwise: VerdictEntry,
}

/// The result of landing on a square, or of passing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    /// The action is not possible.
    Refuse,
    /// The pawn may land, or may pass.
    Allow,
    /// The pawn lands and captures every enemy on the square.
    Cut,
    /// The pawn lands and captures the enemy that arrived last. If only partners stand there, it captures one of them.
    CutLast,
    /// The pawn lands and captures the pawn that arrived last, enemy or partner.
    CutLastOfAll,
    /// The pawn stops on the place before. The verdict on that place decides what happens there.
    StopBefore,
}
