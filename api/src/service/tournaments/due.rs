//! The regular check of a tournament, which finishes the work of processes that died, and pairs the rounds of an arena;
//! and the retention of tournaments.

use crate::error::Problem;
use crate::metrics::Metrics;
use crate::service::Service;
use crate::service::entity::may_yet_exist;
use crate::service::schedule::{DueEntity, FIRST_CHECK, StateRetention};
use crate::store::EntityId;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::stored::{Tournament, TournamentStatus};

/// The longest pause between two checks of a tournament in which games are played, in milliseconds.
const LONGEST_PAUSE: u64 = 300_000;
/// Pause between two pairings of an arena, in milliseconds. Entrants who become free during one pause can meet each
/// other.
const ARENA_PAUSE: u64 = 3_000;

/// Returns the time of the next check after a change, in milliseconds since 1970; `None` if there is nothing to do.
pub(super) fn first_check(tournament: &Tournament) -> Option<u64> {
    let pause = if tournament.terms.is_arena() { ARENA_PAUSE } else { FIRST_CHECK };
    let has_work = tournament.status == TournamentStatus::Running || tournament.has_loose_ends();
    has_work.then_some(tournament.changed_at + pause)
}

impl Service {
    /// Creates the games of a tournament that do not exist yet, takes the results of games that are over, pairs the
    /// next round if it is due, and removes the tournament if it has expired. Returns the time of the next check.
    ///
    /// Usually the process that changes a game or a tournament does this at once. The check is for processes that died
    /// before they did so, and for arenas.
    pub(in crate::service) async fn check_tournament(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        let now = self.store.now();
        let Some(stored) = self.store.entity(id).await? else { return Ok(may_yet_exist(id, now)) };
        let tournament = self.tournaments.read(&stored)?;
        let mut next = None;
        if tournament.status == TournamentStatus::Running {
            let games: Vec<_> = tournament.unfinished().map(|game| game.id).collect();
            self.gather_results(id.id, &games).await?;
            self.pair_arena(id.id).await?;
            let quiet = now.saturating_sub(tournament.changed_at);
            next = Some(match tournament.terms.is_arena() {
                true => now + ARENA_PAUSE,
                false => now + (quiet / 2).clamp(FIRST_CHECK, LONGEST_PAUSE),
            });
        }
        if tournament.status == TournamentStatus::Finished && tournament.has_loose_ends() {
            self.create_round_games(id.id).await?;
            next = Some(now + FIRST_CHECK);
        }
        let expiry = self.check::<Tournament>(id).await?;
        Ok(expiry.into_iter().chain(next).min())
    }
}

impl DueEntity for Tournament {
    /// Returns a time for the next check of an open tournament, because a commit in progress may start the tournament.
    /// For any other tournament, [`Service::check_tournament`] returns the time of the next check.
    fn due_at(&self, now: u64) -> Option<u64> {
        (self.status == TournamentStatus::Open).then_some(now + LONGEST_PAUSE)
    }

    async fn run_due(_: &Service, _: &mut TournamentEdit) -> Result<(), Problem> {
        Ok(())
    }

    /// A tournament that is over is kept as long as a game that is over; any other one is kept as long as the games
    /// that are kept longest.
    fn retention(&self, service: &Service) -> StateRetention {
        let keep = &service.keep;
        let finished = Self::shortest_retention(service);
        if self.status == TournamentStatus::Finished {
            return StateRetention { present: finished, later: None };
        }
        let longest = [keep.open, keep.playing, keep.finished].into_iter().collect::<Option<Vec<_>>>();
        let longest = longest.and_then(|kept| kept.into_iter().max());
        StateRetention {
            present: longest.map(|kept| u64::try_from(kept.as_millis()).unwrap_or(u64::MAX)),
            later: finished,
        }
    }

    fn shortest_retention(service: &Service) -> Option<u64> {
        service.keep.finished.map(|kept| u64::try_from(kept.as_millis()).unwrap_or(u64::MAX))
    }

    fn count_expired(&self, _: &Metrics) {}
}
