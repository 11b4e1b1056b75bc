//! The terms of a game, as stored. The wire has types of its own, so that either form can change alone.

use std::collections::BTreeMap;

use pagade_rules::ruleset::{OptionValue, Options, RuleSet};
use serde::{Deserialize, Serialize};

/// The rule set that a game is pinned to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinnedRules {
    /// Id of the rule set.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Its digest.
    pub digest: String,
}

impl From<&RuleSet> for PinnedRules {
    fn from(set: &RuleSet) -> Self {
        Self { id: set.id().to_owned(), version: set.version().to_owned(), digest: set.digest().to_owned() }
    }
}

/// Who throws the dice of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DiceHolder {
    /// The server, from the seed.
    Server,
    /// The players, who send what they threw.
    Players,
}

/// Who chose the seed of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeedBy {
    /// The server, by chance.
    Server,
    /// The owner.
    Owner,
}

/// The status of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// In the lobby: seats are joined and left.
    Open,
    /// In play.
    Playing,
    /// Over.
    Finished,
}

/// The time limit for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnTimer {
    /// Seconds for each decision.
    pub seconds: u32,
    /// How the server plays a late turn.
    pub then: WhenLate,
    /// Late decisions in a row that cost a seat the game; `None`: it stays in the game however often it is late.
    #[serde(default)]
    pub forfeit_after: Option<u8>,
}

impl TurnTimer {
    /// The time for a decision.
    pub fn milliseconds(self) -> u64 {
        u64::from(self.seconds) * 1000
    }
}

/// How the server plays a late turn to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WhenLate {
    /// By a random legal action; all are equally likely.
    Random,
    /// By the first legal action.
    First,
}

/// Why a game ended, where its rules did not end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ending {
    /// The game reached the maximum number of events.
    Length,
    /// All sides but one resigned.
    Resignation,
    /// The last side but one was late too often.
    Forfeit,
    /// All players agreed to end it.
    Agreement,
    /// The game was aborted: it does not count.
    Abort,
}

impl Ending {
    /// The word of the reason.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Resignation => "resignation",
            Self::Forfeit => "forfeit",
            Self::Agreement => "agreement",
            Self::Abort => "abort",
        }
    }
}

/// How a seat gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GaveUp {
    /// Its player resigned.
    Resigned,
    /// Its player was late too often.
    Forfeited,
}

/// What a player agrees to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Agreement {
    /// To end the game, with a ranking by what was reached.
    End,
    /// To abort the game.
    Abort,
    /// To play on.
    Play,
}

impl Agreement {
    /// The word in events.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Abort => "abort",
            Self::Play => "play",
        }
    }
}

/// The value of an option, as stored.
#[derive(Debug, Serialize, Deserialize)]
enum StoredValue {
    Truth(bool),
    Number(i64),
    Word(String),
}

/// Writes and reads the options of a stored game.
pub(crate) mod stored_options {
    use serde::{Deserializer, Serializer};

    use super::{BTreeMap, Deserialize, OptionValue, Options, Serialize, StoredValue};

    pub(crate) fn serialize<S: Serializer>(options: &Options, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = options.iter().map(|(name, value)| {
            let value = match value {
                OptionValue::Truth(truth) => StoredValue::Truth(*truth),
                OptionValue::Number(number) => StoredValue::Number(*number),
                OptionValue::Word(word) => StoredValue::Word(word.clone()),
            };
            (name, value)
        });
        stored.collect::<BTreeMap<_, _>>().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Options, D::Error> {
        let stored = BTreeMap::<String, StoredValue>::deserialize(deserializer)?;
        let options = stored.into_iter().map(|(name, value)| {
            let value = match value {
                StoredValue::Truth(truth) => OptionValue::Truth(truth),
                StoredValue::Number(number) => OptionValue::Number(number),
                StoredValue::Word(word) => OptionValue::Word(word),
            };
            (name, value)
        });
        Ok(options.collect())
    }
}
