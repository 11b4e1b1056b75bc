//! The players of a game whose inboxes have news.

use pagade_rules::play::HappeningKind;
use uuid::Uuid;

use crate::game::edit::Edit;
use crate::model::event_kind::EventKind;

impl Edit {
    /// Lists the players whose inboxes may get news of the command. The news are made only later, when the events are
    /// read for the inboxes. So the list may contain players without news, but must contain every player with news.
    pub(crate) fn players_with_news(&self) -> Vec<Uuid> {
        let mut told = self.moved.clone();
        for game_seat in &self.game.setup.seats {
            let Some(player) = game_seat.player.filter(|player| !told.contains(player)) else { continue };
            let has_news = self.events.iter().any(|numbered| match numbered.event.kind {
                EventKind::Started | EventKind::Agreed | EventKind::Play(HappeningKind::GameOver) => true,
                EventKind::Forfeited | EventKind::Play(HappeningKind::Turn) => {
                    numbered.event.seat.is_some_and(|seat| self.engine.seat_name(seat) == game_seat.seat)
                }
                _ => false,
            });
            if has_news {
                told.push(player);
            }
        }
        told
    }
}
