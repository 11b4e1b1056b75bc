//! Simulations of tournaments: a whole tournament is played by robots in memory, many times. They tell an organiser how
//! often the strongest entrant wins, and how many rounds, games and hours a form takes.
//!
//! Rounds are paired and standings computed by the functions of the service (`pairing/`); the games are those of the
//! engine. The same file, seed and number of tournaments give the same results, whatever the number of threads.

mod arena;
mod place;
mod plan;
mod rounds;
mod summary;
mod table;
mod tally;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use pagade_pairing::{Format, TournamentError, TournamentSeed};
use pagade_robots::simulate::Chance;

use self::table::BoardTable;

pub use plan::TournamentPlan;
pub use summary::{EntrantSummary, Mean, StrengthSummary, Strongest, TournamentSummary};
pub use tally::{PlayedTournament, TournamentTally};

/// Plays all tournaments of the plan. Calls `progress` after each of them.
///
/// # Errors
/// The entrants cannot be paired to the end, which depends on the form and the number of entrants alone.
pub fn run(plan: &TournamentPlan<'_>, progress: &(dyn Fn() + Sync)) -> Result<TournamentTally, TournamentError> {
    let next = AtomicU64::new(0);
    let total = Mutex::new(Ok(TournamentTally::new(plan.prepared.field.entrants.len())));
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| {
                let tally = work(plan, &next, progress);
                let mut total = total.lock().expect("no thread panics while it adds its sums");
                match (total.as_mut(), tally) {
                    (Ok(total), Ok(tally)) => total.merge(tally),
                    (_, Err(error)) => *total = Err(error),
                    (Err(_), Ok(_)) => {}
                }
            });
        }
    });
    total.into_inner().expect("no thread panics while it adds its sums")
}

/// Plays tournaments in one thread until the plan is done. `next` is the lowest number of a tournament that no thread
/// has taken.
fn work(
    plan: &TournamentPlan<'_>,
    next: &AtomicU64,
    progress: &(dyn Fn() + Sync),
) -> Result<TournamentTally, TournamentError> {
    let mut tally = TournamentTally::new(plan.prepared.field.entrants.len());
    let boards = plan.prepared.boards.iter().map(|(seats, engine)| (*seats, BoardTable::new(engine)));
    let mut boards: BTreeMap<usize, BoardTable<'_>> = boards.collect();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= plan.tournaments {
            return Ok(tally);
        }
        tally.add(&play(plan, number, &mut boards)?);
        progress();
    }
}

/// Plays the tournament with this number.
fn play(
    plan: &TournamentPlan<'_>,
    number: u64,
    boards: &mut BTreeMap<usize, BoardTable<'_>>,
) -> Result<PlayedTournament, TournamentError> {
    let mut chance = Chance::of_game(plan.seed, number);
    let mut seed = [0; 32];
    for bytes in seed.chunks_exact_mut(4) {
        bytes.copy_from_slice(&chance.below(u32::MAX).to_le_bytes());
    }
    let mut field = plan.prepared.field.clone();
    field.seed = TournamentSeed(seed);
    match field.format {
        Format::Arena { .. } => arena::play(plan, &field, &mut chance, boards),
        _ => rounds::play(plan, &field, &mut chance, boards),
    }
}
