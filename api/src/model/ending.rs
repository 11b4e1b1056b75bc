//! The end of games, as JSON: how a game ended, which seats gave up, and what players agree to.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The reason why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EndedBy {
    /// The rules ended the game.
    Rules,
    /// The game reached the largest number of events that a game may have (`events_per_game` of the limits).
    Length,
    /// All sides but one gave up, and the last seat that gave up resigned. Or no player is left, and at least one has
    /// given up without abandoning the seat.
    Resignation,
    /// All sides but one gave up; the player of the last of these was late too often.
    Forfeit,
    /// All players agreed to end the game.
    Agreement,
    /// The game was aborted and does not count. No seat is ranked.
    Abort,
}

/// The way in which a seat gave up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GaveUp {
    /// The player of the seat resigned.
    Resigned,
    /// The player of the seat was late too often, or did not come to a game of a tournament.
    Forfeited,
}

/// The proposal that a player agrees to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AgreesTo {
    /// The player agrees to end the game. The seats are then ranked by how far their pawns have come.
    End,
    /// The player agrees to abort the game. No seat is then ranked.
    Abort,
    /// The player wants to play on, and takes an earlier agreement back.
    Play,
}

/// The seat that resigns.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({}))]
pub(crate) struct Resign {
    /// The name of the seat. Required only if the token plays several seats.
    #[schema(min_length = 1, max_length = 32)]
    pub seat: Option<String>,
}

/// A player's agreement to a proposal.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"to": "end"}))]
pub(crate) struct Agree {
    /// The proposal that the player agrees to.
    pub to: AgreesTo,
}
