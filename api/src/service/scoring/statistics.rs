//! The statistics of a player: what the player has reached in competitive games.

use crate::error::Problem;
use crate::model::statistics::PlayerStatistics;
use crate::player::stored::{Player, not_found};
use crate::player::{entity, view};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::players::access::player_id;
use crate::service::reply::Reply;

impl Service {
    /// Reads the statistics of a player.
    ///
    /// # Errors
    /// The player does not exist.
    pub(crate) async fn read_player_statistics(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        call.check()?;
        let id = player_id(id)?;
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let player = Player::read(&stored.snapshot)?;
        let statistics: PlayerStatistics<'_> = view::statistics(id, &player, &self.scoring.awards);
        Reply::ok(&statistics)
    }
}
