//! Finds all positions of a table, on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use pagade_rules::play::{Engine, State};
use pagade_rules::tables::First;
use pagade_rules::units::Seat;

use super::class::{Arcs, class};
use super::context::Split;
use super::expand::{Ends, Expander, TableDice};
use super::found::{FoundRows, bits};
use super::key::{PositionKey, PositionKeys, RowId, TURNED, arrangement_of, column_of, context_of, is_end, row_of};
use super::numbering::{Local, SharedNumbers};
use super::positions::{MOST_POSITIONS, Positions};
use super::{Progress, SolveError, SolveSettings, SolveStage};
use crate::workers::on_threads_with_ticks;

/// Number of keys that a thread collects before it adds them.
const KEY_BATCH: usize = 1 << 14;
/// How many positions a thread plays from both sides, to check that both seats have the same rules: each of its first
/// positions up to the first number, and then one in as many as the second number.
const COMPARED: (usize, usize) = (10_000, 1_000);
/// Bytes of a position in later stages: its value.
const BYTES_A_POSITION: usize = 8;

/// Why a search has no result.
enum SearchFailure {
    /// The seats do not have the same rules.
    NotMirrored,
    /// There are too many positions.
    TooLarge,
    /// `tick` returned false.
    Stopped,
}

/// A search that threads work at.
struct PositionSearch<'e> {
    engine: &'e Engine,
    dice: &'e TableDice,
    split: &'e Split,
    found: FoundRows,
    shared: SharedNumbers,
    memory: usize,
    played: AtomicUsize,
    differs: AtomicBool,
    is_too_large: AtomicBool,
    arcs: Mutex<Arcs>,
}

pub(super) fn beginners(engine: &Engine, seats: [Seat; 2]) -> Vec<Seat> {
    match engine.seating.first {
        First::Seat(seat) if seats.contains(&seat) => vec![seat],
        _ => seats.to_vec(),
    }
}

/// Finds all positions of a table. If both seats have the same rules, only those in which the first seat is to move.
///
/// # Errors
/// The table does not have two players with one colour each, its positions do not fit into the memory, or `tick`
/// returned false.
pub(super) fn find(
    engine: &Engine,
    settings: &SolveSettings,
    tick: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Positions, SolveError> {
    let players = &engine.seating.players;
    let seats: [Seat; 2] = players.as_slice().try_into().map_err(|_| SolveError::Players(players.len()))?;
    if engine.seating.shares {
        return Err(SolveError::Colours);
    }
    if engine.asks_others() {
        return Err(SolveError::AskedOthers);
    }
    let dice = TableDice::of(engine);
    for mirrored in [true, false] {
        if mirrored && !settings.mirror {
            continue;
        }
        let split = Split::new(engine, seats, mirrored);
        let search = PositionSearch {
            engine,
            dice: &dice,
            split: &split,
            found: FoundRows::new(),
            shared: SharedNumbers::default(),
            memory: settings.memory,
            played: AtomicUsize::new(0),
            differs: AtomicBool::new(false),
            is_too_large: AtomicBool::new(false),
            arcs: Mutex::default(),
        };
        match search.run(settings.threads.max(1), tick) {
            Ok(()) => return Ok(search.finish()),
            Err(SearchFailure::NotMirrored) => {}
            Err(SearchFailure::Stopped) => return Err(SolveError::Stopped),
            Err(SearchFailure::TooLarge) => {
                let positions = search.found.positions.load(Relaxed);
                let waiting = positions - search.played.load(Relaxed).min(positions);
                let megabytes = settings.memory / 1_000_000;
                return Err(if search.bytes() > settings.memory {
                    SolveError::TooLarge { positions, waiting, megabytes }
                } else {
                    SolveError::TooMany { positions, waiting }
                });
            }
        }
    }
    unreachable!("without a mirror, nothing is compared")
}

impl PositionSearch<'_> {
    fn run(&self, threads: usize, tick: &mut dyn FnMut(&Progress) -> bool) -> Result<(), SearchFailure> {
        let mut keys = PositionKeys::new(self.split, Local::new(&self.shared));
        let mut openings = Vec::new();
        for seat in beginners(self.engine, self.split.seats) {
            let opening = self.engine.opening(seat);
            openings.push(keys.key(self.engine, &opening).ok_or(SearchFailure::TooLarge)?);
        }
        self.found.add(&mut openings);
        let mut goes_on = true;
        on_threads_with_ticks(threads, || self.work(), &mut || {
            let (positions, done) = (self.found.positions.load(Relaxed), self.played.load(Relaxed));
            if !tick(&Progress { stage: SolveStage::Search, positions, done, sweeps: 0, change: 0.0, anew: 0 }) {
                goes_on = false;
                self.found.stop();
            }
        });
        match () {
            () if self.differs.load(Relaxed) => Err(SearchFailure::NotMirrored),
            () if self.is_too_large.load(Relaxed) => Err(SearchFailure::TooLarge),
            () => goes_on.then_some(()).ok_or(SearchFailure::Stopped),
        }
    }

    /// Plays the throws in the waiting positions of one row after another, until no position waits.
    fn work(&self) {
        let keys = PositionKeys::new(self.split, Local::new(&self.shared));
        let mut expander = Expander::new(self.engine, self.dice, keys);
        let (mut waiting, mut batch, mut arcs) = (Vec::new(), Vec::new(), Arcs::default());
        let (mut ends, mut played) = (Ends::default(), 0);
        while let Some(row) = self.found.take(&mut waiting) {
            expander.keys.numbers.catch_up(self.engine);
            for (index, word) in (0..).zip(&waiting) {
                let before = played;
                for column in bits(*word).map(|bit| 64 * index + bit) {
                    let state = expander.keys.state(self.engine, row.id, column);
                    if expander.expand(&state, &mut ends).is_none() {
                        return self.too_large();
                    }
                    if played < COMPARED.0 || played % COMPARED.1 == 0 {
                        self.compare(&mut expander, &state, &ends);
                    }
                    played += 1;
                    note_arcs(&expander.keys.numbers, row.id, column, &ends.keys, &mut arcs);
                    batch.extend(ends.keys.iter().filter(|key| !is_end(**key)).map(|key| key & !TURNED));
                }
                self.played.fetch_add(played - before, Relaxed);
                if batch.len() > KEY_BATCH {
                    self.add(&mut batch);
                }
            }
            self.add(&mut batch);
        }
        let mut all = self.arcs.lock().expect("no thread panics with the arcs");
        arcs.into_set().into_iter().for_each(|(from, to)| all.add(from, to));
    }

    /// Plays the throws in a position with the seats exchanged. Ends the search if they do not lead to the same
    /// positions.
    fn compare(&self, expander: &mut Expander<'_, Local<'_>>, state: &State, ends: &Ends) {
        if self.split.mirrored {
            let (exchanged, mut others) = (self.split.exchanged(self.engine, state), Ends::default());
            if expander.expand(&exchanged, &mut others).is_some() && others != *ends {
                self.differs.store(true, Relaxed);
                self.found.stop();
            }
        }
    }

    /// Adds positions, and ends the search if there are too many.
    fn add(&self, batch: &mut Vec<PositionKey>) {
        self.found.add(batch);
        let positions = self.found.positions.load(Relaxed);
        if self.bytes() > self.memory || positions > MOST_POSITIONS {
            self.too_large();
        }
    }

    /// The memory that the positions found so far need, with their values.
    fn bytes(&self) -> usize {
        self.found.bytes.load(Relaxed) + self.found.positions.load(Relaxed) * BYTES_A_POSITION
    }

    fn too_large(&self) {
        self.is_too_large.store(true, Relaxed);
        self.found.stop();
    }

    fn finish(self) -> Positions {
        let (arrangements, contexts) = self.shared.into_parts();
        let arcs = self.arcs.into_inner().expect("no thread panics with the arcs").into_set();
        Positions::new(self.engine, self.split.clone(), arrangements, contexts, self.found, arcs.into_iter().collect())
    }
}

/// Notes the arcs from the class of a position to the classes to which its throws lead.
fn note_arcs(numbers: &Local<'_>, row: RowId, column: u32, ends: &[PositionKey], arcs: &mut Arcs) {
    let of = |row, column| class(context_of(row), numbers.home(arrangement_of(row)), numbers.home(column));
    let from = of(row, column);
    for end in ends.iter().filter(|end| !is_end(**end)) {
        arcs.add(from, of(row_of(*end), column_of(*end)));
    }
}
