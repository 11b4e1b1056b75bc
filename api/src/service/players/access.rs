//! Access to players: finds the player of a token, and checks that a caller is the player.

use crate::error::{Code, Problem, detail};
use crate::ground::token::Token;
use crate::player::stored::{Player, not_found};
use crate::player::{PLAYER, PlayerId, entity};
use crate::service::Service;
use crate::service::call::{Call, CallPlayer};
use crate::service::entity::Entity;

impl Service {
    /// Returns the player whose token this is; `None` for any other token, and for one that was renewed.
    ///
    /// # Errors
    /// The store is not available.
    pub(crate) async fn player_of(&self, token: &Token) -> Result<Option<CallPlayer>, Problem> {
        let Some((_, id)) = token.entity().filter(|(kind, _)| *kind == PLAYER.word()) else { return Ok(None) };
        let Some(stored) = self.store.entity(entity(id)).await? else { return Ok(None) };
        let player = Player::read_any(&stored.snapshot)?;
        let is_own = player.token == token.hash() && !player.is_gone();
        Ok(is_own.then_some(CallPlayer { id, name: player.name, balance: player.ledger.balance }))
    }

    /// Reads a player for a caller who need not be the player. A caller whom the player has blocked gets the answer for
    /// a player who does not exist. A caller without a player's token cannot be blocked, and sees every player.
    ///
    /// # Errors
    /// 404 if the player does not exist, or has blocked the caller; 400 or 401 if a header or the token is not valid.
    pub(in crate::service) async fn seen_player(&self, call: &Call, id: PlayerId) -> Result<Player, Problem> {
        call.check()?;
        self.reachable_player(id, call.player.as_ref().map(|caller| caller.id)).await
    }

    /// Returns a player, unless the player has blocked the player `by`.
    ///
    /// # Errors
    /// 404 if the player does not exist, or has blocked the player `by`. Both cases have the same answer, so a blocked
    /// player finds out nothing.
    pub(in crate::service) async fn reachable_player(
        &self,
        id: PlayerId,
        by: Option<PlayerId>,
    ) -> Result<Player, Problem> {
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let player = Player::read(&stored.snapshot)?;
        if by.is_some_and(|by| player.circle.has_blocked(by)) { Err(not_found()) } else { Ok(player) }
    }
}

/// Checks that the caller is the player or the operator of the service. Any other player gets the answer for a player
/// who does not exist, so that blocked players cannot find out whether this one exists.
///
/// # Errors
/// 401 if the token is missing, was renewed, or is not that of a player; 404 if it is that of another player.
pub(in crate::service) fn own(player: &Player, call: &Call) -> Result<(), Problem> {
    token(call)?;
    let hash = call.token.as_ref().map(Token::hash);
    let is_own = Some(&player.token) == hash.as_ref();
    let is_revoked = call.token.as_ref().is_some_and(|token| player.revoked.contain(token));
    if call.is_admin || is_own {
        Ok(())
    } else if is_revoked {
        Err(Problem::new(Code::TokenRevoked, "the token was one of this player, and was renewed"))
    } else if call.player.is_some() {
        Err(not_found())
    } else {
        Err(Problem::new(Code::TokenUnknown, "the token was not given out for this player"))
    }
}

/// Makes the problem of the token of a guest whom a registered player has claimed.
pub(in crate::service) fn claimed() -> Problem {
    let detail = detail!("the guest was claimed by a registered player, whose tokens come from an issuer");
    Problem::new(Code::TokenRevoked, detail)
}

/// Checks that a command has a token. A command without a token is thus refused before the store is read.
///
/// # Errors
/// 401 if there is no token; 400 if another header is malformed.
pub(in crate::service) fn token(call: &Call) -> Result<(), Problem> {
    if call.token.is_none() {
        return Err(Problem::new(Code::TokenMissing, "this needs the token of the player"));
    }
    call.check()
}

/// Parses the id of a player in a path. Upper-case letters are allowed.
///
/// # Errors
/// 404 if the text is malformed, because no player has such an id.
pub(in crate::service) fn player_id(text: &str) -> Result<PlayerId, Problem> {
    Player::named(text).map(|entity| entity.id)
}
