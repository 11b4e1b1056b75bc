//! Copies the notices of a table into the inboxes of players.

use crate::error::{Code, Problem};
use crate::player::edit::PlayerEdit;
use crate::player::entity as entity_of_player;
use crate::player::event::PlayerEventKind;
use crate::player::stored::Player;
use crate::service::Service;
use crate::service::reply::Reply;
use crate::table::notice::{Notice, NoticeKind};
use crate::table::stored::Table;
use crate::table::{TableId, entity};

/// The time after which a notice is no longer copied, in milliseconds. Usually it takes a moment, and after the death of
/// a process some minutes. A player who has notices of many tables no longer knows the oldest ones, and would get them
/// once more.
const LONGEST_WAIT: u64 = 86_400_000;

impl Service {
    /// Copies the notices of a table that their players do not have yet. A player who was deleted gets none.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn copy_notices(&self, id: TableId) -> Result<(), Problem> {
        let Some(stored) = self.store.entity(entity(id)).await? else { return Ok(()) };
        let since = self.store.now().saturating_sub(LONGEST_WAIT);
        for notice in Table::read(&stored.snapshot)?.notices.into_iter().filter(|notice| notice.at >= since) {
            match self.copy_notice(id, &notice).await {
                Err(problem) if problem.code != Code::PlayerNotFound => return Err(problem),
                _ => {}
            }
        }
        Ok(())
    }

    async fn copy_notice(&self, table: TableId, notice: &Notice) -> Result<(), Problem> {
        let id = entity_of_player(notice.player);
        let Some(stored) = self.store.entity(id).await? else { return Ok(()) };
        if Player::read(&stored.snapshot)?.has_been_told(table, notice.number) {
            return Ok(());
        }
        let kind = match notice.kind {
            NoticeKind::Invited => PlayerEventKind::TableInvited,
            NoticeKind::VoteOpened => PlayerEventKind::VoteDue,
        };
        let take =
            |edit: &mut PlayerEdit| edit.take_notice(table, notice.number, kind, notice.at).map(|()| Reply::default());
        self.change(None, id, take).await.map(drop)
    }
}
