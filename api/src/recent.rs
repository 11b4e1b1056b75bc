//! What was used last, by game: as much as fits two generations.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::store::GameId;

/// Something of each game that was used last. When the younger generation is full, the older one is forgotten.
pub struct Recent<T, const GENERATION: usize>(Mutex<Generations<T>>);

struct Generations<T> {
    younger: HashMap<GameId, T>,
    older: HashMap<GameId, T>,
}

impl<T, const GENERATION: usize> Default for Recent<T, GENERATION> {
    fn default() -> Self {
        Self(Mutex::new(Generations { younger: HashMap::new(), older: HashMap::new() }))
    }
}

impl<T: Clone, const GENERATION: usize> Recent<T, GENERATION> {
    /// What is kept of a game.
    pub fn get(&self, id: GameId) -> Option<T> {
        self.lock().get(id).cloned()
    }

    /// Keeps something.
    pub fn keep(&self, id: GameId, new: T) {
        self.keep_unless(id, new, |_| false);
    }

    /// Keeps something, unless that is refused for the sake of what is held.
    pub fn keep_unless(&self, id: GameId, new: T, is_refused: impl FnOnce(&T) -> bool) {
        let mut generations = self.lock();
        if generations.get(id).is_some_and(is_refused) {
            return;
        }
        if generations.younger.len() >= GENERATION {
            generations.older = std::mem::take(&mut generations.younger);
        }
        generations.younger.insert(id, new);
    }

    /// Forgets a game.
    pub fn forget(&self, id: GameId) {
        let mut generations = self.lock();
        generations.younger.remove(&id);
        generations.older.remove(&id);
    }

    fn lock(&self) -> MutexGuard<'_, Generations<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Generations<T> {
    fn get(&self, id: GameId) -> Option<&T> {
        self.younger.get(&id).or_else(|| self.older.get(&id))
    }
}
