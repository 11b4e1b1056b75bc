//! The games that this process saw last: copies to try commands on.
//!
//! Nothing rests on them: a commit compares versions where the game lies.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::layout::Record;
use crate::store::GameId;

/// Games of a generation; two are kept: some 6 MB at 1 KB a game.
const GENERATION: usize = 2048;

/// Games by id, the younger half and the older half.
#[derive(Default)]
pub struct Recent {
    halves: Mutex<(Games, Games)>,
}

type Games = HashMap<GameId, Arc<Record>>;

impl Recent {
    /// The copy of a game.
    pub fn get(&self, id: GameId) -> Option<Arc<Record>> {
        let halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        halves.0.get(&id).or_else(|| halves.1.get(&id)).cloned()
    }

    /// Keeps a copy, unless a newer one is there. When the younger half is full the older one is forgotten.
    pub fn keep(&self, record: Arc<Record>) {
        let id = record.game.id;
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        let held = halves.0.get(&id).or_else(|| halves.1.get(&id));
        if held.is_some_and(|held| held.game.version > record.game.version) {
            return;
        }
        if halves.0.len() >= GENERATION {
            halves.1 = std::mem::take(&mut halves.0);
        }
        halves.0.insert(id, record);
    }

    /// Forgets a game: the copy turned out to be of another life of the store.
    pub fn forget(&self, id: GameId) {
        let mut halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
        halves.0.remove(&id);
        halves.1.remove(&id);
    }
}
