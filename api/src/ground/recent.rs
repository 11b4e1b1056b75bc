//! A cache of bounded size that drops its oldest entries.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::fast::RandomState;

/// A cache that keeps at least the last `GENERATION` entries, and at most twice as many.
///
/// New entries go into the younger of two generations. When the younger generation is full, it becomes the older one,
/// and the entries of the former older generation are dropped. Reading an entry does not make it younger.
pub(crate) struct Recent<K, T, const GENERATION: usize>(Mutex<Generations<K, T>>);

struct Generations<K, T> {
    younger: HashMap<K, T, RandomState>,
    older: HashMap<K, T, RandomState>,
}

impl<K, T, const GENERATION: usize> Default for Recent<K, T, GENERATION> {
    fn default() -> Self {
        Self(Mutex::new(Generations { younger: HashMap::default(), older: HashMap::default() }))
    }
}

impl<K: Eq + Hash, T: Clone, const GENERATION: usize> Recent<K, T, GENERATION> {
    /// Returns a copy of the entry under a key.
    pub(crate) fn get(&self, key: &K) -> Option<T> {
        self.lock().get(key).cloned()
    }

    /// Adds or replaces an entry.
    pub(crate) fn keep(&self, key: K, new: T) {
        self.keep_unless(key, new, |_| false);
    }

    /// Adds or replaces the entry under a key. Does nothing if there is an entry and `is_refused` returns true for it.
    pub(crate) fn keep_unless(&self, key: K, new: T, is_refused: impl FnOnce(&T) -> bool) {
        let mut generations = self.lock();
        if generations.get(&key).is_some_and(is_refused) {
            return;
        }
        generations.insert::<GENERATION>(key, new);
    }

    /// Replaces the entry under a key by the result of `change`, which gets the present entry; `None` if there is none.
    /// No other thread reads or changes the entry meanwhile.
    pub(crate) fn change(&self, key: K, change: impl FnOnce(Option<T>) -> T) {
        let mut generations = self.lock();
        let present = generations.remove(&key);
        generations.insert::<GENERATION>(key, change(present));
    }

    /// Drops the entry under a key.
    pub(crate) fn forget(&self, key: &K) {
        self.lock().remove(key);
    }

    fn lock(&self) -> MutexGuard<'_, Generations<K, T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash, T> Generations<K, T> {
    fn get(&self, key: &K) -> Option<&T> {
        self.younger.get(key).or_else(|| self.older.get(key))
    }

    fn insert<const GENERATION: usize>(&mut self, key: K, new: T) {
        if self.younger.len() >= GENERATION {
            self.older = std::mem::take(&mut self.younger);
        }
        self.younger.insert(key, new);
    }

    fn remove(&mut self, key: &K) -> Option<T> {
        let older = self.older.remove(key);
        self.younger.remove(key).or(older)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_entries_stay_and_older_entries_go() {
        let recent = Recent::<u32, u32, 4>::default();
        (0..100).for_each(|key| recent.keep(key, key));
        let present = (0..100).filter(|key| recent.get(key).is_some()).collect::<Vec<_>>();
        assert!((4..=8).contains(&present.len()) && present.ends_with(&[96, 97, 98, 99]), "{present:?}");
        recent.keep_unless(99, 1, |present| *present > 1);
        assert_eq!(recent.get(&99), Some(99));
        recent.forget(&99);
        assert_eq!(recent.get(&99), None);
    }

    #[test]
    fn a_changed_entry_is_young_again() {
        let recent = Recent::<u32, u32, 4>::default();
        for key in 0..100 {
            recent.keep(key, key);
            recent.change(1000, |present| present.unwrap_or(0) + 1);
        }
        assert_eq!(recent.get(&1000), Some(100), "it was never dropped");
        let present = (0..100).filter(|key| recent.get(key).is_some()).count();
        assert!((3..=7).contains(&present), "{present}");
    }
}
