//! The statistics of a simulation: as they are computed and stored, and as they are answered.

use pagade_robots::simulate::{LineUse, Plan, Summary, Tally, Times};
use pagade_rules::play::Engine;
use serde::{Deserialize, Serialize};

use crate::model::simulation::{
    FirstView, LengthBar, LengthView, LineUseView, RobotWinsView, SeatWinsView, SimulationResults,
};

/// The statistics of a simulation. Numbers of turns, throws, .. are means of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SimulationStatistics {
    /// The number of turns in a game, until the last rank is decided.
    pub turns: StoredLength,
    /// Turns until the first seat finished.
    pub turns_to_first: f64,
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
    pub wins: Vec<StoredSeatWins>,
    /// For each kind of robot, how often it or its team won. Empty unless robots were named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub robot_wins: Vec<StoredRobotWins>,
    /// How often the seat that began, or its team, won.
    pub first: StoredFirst,
    /// Games that reached the largest number of turns of the rule set, or had too many steps.
    pub stuck: u64,
    /// How often each rule line fired that can fire at this table.
    pub lines: Vec<StoredLineUse>,
}

/// The distribution of the number of turns in a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredLength {
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
    pub bars: Vec<StoredBar>,
}

/// The games whose numbers of turns lie in a range.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredBar {
    /// The smallest number of turns.
    pub from: u64,
    /// The largest number of turns.
    pub to: u64,
    pub games: u64,
}

/// The games that a seat won.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredSeatWins {
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredRobotWins {
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredFirst {
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredLineUse {
    /// The name of the line: section and id.
    pub line: String,
    /// The clauses of the sources that the line implements.
    pub clauses: Vec<String>,
    /// How often it had an effect, in all games together; 0: it never fired.
    pub fired: u64,
}

/// Largest number of bars in the distribution of lengths.
const MOST_BARS: usize = 40;

/// Computes the statistics of the games of a tally, which has at least one.
pub(super) fn statistics(engine: &Engine, plan: &Plan, tally: &Tally) -> SimulationStatistics {
    let summary = Summary::new(engine, plan, tally, Times::of(tally, 0.0, 0.0));
    let games = tally.games.max(1) as f64;
    let decisions = tally.statistics.as_ref().map_or(0, |sums| sums.decisions) as f64 / games;
    let study = summary.study;
    let first = study.map(|study| study.first_mover);
    let lines = summary.lines.unwrap_or_default().into_iter();
    SimulationStatistics {
        turns: StoredLength {
            mean: summary.turns.mean,
            sd: summary.turns.sd,
            p5: summary.turns.p5 as u64,
            p10: summary.turns.p10 as u64,
            median: summary.turns.median as u64,
            p90: summary.turns.p90 as u64,
            p95: summary.turns.p95 as u64,
            longest: summary.turns.longest as u64,
            bars: bars(&tally.lengths),
        },
        turns_to_first: summary.turns_to_first,
        throws: summary.throws,
        actions: summary.actions,
        passes: summary.passes,
        cuts: summary.cuts,
        decisions,
        legal_actions: study.map_or(0.0, |study| study.legal_actions),
        wins: summary
            .wins
            .into_iter()
            .map(|won| StoredSeatWins { seat: won.seat, wins: won.wins, rate: won.rate, interval: won.interval })
            .collect(),
        robot_wins: summary
            .robot_wins
            .into_iter()
            .map(|won| StoredRobotWins {
                robot: won.robot,
                seats: won.seats as u64,
                wins: won.wins,
                rate: won.rate,
                interval: won.interval,
                fair: won.fair,
            })
            .collect(),
        first: StoredFirst {
            rate: first.map_or(0.0, |first| first.rate),
            fair: first.map_or(0.0, |first| first.fair),
            advantage: first.map_or(0.0, |first| first.advantage),
            interval: first.map_or([0.0, 0.0], |first| first.interval),
        },
        stuck: summary.stuck,
        lines: lines.map(|LineUse { line, clauses, fired }| StoredLineUse { line, clauses, fired }).collect(),
    }
}

/// Gathers the lengths of games in bars of equal width. Element `n` of `lengths` counts the games of `n` turns.
fn bars(lengths: &[u64]) -> Vec<StoredBar> {
    let Some(shortest) = lengths.iter().position(|games| *games > 0) else { return Vec::new() };
    let range = &lengths[shortest..];
    let width = range.len().div_ceil(MOST_BARS);
    let bars = range.chunks(width).enumerate().map(|(index, chunk)| {
        let from = shortest + index * width;
        StoredBar { from: from as u64, to: (from + width - 1) as u64, games: chunk.iter().sum() }
    });
    bars.collect()
}

impl From<SimulationStatistics> for SimulationResults {
    fn from(stored: SimulationStatistics) -> Self {
        let SimulationStatistics {
            turns,
            turns_to_first,
            throws,
            actions,
            passes,
            cuts,
            decisions,
            legal_actions,
            wins,
            robot_wins,
            first,
            stuck,
            lines,
        } = stored;
        Self {
            turns: turns.into(),
            turns_to_first,
            throws,
            actions,
            passes,
            cuts,
            decisions,
            legal_actions,
            wins: wins.into_iter().map(Into::into).collect(),
            robot_wins: robot_wins.into_iter().map(Into::into).collect(),
            first: first.into(),
            stuck,
            lines: lines.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<StoredLength> for LengthView {
    fn from(stored: StoredLength) -> Self {
        let StoredLength { mean, sd, p5, p10, median, p90, p95, longest, bars } = stored;
        Self { mean, sd, p5, p10, median, p90, p95, longest, bars: bars.into_iter().map(Into::into).collect() }
    }
}

impl From<StoredBar> for LengthBar {
    fn from(stored: StoredBar) -> Self {
        let StoredBar { from, to, games } = stored;
        Self { from, to, games }
    }
}

impl From<StoredSeatWins> for SeatWinsView {
    fn from(stored: StoredSeatWins) -> Self {
        let StoredSeatWins { seat, wins, rate, interval } = stored;
        Self { seat, wins, rate, interval }
    }
}

impl From<StoredRobotWins> for RobotWinsView {
    fn from(stored: StoredRobotWins) -> Self {
        let StoredRobotWins { robot, seats, wins, rate, interval, fair } = stored;
        Self { robot, seats, wins, rate, interval, fair }
    }
}

impl From<StoredFirst> for FirstView {
    fn from(stored: StoredFirst) -> Self {
        let StoredFirst { rate, fair, advantage, interval } = stored;
        Self { rate, fair, advantage, interval }
    }
}

impl From<StoredLineUse> for LineUseView {
    fn from(stored: StoredLineUse) -> Self {
        let StoredLineUse { line, clauses, fired } = stored;
        Self { line, clauses, fired }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_hold_every_game_once_and_are_few() {
        let mut lengths = vec![0; 500];
        for (index, games) in lengths.iter_mut().enumerate().skip(123) {
            *games = index as u64 % 7;
        }
        let bars = bars(&lengths);
        assert!(bars.len() <= MOST_BARS, "{}", bars.len());
        assert_eq!(bars.iter().map(|bar| bar.games).sum::<u64>(), lengths.iter().sum::<u64>());
        assert_eq!(bars[0].from, 123);
        assert!(bars.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
        assert_eq!(super::bars(&[0, 0]), []);
        assert_eq!(super::bars(&[0, 0, 3]), [StoredBar { from: 2, to: 2, games: 3 }]);
    }
}
