//! Wakes callers that wait for an entity's next event.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use super::id::EntityId;

/// The number of an entity's events; `None` if the callers have to read it from the store.
pub(super) type EventCount = Option<u64>;

/// The callers that wait for events, by entity. Entries without callers are removed when the next caller begins to
/// wait.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    entities: Mutex<HashMap<EntityId, watch::Sender<EventCount>>>,
}

impl Waiters {
    /// Registers a caller that waits for events. The receiver gets all later values of [`Waiters::wake`].
    pub(super) fn listen(&self, id: EntityId) -> watch::Receiver<EventCount> {
        let mut entities = self.entities.lock().unwrap_or_else(PoisonError::into_inner);
        entities.retain(|other, sender| *other == id || sender.receiver_count() > 0);
        entities.entry(id).or_insert_with(|| watch::channel(Some(0)).0).subscribe()
    }

    /// Tells whether any caller waits for events of an entity.
    pub(super) fn has(&self, id: EntityId) -> bool {
        let entities = self.entities.lock().unwrap_or_else(PoisonError::into_inner);
        entities.get(&id).is_some_and(|sender| sender.receiver_count() > 0)
    }

    /// Sends the number of an entity's events to the callers that wait for its events.
    pub(super) fn wake(&self, id: EntityId, events: EventCount) {
        let entities = self.entities.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = entities.get(&id) {
            sender.send_replace(events);
        }
    }
}
