//! Exports of tournaments: as JSON, as CSV, and the records of all games.

use std::ops::Range;

use futures_util::stream::{BoxStream, StreamExt, iter};
use pagade_pairing::standings;

use crate::error::{Code, Problem, internal};
use crate::game::GameId;
use crate::limits::Policy;
use crate::model::tournament_round::{ExportQuery, TournamentExport};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::records::{InTournament, numbered_ndjson};
use crate::service::reply::Reply;
use crate::tournament::results::{impossible, no_round};
use crate::tournament::stored::Tournament;
use crate::tournament::{csv, view};

/// Number of records that are written at the same time.
const RECORDS_AT_ONCE: usize = 4;

impl Service {
    /// Writes a tournament, with everything from which its standings can be computed again.
    ///
    /// # Errors
    /// The tournament or the round does not exist.
    pub(crate) async fn export_tournament(&self, call: &Call, id: &str, query: &ExportQuery) -> Result<Reply, Problem> {
        let (id, tournament) = self.visible_tournament(call, id).await?;
        let (version, chosen) = (tournament.version, chosen(&tournament, query)?);
        let written = tokio::task::spawn_blocking(move || {
            let standings = standings(&tournament.field(), &tournament.history()).map_err(impossible)?;
            let rounds = (chosen.start + 1..).zip(&tournament.rounds[chosen.clone()]);
            Reply::ok(&TournamentExport {
                tournament: view::tournament(id, &tournament),
                rounds: rounds.map(|(number, round)| view::round(number, round)).collect(),
                standings: view::standings(&tournament, &standings),
            })
        });
        Ok(written.await.map_err(internal)??.at_version(version))
    }

    /// Writes the results of a tournament as CSV.
    ///
    /// # Errors
    /// The tournament or the round does not exist.
    pub(crate) async fn export_tournament_as_csv(
        &self,
        call: &Call,
        id: &str,
        query: &ExportQuery,
    ) -> Result<String, Problem> {
        let (_, tournament) = self.visible_tournament(call, id).await?;
        let chosen = chosen(&tournament, query)?;
        Ok(csv::results(&tournament, chosen))
    }

    /// Returns the records of all games of a tournament as NDJSON, one after the other. Games that do not exist yet, or
    /// were removed, are left out. Every record counts as a request of the client.
    ///
    /// # Errors
    /// The tournament or the round does not exist, or the client has asked for too many records.
    pub(crate) async fn export_records(
        &self,
        call: &Call,
        id: &str,
        query: &ExportQuery,
    ) -> Result<BoxStream<'static, Result<String, Problem>>, Problem> {
        let (_, tournament) = self.visible_tournament(call, id).await?;
        let games = games(&tournament, chosen(&tournament, query)?);
        if let Some(caller) = call.caller {
            self.meter.count_many(Policy::Client, caller, games.len()).map_err(|refused| refused.problem)?;
        }
        let (service, call) = (self.clone(), call.clone());
        let records = iter(games).map(move |(id, place)| {
            let (service, call) = (service.clone(), call.clone());
            async move { service.record_of(&call, id, place).await }
        });
        let records = records.buffered(RECORDS_AT_ONCE).filter_map(async |record| record.transpose());
        Ok(records.boxed())
    }

    /// Writes the record of a game; `None` if there is no such game.
    async fn record_of(&self, call: &Call, id: GameId, place: InTournament) -> Result<Option<String>, Problem> {
        match self.with_history(call, &id.to_string(), move |history| numbered_ndjson(history, place)).await {
            Ok(record) => Ok(Some(record)),
            Err(problem) if problem.code == Code::GameNotFound => Ok(None),
            Err(problem) => Err(problem),
        }
    }
}

/// Returns the indexes of the rounds to export.
fn chosen(tournament: &Tournament, query: &ExportQuery) -> Result<Range<usize>, Problem> {
    match query.round.map(|round| round as usize) {
        None => Ok(0..tournament.rounds.len()),
        Some(round) if (1..=tournament.rounds.len()).contains(&round) => Ok(round - 1..round),
        Some(round) => Err(no_round(round)),
    }
}

/// Lists the games of these rounds, each with its place in the tournament.
fn games(tournament: &Tournament, rounds: Range<usize>) -> Vec<(GameId, InTournament)> {
    let mut games = Vec::new();
    for (round, stored) in (rounds.start + 1..).zip(&tournament.rounds[rounds.clone()]) {
        for (table, stored) in (1..).zip(&stored.tables) {
            for game in stored.games.iter().filter(|game| game.plan.is_none()) {
                let number = u64::try_from(games.len()).unwrap_or(u64::MAX);
                games.push((game.id, InTournament { number, round, table }));
            }
        }
    }
    games
}
