//! Slots, which limit the streams, simulations or connections that one client has at a time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of slots that each client holds; a client without slots has no entry.
type SlotCounts = Arc<Mutex<HashMap<u128, u32>>>;

/// The slots of all clients for one purpose: streams, simulations or connections.
#[derive(Debug, Default)]
pub(super) struct Slots(SlotCounts);

/// A slot that a client holds. It is free again when this value is dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    client: u128,
    counts: SlotCounts,
}

impl Slots {
    /// Gives one more slot to a client; `None` if the client holds `most` slots already.
    pub(super) fn take(&self, client: u128, most: u32) -> Option<Slot> {
        let mut counts = lock(&self.0);
        let count = counts.entry(client).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Slot { client, counts: Arc::clone(&self.0) })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut counts = lock(&self.counts);
        let left = counts.get(&self.client).map_or(0, |count| count.saturating_sub(1));
        match left {
            0 => counts.remove(&self.client),
            left => counts.insert(self.client, left),
        };
    }
}

fn lock(counts: &SlotCounts) -> MutexGuard<'_, HashMap<u128, u32>> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_slot_is_free_again() {
        let slots = Slots::default();
        let (one, two) = (slots.take(7, 2), slots.take(7, 2));
        assert!(one.is_some() && two.is_some() && slots.take(7, 2).is_none() && slots.take(8, 1).is_some());
        drop(one);
        assert!(slots.take(7, 2).is_some());
        drop(two);
        assert!(lock(&slots.0).is_empty());
    }
}
