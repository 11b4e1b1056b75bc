//! Moves the place of a guest at a table to the registered player who has claimed the guest.

use crate::error::Problem;
use crate::ground::text::DELETED_PLAYER;
use crate::model::event_kind::TableEventKind;
use crate::player::PlayerId;
use crate::table::edit::TableEdit;
use crate::table::event::TableEventFields;

impl TableEdit {
    /// Replaces a guest by a registered player wherever the table names the guest. If the player sits at the table
    /// already, the guest leaves.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn move_player(&mut self, guest: PlayerId, player: PlayerId) -> Result<(), Problem> {
        if self.table.seat_of(guest).is_some() && self.table.seat_of(player).is_some() {
            self.leave(guest)?;
            self.count_votes()?;
        }
        let put = |id: &mut PlayerId| {
            if *id == guest {
                *id = player;
            }
        };
        let table = &mut self.table;
        // Nobody both sits and watches, or watches twice.
        let guest_sits = table.seat_of(guest).is_some();
        let is_here = table.seat_of(player).is_some() || table.is_watched_by(player);
        table
            .watchers
            .retain(|watcher| (watcher.player != guest || !is_here) && (watcher.player != player || !guest_sits));
        let seats = table.seats.iter_mut().filter_map(|seat| seat.sitter.as_mut());
        seats.for_each(|sitter| put(&mut sitter.player));
        table.watchers.iter_mut().for_each(|watcher| put(&mut watcher.player));
        table.master.iter_mut().for_each(put);
        for invitation in &mut table.invitations {
            put(&mut invitation.player);
            put(&mut invitation.by);
        }
        let mut invited = Vec::new();
        table.invitations.retain(|invitation| {
            let is_first = !invited.contains(&invitation.player);
            invited.push(invitation.player);
            is_first
        });
        for line in &mut table.chat.lines {
            put(&mut line.player);
            line.reported_by.iter_mut().for_each(put);
        }
        table.chat.muted.iter_mut().for_each(put);
        table.notices.iter_mut().for_each(|notice| put(&mut notice.player));
        // The events still name the guest. The player who has claimed the guest is a visitor, so the events are found
        // when the player is deleted.
        let is_known = table.visitors.contains(&player);
        table.visitors.retain(|visitor| *visitor != guest || !is_known);
        table.visitors.iter_mut().for_each(put);
        if let Some(vote) = &mut table.vote {
            put(&mut vote.by);
            vote.agreed.iter_mut().for_each(put);
        }
        if let Some(current) = &mut table.current {
            // In the game in play, the guest may have another seat than the player. The game then erases the guest.
            let has_seat = current.players.iter().any(|game_player| game_player.player == Some(player));
            let moved = |name: &mut Option<String>| {
                if has_seat {
                    *name = Some(DELETED_PLAYER.to_owned());
                }
                (!has_seat).then_some(player)
            };
            for game_player in current.players.iter_mut().filter(|player| player.player == Some(guest)) {
                game_player.player = moved(&mut game_player.name);
            }
            for record in current.planned.setup.seats.iter_mut().filter(|record| record.player == Some(guest)) {
                record.player = moved(&mut record.name);
            }
            current.planned.setup.watchers.iter_mut().for_each(put);
        }
        let past = table.past.iter_mut().flat_map(|past| past.players.iter_mut().map(|(game_player, _)| game_player));
        past.filter_map(|game_player| game_player.player.as_mut()).for_each(put);
        let seat = self.table.seat_of(player).map(str::to_owned);
        let fields = TableEventFields { seat, player: Some(player), ..TableEventFields::default() };
        self.add(TableEventKind::PlayerClaimed, fields)
    }
}
