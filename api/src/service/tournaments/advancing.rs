//! Does what follows from the state of a tournament: creates planned games, pairs the next round, ends the tournament.

use std::sync::Arc;

use crate::error::{Problem, internal};
use crate::service::Service;
use crate::service::reply::Reply;
use crate::service::tournaments::pairing::PlanRound;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::results::{check_results, free, limit, next_round};
use crate::tournament::stored::{Tournament, TournamentStatus, not_found};
use crate::tournament::{TournamentId, entity};

/// Rounds without tables that are paired one after the other, because they need no results.
const EMPTY_ROUNDS: usize = 64;

impl Service {
    /// Starts [`Service::advance`] in a task of its own, so that a request need not wait.
    pub(super) fn advance_in_background(&self, id: TournamentId) {
        let service = self.clone();
        tokio::spawn(async move {
            if let Err(problem) = service.advance(id).await {
                tracing::warn!(tournament = %id, %problem, "tournament not advanced, left to the next check");
            }
        });
    }

    /// Does what is possible without further results.
    ///
    /// # Errors
    /// The tournament does not exist, or the store is not available.
    pub(super) async fn advance(&self, id: TournamentId) -> Result<(), Problem> {
        for _ in 0..EMPTY_ROUNDS {
            self.create_round_games(id).await?;
            let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
            let tournament = Tournament::read(&stored.snapshot)?;
            let is_due = tournament.status == TournamentStatus::Running
                && tournament.terms.is_automatic
                && !tournament.terms.is_arena()
                && tournament.has_all_results();
            if !is_due || !self.pair_or_finish(id).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Pairs the next round, or ends the tournament if no round is left. Returns whether something was changed.
    async fn pair_or_finish(&self, id: TournamentId) -> Result<bool, Problem> {
        let paired = self
            .with_next_round(id, None, &by_format(), &|edit, round, boards| {
                check_results(&edit.tournament)?;
                match round {
                    Some(round) => edit.add_round(round.clone(), boards)?,
                    None => edit.finish()?,
                }
                Ok(Reply::default())
            })
            .await;
        match paired {
            Ok(_) => Ok(true),
            Err(problem) if problem.code.status() == 409 => {
                tracing::info!(tournament = %id, %problem, "next round not paired, left to the organiser");
                Ok(false)
            }
            Err(problem) => Err(problem),
        }
    }

    /// Pairs the entrants of an arena who are free, while it is open. Ends the arena when it is closed or takes no more
    /// rounds, and all results are in.
    ///
    /// # Errors
    /// The tournament does not exist, or the store is not available.
    pub(super) async fn pair_arena(&self, id: TournamentId) -> Result<(), Problem> {
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let tournament = Tournament::read(&stored.snapshot)?;
        let (Some(open), Some(started)) = (tournament.terms.open_seconds, tournament.started_at) else { return Ok(()) };
        if tournament.status != TournamentStatus::Running {
            return Ok(());
        }
        if self.store.now() >= started + u64::from(open) * 1000 || limit(&tournament).is_some() {
            if tournament.has_all_results() {
                let finish = |edit: &mut TournamentEdit| {
                    if edit.tournament.status == TournamentStatus::Running && edit.tournament.has_all_results() {
                        edit.finish()?;
                    }
                    Ok(Reply::default())
                };
                self.change(None, entity(id), finish).await?;
            }
            return Ok(());
        }
        if free(&tournament).len() < 2 {
            return Ok(());
        }
        let computed = tokio::task::spawn_blocking(move || next_round(&tournament)).await.map_err(internal)??;
        if computed.is_none_or(|round| round.tables.is_empty()) {
            return Ok(());
        }
        self.with_next_round(id, None, &by_format(), &|edit, round, boards| {
            if let Some(round) = round.filter(|round| !round.tables.is_empty()) {
                edit.add_round(round.clone(), boards)?;
            }
            Ok(Reply::default())
        })
        .await?;
        self.create_round_games(id).await
    }
}

/// Returns the way in which a round is paired by the format of its tournament.
fn by_format() -> PlanRound {
    Arc::new(next_round)
}
