//! A simulation that records every game.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{SyncSender, sync_channel};

use pagade_rules::play::{Action, Engine, Quiet, Seat, Throw};
use pagade_rules::record::Recorder;

use super::one_game::GameRecorder;
use super::tally::Tally;
use super::threads::{GameOutput, Plan, work};

/// The records of a few consecutive games: number of the first game, number of games, and their lines.
type RecordedBatch = (u64, u64, Vec<u8>);

/// Plays all games of the plan and writes their records to `out`, in the order of their numbers.
///
/// The games are the same as those that [`super::run`] plays with this plan.
///
/// # Errors
/// `out` cannot be written. The simulation stops then.
pub fn record(engine: &Engine, plan: &Plan, out: &mut dyn Write, progress: &(dyn Fn(u64) + Sync)) -> io::Result<Tally> {
    let next = AtomicU64::new(0);
    let threads = plan.threads.max(1);
    std::thread::scope(|scope| {
        let (sender, batches) = sync_channel::<RecordedBatch>(2 * threads);
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let (sender, next) = (sender.clone(), &next);
                let mut output = RecordedOutput { engine, seed: plan.seed, text: Vec::new(), sender };
                scope.spawn(move || work(engine, plan, next, &mut output))
            })
            .collect();
        drop(sender);
        // Batches of games arrive in any order. A batch waits here until all batches of earlier games are written.
        let mut waiting = BTreeMap::new();
        let mut next_to_write = 0;
        for (first, games, text) in &batches {
            waiting.insert(first, (games, text));
            while let Some((games, text)) = waiting.remove(&next_to_write) {
                out.write_all(&text)?;
                next_to_write += games;
                progress(games);
            }
        }
        out.flush()?;
        let mut total = Tally::default();
        for thread in workers {
            total.merge(&thread.join().expect("a thread of a simulation does not panic"));
        }
        Ok(total)
    })
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

    fn end_batch(&mut self, first: u64, games: u64) -> bool {
        self.sender.send((first, games, mem::take(&mut self.text))).is_ok()
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
