//! Tokens given out anew, and taken back.

use crate::error::{Code, Problem};
use crate::game::edit::Edit;
use crate::ground::token::Token;
use crate::model::event::EventView;
use crate::model::game::{JoinedSeat, NewToken};
use crate::service::call::Call;
use crate::service::once::Once;
use crate::service::reply::Reply;
use crate::service::{Service, access};

/// The event that tells that tokens have changed: whoever follows with one that is worth nothing now is sent away.
pub const CHANGED: &str = "token_changed";

impl Service {
    /// Gives a seat a new token; the old one is worth nothing from then on.
    ///
    /// # Errors
    /// The token does not allow it, or nobody sits there.
    pub async fn renew_seat_token(&self, call: &Call, body: &[u8], id: &str, seat: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(Once::of(call, body)?, id, |edit| {
            let token = edit.change_seat_token(call, seat)?;
            let answer = JoinedSeat { seat, token: token.reveal(), game: edit.view() };
            Ok(Reply::new(201, &answer)?.at_version(edit.game.version))
        })
        .await
    }

    /// Takes a seat's token back: the seat stays taken, and nobody plays it until it is given a new one.
    ///
    /// # Errors
    /// As [`Service::renew_seat_token`].
    pub async fn revoke_seat_token(&self, call: &Call, id: &str, seat: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(None, id, |edit| {
            // Nobody is told the new one.
            edit.change_seat_token(call, seat)?;
            Ok(Reply::done(edit.game.version))
        })
        .await
    }

    /// Gives the owner a new token; the old one is worth nothing from then on.
    ///
    /// # Errors
    /// The caller is not the owner.
    pub async fn renew_owner_token(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(Once::of(call, body)?, id, |edit| {
            access::owner(&edit.game, call)?;
            edit.check_seen(call)?;
            let token = Token::new()?;
            edit.game.setup_mut().owner = token.hash();
            edit.new_token(&token)
        })
        .await
    }

    /// Makes a new invitation; the old one is worth nothing from then on.
    ///
    /// # Errors
    /// The caller is not the owner, or everybody may see the game.
    pub async fn renew_invitation(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(Once::of(call, body)?, id, |edit| {
            access::owner(&edit.game, call)?;
            edit.check_seen(call)?;
            if !edit.game.setup.private {
                return Err(Problem::new(Code::NotPrivate, "everybody may see and join this game"));
            }
            let token = Token::new()?;
            edit.game.setup_mut().invitation = Some(token.hash());
            edit.new_token(&token)
        })
        .await
    }
}

impl Edit {
    fn change_seat_token(&mut self, call: &Call, seat: &str) -> Result<Token, Problem> {
        access::member(&self.game, call)?;
        self.seat(seat)?;
        access::owner_or_seat(&self.game, call, seat)?;
        self.check_seen(call)?;
        let token = Token::new()?;
        let record = self.seat(seat)?;
        if record.token.is_none() {
            return Err(Problem::new(Code::SeatsFree, format!("nobody sits at `{seat}` with a token of their own")));
        }
        record.token = Some(token.hash());
        self.tell(EventView { event: CHANGED.to_owned(), seat: Some(seat.to_owned()), ..EventView::default() });
        Ok(token)
    }

    fn new_token(&mut self, token: &Token) -> Result<Reply, Problem> {
        self.tell(EventView { event: CHANGED.to_owned(), ..EventView::default() });
        let answer = NewToken { token: token.reveal(), game: self.view() };
        Ok(Reply::new(201, &answer)?.at_version(self.game.version))
    }
}
