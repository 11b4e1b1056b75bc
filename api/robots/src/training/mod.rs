//! Training: a robot plays against itself, and learns the weights of a position's features.
//!
//! Positions are sampled where a seat has spent its hand. The logistic function of their value estimates the chance
//! that the seat wins. After every batch of games, the weights move towards the estimates that follow in each game
//! (TD(lambda), forward view), by one Newton step of logistic regression; older batches count less and less. The same
//! rule set, seed and number of games give the same weights, whatever the number of threads and the machine.

mod game;
mod measure;
mod newton;

use std::time::Instant;

use pagade_rules::play::Engine;

use super::brain::Brain;
use super::kind::RobotKind;
use super::learned::{Lesson, MeasuredStrength, Origin};
use super::weights::Weights;
use super::workers::{Pending, on_threads};
use game::{Lecture, Trainee};
use newton::Newton;

/// Number of games between two changes of the weights.
pub const BATCH: u64 = 20;
/// Lambda of TD(lambda) in the first batch. At first, results of games have to reach all positions quickly. Later, the
/// value of the next position is a better measure of a decision than the end of the game, so lambda falls to 0.
const FIRST_LAMBDA: f64 = 0.9;
/// Part of the training after which lambda is 0.
const FALL: f64 = 0.8;
/// Number of games against every other robot after the training.
const MEASURED: u64 = 100;
/// Number of games against each of [`RIVALS`].
const COMPARED: u64 = 200;
/// The opponents in the games that compare the weights of a training with bolder weights.
const RIVALS: [RobotKind; 3] = [RobotKind::Hunter, RobotKind::Runner, RobotKind::Thinker];
/// The robots against which the result is measured.
const OPPONENTS: [RobotKind; 3] = [RobotKind::Hunter, RobotKind::Thinker, RobotKind::Random];

/// The settings of a training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Course {
    /// Number of games.
    pub games: u64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of threads; 0 counts as 1.
    pub threads: usize,
    /// The time at which the training has to end, wherever it is. `None` in a training that can be repeated.
    pub until: Option<Instant>,
}

/// Number of games that suffices for a table with this number of players. Games of more players are longer, and each of
/// them has more positions.
pub fn games_for(players: usize) -> u64 {
    4_000 / (players.max(1) as u64).pow(2)
}

/// Trains weights for a table. Calls `goes_on` after each batch with the number of games in it; if it returns false,
/// the training stops, and the weights so far are the result.
pub fn train(engine: &Engine, course: &Course, goes_on: &mut dyn FnMut(u64) -> bool) -> Weights {
    let mut weights = Weights::to_begin(usize::from(engine.board.len));
    let mut newton = Newton::new(weights.len());
    let mut first = 0;
    while first < course.games {
        let count = BATCH.min(course.games - first);
        let lectures = play_batch(engine, course, &weights, first, count);
        if course.until.is_some_and(|until| Instant::now() >= until) {
            break; // the games of this batch were broken off
        }
        lectures.iter().for_each(|lecture| newton.add(lecture));
        first += count;
        let remembered = (first as f64 / BATCH as f64 / 2.0).max(2.0);
        if let Some(change) = newton.step(1.0 - 1.0 / remembered) {
            weights.add(&change);
        }
        if !goes_on(count) {
            break;
        }
    }
    weights
}

/// Trains weights for a table, and measures them. If they lose against the hunter, and bolder weights win more games
/// against other robots, the bolder weights are the result. If the result wins fewer games against the weights made by
/// hand than it loses, the weights made by hand become the lesson of this table.
pub fn lesson(engine: &Engine, course: &Course, goes_on: &mut dyn FnMut(u64) -> bool) -> Lesson {
    let wins = |weights: &Weights, kind, games, seed| {
        let brains = [&Brain::with_weights(engine, weights), &Brain::new(kind, engine)];
        measure::wins(engine, brains, games, seed)
    };
    // The comparison has a seed of its own, so that its games are other games than those by which the result is
    // measured.
    let compared = course.seed.wrapping_add(1);
    let of_all = |weights: &Weights| RIVALS.map(|rival| wins(weights, rival, COMPARED, compared)).iter().sum::<u64>();
    let measure = |weights: &Weights, kind| wins(weights, kind, MEASURED, course.seed);
    let fair = MEASURED.div_ceil(2);
    let mut weights = train(engine, course, goes_on).rounded();
    if measure(&weights, RobotKind::Hunter) < fair {
        let bolder = weights.bolder().rounded();
        weights = if of_all(&bolder) > of_all(&weights) { bolder } else { weights };
    }
    if measure(&weights, RobotKind::Thinker) < fair {
        weights = Weights::BY_HAND;
    }
    let strength = OPPONENTS.map(|kind| MeasuredStrength {
        against: kind.to_string(),
        games: MEASURED,
        wins: measure(&weights, kind),
    });
    let identity = &engine.identity;
    let origin = Origin {
        ruleset: identity.id.clone(),
        version: identity.version.clone(),
        digest: identity.digest.clone(),
        players: engine.seating.players.len(),
        seed: course.seed.to_string(),
        games: course.games,
        strength: strength.to_vec(),
    };
    Lesson::new(origin, &weights)
}

/// Plays a batch of games in all threads, with the same weights. The lectures are in the order of the games.
fn play_batch(engine: &Engine, course: &Course, weights: &Weights, first: u64, count: u64) -> Vec<Lecture> {
    let lambda = FIRST_LAMBDA * (1.0 - first as f64 / (course.games as f64 * FALL)).max(0.0);
    let games = Pending::new(first..first + count);
    let work = || {
        let trainee = Trainee::new(engine, weights, lambda, course.until);
        let played = std::iter::from_fn(|| games.take()).map(|number| (number, trainee.play(course.seed, number)));
        played.collect::<Vec<_>>()
    };
    let mut lectures = on_threads(course.threads, work).into_iter().flatten().collect::<Vec<_>>();
    lectures.sort_by_key(|(number, _)| *number);
    lectures.into_iter().map(|(_, lecture)| lecture).collect()
}
