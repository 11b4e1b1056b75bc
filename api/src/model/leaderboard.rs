//! Leaderboards, as JSON.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// A page of the leaderboard of a rule set.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Leaderboard<'a> {
    /// The id of the rule set.
    pub rule_set: &'a str,
    /// The season. Absent on the leaderboard of all times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<&'a str>,
    /// Number of players on the whole leaderboard.
    pub players: u64,
    /// The players with the most experience, best first.
    pub lines: Vec<LeaderboardLine<'a>>,
    /// The line of the player whose token the request has, if the player is on the leaderboard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mine: Option<LeaderboardLine<'a>>,
    /// The value of `cursor` for the next page. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<&'a str>,
}

/// A player on a leaderboard.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"rank": 1, "player": "01992b3e-8c5a-8d52-b3c9-6f1f0a6f2e15", "name": "Asha", "experience": 340}))]
pub(crate) struct LeaderboardLine<'a> {
    /// The rank, from 1. Players with equal experience share a rank.
    pub rank: u64,
    /// The id of the player.
    #[schema(value_type = String, format = "uuid")]
    pub player: Uuid,
    /// The name of the player, for people.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub name: &'a str,
    /// The experience in this rule set and season.
    pub experience: u32,
}

/// The page of a leaderboard to read.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LeaderboardQuery {
    /// The name of a season. By default all times count.
    #[param(example = "autumn-2026", pattern = "^[a-z0-9-]{1,40}$")]
    pub season: Option<String>,
    /// The `next_cursor` of the page before.
    #[param(pattern = "^[0-9a-f]{40}$")]
    pub cursor: Option<String>,
    /// Maximum number of players on the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    pub limit: Option<u32>,
}
