//! Votes at a table.

use std::sync::OnceLock;

use crate::error::Problem;
use crate::model::table::{CastVote, OpenVote};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::reply::Reply;
use crate::service::tables::access::{player, table_id};
use crate::table::vote::VoteQuestion;

impl Service {
    /// Opens a vote: to end the game in play, or to play the next one with the same players.
    ///
    /// # Errors
    /// The caller may not vote on this, a vote is open, there is nothing to vote on, the next game could not be played
    /// by the players who sit at the table, or the caller has opened too many votes.
    pub(crate) async fn open_table_vote(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &OpenVote,
    ) -> Result<Reply, Problem> {
        let (player, table) = (player(call)?, table_id(id)?);
        // A player who has given up in the game may not vote. The table first learns from its game who has given up.
        self.settle_or_leave(table).await;
        let on = VoteQuestion::from(wish.on);
        let can_begin = match on {
            VoteQuestion::NextGame => self.check_next_game(table, player.id).await,
            VoteQuestion::End => Ok(()),
        };
        // Everybody at the table gets the news of a vote, so it counts like an invitation: once for each request, also
        // if the commit loop runs this closure several times.
        let counted = OnceLock::new();
        self.change_table(call, body, id, |edit| {
            check_seen(edit, call)?;
            edit.open_vote(on, player.id)?;
            can_begin.clone()?;
            counted.get_or_init(|| self.meter.invite(player.id)).clone()?;
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
        self.settle_or_leave(table_id(id)?).await;
        self.change_table(call, body, id, |edit| {
            check_seen(edit, call)?;
            edit.vote(player.id, wish.agree)?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.table.version))
        })
        .await
    }
}
