//! Statistics that a simulation keeps on request: rule lines, decisions, and the advantage of the first mover.

use pagade_rules::play::{Engine, Seat};
use serde::Serialize;

use super::interval::wilson;
use super::one_game::{DecisionCounts, LineCounts, PlayedGame};
use super::tally::add_each;

/// Sums over the games of a simulation, from which [`StatisticsSummary`] is computed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statistics {
    /// How often each rule line fired.
    pub fired: Vec<u64>,
    /// Number of decisions: moments in all games with more than one legal action.
    pub decisions: u64,
    /// Sum of the numbers of legal actions, over all moments with more than one legal action.
    pub open: u64,
    /// Sum of the squared number of actions of each game, for the standard deviation.
    actions_squared: u128,
    /// Number of games with a winner.
    won: u64,
    /// Number of games that the seat that began, or its team, won.
    won_by_first: u64,
    /// The seats that threw in any game, a bit for each.
    threw: u8,
}

impl Statistics {
    /// Adds the counts of one game.
    pub fn add(&mut self, game: &PlayedGame) {
        let DecisionCounts { threw, decisions, open } = game.counts.unwrap_or_default();
        self.decisions += decisions;
        self.open += open;
        self.actions_squared += u128::from(game.actions).pow(2);
        self.won += u64::from(game.winner.is_some());
        self.won_by_first += u64::from(game.first_won);
        self.threw |= threw;
    }

    /// Adds how often each rule line fired in one thread of the simulation.
    pub(crate) fn add_lines(&mut self, counts: &LineCounts) {
        add_each(&mut self.fired, &counts.fired);
    }

    /// Adds the statistics of another thread of the simulation.
    pub fn merge(&mut self, other: &Statistics) {
        add_each(&mut self.fired, &other.fired);
        self.decisions += other.decisions;
        self.open += other.open;
        self.actions_squared += other.actions_squared;
        self.won += other.won;
        self.won_by_first += other.won_by_first;
        self.threw |= other.threw;
    }
}

/// The figures that are computed from [`Statistics`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StatisticsSummary {
    /// Standard deviation of the number of actions in a game.
    pub actions_sd: f64,
    /// The advantage of the seat that began.
    pub first_mover: FirstMover,
    /// Mean number of decisions in a turn: moments with more than one legal action.
    pub decisions_a_turn: f64,
    /// Mean number of legal actions at a decision.
    pub legal_actions: f64,
}

/// How often the seat that began, or its team, won. Only games with a winner count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FirstMover {
    /// Share of the games that the seat that began, or its team, won.
    pub rate: f64,
    /// Share that the seat that began would win if all seats that play, or all teams, won equally often.
    pub fair: f64,
    /// `rate` minus `fair`; 0 if no game had a winner.
    pub advantage: f64,
    /// 95 % confidence interval of `advantage`, by Wilson's formula.
    pub interval: [f64; 2],
}

impl StatisticsSummary {
    /// Computes the figures for `games` games with `actions` actions and `turns` turns in all.
    pub(super) fn new(
        engine: &Engine,
        statistics: &Statistics,
        games: u64,
        actions: u64,
        turns: u64,
    ) -> StatisticsSummary {
        let count = games.max(1) as f64;
        let mean = actions as f64 / count;
        let squares = statistics.actions_squared as f64 - count * mean * mean;
        let fair = 1.0 / sides(engine, statistics.threw).max(1) as f64;
        let rate = ratio(statistics.won_by_first, statistics.won);
        let advantage = if statistics.won == 0 { 0.0 } else { rate - fair };
        StatisticsSummary {
            actions_sd: (squares.max(0.0) / (count - 1.0).max(1.0)).sqrt(),
            first_mover: FirstMover {
                rate,
                fair,
                advantage,
                interval: wilson(statistics.won_by_first, statistics.won).map(|end| end - fair),
            },
            decisions_a_turn: ratio(statistics.decisions, turns),
            legal_actions: ratio(statistics.open, statistics.decisions),
        }
    }
}

/// The number of seats or teams that can win. `threw` has a bit for each seat that threw in any game.
///
/// A seat that never threw, because the rules ended all its turns at once, cannot win. If no seat threw, all count.
fn sides(engine: &Engine, threw: u8) -> usize {
    let seating = &engine.seating;
    let threw = |seat: &Seat| threw == 0 || threw >> seat.index() & 1 == 1;
    // Without teams a seat is its own partner. Of a team, the seat that stands first counts.
    let counts = |seat: &&Seat| {
        let partner = seating.partner[seat.index()];
        threw(seat) && (**seat <= partner || !threw(&partner))
    };
    seating.players.iter().filter(counts).count()
}

fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use pagade_rules::bundled::{self, Bundled};
    use pagade_rules::ruleset::{OptionValue, Options, RuleSet};
    use pagade_rules::source::Source;

    use super::*;
    use crate::simulate::{Plan, Robots, run};

    #[test]
    fn a_seat_that_never_plays_is_no_player() {
        let text = "rules: x\nversion: 1.0.0\ntitle: X\nextends: ludo\nfinish: {play_on: no}\non:\n  \
                    - {id: neutral, event: turn_start, when: seat_number = 3, do: end turn}\n";
        let source = Source { name: "x.yaml".to_owned(), text: text.to_owned() };
        let checked = RuleSet::check(&source, &Bundled);
        let engine = checked.ruleset.unwrap().table(&Options::new(), None).unwrap();
        let robots = Robots::parse("random", &engine).unwrap();
        let plan = Plan { games: 50, seed: 3, threads: 1, lines: true, robots };
        let tally = run(&engine, &plan, &|_| ());
        let statistics = tally.statistics.as_ref().unwrap();
        let summary = StatisticsSummary::new(&engine, statistics, tally.games, tally.actions, tally.turns());
        assert_eq!((engine.seating.players.len(), statistics.threw), (4, 0b1011));
        assert!((summary.first_mover.fair - 1.0 / 3.0).abs() < 1e-9, "{summary:?}");
    }

    #[test]
    fn three_teams_share_the_fair_rate_by_thirds() {
        let options = Options::from([("partners".to_owned(), OptionValue::Truth(true))]);
        let sides_of = |id: &str, threw| sides(&bundled::ruleset(id).unwrap().table(&options, None).unwrap(), threw);
        assert_eq!((sides_of("ludo-six", 0), sides_of("ludo-six", 0b11_1111)), (3, 3));
        assert_eq!((sides_of("ludo-six", 0b1001), sides_of("ludo-six", 0b1101)), (1, 2));
        assert_eq!(sides_of("ludo", 0), 2);
    }
}
