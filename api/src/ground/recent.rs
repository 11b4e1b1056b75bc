//! A cache of what was used last: as much as fits two generations.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Values by key. When the younger generation is full, the older one is forgotten.
pub struct Recent<K, T, const GENERATION: usize>(Mutex<Generations<K, T>>);

struct Generations<K, T> {
    younger: HashMap<K, T>,
    older: HashMap<K, T>,
}

impl<K, T, const GENERATION: usize> Default for Recent<K, T, GENERATION> {
    fn default() -> Self {
        Self(Mutex::new(Generations { younger: HashMap::new(), older: HashMap::new() }))
    }
}

impl<K: Copy + Eq + Hash, T: Clone, const GENERATION: usize> Recent<K, T, GENERATION> {
    /// What is kept of a game.
    pub fn get(&self, id: K) -> Option<T> {
        self.lock().get(id).cloned()
    }

    /// Keeps something.
    pub fn keep(&self, id: K, new: T) {
        self.keep_unless(id, new, |_| false);
    }

    /// Keeps something, unless that is refused for the sake of what is held.
    pub fn keep_unless(&self, id: K, new: T, is_refused: impl FnOnce(&T) -> bool) {
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
    pub fn forget(&self, id: K) {
        let mut generations = self.lock();
        generations.younger.remove(&id);
        generations.older.remove(&id);
    }

    fn lock(&self) -> MutexGuard<'_, Generations<K, T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash, T> Generations<K, T> {
    fn get(&self, id: K) -> Option<&T> {
        self.younger.get(&id).or_else(|| self.older.get(&id))
    }
}
