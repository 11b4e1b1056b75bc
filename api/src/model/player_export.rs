//! The export of a player, as JSON.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::friends::FriendList;
use super::player::{PlayerEventView, PlayerGame, PlayerView};
use super::statistics::PlayerStatistics;
use super::webhook::WebhookView;

/// Everything that the service keeps about a player, except token hashes and webhook secrets.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerExport<'a> {
    /// The time of the export.
    #[schema(format = DateTime)]
    pub exported_at: String,
    /// The player.
    pub player: PlayerView<'a>,
    /// What the player has reached in competitive games.
    pub statistics: PlayerStatistics<'a>,
    /// The stakes in escrow.
    pub stakes: Vec<ExportedStake>,
    /// The games in which the player sits, newest first.
    #[schema(value_type = Vec<ExportedGame<'a>>)]
    pub games: Vec<Box<RawValue>>,
    /// All events of the player, in order.
    #[schema(value_type = Vec<PlayerEventView<'a>>)]
    pub events: Vec<Box<RawValue>>,
    /// The friends of the player, the open requests, and the blocked players.
    pub friends: FriendList,
    /// The webhooks of the player, without their secrets.
    pub webhooks: Vec<WebhookView>,
}

/// A stake in the export of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExportedStake {
    /// The id of the game.
    #[schema(value_type = String, format = "uuid")]
    pub game: Uuid,
    /// Number of chips.
    pub chips: u64,
}

/// A game in the export of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExportedGame<'a> {
    #[serde(flatten)]
    pub game: PlayerGame<'a>,
    /// The text that the player contributed to the dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub my_contribution: Option<&'a str>,
}
