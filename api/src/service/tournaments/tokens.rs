//! Renews the tokens of organiser and arbiters, and the invitation.

use crate::error::{Code, Problem};
use crate::ground::token::{Token, TokenHash};
use crate::model::event_kind::TournamentEventKind;
use crate::model::tournament::NewTournamentToken;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::tournaments::access::{organiser, token, tournament_id};
use crate::tournament::edit::TournamentEdit;
use crate::tournament::event::EventSubjects;
use crate::tournament::stored::Tournament;
use crate::tournament::terms::Registration;
use crate::tournament::{TOURNAMENT, entity};

impl Service {
    /// Gives the organiser a new token, and revokes the old one, also as that of the owner of groups and games.
    ///
    /// # Errors
    /// The caller is not the organiser.
    pub(crate) async fn renew_tournament_token(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        let renew = |known: &mut Tournament, new| {
            known.is_handing_over = !known.rounds.is_empty();
            std::mem::replace(&mut known.organiser, new)
        };
        let reply = self.renew_in_tournament(call, body, id, renew).await?;
        // If this fails, the regular check of the tournament does it.
        if let Err(problem) = self.create_round_games(tournament_id(id)?).await {
            tracing::info!(tournament = id, %problem, "games not handed over to the renewed token yet");
        }
        Ok(reply)
    }

    /// Makes a new token for arbiters, and revokes the old one.
    ///
    /// # Errors
    /// The caller is not the organiser.
    pub(crate) async fn renew_arbiter_token(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        self.renew_in_tournament(call, body, id, |known, new| std::mem::replace(&mut known.arbiter, new)).await
    }

    /// Makes a new invitation. The old one becomes invalid; entrants who came by it stay.
    ///
    /// # Errors
    /// The caller is not the organiser, or people enter without an invitation.
    pub(crate) async fn renew_tournament_invitation(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let renew = |edit: &mut TournamentEdit| {
            organiser(&edit.tournament, call)?;
            check_seen(edit, call)?;
            if edit.tournament.terms.registration != Registration::Invited {
                let detail = "nobody needs an invitation to enter this tournament";
                return Err(Problem::new(Code::NotPrivate, detail));
            }
            let new = Token::of(TOURNAMENT.word(), edit.id)?;
            edit.tournament.invitation = Some(new.hash());
            edit.add(TournamentEventKind::TokenChanged, EventSubjects::default())?;
            let answer = NewTournamentToken { token: new.reveal(), tournament: edit.view() };
            Ok(Reply::new(201, &answer)?.at_version(edit.tournament.version))
        };
        self.change(IdempotentRequest::secret(call, body)?, entity(tournament_id(id)?), renew).await
    }

    /// Makes a new token of a tournament. `replace` stores its hash, and returns the hash of the old token.
    async fn renew_in_tournament(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        replace: impl Fn(&mut Tournament, TokenHash) -> TokenHash,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let renew = |edit: &mut TournamentEdit| {
            organiser(&edit.tournament, call)?;
            check_seen(edit, call)?;
            let new = Token::of(TOURNAMENT.word(), edit.id)?;
            let old = replace(&mut edit.tournament, new.hash());
            edit.tournament.revoke(old);
            edit.is_new_state |= edit.tournament.is_handing_over;
            edit.add(TournamentEventKind::TokenChanged, EventSubjects::default())?;
            let answer = NewTournamentToken { token: new.reveal(), tournament: edit.view() };
            Ok(Reply::new(201, &answer)?.at_version(edit.tournament.version))
        };
        self.change(IdempotentRequest::secret(call, body)?, entity(tournament_id(id)?), renew).await
    }
}
