//! The statistics of a simulation, as they are answered.

use pagade_robots::simulate::{LineUse, Plan, Summary, Tally, Times};
use pagade_rules::play::Engine;

use crate::model::simulation::{
    FirstView, LengthBar, LengthView, LineUseView, RobotWinsView, SeatWinsView, SimulationResults,
};

/// Largest number of bars in the distribution of lengths.
const MOST_BARS: usize = 40;

/// Computes the statistics of the games of a tally. The tally has at least one game.
pub(super) fn results(engine: &Engine, plan: &Plan, tally: &Tally) -> SimulationResults {
    let summary = Summary::new(engine, plan, tally, Times::of(tally, 0.0, 0.0));
    let games = tally.games.max(1) as f64;
    let decisions = tally.statistics.as_ref().map_or(0, |sums| sums.decisions) as f64 / games;
    let study = summary.study;
    let first = study.map(|study| study.first_mover);
    let lines = summary.lines.unwrap_or_default().into_iter();
    SimulationResults {
        turns: LengthView {
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
            .map(|won| SeatWinsView { seat: won.seat, wins: won.wins, rate: won.rate, interval: won.interval })
            .collect(),
        robot_wins: summary
            .robot_wins
            .into_iter()
            .map(|won| RobotWinsView {
                robot: won.robot,
                seats: won.seats as u64,
                wins: won.wins,
                rate: won.rate,
                interval: won.interval,
                fair: won.fair,
            })
            .collect(),
        first: FirstView {
            rate: first.map_or(0.0, |first| first.rate),
            fair: first.map_or(0.0, |first| first.fair),
            advantage: first.map_or(0.0, |first| first.advantage),
            interval: first.map_or([0.0, 0.0], |first| first.interval),
        },
        stuck: summary.stuck,
        lines: lines.map(|LineUse { line, clauses, fired }| LineUseView { line, clauses, fired }).collect(),
    }
}

/// Gathers the lengths of games in bars of equal width. Element `n` of `lengths` counts the games of `n` turns.
fn bars(lengths: &[u64]) -> Vec<LengthBar> {
    let Some(shortest) = lengths.iter().position(|games| *games > 0) else { return Vec::new() };
    let range = &lengths[shortest..];
    let width = range.len().div_ceil(MOST_BARS);
    let bars = range.chunks(width).enumerate().map(|(index, chunk)| {
        let from = shortest + index * width;
        LengthBar { from: from as u64, to: (from + width - 1) as u64, games: chunk.iter().sum() }
    });
    bars.collect()
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
        assert_eq!(super::bars(&[0, 0, 3]), [LengthBar { from: 2, to: 2, games: 3 }]);
    }
}
