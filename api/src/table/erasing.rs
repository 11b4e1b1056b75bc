//! Removes a deleted player from a table.

use crate::error::Problem;
use crate::game::erasing::DELETED_PLAYER;
use crate::player::PlayerId;
use crate::table::edit::TableEdit;

impl TableEdit {
    /// Removes a deleted player from the seats, watchers, invitations, chat and lists of games of the table.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn erase_player(&mut self, player: PlayerId) -> Result<(), Problem> {
        if self.table.seat_of(player).is_some() {
            self.leave(player)?;
            self.count_votes()?;
        }
        self.stop_watching(player)?;
        self.end_invitation(player)?;
        let table = &mut self.table;
        table.chat.erase(player);
        table.notices.retain(|notice| notice.player != player);
        table.invitations.retain(|invitation| invitation.by != player);
        let current = table.current.iter_mut().flat_map(|current| &mut current.players);
        let past = table.past.iter_mut().flat_map(|past| past.players.iter_mut().map(|(known, _)| known));
        for known in current.chain(past).filter(|known| known.player == Some(player)) {
            (known.player, known.name) = (None, Some(DELETED_PLAYER.to_owned()));
        }
        if let Some(current) = &mut table.current {
            for record in current.planned.setup.seats.iter_mut().filter(|record| record.player == Some(player)) {
                (record.player, record.name) = (None, Some(DELETED_PLAYER.to_owned()));
            }
        }
        Ok(())
    }
}
