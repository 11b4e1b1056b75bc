//! A simulation that writes every decision of every game down.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

use pagade_rules::play::{Action, Counts, Engine, Game, Quiet, Seat, Throw};
use pagade_rules::record::Recorder;

use super::chance::{Chance, Throws};
use super::course::{ByLine, Scribe, Witness, play};
use super::crew::Plan;
use super::robots::{Random, Robot, Seeker};
use super::tally::Tally;

/// Games that a thread writes at a time.
const BATCH: u64 = 8;

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
                scope.spawn(move || match plan.robots.sought.as_slice() {
                    [] => work(rules, plan, next, &mut Random, &sender),
                    sought => work(rules, plan, next, &mut Seeker::new(sought), &sender),
                })
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

fn work(rules: &Engine, plan: &Plan, next: &AtomicU64, robot: &mut impl Robot, sender: &SyncSender<Written>) -> Tally {
    if !plan.lines {
        return watched(rules, plan, next, robot, &mut Counts::default(), sender);
    }
    let mut heard = ByLine::new(rules);
    let mut tally = watched(rules, plan, next, robot, &mut heard, sender);
    tally.add_lines(&heard);
    tally
}

fn watched(
    rules: &Engine,
    plan: &Plan,
    next: &AtomicU64,
    robot: &mut impl Robot,
    witness: &mut impl Witness,
    sender: &SyncSender<Written>,
) -> Tally {
    let throws = Throws::new(rules);
    let mut game = Game::new(rules, Seat::default());
    let mut tally = Tally::new(plan.lines);
    loop {
        let batch = next.fetch_add(BATCH, Ordering::Relaxed);
        if batch >= plan.games {
            break;
        }
        let end = plan.games.min(batch + BATCH);
        let mut text = Vec::new();
        for number in batch..end {
            let mut scribe = Writing::new(rules, plan.seed, number, &mut text);
            let mut chance = Chance::of_game(plan.seed, number);
            tally.add(number, &play(&mut game, &throws, &mut chance, robot, witness, &mut scribe));
        }
        if sender.send((batch, end - batch, text)).is_err() {
            break; // nobody writes any more
        }
    }
    tally.add_counts(*witness.counts());
    tally
}

/// Writes one game.
struct Writing<'r, 't> {
    rules: &'r Engine,
    seed: u64,
    number: u64,
    text: &'t mut Vec<u8>,
    recorder: Recorder<'r>,
}

impl<'r, 't> Writing<'r, 't> {
    fn new(rules: &'r Engine, seed: u64, number: u64, text: &'t mut Vec<u8>) -> Self {
        Writing { rules, seed, number, text, recorder: Recorder::new(rules, number, Seat::default()) }
    }

    fn put(&mut self, line: &str) {
        self.text.extend_from_slice(line.as_bytes());
        self.text.push(b'\n');
    }
}

impl Scribe for Writing<'_, '_> {
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
