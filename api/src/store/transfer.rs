//! Copies of entities, for export and import, and the inventory of a store.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::commit::{Key, StoredAnswer};
use super::id::EntityId;

/// A complete copy of an entity, except for its notes, which may be lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityCopy {
    /// The name of the entity.
    pub id: EntityId,
    /// The version of the entity, from 1.
    pub version: u64,
    /// The time of the last change, in milliseconds since 1970.
    pub changed_at: u64,
    /// Whether the entity is closed: no events follow.
    pub is_closed: bool,
    /// The snapshot of the entity.
    pub snapshot: Bytes,
    /// The tags by which the entity is listed.
    pub tags: Vec<String>,
    /// All events of the entity, in order.
    pub events: Vec<Vec<u8>>,
    /// Version and value of the entity's deliveries. The version is 0 if there are none yet.
    pub deliveries: (u64, Vec<u8>),
    /// The deadlines of the entity's tasks, in the order of [`TaskKind::ALL`], in milliseconds since 1970.
    ///
    /// [`TaskKind::ALL`]: super::TaskKind::ALL
    pub deadlines: [Option<u64>; 2],
    /// Stored answers to requests that changed the entity.
    pub answers: Vec<CopiedAnswer>,
}

/// A copy of a stored answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedAnswer {
    /// The hash of the idempotency key.
    pub key: Key,
    /// The stored answer.
    pub answer: StoredAnswer,
    /// Whether the request created the entity.
    pub is_creation: bool,
}

/// The inventory of a store: all ids, keys and digests in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inventory {
    /// The names of all entities, sorted.
    pub entities: Vec<EntityId>,
    /// The hashes of the idempotency keys with stored answers, by the entity that the request changed.
    pub answers: BTreeMap<EntityId, Vec<Key>>,
    /// The hashes of the idempotency keys of requests that published texts.
    pub published_answers: Vec<Key>,
    /// The digests of all texts.
    pub texts: Vec<String>,
}

impl EntityCopy {
    /// Tells whether this copy continues the history of the other copy: it is of the same entity, at the same version
    /// or a later one, and begins with the same events.
    pub(crate) fn continues(&self, other: &Self) -> bool {
        let is_same = self.version > other.version || self.snapshot == other.snapshot;
        self.id == other.id && self.version >= other.version && is_same && self.events.starts_with(&other.events)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::store::Kind;

    #[test]
    fn an_entity_that_went_on_is_the_same_entity() {
        let id = EntityId::new(Kind::named("lamp"), Uuid::now_v7());
        let copy = |version: u64, events: &[&str]| EntityCopy {
            id,
            version,
            changed_at: 0,
            is_closed: false,
            snapshot: version.to_string().into(),
            tags: Vec::new(),
            events: events.iter().map(|event| event.as_bytes().to_vec()).collect(),
            deliveries: (0, Vec::new()),
            deadlines: [None; 2],
            answers: Vec::new(),
        };
        assert!(copy(2, &["a", "b"]).continues(&copy(2, &["a", "b"])));
        assert!(copy(3, &["a", "b", "c"]).continues(&copy(2, &["a", "b"])));
        assert!(!copy(2, &["a", "b"]).continues(&copy(3, &["a", "b", "c"])));
        assert!(!copy(3, &["a", "c", "c"]).continues(&copy(2, &["a", "b"])));
    }
}
