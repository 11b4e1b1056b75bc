//! The outcome of a division.

/// Tables, and entrants left over, by index.
#[derive(Debug, Default)]
pub(in crate::tournament) struct Division {
    /// The entrants of each table.
    pub(in crate::tournament) tables: Vec<Vec<usize>>,
    /// The entrants without a table.
    pub(in crate::tournament) byes: Vec<usize>,
}
