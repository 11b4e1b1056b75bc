//! Copies of entities, for export and import, and the inventory of a store.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::commit::{Key, StoredAnswer};
use super::id::EntityId;

/// A complete copy of an entity, except for its notes, which may be lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityCopy {
    /// Which entity.
    pub id: EntityId,
    /// Its version, from 1.
    pub version: u64,
    /// When it last changed, in milliseconds since 1970.
    pub changed_at: u64,
    /// Whether it is over: no events follow.
    pub is_closed: bool,
    /// Its last snapshot.
    pub snapshot: Bytes,
    /// The tags by which the entity is listed.
    pub tags: Vec<String>,
    /// Its events.
    pub events: Vec<Vec<u8>>,
    /// Version and value of its deliveries; version 0: nothing was written yet.
    pub deliveries: (u64, Vec<u8>),
    /// The deadlines of its tasks, in the order of [`Duty::ALL`], in milliseconds since 1970.
    ///
    /// [`Duty::ALL`]: super::Duty::ALL
    pub deadlines: [Option<u64>; 2],
    /// Stored answers to requests that changed it.
    pub answers: Vec<CopiedAnswer>,
}

/// A copy of a stored answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedAnswer {
    /// The idempotency key.
    pub key: Key,
    /// The answer.
    pub answer: StoredAnswer,
    /// The request created the entity.
    pub is_creation: bool,
}

/// The inventory of a store: all ids, keys and digests in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inventory {
    /// All entities, sorted.
    pub entities: Vec<EntityId>,
    /// Keys of stored answers, by entity.
    pub answers: BTreeMap<EntityId, Vec<Key>>,
    /// Keys of stored answers about published texts.
    pub published_answers: Vec<Key>,
    /// Digests of texts.
    pub texts: Vec<String>,
}

impl EntityCopy {
    /// Whether this copy continues the history of the other copy: the same entity, at the same version or a later one.
    pub fn continues(&self, other: &Self) -> bool {
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
