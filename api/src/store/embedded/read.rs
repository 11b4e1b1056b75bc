//! Reads from the file, or from the cache of what was committed last.

use uuid::Uuid;

use super::Embedded;
use super::answers;
use super::layout::{EntityValue, unpack_deliveries};
use super::tables::{DELIVERIES, ENTITIES, EVENTS, PUBLISHED, TAGS, TEXTS, entity_of, unavailable};
use crate::ground::clock;
use crate::store::{EntityId, Key, Kind, StoreError, StoredAnswer, StoredEntity};

impl Embedded {
    /// The entity as last committed.
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

    /// Entities of a kind with a tag, newest first.
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

    /// Events after this one.
    pub(super) fn read_events(&self, id: EntityId, after: u64, limit: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        let events = self.file.read()?.open_table(EVENTS).map_err(unavailable)?;
        let name = &id.to_bytes();
        let range = events.range((name, after.saturating_add(1))..=(name, u64::MAX)).map_err(unavailable)?;
        range.take(limit).map(|entry| Ok(entry.map_err(unavailable)?.1.value().to_vec())).collect()
    }

    /// The stored answer under a key.
    pub(super) fn read_answer(&self, key: &Key) -> Result<Option<StoredAnswer>, StoreError> {
        answers::read(&self.file.read()?, key, clock::seconds())
    }

    /// Version and value of an entity's deliveries.
    pub(super) fn read_deliveries(&self, id: EntityId) -> Result<(u64, Vec<u8>), StoreError> {
        let deliveries = self.file.read()?.open_table(DELIVERIES).map_err(unavailable)?;
        let stored = deliveries.get(&id.to_bytes()).map_err(unavailable)?;
        Ok(unpack_deliveries(stored.as_ref().map(|stored| stored.value())))
    }

    /// The text of a digest.
    pub(super) fn read_text(&self, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let texts = self.file.read()?.open_table(TEXTS).map_err(unavailable)?;
        let text = texts.get(digest).map_err(unavailable)?;
        Ok(text.map(|text| text.value().to_vec()))
    }

    /// Names of published texts and their digests.
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
