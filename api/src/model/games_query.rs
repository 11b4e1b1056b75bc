//! The query parameters of reading games.

use serde::Deserialize;
use utoipa::IntoParams;

use super::game::GameStatus;

/// Which games to list.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct GamesQuery {
    /// Only games of this status.
    #[param(inline)]
    pub status: Option<GameStatus>,
    /// Only games of this rule set.
    #[param(example = "pagade", min_length = 1, max_length = 64)]
    pub rule_set: Option<String>,
    /// `next_cursor` of the last page.
    #[param(pattern = "^[0-9a-f]{32}$")]
    pub cursor: Option<String>,
    /// Games of a page.
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
    /// With `Prefer: wait`: the seat whose turn is waited for.
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
    /// The seat whose path is drawn.
    #[param(example = "red", min_length = 1, max_length = 32)]
    pub seat: Option<String>,
}
