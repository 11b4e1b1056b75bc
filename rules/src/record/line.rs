//! The lines of a record: a header for each game, and a line for each decision.

use serde::{Deserialize, Serialize};

use crate::position::{ByName, CounterValue, Marked};

/// The header, which stands before a game. It has all that a replay of the game needs: rules, options and players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Header {
    /// The number of the game in the file.
    pub game: u64,
    /// The id of the rule set.
    pub ruleset: String,
    /// The version of the rule set.
    pub version: String,
    /// The digest of the rule set, taken of its flattened text.
    pub digest: String,
    /// The seats that play, in the order of travel.
    pub players: Vec<String>,
    /// The values of all table options, whether chosen or default.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// The seed from which the throws were drawn, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// A decision of a player: the position before it, the legal actions, and the action that was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLine {
    /// The number of the game in the file.
    #[serde(default)]
    pub game: u64,
    /// The number of the decision in the game, counted from 0.
    #[serde(default)]
    pub ply: u64,
    /// The seat whose turn it is.
    pub turn: String,
    /// The seat that decides, if a choice asks another seat than the one whose turn it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// The places of the pawns before the decision.
    pub position: ByName<Vec<String>>,
    /// The counters before the decision.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub state: ByName<ByName<CounterValue>>,
    /// The marks of pawns before the decision, by seat. Absent if the rules have no marks that are shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<ByName<Marked>>,
    /// The throws of this turn to which the numbers of the hand belong, separated by spaces. Empty before the first
    /// throw.
    #[serde(default)]
    pub throw: String,
    /// The hand: the numbers that are left to spend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Vec<String>>,
    /// Every legal action.
    pub legal: Vec<String>,
    /// The action that was played.
    pub played: String,
    /// The events that the action and the throw before it caused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
}

impl Header {
    /// Writes the header as one line of JSON, without the line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a header holds only text and numbers")
    }
}

impl RecordLine {
    /// Writes the decision as one line of JSON, without the line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a line holds only text and numbers")
    }
}
