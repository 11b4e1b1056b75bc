//! Reads tournaments: as they are now, in lists, their rounds and their standings.

use pagade_pairing::{Standing, standings};

use crate::error::{Code, Problem, detail, internal};
use crate::model::tournament_list::{TournamentList, TournamentsQuery};
use crate::model::tournament_round::{Standings, StandingsQuery};
use crate::service::call::Call;
use crate::service::reply::Reply;
use crate::service::tournaments::access::{may_see, tournament_id};
use crate::service::{Service, page};
use crate::tournament::results::{impossible, no_round};
use crate::tournament::stored::{Tournament, not_found, tag};
use crate::tournament::{TOURNAMENT, TournamentId, csv, entity, view};

impl Service {
    /// Reads a tournament.
    ///
    /// # Errors
    /// The tournament does not exist.
    pub(crate) async fn read_tournament(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        let (id, tournament) = self.visible_tournament(call, id).await?;
        if call.has_seen(tournament.version) {
            return Ok(Reply::not_modified(tournament.version));
        }
        Ok(Reply::ok(&view::tournament(id, &tournament))?.at_version(tournament.version))
    }

    /// Lists a page of tournaments, newest first.
    ///
    /// # Errors
    /// A parameter is invalid.
    pub(crate) async fn list_tournaments(&self, query: &TournamentsQuery) -> Result<Reply, Problem> {
        let limit = page::limit(query.limit, page::MOST, page::DEFAULT)?;
        let before = query.cursor.as_deref().map(page::cursor).transpose()?;
        let mut stored = self.store.list(TOURNAMENT, tag(query.status.map(Into::into)), before, limit + 1).await?;
        let more = stored.len() > limit;
        stored.truncate(limit);
        let next_cursor = stored.last().filter(|_| more).map(|stored| page::cursor_after(stored.id.id));
        let listed = stored.iter().map(|stored| Ok(view::summary(stored.id.id, &Tournament::read(&stored.snapshot)?)));
        let tournaments = listed.collect::<Result<_, Problem>>()?;
        let next = next_cursor.as_ref().map(|cursor| next_path(query, limit, cursor));
        Ok(Reply::ok(&TournamentList { tournaments, next_cursor })?.with_next(next))
    }

    /// Reads a round of a tournament, with its tables, games and results.
    ///
    /// # Errors
    /// The tournament or the round does not exist.
    pub(crate) async fn read_round(&self, call: &Call, id: &str, round: &str) -> Result<Reply, Problem> {
        let number = round_number(round)?;
        let (_, tournament) = self.visible_tournament(call, id).await?;
        let found = number.checked_sub(1).and_then(|index| tournament.rounds.get(index));
        let round = found.ok_or_else(|| no_round(number))?;
        if call.has_seen(tournament.version) {
            return Ok(Reply::not_modified(tournament.version));
        }
        Ok(Reply::ok(&view::round(number, round))?.at_version(tournament.version))
    }

    /// Computes the standings of a tournament, by the results so far or after an earlier round.
    ///
    /// # Errors
    /// The tournament or the round does not exist.
    pub(crate) async fn read_standings(&self, call: &Call, id: &str, query: &StandingsQuery) -> Result<Reply, Problem> {
        let (_, tournament) = self.visible_tournament(call, id).await?;
        if call.has_seen(tournament.version) {
            return Ok(Reply::not_modified(tournament.version));
        }
        let version = tournament.version;
        let reply = with_standings(tournament, query, |tournament, rounds, standings| {
            Reply::ok(&Standings { rounds, standings: view::standings(tournament, standings) })
        });
        Ok(reply.await?.at_version(version))
    }

    /// Writes the standings of a tournament as CSV.
    ///
    /// # Errors
    /// The tournament or the round does not exist.
    pub(crate) async fn read_standings_as_csv(
        &self,
        call: &Call,
        id: &str,
        query: &StandingsQuery,
    ) -> Result<String, Problem> {
        let (_, tournament) = self.visible_tournament(call, id).await?;
        with_standings(tournament, query, |tournament, _, standings| Ok(csv::standings(tournament, standings))).await
    }

    /// Reads a tournament.
    pub(super) async fn visible_tournament(
        &self,
        call: &Call,
        id: &str,
    ) -> Result<(TournamentId, Tournament), Problem> {
        let id = tournament_id(id)?;
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let tournament = self.tournaments.read(&stored)?;
        may_see(&tournament, call)?;
        Ok((id, tournament))
    }
}

/// Computes the standings, and passes them to `make` with the number of rounds that count. Runs on another thread,
/// because the tie-breaks of hundreds of entrants take a while, and this thread serves other requests, too.
async fn with_standings<T: Send + 'static>(
    tournament: Tournament,
    query: &StandingsQuery,
    make: impl FnOnce(&Tournament, usize, &[Standing]) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let rounds = query.round.map_or(tournament.rounds.len(), |round| round as usize);
    if rounds > tournament.rounds.len() {
        return Err(no_round(rounds));
    }
    let computed = tokio::task::spawn_blocking(move || {
        let mut history = tournament.history();
        history.rounds.truncate(rounds);
        let standings = standings(&tournament.field(), &history).map_err(impossible)?;
        make(&tournament, rounds, &standings)
    });
    computed.await.map_err(internal)?
}

/// Parses the number of a round in a path.
///
/// # Errors
/// 404 if the text is no number, because no round has it.
pub(super) fn round_number(text: &str) -> Result<usize, Problem> {
    let shown: String = text.chars().take(32).collect();
    number(text).ok_or_else(|| Problem::new(Code::RoundNotFound, detail!("`{text}` is no number", text = shown)))
}

/// Parses the number of a table in a path.
///
/// # Errors
/// 404 if the text is no number, because no table has it.
pub(super) fn table_number(text: &str) -> Result<usize, Problem> {
    round_number(text)
}

fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|number: &usize| number.to_string() == text)
}

fn next_path(query: &TournamentsQuery, limit: usize, cursor: &str) -> String {
    let status = query.status.and_then(|status| serde_json::to_value(status).ok());
    let status = status.as_ref().and_then(|word| word.as_str()).map(|word| format!("&status={word}"));
    format!("/v1/tournaments?limit={limit}&cursor={cursor}{}", status.unwrap_or_default())
}
