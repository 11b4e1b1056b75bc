//! Reads from the file. Entities that were committed recently are read from a cache instead.

use uuid::Uuid;

use super::Embedded;
use super::answers;
use super::layout::{EntityValue, unpack_deliveries};
use super::tables::{DELIVERIES, ENTITIES, EVENTS, PUBLISHED, TAGS, TEXTS, entity_of, unavailable};
use crate::ground::clock;
use crate::store::{EntityId, Key, Kind, StoreError, StoredAnswer, StoredEntity};

impl Embedded {
    /// Returns the entity as it was last committed.
    pub(super) fn read_entity(&self, id: EntityId) -> Result<Option<StoredEntity>, StoreError> {
        if let Some(entity) = self.observers.cache.get(&id) {
            return Ok(Some(entity));
        }
        let entities = self.file.read()?.open_table(ENTITIES).map_err(unavailable)?;
        match entities.get(&id.to_bytes()).map_err(unavailable)? {
            None => Ok(None),
            Some(stored) => Ok(Some(EntityValue::read(id, stored.value())?.to_entity(id))),
        }
    }

    /// Returns entities of a kind that have a tag, newest first, at most `limit`. All of them are older than `before`.
    pub(super) fn read_list(
        &self,
        kind: Kind,
        tag: &str,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<StoredEntity>, StoreError> {
        let tags = self.file.read()?.open_table(TAGS).map_err(unavailable)?;
        let first = EntityId::new(kind, Uuid::nil()).to_bytes();
        let end = EntityId::new(kind, before.unwrap_or(Uuid::max())).to_bytes();
        let range = tags.range((tag, &first)..(tag, &end)).map_err(unavailable)?;
        let mut entities = Vec::new();
        for entry in range.rev().take(limit) {
            let (key, _) = entry.map_err(unavailable)?;
            entities.extend(self.read_entity(entity_of(key.value().1)?)?);
        }
        Ok(entities)
    }

    /// Returns the events of an entity with numbers above `after`, at most `limit`.
    pub(super) fn read_events(&self, id: EntityId, after: u64, limit: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        let events = self.file.read()?.open_table(EVENTS).map_err(unavailable)?;
        let name = &id.to_bytes();
        let range = events.range((name, after.saturating_add(1))..=(name, u64::MAX)).map_err(unavailable)?;
        range.take(limit).map(|entry| self.phrases.unpack(entry.map_err(unavailable)?.1.value())).collect()
    }

    /// Returns the stored answer of an idempotency key, unless it has expired.
    pub(super) fn read_answer(&self, key: &Key) -> Result<Option<StoredAnswer>, StoreError> {
        answers::read(&self.file.read()?, key, clock::seconds())
    }

    /// Returns version and value of an entity's deliveries; version 0 if there are none.
    pub(super) fn read_deliveries(&self, id: EntityId) -> Result<(u64, Vec<u8>), StoreError> {
        let deliveries = self.file.read()?.open_table(DELIVERIES).map_err(unavailable)?;
        let stored = deliveries.get(&id.to_bytes()).map_err(unavailable)?;
        Ok(unpack_deliveries(stored.as_ref().map(|stored| stored.value())))
    }

    pub(super) fn read_text(&self, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let texts = self.file.read()?.open_table(TEXTS).map_err(unavailable)?;
        let text = texts.get(digest).map_err(unavailable)?;
        Ok(text.map(|text| text.value().to_vec()))
    }

    /// Returns the names of published texts with their digests.
    pub(super) fn read_published(&self) -> Result<Vec<(String, String)>, StoreError> {
        let published = self.file.read()?.open_table(PUBLISHED).map_err(unavailable)?;
        let entries = published.range::<&str>(..).map_err(unavailable)?;
        let names = entries.map(|entry| {
            let (name, digest) = entry.map_err(unavailable)?;
            Ok((name.value().to_owned(), digest.value().to_owned()))
        });
        names.collect()
    }
}
