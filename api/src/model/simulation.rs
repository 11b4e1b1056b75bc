//! Simulations, as JSON: many games by robots, and their statistics.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::creation::{OptionValue, Robot};
use super::game::RuleSetRef;

/// Maximum number of games of a simulation.
pub(crate) const MOST_GAMES: u32 = 20_000;

/// A simulation to start. It names a rule set of this server, or has a rule text that need not be published.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"rule_set": "pagade", "players": ["red", "yellow"], "robots": ["hunter"], "games": 1000}))]
pub(crate) struct CreateSimulation {
    /// The id of the rule set. Not with `text`.
    #[schema(min_length = 1, max_length = 64)]
    pub rule_set: Option<String>,
    /// The version of the rule set. By default the newest one.
    #[schema(min_length = 1, max_length = 64)]
    pub version: Option<String>,
    /// The text of a rule file (YAML); `extends:` may name any rule set of this server. Not with `rule_set`.
    #[schema(min_length = 1, max_length = 262_144)]
    pub text: Option<String>,
    /// Values of options. The others have their default values.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// The names of the seats that play. By default all seats of the rule set play.
    #[schema(min_items = 1, max_items = 8)]
    pub players: Option<Vec<String>>,
    /// The robots of the playing seats, in the order of travel; a shorter list is repeated. They move on by one seat
    /// with every game, so that each sits everywhere equally often. By default all seats play at random.
    #[schema(min_items = 1, max_items = 8)]
    pub robots: Option<Vec<Robot>>,
    /// The number of games.
    #[serde(default = "usual_games")]
    #[schema(minimum = 1, maximum = 20_000, default = 1000)]
    pub games: u32,
    /// The seed of all random numbers. The same rules, robots and seed give the same games.
    #[serde(default = "usual_seed")]
    #[schema(minimum = 0, maximum = 4_294_967_295_u32, default = 1)]
    pub seed: u32,
}

fn usual_games() -> u32 {
    1000
}

fn usual_seed() -> u32 {
    1
}

/// A simulation.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct SimulationView {
    /// The id of the simulation. Anyone who knows it may read and cancel the simulation.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// Whether the simulation waits, runs or has ended.
    pub status: SimulationStatus,
    /// The reason why the simulation has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<SimulationEnd>,
    /// The rule set, also if its text is not published.
    pub rule_set: RuleSetRef,
    /// The name of the game in the rule file.
    pub title: String,
    /// The values of all options, including defaults.
    pub options: BTreeMap<String, OptionValue>,
    /// The seats that play, in the order of travel.
    pub players: Vec<String>,
    /// The robot of each playing seat in the first game.
    pub robots: Vec<String>,
    /// The seed of all random numbers.
    pub seed: u32,
    /// The number of games to play.
    pub games: u32,
    /// The number of games that were played so far.
    pub played: u64,
    /// Seconds of processor time that the games have taken so far.
    pub seconds: f64,
    /// The time of the creation.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The statistics of the games that were played so far. Absent while there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<SimulationResults>,
}

/// How far a simulation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SimulationStatus {
    /// It waits until other simulations have ended.
    Waiting,
    /// Its games are played.
    Running,
    /// No further games are played.
    Ended,
}

/// The reason why a simulation has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SimulationEnd {
    /// All games were played.
    Complete,
    /// The games took as long as they may.
    Time,
    /// Somebody has cancelled it.
    Cancel,
    /// The process that played the games was stopped, or failed. The same simulation can be started again.
    Failure,
}

impl SimulationEnd {
    pub(crate) const ALL: [Self; 4] = [Self::Complete, Self::Time, Self::Cancel, Self::Failure];

    /// Returns the word of the reason, as metrics have it: that of the field `ended_by`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Time => "time",
            Self::Cancel => "cancel",
            Self::Failure => "failure",
        }
    }
}

/// The statistics of a simulation. Numbers of turns, throws, .. are means of a game.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct SimulationResults {
    /// The number of turns in a game, until the last rank is decided.
    pub turns: LengthView,
    /// Turns until the first seat finished.
    pub turns_to_first: f64,
    /// Throws.
    pub throws: f64,
    /// Actions, without passes.
    pub actions: f64,
    /// Passes: throws without a legal action, and passes that a robot chose.
    pub passes: f64,
    /// Pawns that were cut.
    pub cuts: f64,
    /// Decisions: moments with more than one legal action.
    pub decisions: f64,
    /// Legal actions at a decision.
    pub legal_actions: f64,
    /// For each playing seat, how often it or its team won.
    pub wins: Vec<SeatWinsView>,
    /// For each kind of robot, how often it or its team won. Absent unless robots were named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub robot_wins: Vec<RobotWinsView>,
    /// How often the seat that began, or its team, won.
    pub first: FirstView,
    /// Games that reached the largest number of turns of the rule set, or had too many steps.
    pub stuck: u64,
    /// How often each rule line fired that can fire at this table.
    pub lines: Vec<LineUseView>,
}

/// The distribution of the number of turns in a game.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct LengthView {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// 5 in 100 games have at most this number of turns.
    pub p5: u64,
    /// 10 in 100 games have at most this number of turns.
    pub p10: u64,
    /// Half of the games have at most this number of turns.
    pub median: u64,
    /// 90 in 100 games have at most this number of turns.
    pub p90: u64,
    /// 95 in 100 games have at most this number of turns.
    pub p95: u64,
    /// The number of turns in the longest game.
    pub longest: u64,
    /// Numbers of games by number of turns, at most 40 bars of equal width, from the shortest to the longest game.
    pub bars: Vec<LengthBar>,
}

/// The games whose numbers of turns lie in a range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LengthBar {
    /// The smallest number of turns.
    pub from: u64,
    /// The largest number of turns.
    pub to: u64,
    /// The number of games.
    pub games: u64,
}

/// The games that a seat won.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct SeatWinsView {
    /// The name of the seat.
    pub seat: String,
    /// Games that the seat, or its team, won.
    pub wins: u64,
    /// Share of all games, from 0 to 1.
    pub rate: f64,
    /// 95 % confidence interval of `rate` (Wilson).
    pub interval: [f64; 2],
}

/// The games that a kind of robot won, over all seats at which it sat.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct RobotWinsView {
    /// The name of the robot.
    pub robot: String,
    /// Number of seats at which it sat in each game.
    pub seats: u64,
    /// Games that the robot, or its team, won.
    pub wins: u64,
    /// Share of all games, from 0 to 1.
    pub rate: f64,
    /// 95 % confidence interval of `rate` (Wilson).
    pub interval: [f64; 2],
    /// Share that it would win if all seats won equally often.
    pub fair: f64,
}

/// The advantage of the seat that began. Only games with a winner count.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct FirstView {
    /// Share of the games that the seat that began, or its team, won.
    pub rate: f64,
    /// Share that it would win if all seats, or all teams, won equally often.
    pub fair: f64,
    /// `rate` minus `fair`.
    pub advantage: f64,
    /// 95 % confidence interval of `advantage`.
    pub interval: [f64; 2],
}

/// How often a rule line fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LineUseView {
    /// The name of the line: section and id.
    #[schema(example = "landing.pair-by-one")]
    pub line: String,
    /// The clauses of the sources that the line implements.
    pub clauses: Vec<String>,
    /// How often it had an effect, in all games together; 0: it never fired.
    pub fired: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_an_end_is_that_of_the_field() {
        for end in SimulationEnd::ALL {
            assert_eq!(serde_json::to_value(end).unwrap(), end.word());
        }
    }
}
