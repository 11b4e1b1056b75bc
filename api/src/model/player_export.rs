//! The export of a player, as JSON.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::friends::FriendList;
use super::player::{PlayerEventView, PlayerGame, PlayerView};
use super::statistics::PlayerStatistics;
use super::table::{GamePlayerView, TableInvitation, VoteOn};
use super::table_chat::ChatLineView;
use super::table_event::TableEventView;
use super::table_list::{PlayerAtTable, TableSummary};
use super::tournament::EntrantView;
use super::tournament_list::TournamentSummary;
use super::webhook::WebhookView;

/// Everything that the service keeps about a player, except token hashes, webhook secrets, marks of network addresses,
/// and what other players keep to themselves: who has blocked the player, or reported a line.
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
    /// The ids of the games that the player may watch, newest first.
    #[schema(value_type = Vec<String>)]
    pub watched_games: Vec<Uuid>,
    /// The tables that name the player, also those that the player has left, newest first.
    #[schema(value_type = Vec<ExportedTable<'a>>)]
    pub tables: Vec<Box<RawValue>>,
    /// The tournaments in which the player is entered, newest first.
    #[schema(value_type = Vec<ExportedTournament<'a>>)]
    pub tournaments: Vec<Box<RawValue>>,
    /// The ids of the guests that the player has claimed.
    #[schema(value_type = Vec<String>)]
    pub claimed_guests: Vec<Uuid>,
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

/// A table in the export of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExportedTable<'a> {
    #[serde(flatten)]
    pub table: TableSummary<'a>,
    /// What the player is at the table; empty if the player has left it.
    pub my_roles: Vec<PlayerAtTable>,
    /// The seat of the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub my_seat: Option<&'a str>,
    /// The name of the player at the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub my_name: Option<&'a str>,
    /// Whether the master has muted the player in the chat.
    pub muted: bool,
    /// The lines of the player in the chat, oldest first.
    pub my_lines: Vec<ChatLineView<'a>>,
    /// The numbers of the lines that the player has reported.
    pub my_reports: Vec<u64>,
    /// The open invitation of the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<TableInvitation>,
    /// The open invitations by which the player has invited others.
    pub invited_by_me: Vec<TableInvitation>,
    /// What the player has done in the open vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub my_vote: Option<ExportedVote>,
    /// The webhooks of the table that the player has registered as its master, without their secrets.
    pub my_webhooks: Vec<WebhookView>,
    /// The games of the player that the table lists, newest first.
    pub my_games: Vec<ExportedTableGame<'a>>,
    /// The events of the table that name the player, in order.
    #[schema(value_type = Vec<TableEventView<'a>>)]
    pub events: Vec<Box<RawValue>>,
}

/// A vote at a table in the export of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExportedVote {
    /// What the vote is about.
    pub on: VoteOn,
    /// Whether the player has opened the vote.
    pub opened: bool,
    /// Whether the player has agreed.
    pub agreed: bool,
}

/// A game of a table in the export of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExportedTableGame<'a> {
    /// The id of the game.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The number of the game at the table, from 1.
    pub number: u64,
    /// The player in this game.
    pub me: GamePlayerView<'a>,
}

/// A tournament in the export of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExportedTournament<'a> {
    #[serde(flatten)]
    pub tournament: TournamentSummary,
    /// The entrants for whom the player plays.
    pub my_entries: Vec<EntrantView<'a>>,
}
