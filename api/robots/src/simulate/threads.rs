//! The threads of a simulation. Each takes batches of games until all games are played.

use std::ops::Range;

use pagade_rules::play::{Counts, Engine, Game, Seat};

use super::chance::{Chance, ThrowTable};
use super::lineup::Seated;
use super::one_game::{GameRecorder, LineCounts, NoRecording, Observer, play};
use super::robots::{Random, Robot, Robots, Seeker};
use super::tally::Tally;
use super::timed::{DecisionTimes, Timed};
use crate::workers::{Pending, on_threads};

/// The settings of a simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Number of games.
    pub games: u64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of threads; 0 counts as 1.
    pub threads: usize,
    /// Whether to keep [`Statistics`](super::Statistics), too: rule lines, decisions, first movers.
    pub lines: bool,
    /// The robots that play.
    pub robots: Robots,
}

/// The output of a thread: it records the games that the thread plays, or only reports progress.
pub(super) trait GameOutput {
    /// Number of games that a thread takes at a time.
    const BATCH: u64;

    type Recorder<'o>: GameRecorder
    where
        Self: 'o;

    fn recorder(&mut self, number: u64) -> Self::Recorder<'_>;

    /// Ends the batch of games with these numbers. Returns false if the thread has to stop.
    fn end_batch(&mut self, games: Range<u64>) -> bool;
}

/// An output that records nothing. To report progress, it calls the function with the number of games in each batch.
struct Unrecorded<'p>(&'p (dyn Fn(u64) + Sync));

impl GameOutput for Unrecorded<'_> {
    /// Games in a batch: few enough that all threads end at about the same time, many enough that the threads rarely
    /// wait for each other when they take a batch.
    const BATCH: u64 = 64;

    type Recorder<'o>
        = NoRecording
    where
        Self: 'o;

    fn recorder(&mut self, _: u64) -> NoRecording {
        NoRecording
    }

    fn end_batch(&mut self, games: Range<u64>) -> bool {
        (self.0)(games.end - games.start);
        true
    }
}

/// Plays all games of the plan. Calls `progress` after each batch with the number of games in the batch.
pub fn run(engine: &Engine, plan: &Plan, progress: &(dyn Fn(u64) + Sync)) -> Tally {
    let games = Pending::new(0..plan.games);
    let mut total = Tally::default();
    for tally in on_threads(plan.threads, || work(engine, plan, &games, &mut Unrecorded(progress))) {
        total.merge(&tally);
    }
    total
}

/// Plays all games of the plan as [`run`] does, and measures the processor time of every decision. Returns the times of
/// each robot, in the order of [`Lineup::kinds`](super::Lineup::kinds); of robots without a lineup, there are none.
pub fn run_timed(engine: &Engine, plan: &Plan, progress: &(dyn Fn(u64) + Sync)) -> (Tally, Vec<DecisionTimes>) {
    let kinds = plan.robots.lineup.kinds().len();
    if kinds == 0 {
        return (run(engine, plan, progress), Vec::new());
    }
    let games = Pending::new(0..plan.games);
    let done = on_threads(plan.threads, || {
        let mut robots = Timed::new(Seated::new(&plan.robots.lineup, engine), kinds);
        let tally = work_with(engine, plan, &games, &mut robots, &mut Unrecorded(progress));
        (tally, robots.times)
    });
    let (mut total, mut times) = (Tally::default(), vec![DecisionTimes::default(); kinds]);
    for (tally, own) in done {
        total.merge(&tally);
        times.iter_mut().zip(&own).for_each(|(times, more)| times.merge(more));
    }
    (total, times)
}

/// Plays batches of these games of a plan in one thread, until all are taken.
pub(super) fn work(engine: &Engine, plan: &Plan, games: &Pending, output: &mut impl GameOutput) -> Tally {
    match plan.robots.goals.as_slice() {
        [] if !plan.robots.lineup.is_empty() => {
            work_with(engine, plan, games, &mut Seated::new(&plan.robots.lineup, engine), output)
        }
        [] => work_with(engine, plan, games, &mut Random, output),
        goals => work_with(engine, plan, games, &mut Seeker::new(goals), output),
    }
}

fn work_with(
    engine: &Engine,
    plan: &Plan,
    games: &Pending,
    robot: &mut impl Robot,
    output: &mut impl GameOutput,
) -> Tally {
    if !plan.lines {
        return play_batches(engine, plan, games, robot, &mut Counts::default(), output);
    }
    let mut counts = LineCounts::new(engine);
    let mut tally = play_batches(engine, plan, games, robot, &mut counts, output);
    tally.add_lines(&counts);
    tally
}

fn play_batches<O: GameOutput>(
    engine: &Engine,
    plan: &Plan,
    games: &Pending,
    robot: &mut impl Robot,
    observer: &mut impl Observer,
    output: &mut O,
) -> Tally {
    let throws = ThrowTable::new(engine);
    let mut game = Game::new(engine, Seat::default());
    let mut tally = Tally::new(plan.lines);
    while let Some(batch) = games.take_batch(O::BATCH) {
        for number in batch.clone() {
            let mut chance = Chance::of_game(plan.seed, number);
            let mut recorder = output.recorder(number);
            robot.begin(number);
            let played = play(&mut game, &throws, &mut chance, robot, observer, &mut recorder);
            tally.add(number, &played);
            if let Some(winner) = played.winner {
                tally.add_winner(plan.robots.lineup.index_at(engine, number, winner));
            }
        }
        if !output.end_batch(batch) {
            break;
        }
    }
    tally.add_counts(*observer.counts());
    tally
}
