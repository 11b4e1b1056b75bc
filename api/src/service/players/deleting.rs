//! Deletes players. A deleted player is not found from then on; `erasing.rs` erases the data that others can see.

use crate::error::Problem;
use crate::game::entity as entity_of_game;
use crate::game::stored::Game;
use crate::player::edit::PlayerEdit;
use crate::player::entity;
use crate::player::stored::Player;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::players::access::{own, player_id, token};
use crate::service::reply::Reply;
use crate::store::EntityId;

impl Service {
    /// Deletes a player. A moment later, the player is erased from games and groups.
    ///
    /// # Errors
    /// The caller is not the player.
    pub(crate) async fn delete_player(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        token(call)?;
        let id = entity(player_id(id)?);
        self.note_last_address(call, id).await?;
        let delete = |edit: &mut PlayerEdit| {
            own(&edit.player, call)?;
            check_seen(edit, call)?;
            edit.delete().map(|()| Reply::gone())
        };
        let reply = self.change(None, id, delete).await?;
        let service = self.clone();
        tokio::spawn(async move {
            if let Err(problem) = service.check_player(id).await {
                tracing::warn!(
                    entity = %id, %problem,
                    "data of a deleted player not erased, retrying at the next scheduled check"
                );
            }
        });
        Ok(reply)
    }

    /// Notes the address of the request that deletes a player at the tables of the player's competitive games, which
    /// compare the addresses of their players. The games end, or go on without the player, when the player is erased.
    async fn note_last_address(&self, call: &Call, id: EntityId) -> Result<(), Problem> {
        if call.player.as_ref().is_none_or(|player| player.id != id.id) {
            return Ok(());
        }
        let Some(stored) = self.store.entity(id).await? else { return Ok(()) };
        for stake in Player::read(&stored.snapshot)?.ledger.escrow {
            let Some(stored) = self.store.entity(entity_of_game(stake.game)).await? else { continue };
            if let Some(table) = Game::read(&stored.snapshot)?.setup.table {
                self.note_address_at(call, table).await?;
            }
        }
        Ok(())
    }
}
