//! Groups of games, as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::creation::CreateGame;
use super::ending::{EndedBy, GaveUp};
use super::event::EventView;
use super::event_kind::GroupEventKind;
use super::game::{Awaits, GameStatus, RankView};
use super::webhook::CreateWebhook;

/// A group to create.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"title": "Round 1"}))]
pub(crate) struct CreateGroup {
    /// A title for people: not blank, on one line, without characters that change the direction of text. White space at
    /// its ends is removed, and it is shown in Unicode's composed form (NFC).
    #[schema(min_length = 1, max_length = 80)]
    pub title: Option<String>,
    /// Whether the group can be seen only with its token or its invitation. Its games are then private, too.
    #[serde(default)]
    pub private: bool,
}

/// A group that was created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedGroup<'a> {
    /// The token of the group's owner, which adds games and registers webhooks. No other answer shows it.
    #[schema(example = "pagade_group_01992b3e8c5a7d52b3c96f1f0a6f2e13_0f3c...")]
    pub token: &'a str,
    /// Only for private groups: the token for guests, with which they can see and follow the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<&'a str>,
    /// The group.
    pub group: GroupView<'a>,
}

/// A new token of a group that replaces an old one.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NewGroupToken<'a> {
    /// The new token. No other answer shows it.
    #[schema(example = "pagade_group_01992b3e8c5a7d52b3c96f1f0a6f2e13_5b1e...")]
    pub token: &'a str,
    /// The group.
    pub group: GroupView<'a>,
}

/// The status of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GroupStatus {
    /// Games can be added.
    Open,
    /// No more games will be added, and some games are not over.
    Complete,
    /// No more games will be added, and all games are over.
    Finished,
}

/// A group of games.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GroupView<'a> {
    /// The id of the group.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The version of the group, which is also its `ETag`. It grows by one with every change.
    pub version: u64,
    /// The status of the group.
    pub status: GroupStatus,
    /// The title of the group, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    /// Whether the group can be seen only with its token or its invitation.
    pub private: bool,
    /// Number of games in the group, by status.
    pub games: GameCounts,
    /// The time at which the group was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The time of the last change.
    #[schema(format = DateTime)]
    pub updated_at: String,
    /// Number of events so far.
    pub events: u64,
}

/// The games of a group, counted by their status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct GameCounts {
    /// Number of games that have not started.
    pub open: u32,
    /// Number of games in play.
    pub playing: u32,
    /// Number of games that are over.
    pub finished: u32,
    /// Number of games that were deleted or have expired.
    pub removed: u32,
}

/// Games to add to a group.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"games": [
    {"rule_set": "pagade", "players": ["red", "yellow"], "start": true, "title": "Table 1",
     "seats": {"red": {"name": "Asha"}, "yellow": {"name": "Bhavna"}}}
]}))]
pub(crate) struct CreateGames {
    /// The games to create, each with the fields of `POST /v1/games`. Games of a private group are private.
    #[schema(min_items = 1, max_items = 500)]
    pub games: Vec<CreateGame>,
}

/// The games that were added to a group.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedGames<'a> {
    /// The games, in the order of the request.
    pub games: Vec<GameTokens<'a>>,
}

/// A game that was added to a group, with its tokens. No other answer shows these tokens.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameTokens<'a> {
    /// The id of the game.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The title of the game, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    /// The token of the game's owner.
    pub token: &'a str,
    /// Only for private games: the token for guests, with which they can see and join the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<&'a str>,
    /// The tokens of the seats that have a player from the beginning, by seat.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub seats: BTreeMap<&'a str, &'a str>,
}

/// A game in the list of its group or of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GroupGame<'a> {
    /// The id of the game.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The version of the game.
    pub version: u64,
    /// The status of the game.
    pub status: GameStatus,
    /// The reason why the game is over. Absent before that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<EndedBy>,
    /// The next thing that has to happen in the game.
    pub awaits: Awaits,
    /// The title of the game, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    /// The seats that play, in the order of travel.
    pub seats: Vec<GroupSeat<'a>>,
    /// The seat whose turn it is. Absent before the start and after the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<&'a str>,
    /// The seat that has to decide, where the rules ask another seat than the one whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<&'a str>,
    /// The time until which the awaited decision has to be made.
    #[schema(format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// The result: the seats that have finished, best first. If the game was ended before its rules ended it, all
    /// seats.
    pub ranking: Vec<RankView<'a>>,
    /// The time of the last change.
    #[schema(format = DateTime)]
    pub updated_at: &'a str,
    /// Number of events so far.
    pub events: u64,
}

/// A seat of a game in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GroupSeat<'a> {
    /// The name of the seat, which is its colour.
    pub seat: &'a str,
    /// Whether a player has joined the seat.
    pub taken: bool,
    /// The name of the player, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The id of the player, if the seat was joined with a player's token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub player: Option<Uuid>,
    /// How the seat gave up, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gave_up: Option<GaveUp>,
}

/// A page of the games of a group.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GroupGameList<'a> {
    /// The games, in the order in which they were added.
    #[schema(value_type = Vec<GroupGame<'a>>)]
    pub games: &'a [Box<RawValue>],
    /// The value of `cursor` for the next page. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<&'a str>,
}

/// The games of a group to list.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct GroupGamesQuery {
    /// Only games with this status. With `finished`, the list has the results.
    #[param(inline)]
    pub status: Option<GameStatus>,
    /// The `next_cursor` of the page before.
    #[param(pattern = "^[0-9a-f]{32}$")]
    pub cursor: Option<String>,
    /// Maximum number of games on the page. The largest value is the number of games that a group may have.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    pub limit: Option<u32>,
}

/// Something that happened to a group, or in one of its games.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GroupEventView<'a> {
    /// The number of the event in the group, from 1, without gaps.
    pub id: u64,
    /// What happened: one of the words that `GroupEventWord` explains. New words may be added.
    #[schema(example = "moved")]
    pub event: &'a str,
    /// The time of the event.
    #[schema(format = DateTime)]
    pub at: &'a str,
    /// The game in which the event happened. Absent for events about the group itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub game_id: Option<Uuid>,
    /// The event, as in the list of the game. The events of one game come in their order, without gaps.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<EventView<'a>>)]
    pub game_event: Option<&'a RawValue>,
}

/// A page of the events of a group.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the list that events of every kind come in")]
pub(crate) struct GroupEventList {
    /// The events in order, without gaps.
    #[schema(value_type = Vec<GroupEventView>)]
    pub events: Vec<Box<RawValue>>,
    /// The value of `after` for the next page: the id of the last event, or the `after` of this request if there is
    /// none.
    pub next_after: u64,
    /// Whether no more games will be added, all games are over, and this page ends with the last event.
    pub complete: bool,
}

/// A webhook to register for a group.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"url": "https://club.example/pagade", "events": ["game_over", "group_over"]}))]
pub(crate) struct CreateGroupWebhook {
    /// The URL that messages are sent to, as for a webhook of a game.
    #[schema(min_length = 1, max_length = 1000)]
    pub url: String,
    /// The words of the events to deliver. By default all events are delivered.
    #[serde(default)]
    #[schema(max_items = 32, value_type = Vec<GroupEventKind>)]
    pub events: Vec<String>,
    /// The secret that signs the messages. By default the service draws one.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$")]
    pub secret: Option<String>,
}

impl From<CreateGroupWebhook> for CreateWebhook {
    fn from(CreateGroupWebhook { url, events, secret }: CreateGroupWebhook) -> Self {
        Self { url, events, secret }
    }
}
