//! Reads entities, and keeps the last ones in a cache.

use std::sync::Arc;

use redis::{Pipeline, Value};

use super::record::Record;
use super::{Redis, read_as};
use crate::store::{AnswerOwner, EntityAnd, EntityId, Key, StoreError, StoredAnswer, StoredEntity, StoredNote};

/// Attempts to read an entity that changes while it is read.
const TRIES: usize = 10;

impl Redis {
    /// The entity as it is in Redis.
    pub(super) async fn record(&self, id: EntityId) -> Result<Option<Arc<Record>>, StoreError> {
        self.take(id, self.client.one(redis::cmd("GET").arg(self.keys.entity(id))).await?)
    }

    /// Decodes the value of an entity that was read, and caches it.
    fn take(&self, id: EntityId, value: Value) -> Result<Option<Arc<Record>>, StoreError> {
        let Value::BulkString(bytes) = value else {
            self.cache.forget(&id);
            return Ok(None);
        };
        if let Some(cached) = self.cache.get(&id).filter(|cached| cached.is_in(&bytes)) {
            return Ok(Some(cached));
        }
        let record = Arc::new(Record::read(id, bytes)?);
        self.keep(Arc::clone(&record));
        Ok(Some(record))
    }

    /// Caches an entity, unless a newer version is cached.
    pub(super) fn keep(&self, record: Arc<Record>) {
        let version = record.entity.version;
        self.cache.keep_unless(record.entity.id, record, |cached| cached.entity.version > version);
    }

    /// The entity, once enough replicas have it.
    pub(super) async fn read_entity(&self, id: EntityId) -> Result<Option<StoredEntity>, StoreError> {
        for _ in 0..TRIES {
            let Some(record) = self.record(id).await? else { return Ok(None) };
            if self.may_be_shown(&record).await? {
                return Ok(Some(record.entity.clone()));
            }
        }
        Err(changing())
    }

    /// The entity and its events after number `after`, once enough Redis replicas have them. Takes one round trip,
    /// besides the check of the replicas.
    pub(super) async fn read_events(
        &self,
        id: EntityId,
        after: u64,
        limit: usize,
    ) -> Result<EntityAnd<Vec<Vec<u8>>>, StoreError> {
        let first = i64::try_from(after).unwrap_or(i64::MAX);
        let last = i64::try_from(after.saturating_add(limit as u64)).unwrap_or(i64::MAX) - 1;
        let mut both = redis::pipe();
        both.cmd("GET").arg(self.keys.entity(id)).cmd("LRANGE").arg(self.keys.events(id)).arg(first).arg(last);
        for _ in 0..TRIES {
            let (record, events) = self.read_both(id, &both).await?;
            let is_shown = match &record {
                Some(record) => self.may_be_shown(record).await?,
                None => true,
            };
            if is_shown {
                return Ok((record.map(|record| record.entity.clone()), read_as(events)?));
            }
        }
        Err(changing())
    }

    /// The entity, and the stored answer to a request that changed it.
    pub(super) async fn read_entity_and_answer(
        &self,
        id: EntityId,
        key: &Key,
    ) -> Result<EntityAnd<Option<StoredAnswer>>, StoreError> {
        let name = self.keys.answer(AnswerOwner::Entity(id), key);
        let mut both = redis::pipe();
        both.cmd("GET").arg(self.keys.entity(id)).cmd("GET").arg(&name);
        let (record, answer) = self.read_both(id, &both).await?;
        let answer = self.confirmed_answer(name, answer).await?;
        Ok((record.map(|record| record.entity.clone()), answer))
    }

    /// The entity and its notes.
    pub(super) async fn read_notes(&self, id: EntityId) -> Result<EntityAnd<Vec<StoredNote>>, StoreError> {
        let mut both = redis::pipe();
        both.cmd("GET").arg(self.keys.entity(id)).cmd("HGETALL").arg(self.keys.notes(id));
        let (record, notes) = self.read_both(id, &both).await?;
        Ok((record.map(|record| record.entity.clone()), read_as(notes)?))
    }

    /// The entity, and version and value of its deliveries.
    pub(super) async fn read_deliveries(&self, id: EntityId) -> Result<EntityAnd<(u64, Vec<u8>)>, StoreError> {
        let mut both = redis::pipe();
        both.cmd("GET").arg(self.keys.entity(id)).cmd("GET").arg(self.keys.deliveries(id));
        let (record, deliveries) = self.read_both(id, &both).await?;
        Ok((record.map(|record| record.entity.clone()), unpack_deliveries(&deliveries)?))
    }

    /// Runs two commands in one round trip, of which the first reads the entity.
    async fn read_both(&self, id: EntityId, both: &Pipeline) -> Result<(Option<Arc<Record>>, Value), StoreError> {
        let mut values = self.client.many(both).await?.into_iter();
        let record = self.take(id, values.next().unwrap_or(Value::Nil))?;
        Ok((record, values.next().unwrap_or(Value::Nil)))
    }
}

/// The value of deliveries: version (8 bytes, big endian), value.
pub(super) fn pack_deliveries(version: u64, value: &[u8]) -> Vec<u8> {
    [&version.to_be_bytes()[..], value].concat()
}

/// The reverse of [`pack_deliveries`]; version 0 where there is no value.
pub(super) fn unpack_deliveries(value: &Value) -> Result<(u64, Vec<u8>), StoreError> {
    let Value::BulkString(bytes) = value else { return Ok((0, Vec::new())) };
    let split = bytes.split_first_chunk::<8>();
    let (version, value) = split.ok_or_else(|| StoreError::Damaged("deliveries".to_owned()))?;
    Ok((u64::from_be_bytes(*version), value.to_vec()))
}

fn changing() -> StoreError {
    StoreError::Unavailable("the entity changes faster than it can be read".to_owned())
}
