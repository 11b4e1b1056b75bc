//! Divisions: the entrants of a round, divided into tables and byes.

/// The entrants of a round, divided into tables and byes. All entrants are given by their index.
#[derive(Debug, Default)]
pub(crate) struct Division {
    /// The entrants of each table.
    pub(crate) tables: Vec<Vec<usize>>,
    /// The entrants without a table.
    pub(crate) byes: Vec<usize>,
    /// Whether entrants meet again only if no division into tables of these sizes avoids it.
    pub(crate) is_proven: bool,
}
