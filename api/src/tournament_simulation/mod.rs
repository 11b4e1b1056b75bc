//! Simulations of tournaments: a whole tournament is played by robots in memory, many times. They show an organiser how
//! often the strongest entrant wins, and how many rounds, games and hours a form takes.
//!
//! Rounds are paired and standings computed by the functions that the service uses (the crate `pagade-pairing`); the
//! engine plays the games. The same file, seed and number of tournaments give the same results, whatever the number of
//! threads.

mod arena;
mod place;
mod plan;
mod rounds;
mod summary;
mod table;
mod tally;

use std::collections::BTreeMap;

use pagade_pairing::{Format, TournamentError, TournamentSeed};
use pagade_robots::simulate::Chance;
use pagade_robots::workers::{Pending, on_threads};

use self::table::RestartedGame;

pub use plan::TournamentPlan;
pub use summary::{EntrantSummary, Mean, SimulationSummary, StrengthSummary, Strongest};
pub use tally::{PlayedTournament, TournamentTally};

/// Plays all tournaments of the plan. Calls `progress` after each of them.
///
/// # Errors
/// The entrants cannot be paired to the end, which depends on the form and the number of entrants alone.
pub fn run(plan: &TournamentPlan<'_>, progress: &(dyn Fn() + Sync)) -> Result<TournamentTally, TournamentError> {
    let numbers = Pending::new(0..plan.tournaments);
    let mut total = TournamentTally::new(plan.prepared.field.entrants.len());
    for tally in on_threads(plan.threads, || work(plan, &numbers, progress)) {
        total.merge(tally?);
    }
    Ok(total)
}

/// Plays the tournaments with these numbers in one thread, until all are taken.
fn work(
    plan: &TournamentPlan<'_>,
    numbers: &Pending,
    progress: &(dyn Fn() + Sync),
) -> Result<TournamentTally, TournamentError> {
    let mut tally = TournamentTally::new(plan.prepared.field.entrants.len());
    let games = plan.prepared.engines.iter().map(|(seats, engine)| (*seats, RestartedGame::new(engine)));
    let mut games: BTreeMap<usize, RestartedGame<'_>> = games.collect();
    while let Some(number) = numbers.take() {
        tally.add(&play(plan, number, &mut games)?);
        progress();
    }
    Ok(tally)
}

/// Plays the tournament with this number.
fn play(
    plan: &TournamentPlan<'_>,
    number: u64,
    games: &mut BTreeMap<usize, RestartedGame<'_>>,
) -> Result<PlayedTournament, TournamentError> {
    let mut chance = Chance::of_game(plan.seed, number);
    let mut seed = [0; 32];
    for bytes in seed.chunks_exact_mut(4) {
        bytes.copy_from_slice(&chance.below(u32::MAX).to_le_bytes());
    }
    let mut field = plan.prepared.field.clone();
    field.seed = TournamentSeed(seed);
    match field.format {
        Format::Arena { .. } => arena::play(plan, &field, &mut chance, games),
        _ => rounds::play(plan, &field, &mut chance, games),
    }
}
