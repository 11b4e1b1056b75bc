//! Training in the background: a published rule set gets lessons of its own while its games are played.
//!
//! One thread of the process trains one table at a time, in the order of the requests. It rests as long as it works, so
//! that it takes at most half of one core from the service.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pagade_rules::play::Engine;

use super::learned::{has_lesson, teach};
use super::training::{Course, games_for, train};

/// Greatest number of tables that wait. A table beyond them may ask again at its next turn.
const MOST_WAITING: usize = 32;
/// Longest time for one table; half of it is rest. When the time is over, the table keeps the weights that it has
/// learned by then.
const LONGEST: Duration = Duration::from_secs(120);
/// Least number of games of a training that ran out of time; after fewer games its weights are dropped.
const FEWEST_GAMES: u64 = 200;

/// The tables that wait for a training, and the table in training.
#[derive(Debug)]
struct School {
    waiting: VecDeque<Arc<Engine>>,
    /// The table in training, while the thread runs.
    taught: Option<Arc<Engine>>,
    /// Tables whose training ran out of time without useful weights, by digest and number of players.
    given_up: VecDeque<(String, usize)>,
}

static SCHOOL: Mutex<School> = Mutex::new(School { waiting: VecDeque::new(), taught: None, given_up: VecDeque::new() });

/// Asks for a training of this table, unless it has lessons already, or waits for them.
pub fn enroll(engine: &Arc<Engine>) {
    if has_lesson(engine) {
        return;
    }
    let mut school = school();
    let key = key(engine);
    let mut engines = school.waiting.iter().chain(&school.taught);
    if engines.any(|other| self::key(other) == key) || school.given_up.contains(&key) {
        return;
    }
    if school.waiting.len() >= MOST_WAITING {
        return;
    }
    school.waiting.push_back(Arc::clone(engine));
    if school.taught.is_none() {
        school.taught = school.waiting.pop_front();
        // If no thread can be started, no table is trained: the robots play on by the weights that they have.
        let thread = std::thread::Builder::new().name("training".to_owned()).spawn(work);
        if thread.is_err() {
            school.taught = None;
        }
    }
}

/// Teaches tables until none waits.
fn work() {
    loop {
        let Some(engine) = school().taught.clone() else { return };
        // A panic would be a defect of the engine. It must not end the training of all later tables.
        let learned = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| learn(&engine)));
        let mut school = school();
        if learned.is_err() || !has_lesson(&engine) {
            school.given_up.push_back(key(&engine));
            if school.given_up.len() > MOST_WAITING {
                school.given_up.pop_front();
            }
        }
        school.taught = school.waiting.pop_front();
    }
}

fn learn(engine: &Engine) {
    let (games, until) = (games_for(engine.seating.players.len()), Instant::now() + LONGEST);
    let course = Course { games, seed: 1, threads: 1, until: Some(until) };
    let (mut played, mut begin) = (0, Instant::now());
    let weights = train(engine, &course, &mut |games| {
        played += games;
        std::thread::sleep(begin.elapsed());
        begin = Instant::now();
        true
    });
    if played >= games.min(FEWEST_GAMES) {
        teach(engine, weights);
    }
}

fn school() -> std::sync::MutexGuard<'static, School> {
    SCHOOL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(engine: &Engine) -> (String, usize) {
    (engine.identity.digest.clone(), engine.seating.players.len())
}
