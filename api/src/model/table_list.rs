//! Lists of tables, as JSON.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::game::RuleSetRef;
use super::table::{TableIcon, TableStatus};

/// The role of a player at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlayerAtTable {
    /// The player sits at the table.
    Seated,
    /// The player watches the table.
    Watching,
    /// The player is invited to the table.
    Invited,
}

/// A table in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableSummary<'a> {
    /// The id of the table.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The version of the table.
    pub version: u64,
    /// The status of the table.
    pub status: TableStatus,
    /// The title of the table, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    /// The rule set of the games.
    pub rule_set: RuleSetRef,
    /// The variant of this rule set that the next game plays. Absent if it plays the rule set itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<RuleSetRef>,
    /// Number of seats.
    pub seats: u64,
    /// The seats that nobody has taken.
    pub free_seats: Vec<&'a str>,
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
    /// The name of the master, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub master_name: Option<&'a str>,
    /// The role of the player, in the list of a player's tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<PlayerAtTable>,
    /// The time at which the table was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The time of the last change.
    #[schema(format = DateTime)]
    pub updated_at: String,
}

/// A page of tables.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableList<'a> {
    /// The tables, newest first.
    pub tables: Vec<TableSummary<'a>>,
    /// The value of `cursor` for the next page. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<&'a str>,
}

/// The open tables to list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TablesQuery {
    /// Only tables with this rule set.
    #[param(example = "pagade", min_length = 1, max_length = 64)]
    pub rule_set: Option<String>,
    /// With `true`, only tables with a free seat.
    pub free: Option<bool>,
    /// Only private tables, or only public ones.
    pub private: Option<bool>,
    /// Only tables with this time for a decision, in seconds; 0 for those without a limit.
    #[param(minimum = 0, maximum = 1_209_600)]
    pub time_per_turn: Option<u32>,
    /// Only tables with this bet: the chips that each player stakes on a competitive game; 0 for those without a stake.
    #[param(minimum = 0, maximum = 1_000_000)]
    pub bet: Option<u32>,
    /// The `next_cursor` of the page before.
    #[param(pattern = "^[0-9a-f]{32}$")]
    pub cursor: Option<String>,
    /// Maximum number of tables on the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    pub limit: Option<u32>,
}

/// The tables of a player to list.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlayerTablesQuery {
    /// The role of the player at the tables. By default the tables at which the player sits.
    #[param(inline)]
    pub role: Option<PlayerAtTable>,
    /// The `next_cursor` of the page before.
    #[param(pattern = "^[0-9a-f]{32}$")]
    pub cursor: Option<String>,
    /// Maximum number of tables on the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    pub limit: Option<u32>,
}
