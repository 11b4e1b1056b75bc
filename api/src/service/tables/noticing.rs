//! Copies the notices of a table into the inboxes of players.

use crate::error::{Code, Problem};
use crate::model::event_kind::PlayerEventKind;
use crate::player::edit::PlayerEdit;
use crate::player::entity as entity_of_player;
use crate::player::stored::Player;
use crate::service::Service;
use crate::service::reply::Reply;
use crate::service::webhooks::progress::Deliveries;
use crate::store::StoreError;
use crate::table::notice::{Notice, NoticeKind};
use crate::table::stored::Table;
use crate::table::{TableId, entity};

/// Maximum number of attempts to note which notices were copied. An attempt fails if the deliveries have changed.
const NOTE_TRIES: usize = 8;

impl Service {
    /// Copies the notices of a table that were not copied yet, and stores the number of the last one. A player who was
    /// deleted gets none. The notice of a claimed guest waits until the table names the registered player instead.
    ///
    /// If the process dies before it stores the number, the notices are copied again. That has no effect, because a
    /// player stores the number of the last notice of each of many tables.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn copy_notices(&self, id: TableId) -> Result<(), Problem> {
        let (stored, (_, bytes)) = self.store.entity_and_deliveries(entity(id)).await?;
        let Some(stored) = stored else { return Ok(()) };
        let before = Deliveries::read(&bytes)?.notices;
        let (mut copied, mut waits) = (before, false);
        for notice in Table::read(&stored.snapshot)?.notices.iter().filter(|notice| notice.number > before) {
            waits |= !self.copy_notice(id, notice).await?;
            copied = if waits { copied } else { notice.number };
        }
        if copied > before { self.note_copied(id, copied).await } else { Ok(()) }
    }

    /// Copies a notice into the inbox of its player, unless it is there or the player does not exist. Returns `false`
    /// if the notice has to be copied again later: its player is a guest who is being claimed, or was deleted at this
    /// moment.
    async fn copy_notice(&self, table: TableId, notice: &Notice) -> Result<bool, Problem> {
        let id = entity_of_player(notice.player);
        let Some(stored) = self.store.entity(id).await? else { return Ok(true) };
        let player = Player::read_any(&stored.snapshot)?;
        if player.is_gone() || player.has_been_told(table, notice.number) {
            return Ok(player.claimed_by.is_none());
        }
        let kind = match notice.kind {
            NoticeKind::Invited => PlayerEventKind::TableInvited,
            NoticeKind::VoteOpened => PlayerEventKind::VoteDue,
        };
        let take =
            |edit: &mut PlayerEdit| edit.take_notice(table, notice.number, kind, notice.at).map(|()| Reply::default());
        match self.change(None, id, take).await {
            // The player was deleted or claimed at the same moment.
            Err(problem) if problem.code == Code::PlayerNotFound => Ok(false),
            told => told.map(|_| true),
        }
    }

    async fn note_copied(&self, id: TableId, number: u64) -> Result<(), Problem> {
        for _ in 0..NOTE_TRIES {
            let (stored, (version, bytes)) = self.store.entity_and_deliveries(entity(id)).await?;
            let mut deliveries = Deliveries::read(&bytes)?;
            if stored.is_none() || deliveries.notices >= number {
                break;
            }
            deliveries.notices = number;
            match self.write_deliveries(entity(id), version, &deliveries).await {
                Err(StoreError::Conflict(_)) => {}
                written => return Ok(written?),
            }
        }
        Ok(())
    }
}
