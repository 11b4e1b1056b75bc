//! A registered player claims a guest. The guest is not found from then on; `moving.rs` moves everything of the guest to
//! the player.

use crate::error::{Code, Problem, detail};
use crate::ground::token::Token;
use crate::model::player::ClaimGuest;
use crate::player::edit::PlayerEdit;
use crate::player::stored::{Player, not_found};
use crate::player::{PLAYER, entity, view};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::players::access::{claimed, own, player_id, token};
use crate::service::reply::Reply;

/// Maximum number of guests that a player may claim.
const MOST_CLAIMS: usize = 100;

impl Service {
    /// Claims a guest for a registered player. Does nothing if the player has claimed the guest before.
    ///
    /// # Errors
    /// The caller is not the player, the player is a guest, or the token is not that of a guest.
    pub(crate) async fn claim_guest(&self, call: &Call, id: &str, wish: &ClaimGuest) -> Result<Reply, Problem> {
        token(call)?;
        let id = player_id(id)?;
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let player = Player::read(&stored.snapshot)?;
        own(&player, call)?;
        if !player.is_registered || call.player.as_ref().map(|player| player.id) != Some(id) {
            return Err(Problem::new(Code::NotAllowed, "only a registered player claims guests"));
        }
        if call.if_match.is_some() {
            call.check_version(PLAYER, player.version)?;
        }
        let reply = Reply::ok(&view::player(id, &player))?.at_version(player.version);
        let sent = Token::sent(&wish.token);
        let wrong = || Problem::body("/token", detail!("it is not the token of a guest"));
        let guest =
            sent.entity().filter(|(kind, _)| *kind == PLAYER.word()).map(|(_, guest)| guest).ok_or_else(wrong)?;
        if player.claims.contains(&guest) {
            return Ok(reply);
        }
        if player.claims.len() >= MOST_CLAIMS {
            let detail = detail!("the player has claimed {most} guests", most = MOST_CLAIMS);
            return Err(Problem::new(Code::NotAllowed, detail));
        }
        let stored = self.store.entity(entity(guest)).await?.ok_or_else(wrong)?;
        let guest_player = Player::read_any(&stored.snapshot)?;
        if guest_player.token != sent.hash() || guest_player.is_registered || guest_player.is_deleted {
            return Err(wrong());
        }
        match guest_player.claimed_by {
            Some(claimed_by) if claimed_by != id => return Err(claimed()),
            Some(_) => {}
            None => {
                let claim = |edit: &mut PlayerEdit| {
                    if edit.player.token != sent.hash() {
                        return Err(wrong());
                    }
                    edit.claim_for(id)?;
                    Ok(Reply::default())
                };
                match self.change(None, entity(guest), claim).await {
                    Err(problem) if problem.code == Code::PlayerNotFound => return Err(wrong()),
                    Err(problem) => return Err(problem),
                    Ok(_) => {}
                }
            }
        }
        let service = self.clone();
        tokio::spawn(async move {
            if let Err(problem) = service.check_player(entity(guest)).await {
                tracing::warn!(
                    player = %guest, %problem,
                    "data of a guest not moved to the registered player, retrying at the next scheduled check"
                );
            }
        });
        Ok(reply)
    }
}
