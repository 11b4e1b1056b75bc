//! The summary of a simulation: means, spreads, confidence intervals, and the use of every rule line.

use std::fmt;
use std::time::Duration;

use pagade_rules::play::Engine;
use serde::Serialize;

use super::interval::wilson;
use super::lines::{LineUse, uses, write_lines};
use super::statistics::{FirstMover, StatisticsSummary};
use super::tally::Tally;
use super::threads::Plan;
use super::timed::DecisionTimes;

/// The results of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Id of the rule set.
    pub ruleset: String,
    /// Version of the rule set.
    pub version: String,
    /// BLAKE3 hash of the text of the rule set, together with the rule files that it extends; in hexadecimal.
    pub digest: String,
    /// The options of the table, including those with default values.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// Number of games played.
    pub games: u64,
    /// The seed, as text. The seed and a game's number determine the game.
    pub seed: String,
    /// The robots that played: `random`, `seek:` and their goals, or the robot of each seat in the first game.
    pub robots: String,
    /// Number of turns in a game, until the last rank is decided.
    pub turns: Spread,
    /// Mean number of turns until the first seat finished.
    pub turns_to_first: f64,
    /// Mean number of throws in a game.
    pub throws: f64,
    /// Mean number of actions in a game, without passes.
    pub actions: f64,
    /// Mean number of passes in a game: throws without a legal action, and passes that a robot chose.
    pub passes: f64,
    /// Mean number of cut pawns in a game.
    pub cuts: f64,
    /// For each seat, how often it or its team won.
    pub wins: Vec<SeatWins>,
    /// For each robot, how often it won. Absent unless different robots played.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub robot_wins: Vec<RobotWins>,
    /// Number of games that reached the turn cap of the rule set, or had too many steps.
    pub stuck: u64,
    /// Numbers of the first stuck games.
    pub stuck_games: Vec<u64>,
    /// Statistics of decisions and first movers; `None` in a simulation without statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<StatisticsSummary>,
    /// How often each rule line fired; `None` in a simulation without statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<LineUse>>,
    /// For each robot, how long its decisions took. Absent unless decisions were timed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decision_times: Vec<RobotTimes>,
    /// Duration and speed.
    pub times: Times,
}

/// Mean, standard deviation and percentiles of a distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// 5th percentile of the values.
    pub p5: usize,
    /// 10th percentile of the values.
    pub p10: usize,
    pub median: usize,
    /// 90th percentile of the values.
    pub p90: usize,
    /// 95th percentile of the values.
    pub p95: usize,
    pub longest: usize,
}

/// The games that one seat won.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatWins {
    /// Name of the seat.
    pub seat: String,
    /// Games that the seat, or its team, won.
    pub wins: u64,
    /// Share of all games that the seat, or its team, won.
    pub rate: f64,
    /// 95 % confidence interval of `rate` (Wilson).
    pub interval: [f64; 2],
}

/// The games that one robot won, over all seats at which it sat.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RobotWins {
    /// Name of the robot.
    pub robot: String,
    /// Number of seats at which the robot sat in each game.
    pub seats: usize,
    /// Games that the robot, or its team, won.
    pub wins: u64,
    /// Share of all games that the robot, or its team, won.
    pub rate: f64,
    /// 95 % confidence interval of `rate` (Wilson).
    pub interval: [f64; 2],
    /// Share that the robot would win if all seats won equally often.
    pub fair: f64,
}

/// The processor time of one robot's decisions among several legal actions, in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RobotTimes {
    /// Name of the robot.
    pub robot: String,
    /// Number of decisions.
    pub decisions: u64,
    /// The time of the median decision.
    pub p50_ms: f64,
    /// The time that 99 of 100 decisions do not exceed.
    pub p99_ms: f64,
    /// The time of the longest decision.
    pub longest_ms: f64,
}

/// Duration and speed of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Times {
    /// Seconds of wall-clock time.
    pub seconds: f64,
    /// Seconds of processor time, over all threads.
    pub cpu_seconds: f64,
    /// Games per second of wall-clock time.
    pub games_per_second: f64,
    /// Actions per second of processor time.
    pub actions_per_cpu_second: f64,
}

impl Times {
    /// Computes the rates of a simulation from its duration.
    pub fn of(tally: &Tally, seconds: f64, cpu_seconds: f64) -> Times {
        let rate = |count: u64, seconds: f64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
        Times {
            seconds,
            cpu_seconds,
            games_per_second: rate(tally.games, seconds),
            actions_per_cpu_second: rate(tally.actions, cpu_seconds),
        }
    }
}

impl Summary {
    /// Computes the summary of all games.
    pub fn new(engine: &Engine, plan: &Plan, tally: &Tally, times: Times) -> Summary {
        let mean = |sum: u64| sum as f64 / tally.games.max(1) as f64;
        let (length, sd) = tally.length();
        let wins = engine.seating.players.iter().map(|&seat| {
            let partner = engine.seating.partner[seat.index()];
            let wins = tally.wins[seat.index()] + if partner == seat { 0 } else { tally.wins[partner.index()] };
            let name = engine.seating.seats[seat.index()].name.clone();
            SeatWins { seat: name, wins, rate: mean(wins), interval: wilson(wins, tally.games) }
        });
        let lineup = &plan.robots.lineup;
        let robot_wins = lineup.kinds().iter().enumerate().map(|(index, kind)| {
            let wins = tally.robot_wins.get(index).copied().unwrap_or_default();
            let seats = lineup.seats_of(*kind);
            let fair = seats as f64 / engine.seating.players.len().max(1) as f64;
            RobotWins {
                robot: kind.to_string(),
                seats,
                wins,
                rate: mean(wins),
                interval: wilson(wins, tally.games),
                fair,
            }
        });
        Summary {
            ruleset: engine.identity.id.clone(),
            version: engine.identity.version.clone(),
            digest: engine.identity.digest.clone(),
            options: engine
                .identity
                .options
                .iter()
                .map(|(name, value)| (name.clone(), value.to_string().into()))
                .collect(),
            games: tally.games,
            seed: plan.seed.to_string(),
            robots: plan.robots.to_string(),
            turns: Spread {
                mean: length,
                sd,
                p5: tally.length_at(0.05),
                p10: tally.length_at(0.1),
                median: tally.length_at(0.5),
                p90: tally.length_at(0.9),
                p95: tally.length_at(0.95),
                longest: tally.lengths.len().saturating_sub(1),
            },
            turns_to_first: mean(tally.to_first),
            throws: mean(tally.throws),
            actions: mean(tally.actions),
            passes: mean(tally.counts.passes),
            cuts: mean(tally.counts.cuts),
            wins: wins.collect(),
            robot_wins: if lineup.kinds().len() > 1 { robot_wins.collect() } else { Vec::new() },
            stuck: tally.stuck,
            stuck_games: tally.stuck_games.clone(),
            study: (tally.statistics.as_ref())
                .map(|sums| StatisticsSummary::new(engine, sums, tally.games, tally.actions, tally.turns())),
            lines: tally.statistics.as_ref().map(|sums| uses(engine, &sums.fired)),
            decision_times: Vec::new(),
            times,
        }
    }

    /// Adds how long the decisions of each robot took, in the order of the lineup of the plan.
    #[must_use]
    pub fn with_decision_times(mut self, plan: &Plan, times: &[DecisionTimes]) -> Summary {
        let milliseconds = |time: Option<Duration>| 1e3 * time.unwrap_or_default().as_secs_f64();
        let robots = plan.robots.lineup.kinds().iter().zip(times).map(|(kind, times)| RobotTimes {
            robot: kind.to_string(),
            decisions: times.count(),
            p50_ms: milliseconds(times.at(0.5)),
            p99_ms: milliseconds(times.at(0.99)),
            longest_ms: milliseconds(times.longest()),
        });
        self.decision_times = robots.collect();
        self
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spread { mean, sd, p5, median, p95, longest, .. } = self.turns;
        write!(f, "{} {}, {} games, seed {}", self.ruleset, self.version, self.games, self.seed)?;
        if self.robots != "random" {
            write!(f, ", robots {}", self.robots)?;
        }
        writeln!(f)?;
        writeln!(f, "turns a game     {mean:.1} to the last place (sd {sd:.1}, median {median}, 5 % below {p5},")?;
        writeln!(
            f,
            "                 5 % above {p95}, longest {longest}); {:.1} to the first finisher",
            self.turns_to_first
        )?;
        let spread = self.study.map(|study| format!(" (sd {:.1})", study.actions_sd)).unwrap_or_default();
        writeln!(
            f,
            "actions a game   {:.1}{spread}; throws {:.1}, passes {:.2}",
            self.actions, self.throws, self.passes
        )?;
        writeln!(f, "cuts a game      {:.2}", self.cuts)?;
        for (i, SeatWins { seat, rate, interval: [low, high], .. }) in self.wins.iter().enumerate() {
            let title = if i == 0 { "wins by seat" } else { "" };
            writeln!(f, "{title:<17}{seat:<8} {:5.2} %  ({:.2} to {:.2})", 100.0 * rate, 100.0 * low, 100.0 * high)?;
        }
        for (i, robot_wins) in self.robot_wins.iter().enumerate() {
            let RobotWins { robot, rate, interval: [low, high], fair, .. } = robot_wins;
            let title = if i == 0 { "wins by robot" } else { "" };
            let rates = [*rate, *low, *high, *fair].map(|rate| 100.0 * rate);
            let [rate, low, high, fair] = rates;
            writeln!(f, "{title:<17}{robot:<8} {rate:5.2} %  ({low:.2} to {high:.2}) where {fair:.2} % is fair")?;
        }
        for (i, times) in self.decision_times.iter().enumerate() {
            let RobotTimes { robot, decisions, p50_ms, p99_ms, longest_ms } = times;
            let title = if i == 0 { "decision times" } else { "" };
            writeln!(
                f,
                "{title:<17}{robot:<8} median {p50_ms:.3} ms, 99 % below {p99_ms:.3} ms, longest {longest_ms:.3} ms \
                 ({decisions} decisions)"
            )?;
        }
        if let Some(StatisticsSummary { first_mover, decisions_a_turn, legal_actions, .. }) = &self.study {
            let FirstMover { rate, fair, advantage, interval: [low, high] } = first_mover;
            if self.stuck == self.games {
                writeln!(f, "first mover      no game had a winner")?;
            } else {
                writeln!(
                    f,
                    "first mover      {:+.2} %  ({:+.2} to {:+.2}): wins {:.2} % where {:.2} % is fair",
                    100.0 * advantage,
                    100.0 * low,
                    100.0 * high,
                    100.0 * rate,
                    100.0 * fair
                )?;
            }
            writeln!(f, "decisions a turn {decisions_a_turn:.2}, among {legal_actions:.2} legal actions each")?;
        }
        if self.stuck > 0 {
            let games: Vec<String> = self.stuck_games.iter().map(u64::to_string).collect();
            writeln!(
                f,
                "stuck games      {} reached the turn cap or had too many steps: number {}",
                self.stuck,
                games.join(", ")
            )?;
        }
        if let Some(lines) = &self.lines {
            write_lines(f, lines, self.games)?;
        }
        let Times { seconds, cpu_seconds, games_per_second, actions_per_cpu_second } = self.times;
        writeln!(
            f,
            "rate             {games_per_second:.0} games/s, {actions_per_cpu_second:.0} actions a CPU second"
        )?;
        write!(f, "                 ({seconds:.2} s by the clock, {cpu_seconds:.2} s of CPU)")
    }
}
