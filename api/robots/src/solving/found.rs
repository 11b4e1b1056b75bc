//! The positions that a search has found so far, and those whose throws it has still to play.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use foldhash::fast::FixedState;

use super::key::{PositionKey, RowId, column_of, row_of};

/// Number of shards into which the rows are divided. Each has a lock of its own.
const SHARDS: usize = 64;
/// Bytes of a row beside its bits: its entry in the map, and two vectors.
const BYTES_A_ROW: usize = 128;
/// Longest time that a thread without work sleeps.
const NAP: Duration = Duration::from_millis(5);

/// The positions with one context and one arrangement of the seat to move: a bit for each arrangement of the other
/// seat.
#[derive(Debug, Default)]
struct FoundRow {
    found: Vec<u64>,
    /// The positions whose throws were not played yet.
    waiting: Vec<u64>,
    is_queued: bool,
}

#[derive(Debug, Default)]
struct Queue {
    /// Rows with positions whose throws were not played yet.
    rows: VecDeque<RowId>,
    /// Number of threads that play the throws of a row.
    active: usize,
}

/// Rows of positions that threads add to and take from.
#[derive(Debug, Default)]
pub(super) struct FoundRows {
    shards: Vec<Mutex<HashMap<RowId, FoundRow, FixedState>>>,
    queue: Mutex<Queue>,
    wake: Condvar,
    /// Whether the search ends early.
    stopped: AtomicBool,
    pub(super) positions: AtomicUsize,
    pub(super) bytes: AtomicUsize,
}

/// A row whose waiting positions are played. Threads without work wait until it is dropped, because its throws may lead
/// to new rows.
pub(super) struct TakenRow<'f> {
    found: &'f FoundRows,
    pub(super) id: RowId,
}

impl Drop for TakenRow<'_> {
    fn drop(&mut self) {
        let mut queue = self.found.queue();
        queue.active -= 1;
        if queue.active == 0 {
            self.found.wake.notify_all();
        }
    }
}

impl FoundRows {
    pub(super) fn new() -> FoundRows {
        FoundRows { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), ..FoundRows::default() }
    }

    /// Adds positions, which are sorted and removed from `keys`.
    pub(super) fn add(&self, keys: &mut Vec<PositionKey>) {
        keys.sort_unstable();
        keys.dedup();
        let mut queued = Vec::new();
        for row_keys in keys.chunk_by(|one, other| row_of(*one) == row_of(*other)) {
            let id = row_of(row_keys[0]);
            if self.add_to_row(id, row_keys) {
                queued.push(id);
            }
        }
        keys.clear();
        if !queued.is_empty() {
            self.queue().rows.extend(queued);
            self.wake.notify_all();
        }
    }

    /// Adds positions to their row. Returns whether the row has to be queued.
    fn add_to_row(&self, id: RowId, keys: &[PositionKey]) -> bool {
        let mut shard = self.shard(id);
        let mut bytes = 0;
        let row = shard.entry(id).or_insert_with(|| {
            bytes += BYTES_A_ROW;
            FoundRow::default()
        });
        let words = keys.last().map_or(0, |last| column_of(*last) as usize / 64 + 1);
        let capacity = row.found.capacity() + row.waiting.capacity();
        for list in [&mut row.found, &mut row.waiting] {
            if list.len() < words {
                list.resize(words, 0);
            }
        }
        bytes += 8 * (row.found.capacity() + row.waiting.capacity()).saturating_sub(capacity);
        let mut added = 0;
        for key in keys {
            let column = column_of(*key) as usize;
            let bit = 1 << (column % 64);
            let found = &mut row.found[column / 64];
            if *found & bit == 0 {
                *found |= bit;
                row.waiting[column / 64] |= bit;
                added += 1;
            }
        }
        self.positions.fetch_add(added, Relaxed);
        self.bytes.fetch_add(bytes, Relaxed);
        added > 0 && !std::mem::replace(&mut row.is_queued, true)
    }

    /// Takes the next queued row, and writes the bits of its waiting positions into `waiting`. `None` if no row is
    /// queued and no thread is at work that could add one.
    pub(super) fn take(&self, waiting: &mut Vec<u64>) -> Option<TakenRow<'_>> {
        let mut queue = self.queue();
        loop {
            if self.stopped.load(Relaxed) {
                return None;
            }
            if let Some(id) = queue.rows.pop_front() {
                queue.active += 1;
                drop(queue);
                let mut shard = self.shard(id);
                let row = shard.get_mut(&id).expect("a queued row exists");
                row.is_queued = false;
                waiting.clear();
                waiting.extend_from_slice(&row.waiting);
                row.waiting.fill(0);
                return Some(TakenRow { found: self, id });
            }
            if queue.active == 0 {
                return None;
            }
            queue = self.wake.wait_timeout(queue, NAP).expect("no thread panics with the queue").0;
        }
    }

    /// Ends the search early.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// All rows with their bits.
    pub(super) fn into_rows(self) -> impl Iterator<Item = (RowId, Vec<u64>)> {
        let shards = self.shards.into_iter().map(|shard| shard.into_inner().expect("no thread panics with a row"));
        shards.flatten().map(|(id, row)| (id, row.found))
    }

    fn shard(&self, id: RowId) -> MutexGuard<'_, HashMap<RowId, FoundRow, FixedState>> {
        self.shards[id as usize % SHARDS].lock().expect("no thread panics with a row")
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("no thread panics with the queue")
    }
}

/// The bits that are set, in order.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}
