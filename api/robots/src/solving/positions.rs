//! All positions of a table, numbered.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::FixedState;
use pagade_rules::play::{Engine, State};

use super::arrangement::{Arrangement, Arrangements};
use super::class::{Class, class};
use super::context::{Contexts, Split};
use super::expand::TableDice;
use super::found::{FoundRows, bits};
use super::key::{Numbering, PositionKey, PositionKeys, RowId, arrangement_of, column_of, context_of, row_id, row_of};

/// Greatest number of positions.
pub(super) const MOST_POSITIONS: usize = (1 << 30) - 4;

/// The positions with one context and one arrangement of the seat to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) id: RowId,
    /// Where the words of the row begin in [`Positions::words`].
    pub(super) begin: usize,
    /// The number of the first stored word of the row: its earlier words have no bits set.
    pub(super) first: u32,
    /// Number of its words.
    pub(super) count: u32,
}

/// All positions of a table. The number of a position is the number of set bits before its own bit.
#[derive(Debug)]
pub(super) struct Positions {
    pub(super) split: Split,
    pub(super) dice: TableDice,
    /// The arrangements, those with most pawns at home first, then those that have come farthest.
    pub(super) arrangements: Arrangements,
    pub(super) contexts: Contexts,
    /// The rows, in the order of their ids.
    pub(super) rows: Vec<Row>,
    row_numbers: HashMap<RowId, u32, FixedState>,
    /// For each row, a bit for each arrangement of the seat that is not to move.
    pub(super) words: Vec<u64>,
    /// Number of set bits before each word.
    ranks: Vec<u32>,
    pub(super) len: usize,
    /// The arcs between classes: actions lead from the first class of an arc to the second.
    pub(super) arcs: Vec<(Class, Class)>,
}

impl Positions {
    /// Numbers the positions that were found.
    pub(super) fn new(
        engine: &Engine,
        split: Split,
        arrangements: Arrangements,
        contexts: Contexts,
        found: FoundRows,
        mut arcs: Vec<(Class, Class)>,
    ) -> Positions {
        let list = &arrangements.list;
        let mut order: Vec<u32> = (0..list.len() as u32).collect();
        order.sort_unstable_by_key(|number| {
            let arrangement = &list[*number as usize];
            (Reverse(arrangements.homes[*number as usize]), Reverse(arrangement.advance()), *arrangement)
        });
        let mut new = vec![0; list.len()];
        order.iter().zip(0..).for_each(|(old, number)| new[*old as usize] = number);
        let sorted = Arrangements::from_list(engine, order.iter().map(|old| list[*old as usize]));
        let renamed = |id| row_id(context_of(id), new[arrangement_of(id) as usize]);
        let mut of_rows: Vec<_> = found.into_rows().map(|(id, words)| (renamed(id), words)).collect();
        of_rows.sort_unstable_by_key(|(id, _)| *id);
        let (mut rows, mut words) = (Vec::with_capacity(of_rows.len()), Vec::new());
        let mut row = vec![0_u64; list.len().div_ceil(64)];
        for (id, found) in of_rows {
            for (index, word) in found.into_iter().enumerate() {
                for bit in bits(word) {
                    let column = new[64 * index + bit as usize] as usize;
                    row[column / 64] |= 1 << (column % 64);
                }
            }
            let first = row.iter().position(|word| *word != 0).unwrap_or(0);
            let end = row.iter().rposition(|word| *word != 0).map_or(first, |last| last + 1);
            rows.push(Row { id, begin: words.len(), first: first as u32, count: (end - first) as u32 });
            words.extend_from_slice(&row[first..end]);
            row.fill(0);
        }
        arcs.sort_unstable();
        Positions::from_parts(engine, split, sorted, contexts, rows, words, arcs)
    }

    /// Makes the positions from the parts that a file contains.
    pub(super) fn from_parts(
        engine: &Engine,
        split: Split,
        arrangements: Arrangements,
        contexts: Contexts,
        rows: Vec<Row>,
        words: Vec<u64>,
        arcs: Vec<(Class, Class)>,
    ) -> Positions {
        let (mut ranks, mut len) = (Vec::with_capacity(words.len()), 0);
        for word in &words {
            ranks.push(len as u32);
            len += word.count_ones() as usize;
        }
        let row_numbers = rows.iter().zip(0..).map(|(row, number)| (row.id, number)).collect();
        let dice = TableDice::of(engine);
        Positions { split, dice, arrangements, contexts, rows, row_numbers, words, ranks, len, arcs }
    }

    /// The number of a position. `None` if it was not found.
    #[inline]
    pub(super) fn number(&self, key: PositionKey) -> Option<u32> {
        let row = self.row(row_of(key))?;
        let column = column_of(key);
        let word = (column / 64).checked_sub(row.first).filter(|word| *word < row.count)?;
        let (index, bit) = (row.begin + word as usize, 1_u64 << (column % 64));
        let is_found = self.words[index] & bit != 0;
        is_found.then(|| self.ranks[index] + (self.words[index] & (bit - 1)).count_ones())
    }

    #[inline]
    pub(super) fn row(&self, id: RowId) -> Option<&Row> {
        self.row_numbers.get(&id).map(|number| &self.rows[*number as usize])
    }

    /// Calls `each` with the column and the number of every position of a row within these columns.
    #[inline]
    pub(super) fn each_in(&self, row: &Row, columns: &Range<u32>, mut each: impl FnMut(u32, u32)) {
        let begin = (columns.start / 64).max(row.first);
        let end = columns.end.div_ceil(64).min(row.first + row.count);
        for word in begin..end {
            let index = row.begin + (word - row.first) as usize;
            let bits_of_word = self.words[index];
            for bit in bits(bits_of_word) {
                let column = 64 * word + bit;
                if columns.contains(&column) {
                    each(column, self.ranks[index] + (bits_of_word & ((1 << bit) - 1)).count_ones());
                }
            }
        }
    }

    /// Number of positions of a row within these columns.
    pub(super) fn count_in(&self, row: &Row, columns: &Range<u32>) -> usize {
        let mut count = 0;
        self.each_in(row, columns, |_, _| count += 1);
        count
    }

    /// The arrangements with this number of pawns at home.
    pub(super) fn with_home(&self, home: u8) -> Range<u32> {
        let homes = &self.arrangements.homes;
        let begin = homes.partition_point(|other| *other > home);
        begin as u32..homes.partition_point(|other| *other >= home) as u32
    }

    /// The classes of all positions, in order, with the number of their positions.
    pub(super) fn classes(&self) -> Vec<(Class, usize)> {
        let mut homes = self.arrangements.homes.clone();
        homes.dedup();
        let mut counts = std::collections::BTreeMap::new();
        for row in &self.rows {
            let home = self.arrangements.homes[arrangement_of(row.id) as usize];
            for other in &homes {
                let count = self.count_in(row, &self.with_home(*other));
                if count > 0 {
                    *counts.entry(class(context_of(row.id), home, *other)).or_insert(0) += count;
                }
            }
        }
        counts.into_iter().collect()
    }

    /// Computes keys of these positions.
    pub(super) fn keys(&self) -> PositionKeys<'_, KnownPositions<'_>> {
        PositionKeys::new(&self.split, KnownPositions(self))
    }

    /// Bytes that the positions take.
    pub(super) fn bytes(&self) -> usize {
        12 * self.words.len() + 64 * self.rows.len() + 96 * self.arrangements.list.len()
    }
}

/// The numbers of the positions that were found.
#[derive(Debug)]
pub(super) struct KnownPositions<'p>(&'p Positions);

impl Numbering for KnownPositions<'_> {
    #[inline]
    fn arrangement(&mut self, _: &Engine, arrangement: &Arrangement) -> Option<u32> {
        self.0.arrangements.find(arrangement)
    }

    fn context(&mut self, engine: &Engine, context: &State, _: &State) -> Option<u32> {
        self.0.contexts.find(engine, context)
    }

    fn arrangement_at(&self, number: u32) -> &Arrangement {
        &self.0.arrangements.list[number as usize]
    }

    fn context_at(&self, number: u32) -> &State {
        &self.0.contexts.list[number as usize]
    }
}
