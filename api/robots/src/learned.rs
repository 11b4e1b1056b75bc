//! Lessons: the weights that self-play has found for each rule set and number of players, with their origin.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use pagade_rules::play::Engine;
use serde::{Deserialize, Serialize};

use super::features::COUNT;
use super::weights::Weights;

/// The lessons of the bundled rule sets, one JSON object a line. `pagade train --bundled` writes this file.
const BUNDLED: &str = include_str!("lessons.ndjson");

/// Greatest number of lessons of published rule sets that a process keeps. A rule set beyond them is played by the
/// lesson of the rule set that it extends.
const MOST_TAUGHT: usize = 1_000;

/// Where weights come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// Id of the rule set.
    pub ruleset: String,
    /// Version of the rule set.
    pub version: String,
    /// Digest of the rule set's normal form, in hexadecimal.
    pub digest: String,
    /// Number of players.
    pub players: usize,
    /// Seed of the training, as text.
    pub seed: String,
    /// Number of games of self-play.
    pub games: u64,
    /// Games against other robots after the training.
    pub strength: Vec<MeasuredStrength>,
}

/// Games of the learned robot against another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasuredStrength {
    /// Name of the other robot, which sits at every second seat.
    pub against: String,
    /// Number of games.
    pub games: u64,
    /// Number of games that the learned robot won.
    pub wins: u64,
}

/// Learned weights with their origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// Where the weights come from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The weights of the general features.
    general: Vec<f32>,
    /// The weights of the places of the own side.
    own: Vec<f32>,
    /// The weights of the places of the enemies.
    enemies: Vec<f32>,
}

impl Lesson {
    /// Makes a lesson of these weights, rounded to hundredths.
    pub fn new(origin: Origin, weights: &Weights) -> Lesson {
        let Weights { general, own, enemies } = weights.rounded();
        Lesson { origin, general: general.to_vec(), own, enemies }
    }

    /// The weights. `None` if the lesson has another number of features than this program.
    pub fn weights(&self) -> Option<Weights> {
        let general: [f32; COUNT] = self.general.as_slice().try_into().ok()?;
        let is_whole = self.own.len() == self.enemies.len();
        is_whole.then(|| Weights { general, own: self.own.clone(), enemies: self.enemies.clone() })
    }
}

/// Weights by the id of the rule set and the number of players.
#[derive(Debug, Default)]
pub struct Lessons(HashMap<(String, usize), Weights>);

impl Lessons {
    /// Reads lessons, one JSON object a line. A lesson that this program cannot use is left out.
    pub fn read(text: &str) -> Lessons {
        let lessons = text.lines().filter_map(|line| serde_json::from_str::<Lesson>(line).ok());
        let named = lessons.filter_map(|lesson| {
            let weights = lesson.weights()?;
            Some(((lesson.origin.ruleset, lesson.origin.players), weights))
        });
        Lessons(named.collect())
    }

    /// Finds the weights for a table: those of its rule set, or else of the nearest rule set that it extends, for this
    /// number of players. `None` if there are none that fit its paths.
    pub fn find(&self, engine: &Engine) -> Option<&Weights> {
        let (identity, players) = (&engine.identity, engine.seating.players.len());
        let ids = std::iter::once(&identity.id).chain(&identity.bases);
        let mut weights = ids.filter_map(|id| self.0.get(&(id.clone(), players)));
        weights.find(|weights| weights.own.is_empty() || weights.own.len() == usize::from(engine.board.len))
    }
}

/// The lessons that come with the program.
pub(crate) fn bundled_lessons() -> &'static Lessons {
    static READ: OnceLock<Lessons> = OnceLock::new();
    READ.get_or_init(|| Lessons::read(BUNDLED))
}

/// The lines of the bundled lessons, for tests and for the command that writes them.
pub(crate) fn bundled_lines() -> impl Iterator<Item = Lesson> {
    BUNDLED.lines().filter_map(|line| serde_json::from_str(line).ok())
}

/// The digests and numbers of players of the bundled lessons.
fn bundled_digests() -> &'static HashSet<(String, usize)> {
    static READ: OnceLock<HashSet<(String, usize)>> = OnceLock::new();
    READ.get_or_init(|| bundled_lines().map(|lesson| (lesson.origin.digest, lesson.origin.players)).collect())
}

/// Weights by the digest of the rule set and the number of players, taught while the process runs.
type Taught = HashMap<(String, usize), Arc<Weights>>;

fn taught() -> &'static RwLock<Taught> {
    static TAUGHT: OnceLock<RwLock<Taught>> = OnceLock::new();
    TAUGHT.get_or_init(RwLock::default)
}

/// The weights by which a learned robot plays at this table: those that [`teach`] kept for exactly this rule set, else
/// the bundled ones of the rule set or of one that it extends, else those made by hand.
pub(super) fn weights(engine: &Engine) -> Arc<Weights> {
    let key = key(engine);
    if let Some(weights) = taught().read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Arc::clone(weights);
    }
    Arc::new(bundled_lessons().find(engine).unwrap_or(&Weights::BY_HAND).clone())
}

/// Whether a learned robot has its own weights at this table, and not those of a rule set that it extends.
pub(crate) fn has_lesson(engine: &Engine) -> bool {
    let key = key(engine);
    bundled_digests().contains(&key) || taught().read().unwrap_or_else(PoisonError::into_inner).contains_key(&key)
}

/// Keeps weights for this rule set and number of players as long as the process runs. If the process keeps too many
/// already, these weights are not kept.
pub fn teach(engine: &Engine, weights: Weights) {
    let mut taught = taught().write().unwrap_or_else(PoisonError::into_inner);
    if taught.len() < MOST_TAUGHT {
        taught.insert(key(engine), Arc::new(weights));
    }
}

fn key(engine: &Engine) -> (String, usize) {
    (engine.identity.digest.clone(), engine.seating.players.len())
}
