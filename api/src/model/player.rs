//! Players, as JSON.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::event_kind::PlayerEventKind;
use super::game::{BriefGame, GameStatus, RuleSetRef};
use super::group::GroupGame;
use super::webhook::CreateWebhook;

/// A player to create.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreatePlayer {
    /// A name for people, as for a seat. Several players may have one name, but not in one game.
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
}

/// The fields of a player to change.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangePlayer {
    /// The new name. Games that the player has joined keep the name that the player had then.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
}

/// A guest to claim.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"token": "pagade_player_01992b3e8c5a7d52b3c96f1f0a6f2e15_0f3c..."}))]
pub(crate) struct ClaimGuest {
    /// The token of the guest.
    #[schema(min_length = 1, max_length = 200)]
    pub token: String,
}

/// A player with a new token.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerToken<'a> {
    /// The token of the player, which joins and plays games. No other answer shows it.
    #[schema(example = "pagade_player_01992b3e8c5a7d52b3c96f1f0a6f2e15_0f3c...")]
    pub token: &'a str,
    /// The player.
    pub player: PlayerView<'a>,
}

/// A player, as this player sees it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerView<'a> {
    /// The id of the player.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The version of the player, which is also its `ETag`. It grows by one with every change.
    pub version: u64,
    /// The name of the player, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// Whether the player is registered: the tokens come from the identity provider of an app. Otherwise, the player is
    /// a guest.
    pub registered: bool,
    /// The time at which the player was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The time of the last change.
    #[schema(format = DateTime)]
    pub updated_at: String,
    /// Number of games that the player has joined and that are not over.
    pub unfinished_games: u64,
    /// Number of chips that the player can stake. A new registered player gets some; a guest has none.
    pub balance: u64,
    /// Number of chips in escrow: the stakes of games that are not settled.
    pub staked: u64,
    /// Number of events so far.
    pub events: u64,
}

/// A player, as everybody sees it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerProfile<'a> {
    /// The id of the player.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The name of the player, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The time at which the player was created.
    #[schema(format = DateTime)]
    pub created_at: String,
}

/// A game in the list of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerGame<'a> {
    #[serde(flatten)]
    pub game: GroupGame<'a>,
    /// The rule set of the game.
    pub rule_set: RuleSetRef,
    /// The seat of the player. It is the player's turn if `turn` has the same name.
    pub my_seat: &'a str,
}

/// A page of the games of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerGameList<'a> {
    /// The games, newest first.
    #[schema(value_type = Vec<PlayerGame<'a>>)]
    pub games: &'a [Box<RawValue>],
    /// The value of `cursor` for the next page. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<&'a str>,
}

/// The games of a player to list.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlayerGamesQuery {
    /// Only games with this status.
    #[param(inline)]
    pub status: Option<GameStatus>,
    /// The `next_cursor` of the page before.
    #[param(pattern = "^[0-9a-f]{32}$")]
    pub cursor: Option<String>,
    /// Maximum number of games on the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    pub limit: Option<u32>,
}

/// Something that happened to a player.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct PlayerEventView<'a> {
    /// The number of the event in the list of the player, from 1, without gaps.
    pub id: u64,
    /// What happened: one of the words that `PlayerEventWord` explains. New words may be added.
    pub event: &'a str,
    /// The time of the event.
    #[schema(format = DateTime)]
    pub at: &'a str,
    /// The game of the event. Absent for events about the player alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub game_id: Option<Uuid>,
    /// The group of the game. Absent if the game belongs to none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub group_id: Option<Uuid>,
    /// The table of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub table_id: Option<Uuid>,
    /// The other player whom the event is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub player: Option<Uuid>,
    /// Always `deleted player`, in place of the id of a player who was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The seat of the player in that game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<&'a str>,
    /// The seat that agrees to end the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed_by: Option<&'a str>,
    /// What is proposed, or why the game ended: a value of `ended_by` of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    /// The rank that the player has reached, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<u8>,
    /// The change of the balance by this event: negative for a stake. Absent in a game without a bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chips: Option<i64>,
    /// The balance after this event. Absent in a game without a bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<u64>,
    /// The experience that the player has gained. Absent if the game does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experience: Option<u64>,
    /// The ids of the badges that the player has earned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub badges: Vec<&'a str>,
    /// The present state of the game. The last event of a game in a page has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BriefGame<'a>>)]
    pub game: Option<&'a RawValue>,
}

/// A page of the events of a player.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the list that events of every kind come in")]
pub(crate) struct PlayerEventList {
    /// The events in order, without gaps.
    #[schema(value_type = Vec<PlayerEventView>)]
    pub events: Vec<Box<RawValue>>,
    /// The value of `after` for the next page.
    pub next_after: u64,
    /// Always `false`: further events may follow.
    pub complete: bool,
}

/// A webhook to register for a player.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreatePlayerWebhook {
    /// The URL that messages are sent to, as for a webhook of a game.
    #[schema(min_length = 1, max_length = 1000)]
    pub url: String,
    /// The words of the events to deliver. By default all events are delivered.
    #[serde(default)]
    #[schema(max_items = 32, value_type = Vec<PlayerEventKind>)]
    pub events: Vec<String>,
    /// The secret that signs the messages. By default the service draws one.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$")]
    pub secret: Option<String>,
}

impl From<CreatePlayerWebhook> for CreateWebhook {
    fn from(CreatePlayerWebhook { url, events, secret }: CreatePlayerWebhook) -> Self {
        Self { url, events, secret }
    }
}
