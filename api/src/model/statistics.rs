//! The statistics of a player, as JSON.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// What a player has reached in competitive games. Games that were cancelled, and practice games, are not counted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerStatistics<'a> {
    /// The id of the player.
    #[schema(value_type = String, format = "uuid")]
    pub player: Uuid,
    /// The name of the player, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The experience in all rule sets.
    pub experience: u64,
    /// The level, from 1. It follows from the experience.
    pub level: u64,
    /// The experience from which the next level begins. Absent in the last level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_level: Option<u64>,
    /// Number of games played, in all rule sets.
    pub played: u64,
    /// Number of games won, in all rule sets.
    pub won: u64,
    /// Number of games lost, in all rule sets.
    pub lost: u64,
    /// Number of games won in a row.
    pub streak: u64,
    /// The badges, in the order in which they were earned.
    pub badges: Vec<BadgeView<'a>>,
    /// The records of rule sets, the one that was played last first.
    pub rule_sets: Vec<RuleSetRecord<'a>>,
}

/// A badge of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BadgeView<'a> {
    /// The word of the badge.
    pub id: &'a str,
    /// The text for people. Absent if the badge can no longer be earned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The time at which the player earned it.
    #[schema(format = DateTime)]
    pub at: String,
}

/// What a player has reached in one rule set.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RuleSetRecord<'a> {
    /// The id of the rule set.
    pub rule_set: &'a str,
    /// Number of games played.
    pub played: u64,
    /// Number of games won.
    pub won: u64,
    /// Number of games lost.
    pub lost: u64,
    /// The experience, by which the leaderboard of the rule set is ordered.
    pub experience: u64,
    /// The rating.
    pub rating: RatingView,
    /// The experience of each season, the latest one first.
    pub seasons: Vec<SeasonView<'a>>,
}

/// A rating: an estimate of the strength of a player in a rule set (Weng-Lin).
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RatingView {
    /// The estimate. A new player has 25. A player whose rating is 4.2 higher wins two of three games.
    pub value: f64,
    /// The standard deviation of the estimate. A new player has 8.3; it falls with every game.
    pub uncertainty: f64,
}

/// The experience of a player in one season.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SeasonView<'a> {
    /// The name of the season.
    pub season: &'a str,
    /// The experience.
    pub experience: u64,
}
