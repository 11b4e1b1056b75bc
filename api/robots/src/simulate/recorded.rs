//! A simulation that records every game.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem;
use std::ops::Range;
use std::sync::mpsc::{SyncSender, sync_channel};

use pagade_rules::play::{Action, Engine, Quiet, Seat, Throw};
use pagade_rules::record::Recorder;

use super::one_game::GameRecorder;
use super::tally::Tally;
use super::threads::{GameOutput, Plan, work};
use crate::workers::{Pending, on_threads_beside};

/// The records of a few consecutive games: the numbers of the games, and their lines.
type RecordedBatch = (Range<u64>, Vec<u8>);

/// Plays all games of the plan and writes their records to `out`, in the order of their numbers.
///
/// The games are the same as those that [`super::run`] plays with this plan.
///
/// # Errors
/// `out` cannot be written. The simulation stops then.
pub fn record(engine: &Engine, plan: &Plan, out: &mut dyn Write, progress: &(dyn Fn(u64) + Sync)) -> io::Result<Tally> {
    let games = Pending::new(0..plan.games);
    let threads = plan.threads.max(1);
    let (sender, batches) = sync_channel::<RecordedBatch>(2 * threads);
    let play = |sender| {
        let mut output = RecordedOutput { engine, seed: plan.seed, text: Vec::new(), sender };
        work(engine, plan, &games, &mut output)
    };
    // When `write` returns, it drops the receiver. So the threads stop if the output cannot be written.
    let write = move || -> io::Result<()> {
        // Batches of games arrive in any order. A batch waits here until all batches of earlier games are written.
        let mut waiting = BTreeMap::new();
        let mut next_to_write = 0;
        for (games, text) in batches {
            waiting.insert(games.start, (games.end, text));
            while let Some((end, text)) = waiting.remove(&next_to_write) {
                out.write_all(&text)?;
                progress(end - next_to_write);
                next_to_write = end;
            }
        }
        out.flush()
    };
    let (tallies, written) = on_threads_beside(vec![sender; threads], play, write);
    written?;
    let mut total = Tally::default();
    tallies.iter().for_each(|tally| total.merge(tally));
    Ok(total)
}

/// An output that records the games of one thread, a batch at a time.
struct RecordedOutput<'p> {
    engine: &'p Engine,
    seed: u64,
    /// The lines of the current batch.
    text: Vec<u8>,
    sender: SyncSender<RecordedBatch>,
}

impl GameOutput for RecordedOutput<'_> {
    /// Games in a batch: few enough that the batches of all threads fit into memory.
    const BATCH: u64 = 8;

    type Recorder<'o>
        = BatchRecorder<'o>
    where
        Self: 'o;

    fn recorder(&mut self, number: u64) -> BatchRecorder<'_> {
        BatchRecorder::new(self.engine, self.seed, number, &mut self.text)
    }

    fn end_batch(&mut self, games: Range<u64>) -> bool {
        self.sender.send((games, mem::take(&mut self.text))).is_ok()
    }
}

/// Appends the record of one game to the lines of the current batch.
struct BatchRecorder<'r> {
    engine: &'r Engine,
    seed: u64,
    number: u64,
    text: &'r mut Vec<u8>,
    recorder: Recorder<'r>,
}

impl<'r> BatchRecorder<'r> {
    fn new(engine: &'r Engine, seed: u64, number: u64, text: &'r mut Vec<u8>) -> Self {
        BatchRecorder { engine, seed, number, text, recorder: Recorder::new(engine, number, Seat::default()) }
    }

    fn append(&mut self, line: &str) {
        self.text.extend_from_slice(line.as_bytes());
        self.text.push(b'\n');
    }
}

impl GameRecorder for BatchRecorder<'_> {
    fn begin(&mut self, first: Seat) {
        self.recorder = Recorder::new(self.engine, self.number, first);
        let header = self.recorder.header(Some(self.seed.to_string()));
        self.append(&header.to_json());
    }

    fn throw(&mut self, throw: &Throw) {
        let line =
            self.recorder.throw(throw, &mut Quiet).expect("the game and its recorder need a throw at the same time");
        if let Some(line) = line {
            self.append(&line.to_json());
        }
    }

    fn play(&mut self, action: &Action) {
        let line =
            self.recorder.play(action, &mut Quiet).expect("a legal action of the game is legal for its recorder");
        self.append(&line.to_json());
    }
}
