//! Moves a seat from a guest to the registered player who has claimed the guest.

use uuid::Uuid;

use crate::error::Problem;
use crate::game::edit::Edit;
use crate::game::event::Event;

impl Edit {
    /// Gives the seat of a guest to a registered player, under the same name. Does nothing if the guest has no seat. If
    /// the player sits in the game already, the guest is taken out of it, because nobody has two seats.
    ///
    /// # Errors
    /// The operating system has no random bytes, or a turn cannot be played.
    pub(crate) fn move_player(&mut self, guest: Uuid, player: Uuid) -> Result<(), Problem> {
        for watcher in &mut self.game.setup_mut().watchers {
            if *watcher == guest {
                *watcher = player;
            }
        }
        let seats = &self.game.setup.seats;
        let Some(own) = seats.iter().find(|game_seat| game_seat.player == Some(guest)) else { return Ok(()) };
        let name = own.seat.clone();
        if seats.iter().any(|game_seat| game_seat.player == Some(player)) {
            return self.erase_player(guest);
        }
        let seat = self.player(&name)?;
        self.seat_mut(&name)?.player = Some(player);
        self.moved.push(player);
        let ranked = self.ranked();
        self.add(Event::of_claim(seat, player));
        self.conclude(&ranked);
        Ok(())
    }
}
