//! Creates players, reads their profiles, and changes their names and tokens.

use crate::error::{Code, Problem, detail, readable_name};
use crate::ground::token::Token;
use crate::model::event_kind::PlayerEventKind;
use crate::model::player::{ChangePlayer, CreatePlayer, PlayerToken};
use crate::player::edit::PlayerEdit;
use crate::player::stored::Player;
use crate::player::{PLAYER, entity, view};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::players::access::{own, player_id, token};
use crate::service::reply::Reply;

impl Service {
    /// Creates a player.
    ///
    /// # Errors
    /// The name cannot be shown to people.
    pub(crate) async fn create_player(&self, call: &Call, body: &[u8], wish: &CreatePlayer) -> Result<Reply, Problem> {
        let name = checked_name(wish.name.as_deref())?;
        self.create(IdempotentRequest::secret(call, body)?, async |id| {
            let (token, now) = (Token::of(PLAYER.word(), id)?, self.store.now());
            let mut edit = PlayerEdit::begin(id, Player::new(name.clone(), token.hash(), now), now);
            edit.add(PlayerEventKind::Created)?;
            let answer = PlayerToken { token: token.reveal(), player: edit.view() };
            let reply = Reply::new(201, &answer)?.at_version(edit.player.version);
            Ok((edit, None, reply.at_location(format!("/v1/players/{id}"))))
        })
        .await
    }

    /// Reads the public profile of a player.
    ///
    /// # Errors
    /// The player does not exist, or has blocked the caller.
    pub(crate) async fn read_player(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        let id = player_id(id)?;
        Reply::ok(&view::profile(id, &self.seen_player(call, id).await?))
    }

    /// Changes the name of a player.
    ///
    /// # Errors
    /// The caller is not the player, or the name cannot be shown to people.
    pub(crate) async fn change_player(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &ChangePlayer,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let name = checked_name(Some(&wish.name))?;
        self.change(IdempotentRequest::of(call, body)?, entity(player_id(id)?), |edit: &mut PlayerEdit| {
            own(&edit.player, call)?;
            check_seen(edit, call)?;
            edit.player.name.clone_from(&name);
            edit.add(PlayerEventKind::Changed)?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.player.version))
        })
        .await
    }

    /// Gives a player a new token, and revokes the old one.
    ///
    /// # Errors
    /// The caller is not the player, or the player is registered.
    pub(crate) async fn renew_player_token(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        token(call)?;
        self.change(IdempotentRequest::secret(call, body)?, entity(player_id(id)?), |edit: &mut PlayerEdit| {
            own(&edit.player, call)?;
            check_seen(edit, call)?;
            if edit.player.is_registered {
                let detail =
                    detail!("the player signs in with tokens of an issuer, and only the issuer can renew them");
                return Err(Problem::new(Code::NotAllowed, detail));
            }
            let token = Token::of(PLAYER.word(), edit.id)?;
            edit.player.renew(token.hash());
            edit.add(PlayerEventKind::TokenChanged)?;
            let answer = PlayerToken { token: token.reveal(), player: edit.view() };
            Ok(Reply::new(201, &answer)?.at_version(edit.player.version))
        })
        .await
    }
}

/// Returns a name in its normal form.
fn checked_name(name: Option<&str>) -> Result<Option<String>, Problem> {
    let mut mistakes = Vec::new();
    let name = readable_name("/name", name, &mut mistakes);
    if mistakes.is_empty() { Ok(name) } else { Err(Problem::several(Code::BodyInvalid, mistakes)) }
}
