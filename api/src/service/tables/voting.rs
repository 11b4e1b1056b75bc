//! Votes at a table.

use crate::error::Problem;
use crate::model::table::{CastVote, OpenVote};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::reply::Reply;
use crate::service::tables::access::{player, table_id};
use crate::table::vote::Question;

impl Service {
    /// Opens a vote: to end the game in play, or to play the next one with the same players.
    ///
    /// # Errors
    /// The caller may not vote on this, a vote is open, there is nothing to vote on, or the next game could not be played
    /// by the players who sit at the table.
    pub(crate) async fn open_table_vote(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &OpenVote,
    ) -> Result<Reply, Problem> {
        let player = player(call)?;
        let on = Question::from(wish.on);
        let can_begin = match on {
            Question::NextGame => self.check_next_game(table_id(id)?, player.id).await,
            Question::End => Ok(()),
        };
        self.change_table(call, body, id, |edit| {
            check_seen(edit, call)?;
            edit.open_vote(on, player.id)?;
            can_begin.clone()?;
            Ok(Reply::new(201, &edit.view())?.at_version(edit.table.version))
        })
        .await
    }

    /// Votes in the open vote of a table.
    ///
    /// # Errors
    /// The caller may not vote, or no vote is open.
    pub(crate) async fn cast_table_vote(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &CastVote,
    ) -> Result<Reply, Problem> {
        let player = player(call)?;
        self.change_table(call, body, id, |edit| {
            check_seen(edit, call)?;
            edit.vote(player.id, wish.agree)?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.table.version))
        })
        .await
    }
}
