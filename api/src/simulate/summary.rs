//! What a simulation tells: means, spreads, intervals, the use of every rule line.

use std::fmt;

use pagade_rules::play::Engine;
use serde::Serialize;

use super::crew::Plan;
use super::interval::wilson;
use super::lines::{LineUse, uses, write_lines};
use super::study::{Findings, FirstMover};
use super::tally::Tally;

/// The results of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Id of the rule set.
    pub ruleset: String,
    /// Its version.
    pub version: String,
    /// BLAKE3 of its flattened text, hex.
    pub digest: String,
    /// The table options, defaults included.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// Games played.
    pub games: u64,
    /// The seed, as text: every game follows from it and from its number.
    pub seed: String,
    /// How the robots played: `random`, or what they looked for.
    pub robots: String,
    /// Turns to the last place.
    pub turns: Spread,
    /// Turns to the first seat that finished.
    pub turns_to_first: f64,
    /// Throws a game.
    pub throws: f64,
    /// Part-moves (and choices) a game; a pass is none.
    pub actions: f64,
    /// Throws a game of which nothing was played.
    pub passes: f64,
    /// Pawns captured a game.
    pub cuts: f64,
    /// Games won by each seat that plays, or by its team.
    pub wins: Vec<SeatWins>,
    /// Games that reached the turn cap of the rule set.
    pub stuck: u64,
    /// The first of them, by number.
    pub stuck_games: Vec<u64>,
    /// How much there was to decide, and whether it paid to begin; absent where nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<Findings>,
    /// How often each rule line did its work; absent where nobody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<LineUse>>,
    /// How fast it was.
    pub times: Times,
}

/// A distribution in a few numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// A twentieth is not above this.
    pub p5: usize,
    /// A tenth is not above this.
    pub p10: usize,
    /// Half is not above this.
    pub median: usize,
    /// Nine tenths are not above this.
    pub p90: usize,
    /// Nineteen twentieths are not above this.
    pub p95: usize,
    /// The greatest.
    pub longest: usize,
}

/// How often a seat won.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatWins {
    /// The seat.
    pub seat: String,
    /// Games it won, or its team.
    pub wins: u64,
    /// Its part of all games.
    pub rate: f64,
    /// Least and greatest rate that fit (95 %, Wilson).
    pub interval: [f64; 2],
}

/// Time spent, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Times {
    /// By the clock.
    pub seconds: f64,
    /// By all processors together.
    pub cpu_seconds: f64,
    /// Games a second by the clock.
    pub games_per_second: f64,
    /// Part-moves a processor second.
    pub actions_per_cpu_second: f64,
}

impl Times {
    /// The rates of a simulation that took so long.
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
    /// Sums up.
    pub fn new(rules: &Engine, plan: &Plan, tally: &Tally, times: Times) -> Summary {
        let mean = |sum: u64| sum as f64 / tally.games.max(1) as f64;
        let (length, sd) = tally.length();
        let wins = rules.seating.players.iter().map(|&seat| {
            let partner = rules.seating.partner[seat.index()];
            let wins = tally.wins[seat.index()] + if partner == seat { 0 } else { tally.wins[partner.index()] };
            let name = rules.seating.seats[seat.index()].name.clone();
            SeatWins { seat: name, wins, rate: mean(wins), interval: wilson(wins, tally.games) }
        });
        Summary {
            ruleset: rules.identity.id.clone(),
            version: rules.identity.version.clone(),
            digest: rules.identity.digest.clone(),
            options: rules.identity.options.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect(),
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
            stuck: tally.stuck,
            stuck_games: tally.stuck_games.clone(),
            study: (tally.study.as_ref())
                .map(|study| Findings::new(rules, study, tally.games, tally.actions, tally.turns())),
            lines: tally.study.as_ref().map(|study| uses(rules, &study.fired)),
            times,
        }
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
        if let Some(Findings { first_mover, decisions_a_turn, legal_actions, .. }) = &self.study {
            let FirstMover { rate, fair, advantage, interval: [low, high] } = first_mover;
            writeln!(
                f,
                "first mover      {:+.2} %  ({:+.2} to {:+.2}): wins {:.2} % where {:.2} % is fair",
                100.0 * advantage,
                100.0 * low,
                100.0 * high,
                100.0 * rate,
                100.0 * fair
            )?;
            writeln!(f, "decisions a turn {decisions_a_turn:.2}, among {legal_actions:.2} legal actions each")?;
        }
        if self.stuck > 0 {
            let games: Vec<String> = self.stuck_games.iter().map(u64::to_string).collect();
            writeln!(f, "stuck games      {} reached the turn cap: number {}", self.stuck, games.join(", "))?;
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
