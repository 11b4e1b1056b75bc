//! Wakes those who wait for a game's next event.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use crate::store::GameId;

/// Who waits for which game. A game without anyone waiting takes no room.
#[derive(Debug, Default)]
pub struct Waiters {
    games: Mutex<HashMap<GameId, watch::Sender<u64>>>,
}

impl Waiters {
    /// Starts to listen; hears every number of events told from now on.
    pub fn listen(&self, game: GameId) -> watch::Receiver<u64> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|id, sender| *id == game || sender.receiver_count() > 0);
        games.entry(game).or_insert_with(|| watch::channel(0).0).subscribe()
    }

    /// Whether anybody waits for a game.
    pub fn has(&self, game: GameId) -> bool {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.get(&game).is_some_and(|sender| sender.receiver_count() > 0)
    }

    /// Tells how many events the game has now.
    pub fn tell(&self, game: GameId, events: u64) {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = games.get(&game) {
            sender.send_replace(events);
        }
    }
}
