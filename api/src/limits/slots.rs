//! What a client holds: streams, connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Held = Arc<Mutex<HashMap<u128, u32>>>;

/// How many of a kind each client holds.
#[derive(Debug, Default)]
pub struct Slots(Held);

/// One of them, as long as this is there.
#[derive(Debug)]
pub struct Slot {
    client: u128,
    held: Held,
}

impl Slots {
    /// One more for a client; `None`: it has `most` already.
    pub fn take(&self, client: u128, most: u32) -> Option<Slot> {
        let mut held = lock(&self.0);
        let count = held.entry(client).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Slot { client, held: Arc::clone(&self.0) })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut held = lock(&self.held);
        let left = held.get(&self.client).map_or(0, |count| count.saturating_sub(1));
        match left {
            0 => held.remove(&self.client),
            left => held.insert(self.client, left),
        };
    }
}

fn lock(held: &Held) -> MutexGuard<'_, HashMap<u128, u32>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_free_again_when_it_is_given_back() {
        let slots = Slots::default();
        let (one, two) = (slots.take(7, 2), slots.take(7, 2));
        assert!(one.is_some() && two.is_some() && slots.take(7, 2).is_none() && slots.take(8, 1).is_some());
        drop(one);
        assert!(slots.take(7, 2).is_some());
        drop(two);
        assert!(lock(&slots.0).is_empty());
    }
}
