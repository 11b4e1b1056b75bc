//! Results that arbiters enter, and the end of a tournament.

use std::sync::Arc;

use pagade_pairing::{Round, SeatResult};

use crate::error::{Code, Problem, ProblemPart, detail, readable};
use crate::model::tournament_round::{EnterResult, FinishTournament};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::tournaments::access::{arbiter, organiser, token, tournament_id};
use crate::service::tournaments::pairing::PlanRound;
use crate::service::tournaments::queries::{round_number, table_number};
use crate::tournament::edit::TournamentEdit;
use crate::tournament::results::next_round;
use crate::tournament::stored::Tournament;
use crate::tournament::view;
use crate::tournament::{TOURNAMENT, entity};

impl Service {
    /// Enters or corrects the result of a table. A table that has a result already is changed only if the request names
    /// a version of the tournament with this result.
    ///
    /// # Errors
    /// The caller is neither organiser nor arbiter, there is no such table, the places are not possible, or later
    /// rounds follow from the result.
    pub(crate) async fn enter_result(
        &self,
        call: &Call,
        body: &[u8],
        [id, round, table]: [&str; 3],
        wish: &EnterResult,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let id = tournament_id(id)?;
        let at = [round_number(round)?, table_number(table)?];
        let mut mistakes = Vec::new();
        let reason = readable("/reason", Some(&wish.reason), &mut mistakes).unwrap_or_default();
        for (index, seat) in wish.seats.iter().enumerate() {
            if wish.seats[..index].iter().any(|other| other.entrant == seat.entrant) {
                let detail = detail!("entrant {number} is listed twice", number = seat.entrant);
                mistakes.push(ProblemPart::at(format!("/seats/{index}/entrant"), detail));
            }
        }
        if !mistakes.is_empty() {
            return Err(Problem::several(Code::BodyInvalid, mistakes));
        }
        let seats = || {
            wish.seats.iter().map(|seat| {
                let result = SeatResult { place: seat.place, score: seat.score, no_show: seat.no_show };
                (seat.entrant, result)
            })
        };
        let enter = |edit: &mut TournamentEdit| {
            arbiter(&edit.tournament, call)?;
            let stored = at[0].checked_sub(1).and_then(|round| edit.tournament.rounds.get(round));
            let stored = stored.and_then(|round| round.tables.get(at[1].checked_sub(1)?));
            match stored.filter(|table| table.result.is_some()) {
                Some(table) => call.check_version_since(TOURNAMENT, table.version, edit.version_before())?,
                None => check_seen(edit, call)?,
            }
            edit.enter_result(at, seats().collect(), &reason, wish.take_back)?;
            // The answer has the table alone, because a round of a thousand entrants takes hundreds of kilobytes.
            let table = &edit.tournament.rounds[at[0] - 1].tables[at[1] - 1];
            Ok(Reply::ok(&view::table(at[1], table))?.at_version(edit.tournament.version))
        };
        let reply = self.change(IdempotentRequest::of(call, body)?, entity(id), enter).await?;
        self.advance_in_background(id);
        Ok(reply)
    }

    /// Ends a tournament.
    ///
    /// # Errors
    /// The caller is not the organiser, it has not started, results are missing, rounds are left, or it is over
    /// already.
    pub(crate) async fn finish_tournament(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &FinishTournament,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let id = tournament_id(id)?;
        let idempotency = IdempotentRequest::of(call, body)?;
        let finish = |edit: &mut TournamentEdit, round: Option<&Round>| {
            organiser(&edit.tournament, call)?;
            check_seen(edit, call)?;
            if round.is_some() {
                let detail = detail!("round {round} can be paired", round = edit.tournament.rounds.len() + 1);
                return Err(Problem::new(Code::RoundsLeft, detail));
            }
            edit.finish(wish.early)?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.tournament.version))
        };
        let reply = if wish.early {
            self.change(idempotency, entity(id), |edit: &mut TournamentEdit| finish(edit, None)).await?
        } else {
            let plan: PlanRound = Arc::new(round_left);
            self.with_next_round(id, idempotency, &plan, &|edit, round, _| finish(edit, round)).await?
        };
        self.advance_in_background(id);
        Ok(reply)
    }
}

/// Returns the round that can follow, if any. None can if the entrants cannot be paired.
fn round_left(tournament: &Tournament) -> Result<Option<Round>, Problem> {
    match next_round(tournament) {
        Err(problem) if problem.code == Code::PairingImpossible => Ok(None),
        round => round,
    }
}
