//! The summary of simulated tournaments: rates and means with their 95 % intervals.

use pagade_robots::RobotKind;
use pagade_robots::simulate::{mean_interval, wilson};
use serde::Serialize;

use super::plan::TournamentPlan;
use super::tally::{Sum, TournamentTally};

/// Milliseconds of an hour.
const HOUR: f64 = 3_600_000.0;

/// The summary of simulated tournaments.
#[derive(Debug, Serialize)]
pub struct SimulationSummary {
    /// Number of tournaments.
    pub tournaments: u64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of entrants.
    pub entrants: usize,
    /// The time of a throw or an action, in seconds.
    pub seconds_a_decision: f64,
    /// How often one of the strongest entrants wins.
    pub strongest: Strongest,
    /// The results by strength, the strongest first.
    pub strengths: Vec<StrengthSummary>,
    /// The results of each entrant, in the order of the field.
    pub each: Vec<EntrantSummary>,
    /// Number of rounds.
    pub rounds: Mean,
    /// Number of games.
    pub games: Mean,
    /// Number of decisions of a game: throws and actions.
    pub decisions_a_game: f64,
    /// Number of decisions of all games.
    pub decisions: Mean,
    /// Hours from the start to the end, if all tables of a round play at the same time.
    pub hours: Mean,
    /// Nine of ten tournaments take at most this number of hours.
    pub hours_of_nine_in_ten: f64,
    /// Hours if every decision takes all the time of the turn timer. `None` without a turn timer, and for arenas.
    pub hours_by_turn_timer: Option<Mean>,
    /// Number of games that reached the turn cap of the rule set.
    pub stuck: u64,
}

/// How often one of the strongest entrants wins.
#[derive(Debug, Serialize)]
pub struct Strongest {
    /// The robot of the strongest entrants.
    pub robot: &'static str,
    /// Number of entrants with this robot.
    pub entrants: usize,
    /// Share of the tournaments that one of the strongest entrants wins.
    pub wins: f64,
    /// The 95 % interval of the share.
    pub interval: [f64; 2],
    /// The share if all entrants were equally strong.
    pub fair: f64,
}

/// The results of all entrants with the same robot.
#[derive(Debug, Serialize)]
pub struct StrengthSummary {
    /// The robot.
    pub robot: &'static str,
    /// Number of entrants.
    pub entrants: usize,
    /// Share of the tournaments that one of these entrants wins.
    pub wins: f64,
    /// The 95 % interval of the share.
    pub interval: [f64; 2],
    /// The mean place of an entrant with this robot.
    pub place: Mean,
    /// Share of each place from the first on, for an entrant with this robot.
    pub places: Vec<f64>,
}

/// The results of one entrant.
#[derive(Debug, Serialize)]
pub struct EntrantSummary {
    /// The number of the entrant in the field.
    pub number: usize,
    /// The name. Absent for players who enter by themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The robot.
    pub robot: &'static str,
    /// Share of the tournaments that the entrant wins.
    pub wins: f64,
    /// The 95 % interval of the share.
    pub interval: [f64; 2],
    /// The mean place.
    pub place: Mean,
    /// Number of tournaments with each place, from the first on.
    pub places: Vec<u64>,
}

/// A mean with its 95 % interval.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The 95 % interval.
    pub interval: [f64; 2],
}

impl Mean {
    fn of(sum: Sum, count: u64) -> Self {
        let mean = sum.total as f64 / count.max(1) as f64;
        Self { mean, interval: mean_interval(sum.total as f64, sum.squares as f64, count) }
    }

    fn of_list(list: &[f64]) -> Self {
        let (total, squares) = (list.iter().sum::<f64>(), list.iter().map(|one| one * one).sum::<f64>());
        let mean = total / (list.len().max(1)) as f64;
        Self { mean, interval: mean_interval(total, squares, list.len() as u64) }
    }

    /// The mean of places, from the number of times that each place was reached.
    fn of_places(counts: &[u64]) -> Self {
        let mut sum = Sum::default();
        for (place, count) in (1_u64..).zip(counts) {
            sum.total += place * count;
            sum.squares += u128::from(place) * u128::from(place) * u128::from(*count);
        }
        Self::of(sum, counts.iter().sum())
    }
}

impl SimulationSummary {
    /// Summarises the tournaments of a plan.
    pub fn new(plan: &TournamentPlan<'_>, tally: &TournamentTally) -> Self {
        let count = tally.tournaments;
        let share = |wins: u64| wins as f64 / count.max(1) as f64;
        let decision = plan.milliseconds_a_decision();
        let hours_at = |decision: u64| {
            let length = |(row, pauses, lasts): &(u64, u64, Option<u64>)| lasts.unwrap_or(row * decision + pauses);
            let mut hours: Vec<f64> = tally.lengths.iter().map(|one| length(one) as f64 / HOUR).collect();
            // The threads add their tournaments in any order, so the hours are sorted.
            hours.sort_by(f64::total_cmp);
            hours
        };
        let hours = hours_at(decision);
        let ninth = (hours.len() * 9).div_ceil(10).saturating_sub(1);
        let is_arena = tally.lengths.iter().any(|(.., lasts)| lasts.is_some());
        let timer = plan.prepared.seconds_a_decision.filter(|_| !is_arena);
        let by_timer = timer.map(|seconds| Mean::of_list(&hours_at(u64::from(seconds) * 1000)));
        let strengths: Vec<StrengthSummary> =
            RobotKind::ALL.into_iter().rev().filter_map(|robot| strength(plan, tally, robot)).collect();
        let strongest = strengths.first().map(|first| Strongest {
            robot: first.robot,
            entrants: first.entrants,
            wins: first.wins,
            interval: first.interval,
            fair: first.entrants as f64 / plan.strengths.len().max(1) as f64,
        });
        let each = plan.strengths.iter().zip(&tally.places).zip(&tally.wins).enumerate();
        let each = each.map(|(at, ((robot, places), wins))| EntrantSummary {
            number: at + 1,
            name: plan.prepared.entrants.get(at).map(|entrant| entrant.name.clone()),
            robot: robot.name(),
            wins: share(*wins),
            interval: wilson(*wins, count),
            place: Mean::of_places(places),
            places: places.clone(),
        });
        Self {
            tournaments: count,
            seed: plan.seed,
            entrants: plan.strengths.len(),
            seconds_a_decision: decision as f64 / 1000.0,
            strongest: strongest.unwrap_or(Strongest {
                robot: "",
                entrants: 0,
                wins: 0.0,
                interval: [0.0, 1.0],
                fair: 0.0,
            }),
            strengths,
            each: each.collect(),
            rounds: Mean::of(tally.rounds, count),
            games: Mean::of(tally.games, count),
            decisions_a_game: tally.decisions.total as f64 / tally.games.total.max(1) as f64,
            decisions: Mean::of(tally.decisions, count),
            hours: Mean::of_list(&hours),
            hours_of_nine_in_ten: hours.get(ninth).copied().unwrap_or(0.0),
            hours_by_turn_timer: by_timer,
            stuck: tally.stuck,
        }
    }
}

/// The results of all entrants with this robot. `None` if nobody has it.
fn strength(plan: &TournamentPlan<'_>, tally: &TournamentTally, robot: RobotKind) -> Option<StrengthSummary> {
    let with: Vec<usize> = (0..plan.strengths.len()).filter(|at| plan.strengths[*at] == robot).collect();
    let first = with.first()?;
    let mut places = vec![0; tally.places[*first].len()];
    for at in &with {
        places.iter_mut().zip(&tally.places[*at]).for_each(|(sum, count)| *sum += count);
    }
    let wins = with.iter().map(|at| tally.wins[*at]).sum::<u64>();
    let all = (tally.tournaments * with.len() as u64).max(1);
    Some(StrengthSummary {
        robot: robot.name(),
        entrants: with.len(),
        wins: wins as f64 / tally.tournaments.max(1) as f64,
        interval: wilson(wins, tally.tournaments),
        place: Mean::of_places(&places),
        places: places.iter().map(|count| *count as f64 / all as f64).collect(),
    })
}
