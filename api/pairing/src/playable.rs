//! The sizes of tables that can be played.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::format::TableSize;

/// The sizes of tables that can be played: those that the rule set has, with the options of the
/// tournament. No round has a table of another size.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Playable(BTreeSet<TableSize>);

impl Playable {
    /// Collects the sizes that the rule set has. `has_table` gets the number of entrants at a table.
    pub fn new(has_table: impl Fn(usize) -> bool) -> Self {
        let sizes = [TableSize::Two, TableSize::Three, TableSize::Four];
        Self(sizes.into_iter().filter(|size| has_table(size.seats())).collect())
    }

    /// Tells whether a table of this number of entrants can be played.
    pub fn has(&self, entrants: usize) -> bool {
        self.0.iter().any(|size| size.seats() == entrants)
    }

    /// The number of seats of the largest table that this number of entrants can fill. `None` if they can fill none.
    pub(super) fn largest(&self, entrants: usize) -> Option<usize> {
        self.0.iter().map(|size| size.seats()).filter(|seats| *seats <= entrants).max()
    }

    /// The next smaller size of a table: one seat fewer, or two if no table with one seat fewer can be played.
    pub fn smaller(&self, than: TableSize) -> Option<usize> {
        self.largest(than.seats() - 1)
    }
}
