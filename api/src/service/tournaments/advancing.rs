//! Takes the steps that follow from the state of a tournament: creates planned games, pairs the next round, ends the
//! tournament.

use std::sync::Arc;

use crate::error::{Problem, internal};
use crate::service::Service;
use crate::service::reply::Reply;
use crate::service::tournaments::pairing::PlanRound;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::results::{check_results, free, limit, next_round};
use crate::tournament::stored::{TournamentStatus, not_found};
use crate::tournament::{TournamentId, entity};

/// Maximum number of rounds without tables that one call pairs. Such rounds need no results.
const EMPTY_ROUNDS: usize = 64;

impl Service {
    /// Takes all steps that are possible without further results.
    ///
    /// # Errors
    /// The tournament does not exist, or the store is not available.
    pub(super) async fn advance(&self, id: TournamentId) -> Result<(), Problem> {
        for _ in 0..EMPTY_ROUNDS {
            self.create_round_games(id).await?;
            let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
            let tournament = self.tournaments.read(&stored)?;
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
            .with_next_round(id, None, &by_format(), &|edit, round, engines| {
                check_results(&edit.tournament)?;
                match round {
                    Some(round) => edit.add_round(round.clone(), engines)?,
                    None => edit.finish(false)?,
                }
                Ok(Reply::default())
            })
            .await;
        match paired {
            Ok(_) => Ok(true),
            Err(problem) if problem.code.status() == 409 => {
                tracing::info!(
                    tournament = %id, %problem,
                    "next round not paired automatically, left to the organiser"
                );
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
        let tournament = self.tournaments.read(&stored)?;
        let (Some(open), Some(started)) = (tournament.terms.open_seconds, tournament.started_at) else { return Ok(()) };
        if tournament.status != TournamentStatus::Running {
            return Ok(());
        }
        if self.store.now() >= started + u64::from(open) * 1000 || limit(&tournament).is_some() {
            if tournament.has_all_results() {
                let finish = |edit: &mut TournamentEdit| {
                    if edit.tournament.status == TournamentStatus::Running && edit.tournament.has_all_results() {
                        edit.finish(false)?;
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
        self.with_next_round(id, None, &by_format(), &|edit, round, engines| {
            if let Some(round) = round.filter(|round| !round.tables.is_empty()) {
                edit.add_round(round.clone(), engines)?;
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tokio::sync::watch;
    use uuid::Uuid;

    use super::*;
    use crate::config::ServeConfig;
    use crate::ground::token::Token;
    use crate::service::call::Call;
    use crate::service::lamp::tests::on_both_stores;
    use crate::tournament::results::MOST_ROUNDS;
    use crate::tournament::rounds::StoredRound;
    use crate::tournament::stored::Tournament;
    use pagade_pairing::Round;

    #[test]
    fn an_arena_that_takes_no_more_rounds_ends_with_a_reason() {
        on_both_stores(async |store| {
            let (_closing, closed) = watch::channel(false);
            let service = Service::new(Arc::clone(&store), &ServeConfig::default(), closed);
            let wish = json!({"rule_set": "pagade", "format": {"kind": "arena", "seconds": 86_400}});
            let wish = serde_json::from_value(wish).unwrap();
            let created = service.create_tournament(&Call::default(), b"", &wish).await.unwrap();
            let created: Value = serde_json::from_slice(&created.body).unwrap();
            let id: TournamentId = created["tournament"]["id"].as_str().unwrap().parse().unwrap();
            let token = Token::sent(created["token"].as_str().unwrap());
            let call = Call { token: Some(token), ..Call::default() };
            let wish = serde_json::from_value(json!({"entrants": [{"name": "Asha"}, {"name": "Ravi"}]})).unwrap();
            service.enter_tournament(&call, b"", &id.to_string(), &wish).await.unwrap();
            service.start_tournament(&call, b"", &id.to_string()).await.unwrap();
            let fill = |edit: &mut TournamentEdit| {
                let empty = StoredRound::new(Round::default(), Uuid::now_v7(), edit.now(), edit.tournament.version);
                let closed = StoredRound { is_closed: true, ..empty };
                edit.tournament.rounds.resize(MOST_ROUNDS, closed.into());
                Ok(Reply::default())
            };
            service.change(None, entity(id), fill).await.unwrap();
            service.pair_arena(id).await.unwrap();
            let stored = store.entity(entity(id)).await.unwrap().unwrap();
            let tournament = Tournament::read(&stored.snapshot).unwrap();
            assert_eq!((tournament.status, tournament.rounds.len()), (TournamentStatus::Finished, MOST_ROUNDS));
            let (_, events) = store.entity_and_events(entity(id), tournament.events - 1, 10).await.unwrap();
            let over: Value = serde_json::from_slice(&events[0]).unwrap();
            assert_eq!(over["event"], "tournament_over");
            assert_eq!(over["reason"], "the tournament has 2000 rounds, and takes no more");
        });
    }
}
