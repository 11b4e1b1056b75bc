//! Tables, as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::creation::{OptionValue, Robot};
use super::ending::EndedBy;
use super::game::{Control, RuleSetRef};
use super::scoring::NotScored;

/// A table to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"rule_set": "parcheesi", "title": "Friday evening", "options": {"time_per_turn": 60}}))]
pub(crate) struct CreateTable {
    /// The id of the rule set.
    #[schema(min_length = 1, max_length = 64)]
    pub rule_set: String,
    /// The version of the rule set. By default the newest one.
    #[schema(min_length = 1, max_length = 64)]
    pub version: Option<String>,
    /// A title for people, as for a game.
    #[schema(min_length = 1, max_length = 80)]
    pub title: Option<String>,
    /// The names of the seats of the table. By default all seats of the rule set.
    #[schema(min_items = 1, max_items = 8)]
    pub seats: Option<Vec<String>>,
    /// The seat of the player who creates the table. By default the first one.
    #[schema(min_length = 1, max_length = 64)]
    pub my_seat: Option<String>,
    /// The name of this player at the table. By default the name of the player.
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// Values of options, by name, as `GET /v1/tables/{id}/options` lists them. Others have their defaults.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
}

/// A game that a player wants to play with strangers.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"rule_set": "parcheesi", "players": 2, "options": {"time_per_turn": 60}}))]
pub(crate) struct QuickPlay {
    /// The id of the rule set.
    #[schema(min_length = 1, max_length = 64)]
    pub rule_set: String,
    /// The version of the rule set. By default the newest one.
    #[schema(min_length = 1, max_length = 64)]
    pub version: Option<String>,
    /// Number of players. By default the smallest number that the rule set allows.
    #[schema(minimum = 2, maximum = 8)]
    pub players: Option<u8>,
    /// The name of the player at the table. By default the name of the player. If somebody at the table has this name,
    /// the player sits there without one.
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// Values of options, by name, as for a table to create. Others have their defaults.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
}

/// The status of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TableStatus {
    /// No game is in play.
    Open,
    /// A game is in play.
    Playing,
    /// The last player has left. Nobody can sit down there.
    Closed,
}

/// A table, where players sit down and play one game after another.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableView<'a> {
    /// The id of the table.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The version of the table, which is also its `ETag`. It grows by one with every change.
    pub version: u64,
    /// The status of the table.
    pub status: TableStatus,
    /// The title of the table, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    /// The rule set of the table.
    pub rule_set: RuleSetRef,
    /// The variant of this rule set that the next game plays. Absent if it plays the rule set itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<RuleSetRef>,
    /// The seats, in the order of travel.
    pub seats: Vec<TableSeatView<'a>>,
    /// The player who chooses the options and starts the games: the first who sat down. Absent if the table is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub master: Option<Uuid>,
    /// Whether only invited players may sit down or watch.
    pub private: bool,
    /// Whether players without a seat may watch.
    pub spectators_allowed: bool,
    /// Seconds for each decision; 0 for no limit.
    pub time_per_turn: u32,
    /// Whether the game in play, or between games the next one, is competitive or practice. A game with a robot in a
    /// seat is practice.
    pub icon: TableIcon,
    /// Number of chips that each player stakes on a competitive game.
    pub bet: u32,
    /// The players who watch.
    pub watchers: Vec<WatcherView<'a>>,
    /// The game in play. Absent between games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<CurrentGameView<'a>>,
    /// The newest games that are over, newest first.
    pub past_games: Vec<PastGameView<'a>>,
    /// The open vote, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vote: Option<VoteView<'a>>,
    /// Number of lines that were said so far, which is the number of the newest line.
    pub lines: u64,
    /// The time at which the table was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The time of the last change.
    #[schema(format = DateTime)]
    pub updated_at: String,
    /// Number of events so far.
    pub events: u64,
}

/// A seat of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableSeatView<'a> {
    /// The name of the seat, which is its colour.
    pub seat: &'a str,
    /// Whether a player or a robot has the seat.
    pub taken: bool,
    /// The robot that has the seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<Robot>,
    /// Who decides for the seat: in the game in play, otherwise in the next one. Absent if the seat is free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Control>,
    /// The id of the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub player: Option<Uuid>,
    /// The name of the player, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// Whether the player is the master of the table.
    pub star: bool,
    /// Whether options were changed since the player has read them.
    pub options_changed: bool,
    /// Whether the master has muted the player in the chat. Absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub muted: bool,
}

/// A player who watches a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WatcherView<'a> {
    /// The id of the player.
    #[schema(value_type = String, format = "uuid")]
    pub player: Uuid,
    /// The name of the player, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// Whether options were changed since the player has read them.
    pub options_changed: bool,
    /// Whether the master has muted the player in the chat. Absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub muted: bool,
}

/// The game in play at a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CurrentGameView<'a> {
    /// The id of the game. The tokens of its players and watchers read, play and follow it under `/v1/games`.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The number of the game at the table, from 1.
    pub number: u64,
    /// The time of the start.
    #[schema(format = DateTime)]
    pub started_at: String,
    /// Whether the players may end the game by a vote.
    pub amicable_end: bool,
    /// The stakes. Absent in a practice game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stakes: Option<StakesView<'a>>,
    /// The players, in the order of travel.
    pub players: Vec<GamePlayerView<'a>>,
}

/// The kind of games that a table plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TableIcon {
    /// Games count for chips, experience, statistics and ratings: two swords.
    Competitive,
    /// Games do not count: a boxing glove.
    Practice,
}

/// The stakes of a competitive game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StakesView<'a> {
    /// Number of chips that each player has staked.
    pub bet: u64,
    /// All stakes together. The bank gets a quarter of them, and the winners the rest.
    pub pot: u64,
    /// The season for which the game counts. Absent if it began between seasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<&'a str>,
    /// Whether the stakes are paid out: a side has won, and the others play on for the remaining ranks. The players
    /// have `won` then.
    pub paid: bool,
}

/// A game of a table that is over.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PastGameView<'a> {
    /// The id of the game.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The number of the game at the table, from 1.
    pub number: u64,
    /// The time of the start.
    #[schema(format = DateTime)]
    pub started_at: String,
    /// The time at which the table was told of the end.
    #[schema(format = DateTime)]
    pub ended_at: String,
    /// The reason why the game is over. Absent if the game was removed before it was over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<EndedBy>,
    /// Number of chips that each player had staked. Absent for a practice game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bet: Option<u64>,
    /// The reason why the game counts for chips only. Absent for other games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_scored: Option<NotScored>,
    /// The players, best first.
    pub players: Vec<GamePlayerView<'a>>,
}

/// A player in a game of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GamePlayerView<'a> {
    /// The seat of the player.
    pub seat: &'a str,
    /// The id of the player. Absent if the player was deleted, and for a robot.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub player: Option<Uuid>,
    /// The name of the player, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The robot that has played the seat from the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<Robot>,
    /// Who decides for the seat, or has decided at the end. Absent if the seat gave up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Control>,
    /// Whether the player left the table during the game.
    pub left: bool,
    /// The rank of the player, from 1. Absent before the end of the game, and if the game does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<u8>,
    /// The chips that the player has won; negative for a loss. Absent before the end, and in a practice game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chips: Option<i64>,
    /// The experience that the player has gained. Absent before the end, and in a practice game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experience: Option<u64>,
}

/// What players vote on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VoteOn {
    /// To end the game in play amicably. It then does not count.
    End,
    /// To play the next game with the same players.
    NextGame,
}

/// An open vote.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VoteView<'a> {
    /// What the players vote on.
    pub on: VoteOn,
    /// The player who opened the vote.
    #[schema(value_type = String, format = "uuid")]
    pub by: Uuid,
    /// The time until which everybody has to agree.
    #[schema(format = DateTime)]
    pub deadline: String,
    /// The players who have agreed.
    #[schema(value_type = Vec<String>)]
    pub agreed: &'a [Uuid],
}

/// A player who sits down at a table, or watches it.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Ravi"}))]
pub(crate) struct JoinTable {
    /// The name of the player at the table, as for a seat of a game. By default the name of the player.
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// The token of the link to a private table.
    #[schema(min_length = 1, max_length = 200)]
    pub link: Option<String>,
}

/// A robot for a seat of a table.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"robot": "hunter"}))]
pub(crate) struct SeatRobot {
    /// The robot.
    pub robot: Robot,
}

/// A vote to open.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"on": "end"}))]
pub(crate) struct OpenVote {
    /// What the players vote on.
    pub on: VoteOn,
}

/// The vote of one player.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"agree": true}))]
pub(crate) struct CastVote {
    /// Whether the player agrees. One player who does not agree closes the vote.
    pub agree: bool,
}

/// A player to invite to a table.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"player": "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"}))]
pub(crate) struct InvitePlayer {
    /// The id of the player.
    #[schema(min_length = 1, max_length = 64)]
    pub player: String,
}

/// The open invitations of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableInvitationList {
    /// The invitations, oldest first.
    pub invitations: Vec<TableInvitation>,
}

/// An invitation of a player to a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableInvitation {
    /// The invited player.
    #[schema(value_type = String, format = "uuid")]
    pub player: Uuid,
    /// The player who invites.
    #[schema(value_type = String, format = "uuid")]
    pub by: Uuid,
    /// The time of the invitation.
    #[schema(format = DateTime)]
    pub at: String,
}

/// The link of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableLink<'a> {
    /// The token of the link. Players who send it as `link` may sit down or watch, even at a private table. No other
    /// answer shows it.
    #[schema(example = "pagade_table_01992b3e8c5a7d52b3c96f1f0a6f2e16_0f3c...")]
    pub link: &'a str,
    /// The table.
    pub table: TableView<'a>,
}
