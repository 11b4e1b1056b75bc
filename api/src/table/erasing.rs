//! Removes a deleted player from a table.

use crate::error::Problem;
use crate::ground::text::DELETED_PLAYER;
use crate::player::PlayerId;
use crate::table::edit::TableEdit;
use crate::table::vote::VoteResult;

impl TableEdit {
    /// Removes a deleted player from the seats, watchers, invitations, chat, vote and lists of games of the table. The
    /// player stays among the visitors until the events of the table no longer name the player.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn erase_player(&mut self, player: PlayerId) -> Result<(), Problem> {
        if self.table.seat_of(player).is_some() {
            self.leave(player)?;
            self.count_votes()?;
        }
        if let Some(vote) = &mut self.table.vote {
            vote.agreed.retain(|voter| *voter != player);
            if vote.by == player {
                self.close_vote(VoteResult::Dropped)?;
            }
        }
        self.stop_watching(player)?;
        self.end_invitation(player)?;
        let table = &mut self.table;
        table.chat.erase(player);
        table.notices.retain(|notice| notice.player != player);
        table.invitations.retain(|invitation| invitation.by != player);
        let current = table.current.iter_mut().flat_map(|current| &mut current.players);
        let past = table.past.iter_mut().flat_map(|past| past.players.iter_mut().map(|(game_player, _)| game_player));
        for game_player in current.chain(past).filter(|game_player| game_player.player == Some(player)) {
            (game_player.player, game_player.name) = (None, Some(DELETED_PLAYER.to_owned()));
        }
        if let Some(current) = &mut table.current {
            current.planned.setup.watchers.retain(|watcher| *watcher != player);
            for record in current.planned.setup.seats.iter_mut().filter(|record| record.player == Some(player)) {
                (record.player, record.name) = (None, Some(DELETED_PLAYER.to_owned()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::game::terms::PinnedRules;
    use crate::table::stored::{Table, TableSeat};
    use crate::table::tags::tag_of_named;
    use crate::table::vote::VoteQuestion;

    #[test]
    fn a_table_is_found_by_a_deleted_player_until_its_events_are_erased() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let rule_set = PinnedRules { id: "x".to_owned(), version: "1".to_owned(), digest: "d".to_owned() };
        let seats = ["red", "yellow"].map(|seat| TableSeat::free(seat.to_owned()));
        let mut edit = TableEdit::begin(Uuid::nil(), Table::new(None, rule_set, seats.into(), 0), 0);
        edit.table.settings.competitive = false;
        edit.sit("red", one, None).unwrap();
        edit.sit("yellow", other, None).unwrap();
        edit.open_vote(VoteQuestion::NextGame, one).unwrap();
        edit.erase_player(one).unwrap();
        assert_eq!((edit.table.vote.is_none(), edit.table.master), (true, Some(other)));
        assert!(edit.table.tags().contains(&tag_of_named(one)));
        edit.forget_visitors(&[one]);
        assert!(!edit.table.tags().contains(&tag_of_named(one)));
        assert!(edit.table.tags().contains(&tag_of_named(other)));
    }
}
