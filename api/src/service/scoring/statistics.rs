//! The statistics of a player: the results of the player in competitive games.

use crate::error::Problem;
use crate::model::statistics::PlayerStatistics;
use crate::player::view;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::players::access::player_id;
use crate::service::reply::Reply;

impl Service {
    /// Reads the statistics of a player.
    ///
    /// # Errors
    /// The player does not exist, or has blocked the caller.
    pub(crate) async fn read_player_statistics(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        let id = player_id(id)?;
        let player = self.seen_player(call, id).await?;
        let statistics: PlayerStatistics<'_> = view::statistics(id, &player, &self.scoring.awards);
        Reply::ok(&statistics)
    }
}
