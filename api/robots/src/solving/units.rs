//! The order in which the values of a set of positions are computed: from positions whose pawns have come farthest to
//! the others.

use std::ops::Range;

use super::class::{Class, has_context, homes};
use super::key::row_id;
use super::positions::{Positions, Row};

/// Greatest number of bands of arrangements with equally many pawns at home.
const MOST_BANDS: usize = 100;

/// Some positions whose values are computed one after the other, by one thread: those in which the arrangement of the
/// seat to move is in `rows`, and that of the other seat in `columns`.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) context: u32,
    rows: Range<u32>,
    columns: Range<u32>,
    /// The sum of the places that the pawns of both seats have reached on their paths.
    advance: u32,
    /// Number of its positions.
    pub(super) count: usize,
    /// Number of positions of the units before it.
    pub(super) begin: usize,
}

impl Unit {
    /// The rows, each with the columns that belong to the unit.
    pub(super) fn rows<'p>(&self, positions: &'p Positions) -> impl Iterator<Item = &'p Row> + use<'p> {
        let context = self.context;
        self.rows.clone().filter_map(move |arrangement| positions.row(row_id(context, arrangement)))
    }

    pub(super) fn columns(&self) -> &Range<u32> {
        &self.columns
    }
}

/// Divides the positions of some classes into units.
pub(super) fn units(positions: &Positions, classes: &[Class]) -> Vec<Unit> {
    let mut units = Vec::new();
    for &class in classes {
        let (mover, other) = homes(class);
        let (of_rows, of_columns) = (bands(positions, mover), bands(positions, other));
        for context in (0..positions.contexts.list.len() as u32).filter(|context| has_context(class, *context)) {
            for (rows, row_advance) in &of_rows {
                for (columns, column_advance) in &of_columns {
                    let (rows, columns) = (rows.clone(), columns.clone());
                    let advance = row_advance + column_advance;
                    let mut unit = Unit { context, rows, columns, advance, count: 0, begin: 0 };
                    unit.count = unit.rows(positions).map(|row| positions.count_in(row, &unit.columns)).sum();
                    if unit.count > 0 {
                        units.push(unit);
                    }
                }
            }
        }
    }
    units.sort_by_key(|unit| std::cmp::Reverse(unit.advance));
    let mut begin = 0;
    for unit in &mut units {
        unit.begin = begin;
        begin += unit.count;
    }
    units
}

/// The arrangements with this number of pawns at home, in bands of arrangements that have come equally far.
fn bands(positions: &Positions, home: u8) -> Vec<(Range<u32>, u32)> {
    let range = positions.with_home(home);
    let list = &positions.arrangements.list[range.start as usize..range.end as usize];
    let mut begin = range.start;
    let mut bands: Vec<(Range<u32>, u32)> = Vec::new();
    for alike in list.chunk_by(|one, other| one.advance() == other.advance()) {
        bands.push((begin..begin + alike.len() as u32, alike[0].advance()));
        begin += alike.len() as u32;
    }
    let joined = bands.len().div_ceil(MOST_BANDS).max(1);
    bands.chunks(joined).map(|bands| (bands[0].0.start..bands[bands.len() - 1].0.end, bands[0].1)).collect()
}
