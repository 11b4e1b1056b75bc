//! A simulation that writes every decision of every game down.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{SyncSender, sync_channel};

use pagade_rules::play::{Action, Engine, Quiet, Seat, Throw};
use pagade_rules::record::Recorder;

use super::course::Scribe;
use super::crew::{GameOutput, Plan, work};
use super::tally::Tally;

/// A batch of games as text: the number of its first game, how many, the lines.
type Written = (u64, u64, Vec<u8>);

/// Plays all games of the plan and writes them to `out` in the order of their numbers.
///
/// The games are those of [`super::run`] with the same plan.
///
/// # Errors
/// What `out` cannot take; the games are then left unfinished.
pub fn record(rules: &Engine, plan: &Plan, out: &mut dyn Write, progress: &(dyn Fn(u64) + Sync)) -> io::Result<Tally> {
    let next = AtomicU64::new(0);
    let threads = plan.threads.max(1);
    std::thread::scope(|scope| {
        let (sender, written) = sync_channel::<Written>(2 * threads);
        let crew: Vec<_> = (0..threads)
            .map(|_| {
                let (sender, next) = (sender.clone(), &next);
                let mut output = Recorded { rules, seed: plan.seed, text: Vec::new(), sender };
                scope.spawn(move || work(rules, plan, next, &mut output))
            })
            .collect();
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (first, games, text) in &written {
            waiting.insert(first, (games, text));
            while let Some((games, text)) = waiting.remove(&due) {
                out.write_all(&text)?;
                due += games;
                progress(games);
            }
        }
        out.flush()?;
        let mut whole = Tally::default();
        for thread in crew {
            whole.merge(&thread.join().expect("a thread of a simulation does not panic"));
        }
        Ok(whole)
    })
}

/// Games that are written down, a batch at a time.
struct Recorded<'p> {
    rules: &'p Engine,
    seed: u64,
    /// The batch so far.
    text: Vec<u8>,
    sender: SyncSender<Written>,
}

impl GameOutput for Recorded<'_> {
    /// Few enough that a batch fits into memory for every worker.
    const BATCH: u64 = 8;

    type Scribe<'o>
        = Writing<'o>
    where
        Self: 'o;

    fn scribe(&mut self, number: u64) -> Writing<'_> {
        Writing::new(self.rules, self.seed, number, &mut self.text)
    }

    fn end_batch(&mut self, first: u64, games: u64) -> bool {
        self.sender.send((first, games, mem::take(&mut self.text))).is_ok()
    }
}

/// Writes one game.
struct Writing<'r> {
    rules: &'r Engine,
    seed: u64,
    number: u64,
    text: &'r mut Vec<u8>,
    recorder: Recorder<'r>,
}

impl<'r> Writing<'r> {
    fn new(rules: &'r Engine, seed: u64, number: u64, text: &'r mut Vec<u8>) -> Self {
        Writing { rules, seed, number, text, recorder: Recorder::new(rules, number, Seat::default()) }
    }

    fn put(&mut self, line: &str) {
        self.text.extend_from_slice(line.as_bytes());
        self.text.push(b'\n');
    }
}

impl Scribe for Writing<'_> {
    fn begin(&mut self, first: Seat) {
        self.recorder = Recorder::new(self.rules, self.number, first);
        let header = self.recorder.header(Some(self.seed.to_string()));
        self.put(&header.to_json());
    }

    fn throw(&mut self, throw: &Throw) {
        let line = self.recorder.throw(throw, &mut Quiet).expect("the game and its record wait for a throw together");
        if let Some(line) = line {
            self.put(&line.to_json());
        }
    }

    fn play(&mut self, action: &Action) {
        let line = self.recorder.play(action, &mut Quiet).expect("an open action of the game is legal in its record");
        self.put(&line.to_json());
    }
}
