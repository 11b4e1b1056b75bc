//! The threads of a simulation.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use pagade_rules::play::{Counts, Engine, Game, Seat};

use super::chance::{Chance, Throws};
use super::course::{ByLine, Scribe, Unwritten, Witness, play};
use super::robots::{Random, Robot, Robots, Seeker};
use super::tally::Tally;

/// What to simulate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// How many games.
    pub games: u64,
    /// Where all chance comes from.
    pub seed: u64,
    /// How many threads; at least one plays.
    pub threads: usize,
    /// Whether to keep statistics: how often each rule line did its work, how much there was to decide.
    pub lines: bool,
    /// Who decides.
    pub robots: Robots,
}

/// Where a worker's games go.
pub(super) trait GameOutput {
    /// Games that a worker takes at a time.
    const BATCH: u64;

    /// Writes one game down.
    type Scribe<'o>: Scribe
    where
        Self: 'o;

    /// The scribe of the game with this number.
    fn scribe(&mut self, number: u64) -> Self::Scribe<'_>;

    /// Takes note of a batch that was played, by its first number and length. `false`: no more games are wanted.
    fn end_batch(&mut self, first: u64, games: u64) -> bool;
}

/// Games of which only the tally is kept; hears how many more were played.
struct Unrecorded<'p>(&'p (dyn Fn(u64) + Sync));

impl GameOutput for Unrecorded<'_> {
    /// Often enough for workers to end together, seldom enough for them not to wait for each other.
    const BATCH: u64 = 64;

    type Scribe<'o>
        = Unwritten
    where
        Self: 'o;

    fn scribe(&mut self, _: u64) -> Unwritten {
        Unwritten
    }

    fn end_batch(&mut self, _: u64, games: u64) -> bool {
        (self.0)(games);
        true
    }
}

/// Plays all games of the plan; `progress` hears how many more were played.
pub fn run(rules: &Engine, plan: &Plan, progress: &(dyn Fn(u64) + Sync)) -> Tally {
    let next = AtomicU64::new(0);
    let whole = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| {
                let tally = work(rules, plan, &next, &mut Unrecorded(progress));
                whole.lock().expect("no thread panics while it adds its sums").merge(&tally);
            });
        }
    });
    whole.into_inner().expect("no thread panics while it adds its sums")
}

/// What a worker does: plays batches of games, taken from `next`, until the plan is done.
pub(super) fn work(rules: &Engine, plan: &Plan, next: &AtomicU64, output: &mut impl GameOutput) -> Tally {
    match plan.robots.sought.as_slice() {
        [] => work_with(rules, plan, next, &mut Random, output),
        sought => work_with(rules, plan, next, &mut Seeker::new(sought), output),
    }
}

fn work_with(
    rules: &Engine,
    plan: &Plan,
    next: &AtomicU64,
    robot: &mut impl Robot,
    output: &mut impl GameOutput,
) -> Tally {
    if !plan.lines {
        return play_batches(rules, plan, next, robot, &mut Counts::default(), output);
    }
    let mut heard = ByLine::new(rules);
    let mut tally = play_batches(rules, plan, next, robot, &mut heard, output);
    tally.add_lines(&heard);
    tally
}

fn play_batches<O: GameOutput>(
    rules: &Engine,
    plan: &Plan,
    next: &AtomicU64,
    robot: &mut impl Robot,
    witness: &mut impl Witness,
    output: &mut O,
) -> Tally {
    let throws = Throws::new(rules);
    let mut game = Game::new(rules, Seat::default());
    let mut tally = Tally::new(plan.lines);
    loop {
        let batch = next.fetch_add(O::BATCH, Ordering::Relaxed);
        if batch >= plan.games {
            break;
        }
        let end = plan.games.min(batch + O::BATCH);
        for number in batch..end {
            let mut chance = Chance::of_game(plan.seed, number);
            let mut scribe = output.scribe(number);
            tally.add(number, &play(&mut game, &throws, &mut chance, robot, witness, &mut scribe));
        }
        if !output.end_batch(batch, end - batch) {
            break;
        }
    }
    tally.add_counts(*witness.counts());
    tally
}
