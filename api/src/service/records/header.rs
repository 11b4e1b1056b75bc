//! The header of a record.

use std::collections::BTreeMap;

use pagade_rules::ruleset::{Options, RuleSet};
use serde::{Deserialize, Serialize};

use crate::error::{Code, Problem, ProblemPart};
use crate::game::dice;
use crate::game::stored::Game;
use crate::game::terms::DiceHolder;
use crate::game::wire;
use crate::model::game::OptionValue;

/// The header of a record, as far as an import needs it.
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
    /// The options; those of the text form are words until the rule set is known.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// The seed of the dice, if the game was over.
    pub seed: Option<String>,
    /// The proof of the server's dice.
    pub dice: Option<HeaderDice>,
}

/// The proof of the server's dice, in a header.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct HeaderDice {
    /// Name of the scheme by which throws are derived from the seed.
    pub scheme: String,
    /// The hash of the seed, published when the game was created.
    pub seed_hash: String,
    /// The contributions of the players, by seat.
    #[serde(default)]
    pub contributions: BTreeMap<String, String>,
}

impl RecordHeader {
    /// The options as this rule set declares them.
    pub fn options_for(&self, set: &RuleSet) -> Options {
        set.typed(&wire::options(&self.options))
    }
}

impl HeaderDice {
    /// The proof for a game; `None` if its players threw the dice.
    pub fn of(game: &Game) -> Option<Self> {
        let (scheme, seed_hash) = (dice::SCHEME.to_owned(), game.setup.seed_hash().to_owned());
        (game.setup.dice == DiceHolder::Server).then(|| Self {
            scheme,
            seed_hash,
            contributions: game.setup.contributions_by_seat(),
        })
    }
}

/// Whether a record is in the text form, not NDJSON.
pub(super) fn is_text(record: &str) -> bool {
    !record.trim_start().starts_with('{')
}

/// Reads the header of an NDJSON record.
///
/// # Errors
/// The first line is no header.
pub(super) fn header(text: &str) -> Result<RecordHeader, Problem> {
    let first = text.lines().next().unwrap_or_default();
    serde_json::from_str(first).map_err(|error| refuse(1, format!("the first line is not a header: {error}")))
}

/// The problem of a record with a mistake in this line.
pub(super) fn refuse(line: u32, detail: impl Into<String>) -> Problem {
    let detail = detail.into();
    let part = ProblemPart { line: Some(line), detail: detail.clone(), ..ProblemPart::default() };
    Problem::new(Code::RecordInvalid, detail).with(vec![part])
}
