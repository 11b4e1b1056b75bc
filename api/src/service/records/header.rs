//! The header of a record: its rule set, seats, options and dice.

use std::collections::BTreeMap;

use pagade_rules::ruleset::{Options, RuleSet};
use serde::{Deserialize, Serialize};

use crate::error::{Code, Detail, Problem, ProblemPart, detail};
use crate::game::dice;
use crate::game::stored::Game;
use crate::game::terms::DiceHolder;
use crate::game::wire;
use crate::model::creation::OptionValue;

/// The header of a record, with those fields that an import needs.
#[derive(Debug, Default, Deserialize)]
pub struct RecordHeader {
    /// The id of the rule set.
    pub ruleset: String,
    /// The version of the rule set.
    pub version: Option<String>,
    /// The digest of the rule set.
    pub digest: Option<String>,
    /// The names of the seats that play.
    pub players: Option<Vec<String>>,
    /// The options. In the text form, every value is a word, which `options_for` converts to the type that
    /// the rule set declares (word, number or truth value).
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// The seed of the dice; `None` if the game was not over.
    pub seed: Option<String>,
    /// The proof of the server's dice; `None` if players threw the dice.
    pub dice: Option<HeaderDice>,
}

/// The proof of the server's dice, as the header of a record has it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct HeaderDice {
    /// The name of the scheme by which throws are computed from the seed.
    pub scheme: String,
    /// The hash of the seed that was published when the game was created.
    pub seed_hash: String,
    /// The texts that players contributed to the dice, by seat.
    #[serde(default)]
    pub contributions: BTreeMap<String, String>,
}

impl RecordHeader {
    /// Returns the options with values of the types that this rule set declares.
    pub(crate) fn options_for(&self, set: &RuleSet) -> Options {
        set.typed(&wire::options(&self.options))
    }
}

impl HeaderDice {
    /// Returns the proof of a game's dice; `None` if players threw the dice.
    pub fn of(game: &Game) -> Option<Self> {
        let (scheme, seed_hash) = (dice::SCHEME.to_owned(), game.setup.seed_hash().to_owned());
        (game.setup.dice == DiceHolder::Server).then(|| Self {
            scheme,
            seed_hash,
            contributions: game.setup.contributions_by_seat(),
        })
    }
}

/// Tells whether a record has the text form. The other form is NDJSON.
pub(super) fn is_text(record: &str) -> bool {
    !record.trim_start().starts_with('{')
}

/// Reads the header of an NDJSON record.
///
/// # Errors
/// The first line is not a header.
pub(super) fn header(text: &str) -> Result<RecordHeader, Problem> {
    let first = text.lines().next().unwrap_or_default();
    serde_json::from_str(first).map_err(|error| {
        let column = error.column();
        refuse(1, detail!("the first line is not the header of a record, from column {column} on", column))
    })
}

/// Makes the problem of a record that has a mistake in this line.
pub(super) fn refuse(line: u32, detail: impl Into<Detail>) -> Problem {
    Problem::one(Code::RecordInvalid, ProblemPart { line: Some(line), ..ProblemPart::of(detail) })
}
