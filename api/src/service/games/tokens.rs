//! Renews and revokes tokens of games.

use crate::error::{Code, Problem, detail};
use crate::game::GAME;
use crate::game::edit::Edit;
use crate::game::event::Event;
use crate::ground::token::Token;
use crate::model::creation::{JoinedSeat, NewToken};
use crate::model::event_kind::EventKind;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::{Service, access};

impl Service {
    /// Gives a seat a new token, and revokes the old one.
    ///
    /// # Errors
    /// The caller's token does not allow it, or the seat is free.
    pub(crate) async fn renew_seat_token(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        seat: &str,
    ) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(IdempotentRequest::secret(call, body)?, id, |edit| {
            let token = change_seat_token(edit, call, seat)?;
            let answer = JoinedSeat { seat, token: token.reveal(), game: edit.view() };
            Ok(Reply::new(201, &answer)?.at_version(edit.game.version))
        })
        .await
    }

    /// Revokes the token of a seat. The seat stays taken, and no one can play it until its token is renewed.
    ///
    /// # Errors
    /// The caller's token does not allow it, or the seat is free.
    pub(crate) async fn revoke_seat_token(&self, call: &Call, id: &str, seat: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(None, id, |edit| {
            // A new token replaces the old one, but no answer shows the new token.
            change_seat_token(edit, call, seat)?;
            Ok(Reply::done(edit.game.version))
        })
        .await
    }

    /// Gives the owner a new token, and revokes the old one.
    ///
    /// # Errors
    /// The caller is not the owner.
    pub(crate) async fn renew_owner_token(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(IdempotentRequest::secret(call, body)?, id, |edit| {
            access::owner(&edit.game, call)?;
            check_seen(edit, call)?;
            let token = Token::of(GAME.word(), edit.id)?;
            let setup = edit.game.setup_mut();
            let old = std::mem::replace(&mut setup.owner, token.hash());
            setup.revoke(old);
            new_token(edit, &token)
        })
        .await
    }

    /// Creates a new invitation, and revokes the old one.
    ///
    /// # Errors
    /// The caller is not the owner, or the game is public.
    pub(crate) async fn renew_invitation(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(IdempotentRequest::secret(call, body)?, id, |edit| {
            access::owner(&edit.game, call)?;
            check_seen(edit, call)?;
            if !edit.game.setup.private {
                return Err(Problem::new(Code::NotPrivate, "everybody may see and join this game"));
            }
            let token = Token::of(GAME.word(), edit.id)?;
            let setup = edit.game.setup_mut();
            let old = setup.invitation.replace(token.hash());
            old.into_iter().for_each(|old| setup.revoke(old));
            new_token(edit, &token)
        })
        .await
    }
}

fn change_seat_token(edit: &mut Edit, call: &Call, seat: &str) -> Result<Token, Problem> {
    let role = access::member(&edit.game, call)?;
    edit.seat_mut(seat)?;
    access::owner_or_seat(&edit.game, call, seat)?;
    check_seen(edit, call)?;
    let token = Token::of(GAME.word(), edit.id)?;
    let game_seat = edit.seat_mut(seat)?;
    if game_seat.token.is_none() {
        return Err(Problem::new(Code::SeatsFree, detail!("nobody sits at `{seat}` with a token of their own", seat)));
    }
    let old = game_seat.token.replace(token.hash());
    old.into_iter().for_each(|old| edit.game.setup_mut().revoke(old));
    if let access::Role::Seat(own) = role {
        edit.note_address(&own, call.caller);
    }
    let changed = edit.player(seat)?;
    edit.add(Event::of_seat(EventKind::TokenChanged, changed));
    Ok(token)
}

fn new_token(edit: &mut Edit, token: &Token) -> Result<Reply, Problem> {
    edit.add(Event::of_game(EventKind::TokenChanged));
    let answer = NewToken { token: token.reveal(), game: edit.view() };
    Ok(Reply::new(201, &answer)?.at_version(edit.game.version))
}
