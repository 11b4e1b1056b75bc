//! The end of games on the wire: how a game ended, who gave up, and what players ask for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EndedBy {
    /// Its rules ended it.
    Rules,
    /// It reached the most events that a game may have (`events_per_game` of the limits).
    Length,
    /// All sides but one resigned.
    Resignation,
    /// All sides but one gave up, the last of them by being late too often.
    Forfeit,
    /// All players agreed to end it.
    Agreement,
    /// It was aborted and does not count: nobody is ranked.
    Abort,
}

/// How a seat gave up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GaveUp {
    /// Its player resigned.
    Resigned,
    /// Its player was late too often.
    Forfeited,
}

/// What a player agrees to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AgreesTo {
    /// To end the game now. The seats are ranked by how far their pawns have come.
    End,
    /// To abort the game: nobody is ranked.
    Abort,
    /// To play on: takes an earlier agreement back.
    Play,
}

/// Who resigns.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({}))]
pub(crate) struct Resign {
    /// The seat. Required only if the token plays several seats.
    #[schema(min_length = 1, max_length = 32)]
    pub seat: Option<String>,
}

/// What a player agrees to.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"to": "end"}))]
pub(crate) struct Agree {
    /// The proposal that the player agrees to.
    pub to: AgreesTo,
}
