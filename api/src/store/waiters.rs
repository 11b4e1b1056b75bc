//! Wakes callers that wait for an entity's next event.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use super::id::EntityId;

/// The callers that wait, by entity. An entity that nobody waits for takes no room.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    entities: Mutex<HashMap<EntityId, watch::Sender<u64>>>,
}

impl Waiters {
    /// Registers a waiter, which receives every number of events that [`Waiters::wake`] is called with from now on.
    pub(super) fn listen(&self, id: EntityId) -> watch::Receiver<u64> {
        let mut entities = self.entities.lock().unwrap_or_else(PoisonError::into_inner);
        entities.retain(|other, sender| *other == id || sender.receiver_count() > 0);
        entities.entry(id).or_insert_with(|| watch::channel(0).0).subscribe()
    }

    /// Whether anybody waits for an entity.
    pub(super) fn has(&self, id: EntityId) -> bool {
        let entities = self.entities.lock().unwrap_or_else(PoisonError::into_inner);
        entities.get(&id).is_some_and(|sender| sender.receiver_count() > 0)
    }

    /// Sends the number of events of an entity to its waiters.
    pub(super) fn wake(&self, id: EntityId, events: u64) {
        let entities = self.entities.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = entities.get(&id) {
            sender.send_replace(events);
        }
    }
}
