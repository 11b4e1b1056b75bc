//! The list of tournaments, as JSON.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::game::RuleSetRef;
use super::tournament::TournamentStatusWord;

/// A page of tournaments.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TournamentList {
    /// The tournaments, newest first.
    pub tournaments: Vec<TournamentSummary>,
    /// The value of `cursor` for the next page. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// A tournament in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TournamentSummary {
    /// The id of the tournament.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The version of the tournament.
    pub version: u64,
    /// How far the tournament is.
    pub status: TournamentStatusWord,
    /// The title of the tournament, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The rule set of all games.
    pub rule_set: RuleSetRef,
    /// Number of entrants.
    pub entrants: usize,
    /// Number of rounds that were paired.
    pub rounds: usize,
    /// The time of the last change.
    #[schema(format = DateTime)]
    pub updated_at: String,
}

/// The tournaments to list.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TournamentsQuery {
    /// Only tournaments with this status.
    #[param(inline)]
    pub status: Option<TournamentStatusWord>,
    /// The `next_cursor` of the page before.
    #[param(pattern = "^[0-9a-f]{32}$")]
    pub cursor: Option<String>,
    /// Maximum number of tournaments on the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    pub limit: Option<u32>,
}
