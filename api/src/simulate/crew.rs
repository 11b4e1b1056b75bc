//! The threads of a simulation.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use pagade_rules::play::{Counts, Engine, Game, Seat};

use super::chance::{Chance, Throws};
use super::course::{ByLine, Unwritten, Witness, play};
use super::robots::{Random, Robot, Robots, Seeker};
use super::tally::Tally;

/// Games that a thread takes at a time: often enough to end together, seldom enough not to meet.
const BATCH: u64 = 64;

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

/// Plays all games of the plan; `progress` hears how many more were played.
pub fn run(rules: &Engine, plan: &Plan, progress: &(dyn Fn(u64) + Sync)) -> Tally {
    let next = AtomicU64::new(0);
    let whole = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| {
                let tally = match plan.robots.sought.as_slice() {
                    [] => work(rules, plan, &next, &mut Random, progress),
                    sought => work(rules, plan, &next, &mut Seeker::new(sought), progress),
                };
                whole.lock().expect("no thread panics while it adds its sums").merge(&tally);
            });
        }
    });
    whole.into_inner().expect("no thread panics while it adds its sums")
}

fn work(
    rules: &Engine,
    plan: &Plan,
    next: &AtomicU64,
    robot: &mut impl Robot,
    progress: &(dyn Fn(u64) + Sync),
) -> Tally {
    if !plan.lines {
        return watched(rules, plan, next, robot, &mut Counts::default(), progress);
    }
    let mut heard = ByLine::new(rules);
    let mut tally = watched(rules, plan, next, robot, &mut heard, progress);
    tally.add_lines(&heard);
    tally
}

fn watched(
    rules: &Engine,
    plan: &Plan,
    next: &AtomicU64,
    robot: &mut impl Robot,
    witness: &mut impl Witness,
    progress: &(dyn Fn(u64) + Sync),
) -> Tally {
    let throws = Throws::new(rules);
    let mut game = Game::new(rules, Seat::default());
    let mut tally = Tally::new(plan.lines);
    loop {
        let batch = next.fetch_add(BATCH, Ordering::Relaxed);
        if batch >= plan.games {
            tally.add_counts(*witness.counts());
            return tally;
        }
        let end = plan.games.min(batch + BATCH);
        for number in batch..end {
            let mut chance = Chance::of_game(plan.seed, number);
            tally.add(number, &play(&mut game, &throws, &mut chance, robot, witness, &mut Unwritten));
        }
        progress(end - batch);
    }
}
