//! Divisions: the entrants of a round, divided into tables and byes.

/// The entrants of a round, divided into tables and byes. All entrants are given by their index.
#[derive(Debug, Default)]
pub(in crate::tournament) struct Division {
    /// The entrants of each table.
    pub(in crate::tournament) tables: Vec<Vec<usize>>,
    /// The entrants without a table.
    pub(in crate::tournament) byes: Vec<usize>,
}
