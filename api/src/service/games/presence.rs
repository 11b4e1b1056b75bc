//! The presence of the seats of a game.

use crate::error::Problem;
use crate::follow::CombinedPresence;
use crate::game::entity;
use crate::game::stored::Game;
use crate::ground::clock;
use crate::model::presence::{Presence, SeatPresence};
use crate::service::Service;
use crate::service::access;
use crate::service::access::Role;
use crate::service::call::Call;
use crate::service::games::queries;

/// Returns the names of the seats that a role plays; none for a watcher.
pub(crate) fn seats_of<'a>(role: Option<&'a Role>, game: &'a Game) -> Vec<&'a str> {
    match role {
        Some(Role::Seat(seat)) => vec![seat],
        Some(Role::Owner) if game.setup.hot_seat => game.setup.seats.iter().map(|seat| seat.seat.as_str()).collect(),
        _ => Vec::new(),
    }
}

impl Service {
    /// Reads which seats follow a game, and when each was last seen.
    ///
    /// # Errors
    /// The game does not exist.
    pub(crate) async fn read_presence(&self, call: &Call, id: &str) -> Result<Presence, Problem> {
        let id = queries::game_id(id)?;
        let (stored, notes) = self.store.entity_and_notes(entity(id)).await?;
        let game = Game::read(&stored.ok_or_else(access::not_found)?.snapshot)?;
        access::may_see(&game, call)?;
        let now = clock::milliseconds();
        let CombinedPresence { streams, seen, .. } = self.presence.combine(entity(id), notes, now);
        let seats = game.setup.players().into_iter().map(|seat| {
            let connected = streams.seats.contains_key(&seat);
            let last = if connected { Some(now) } else { seen.get(&seat).copied() };
            SeatPresence { connected, last_seen: last.map(clock::at), seat }
        });
        Ok(Presence { seats: seats.collect(), watchers: streams.watchers })
    }
}
