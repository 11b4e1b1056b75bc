//! What stands before a recorded game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{Code, Problem, ProblemPart};
use crate::game::dice;
use crate::game::stored::Game;
use crate::game::terms::DiceHolder;
use crate::model::game::OptionValue;

/// What a record says about its game.
#[derive(Debug, Default, Deserialize)]
pub struct RecordHeader {
    /// Id of the rule set.
    pub ruleset: String,
    /// Its version.
    pub version: Option<String>,
    /// Its digest.
    pub digest: Option<String>,
    /// The seats that play.
    pub players: Option<Vec<String>>,
    /// The options.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// What the dice were drawn from, once that was told.
    pub seed: Option<String>,
    /// How that can be proven.
    pub dice: Option<HeaderDice>,
}

/// What the head of a record says about the server's dice.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct HeaderDice {
    /// How throws come from the seed and the contributions.
    pub scheme: String,
    /// What was published of the seed when the game was created.
    pub seed_hash: String,
    /// What players mixed in, by seat.
    #[serde(default)]
    pub contributions: BTreeMap<String, String>,
}

impl HeaderDice {
    /// That of a game whose dice the server throws.
    pub fn of(game: &Game) -> Option<Self> {
        let (scheme, seed_hash) = (dice::SCHEME.to_owned(), game.setup.seed_hash().to_owned());
        (game.setup.dice == DiceHolder::Server).then(|| Self {
            scheme,
            seed_hash,
            contributions: game.setup.contributions_by_seat(),
        })
    }
}

/// Whether a record is text for people, not NDJSON.
pub fn is_text(record: &str) -> bool {
    !record.trim_start().starts_with('{')
}

/// Reads the head of a record in NDJSON.
///
/// # Errors
/// It has none.
pub fn header(text: &str) -> Result<RecordHeader, Problem> {
    let first = text.lines().next().unwrap_or_default();
    serde_json::from_str(first).map_err(|error| refuse(1, format!("the first line is no header: {error}")))
}

/// A record that does not follow.
pub fn refuse(line: u32, detail: impl Into<String>) -> Problem {
    let detail = detail.into();
    let part = ProblemPart { line: Some(line), detail: detail.clone(), ..ProblemPart::default() };
    Problem::new(Code::RecordInvalid, detail).with(vec![part])
}
