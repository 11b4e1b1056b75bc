//! Lists of games as JSON, and the query parameters of reading games.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::game::{GameStatus, RuleSetRef};

/// The games to list.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct GamesQuery {
    /// Only games with this status.
    #[param(inline)]
    pub status: Option<GameStatus>,
    /// Only games with this rule set.
    #[param(example = "pagade", min_length = 1, max_length = 64)]
    pub rule_set: Option<String>,
    /// The `next_cursor` of the page before.
    #[param(pattern = "^[0-9a-f]{32}$")]
    pub cursor: Option<String>,
    /// Maximum number of games on the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    pub limit: Option<u32>,
}

/// The moment of a game to read.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MomentQuery {
    /// The number of steps (throws and actions) after which the state is shown. The present state by default.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    pub at: Option<u64>,
    /// With `Prefer: wait`, the answer waits until it is the turn of this seat, or until the rules ask it.
    #[param(min_length = 1, max_length = 32, example = "red")]
    pub turn: Option<String>,
}

/// The picture of a game to draw.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PictureQuery {
    /// The number of steps after which the position is shown. The present position by default.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    pub at: Option<u64>,
    /// The seat whose path is drawn. By default no path is drawn.
    #[param(example = "red", min_length = 1, max_length = 32)]
    pub seat: Option<String>,
}

/// A game in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct GameSummary {
    /// The id of the game.
    #[schema(format = "uuid")]
    pub id: String,
    /// The version of the game.
    pub version: u64,
    /// The status of the game.
    pub status: GameStatus,
    /// The title of the game, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The rule set of the game.
    pub rule_set: RuleSetRef,
    /// The time at which the game was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The time of the last change.
    #[schema(format = DateTime)]
    pub updated_at: String,
    /// The seats that can be joined.
    pub free_seats: Vec<String>,
}

/// A page of games.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct GameList {
    /// The games, newest first. Private games are not listed.
    pub games: Vec<GameSummary>,
    /// The value of `cursor` for the next page. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}
