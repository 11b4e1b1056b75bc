//! The lines of a record.

use serde::{Deserialize, Serialize};

use crate::position::{ByName, CounterValue};

/// The line before a game. It names all that a replay of the game needs: rules, options and players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Header {
    /// Number of the game in the file.
    pub game: u64,
    /// Id of the rule set.
    pub ruleset: String,
    /// Its version.
    pub version: String,
    /// Digest of its flattened text.
    pub digest: String,
    /// The seats that play, in the order of travel.
    pub players: Vec<String>,
    /// The table options, defaults included.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// The seed of the throws, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLine {
    /// Number of the game in the file.
    #[serde(default)]
    pub game: u64,
    /// Number of the decision in the game, from 0.
    #[serde(default)]
    pub ply: u64,
    /// Whose turn it is.
    pub turn: String,
    /// The places of the pawns before the decision.
    pub position: ByName<Vec<String>>,
    /// The counters before the decision.
    #[serde(default, skip_serializing_if = "ByName::is_empty")]
    pub state: ByName<ByName<CounterValue>>,
    /// The throws of this turn to which the numbers in hand belong, separated by spaces; empty before the first throw.
    #[serde(default)]
    pub throw: String,
    /// The hand: numbers that are left to spend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Vec<String>>,
    /// Every legal action.
    pub legal: Vec<String>,
    /// The action that was played.
    pub played: String,
    /// The events of the action, and of the throw before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
}

impl Header {
    /// The header as a line of text, without the line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a header holds only text and numbers")
    }
}

impl RecordLine {
    /// The line as text, without the line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a line holds only text and numbers")
    }
}
