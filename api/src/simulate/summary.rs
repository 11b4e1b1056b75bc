//! What a simulation tells: means, spreads, intervals, the use of every rule line.

use std::fmt;

use pagade_rules::tables::{Answer, LineId, Rules, Verdict, Verdicts};
use serde::Serialize;

use super::tally::Tally;

/// The 97.5 % point of the normal distribution: two sides of it leave 95 % between.
const Z: f64 = 1.959_964;

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
    /// Games won by each seat that plays.
    pub wins: Vec<SeatWins>,
    /// Games that reached the turn cap of the rule set.
    pub stuck: u64,
    /// The first of them, by number.
    pub stuck_games: Vec<u64>,
    /// How often each rule line decided something that was played; absent where nobody asked.
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
    /// A tenth is not above this.
    pub p10: usize,
    /// Half is not above this.
    pub median: usize,
    /// Nine tenths are not above this.
    pub p90: usize,
    /// The greatest.
    pub longest: usize,
}

/// How often a seat won.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatWins {
    /// The seat.
    pub seat: String,
    /// Games it won.
    pub wins: u64,
    /// Its part of all games.
    pub rate: f64,
    /// Least and greatest rate that fit (95 %, Wilson).
    pub interval: [f64; 2],
}

/// How often a rule line decided something that was played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineUse {
    /// `section.id`
    pub line: String,
    /// Its clauses.
    pub clauses: Vec<String>,
    /// How often, over all games.
    pub fired: u64,
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
    pub fn new(rules: &Rules, seed: u64, tally: &Tally, times: Times) -> Summary {
        let mean = |sum: u64| sum as f64 / tally.games.max(1) as f64;
        let (length, sd) = tally.length();
        let wins = rules.players.iter().map(|&seat| {
            let wins = tally.wins[seat.index()];
            let name = rules.seats[seat.index()].name.clone();
            SeatWins { seat: name, wins, rate: mean(wins), interval: wilson(wins, tally.games) }
        });
        Summary {
            ruleset: rules.identity.id.clone(),
            version: rules.identity.version.clone(),
            digest: rules.identity.digest.clone(),
            options: rules.options.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect(),
            games: tally.games,
            seed: seed.to_string(),
            turns: Spread {
                mean: length,
                sd,
                p10: tally.length_at(0.1),
                median: tally.length_at(0.5),
                p90: tally.length_at(0.9),
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
            lines: (!tally.fired.is_empty()).then(|| lines(rules, &tally.fired)),
            times,
        }
    }
}

/// The 95 % interval of a rate (Wilson): sound near 0 and 1 too.
fn wilson(hits: u64, trials: u64) -> [f64; 2] {
    if trials == 0 {
        return [0.0, 1.0];
    }
    let (n, p) = (trials as f64, hits as f64 / trials as f64);
    let centre = p + Z * Z / (2.0 * n);
    let reach = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    [((centre - reach) / scale).max(0.0), ((centre + reach) / scale).min(1.0)]
}

/// The lines that can decide what is played. Lines that only forbid never do: what they forbid is not played.
fn lines(rules: &Rules, fired: &[u64]) -> Vec<LineUse> {
    let mut known: Vec<LineId> = Vec::new();
    known.extend(rules.numbers.iter().map(|line| line.line));
    known.extend(rules.spend.iter().map(|line| line.line));
    known.extend(allowing(&rules.landing));
    known.extend(rules.on.iter().flatten().map(|rule| rule.line));
    known.extend(rules.choices.iter().map(|choice| choice.line));
    known.sort_unstable();
    known.dedup();
    let used = known.into_iter().filter_map(|id| {
        let info = rules.lines.get(usize::from(id))?;
        let fired = fired.get(usize::from(id)).copied().unwrap_or_default();
        Some(LineUse { line: info.name.clone(), clauses: info.clauses.clone(), fired })
    });
    used.collect()
}

fn allowing(table: &Verdicts) -> impl Iterator<Item = LineId> {
    let is = |verdict: &Verdict| match verdict {
        Verdict::Is(answer, line) if *answer != Answer::Refuse => Some(*line),
        _ => None,
    };
    let asked = table.asked.iter().filter(|asked| asked.then != Answer::Refuse).map(|asked| asked.line);
    let otherwise = table.asked.iter().map(|asked| &asked.otherwise);
    table.table.iter().chain(otherwise).filter_map(is).chain(asked)
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spread { mean, sd, p10, median, p90, longest } = self.turns;
        writeln!(f, "{} {}, {} games, seed {}", self.ruleset, self.version, self.games, self.seed)?;
        writeln!(f, "turns a game     {mean:.1} to the last place (sd {sd:.1}, median {median}, 10 % below {p10},")?;
        writeln!(
            f,
            "                 10 % above {p90}, longest {longest}); {:.1} to the first finisher",
            self.turns_to_first
        )?;
        writeln!(f, "actions a game   {:.1}; throws {:.1}, passes {:.2}", self.actions, self.throws, self.passes)?;
        writeln!(f, "cuts a game      {:.2}", self.cuts)?;
        for (i, SeatWins { seat, rate, interval: [low, high], .. }) in self.wins.iter().enumerate() {
            let title = if i == 0 { "wins by seat" } else { "" };
            writeln!(f, "{title:<17}{seat:<8} {:5.2} %  ({:.2} to {:.2})", 100.0 * rate, 100.0 * low, 100.0 * high)?;
        }
        if self.stuck > 0 {
            let games: Vec<String> = self.stuck_games.iter().map(u64::to_string).collect();
            writeln!(f, "stuck games      {} reached the turn cap: number {}", self.stuck, games.join(", "))?;
        }
        if let Some(lines) = &self.lines {
            self.write_lines(f, lines)?;
        }
        let Times { seconds, cpu_seconds, games_per_second, actions_per_cpu_second } = self.times;
        writeln!(
            f,
            "rate             {games_per_second:.0} games/s, {actions_per_cpu_second:.0} actions a CPU second"
        )?;
        write!(f, "                 ({seconds:.2} s by the clock, {cpu_seconds:.2} s of CPU)")
    }
}

impl Summary {
    fn write_lines(&self, f: &mut fmt::Formatter<'_>, lines: &[LineUse]) -> fmt::Result {
        let width = lines.iter().map(|line| line.line.len()).max().unwrap_or_default();
        writeln!(f, "rule lines that decided what was played, times a game:")?;
        for LineUse { line, clauses, fired } in lines.iter().filter(|line| line.fired > 0) {
            let often = *fired as f64 / self.games.max(1) as f64;
            writeln!(f, "  {line:<width$} {often:>12.4}  {}", clauses.join(" "))?;
        }
        let never: Vec<&str> = lines.iter().filter(|line| line.fired == 0).map(|line| line.line.as_str()).collect();
        if !never.is_empty() {
            writeln!(f, "rule lines that never fired: {}", never.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_rate_and_stays_within_0_and_1() {
        assert_eq!(wilson(0, 0), [0.0, 1.0]);
        let [low, high] = wilson(0, 10);
        assert!(low == 0.0 && (high - 0.2775).abs() < 1e-3, "{low} {high}");
        let [low, high] = wilson(250, 1000);
        assert!((low - 0.2242).abs() < 1e-3 && (high - 0.2778).abs() < 1e-3, "{low} {high}");
    }
}
