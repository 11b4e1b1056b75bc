//! Whether and how a game counts, as JSON.

use serde::Serialize;
use utoipa::ToSchema;

/// Whether and how a competitive game counts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"counts": true, "bet": 100, "pot": 400}))]
pub(crate) struct ScoringView {
    /// Whether the game counts for experience, statistics, ratings and leaderboards. Its pot is divided in any case.
    pub counts: bool,
    /// The reason why it does not. Absent if the game counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<NotScored>,
    /// Number of chips that each player has staked.
    pub bet: u64,
    /// All stakes together. The bank gets a quarter of them, and the winners the rest.
    pub pot: u64,
}

/// The reason why a competitive game counts for chips only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NotScored {
    /// During the game, two players have sent commands to it or to its table from one network address.
    SharedIp,
}
