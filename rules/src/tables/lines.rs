//! Rule lines: their numbers, names and origins.

use std::num::NonZeroU16;

/// The number of a rule line: its index in [`Rules::lines`](super::Rules::lines). A verdict that comes from no line, as
/// that on an empty square, has `None` in its place. `Option<LineId>` takes two bytes, as `LineId` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(NonZeroU16);

impl LineId {
    /// The line with this index. The index 65,535 gives the line before it, because a [`NonZeroU16`] has one value
    /// less.
    pub const fn new(index: u16) -> LineId {
        LineId(NonZeroU16::MIN.saturating_add(index))
    }

    /// The index of the line in [`Rules::lines`](super::Rules::lines).
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

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
