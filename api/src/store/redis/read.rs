//! Reads entities, and caches those that were read last.

use std::sync::Arc;

use redis::{Cmd, Value};

use super::base::Base;
use super::stored::{EntityValue, RedisEntity};
use super::{Redis, read_as};
use crate::store::{AnswerOwner, EntityAnd, EntityId, Key, StoreError, StoredAnswer, StoredEntity, StoredNote};

/// Maximum number of attempts to read an entity that other processes change while it is read.
const READ_TRIES: usize = 10;

/// The result of decoding an entity that was read.
pub(super) enum DecodedRead {
    /// The entity; `None` if it does not exist.
    Entity(Option<Arc<RedisEntity>>),
    /// The entity has another base than the cached entity. It has to be read again, together with its base.
    OtherBase,
}

impl Redis {
    pub(super) async fn current(&self, id: EntityId) -> Result<Option<Arc<RedisEntity>>, StoreError> {
        let cached = self.cache.get(&id);
        let read = self.client.one(&self.read(id, cached.is_some())).await?;
        match self.take(id, cached, read)? {
            DecodedRead::Entity(stored) => Ok(stored),
            DecodedRead::OtherBase => Box::pin(self.whole(id)).await,
        }
    }

    /// Returns the entity as it is in Redis, read together with its base.
    async fn whole(&self, id: EntityId) -> Result<Option<Arc<RedisEntity>>, StoreError> {
        match self.take(id, None, self.client.one(&self.read_whole(id)).await?)? {
            DecodedRead::Entity(stored) => Ok(stored),
            DecodedRead::OtherBase => Err(StoreError::Damaged(format!("base of entity {id}"))),
        }
    }

    /// Decodes this value of an entity, and caches the entity in place of the one in the cache.
    pub(super) async fn present(&self, id: EntityId, value: Vec<u8>) -> Result<Option<Arc<RedisEntity>>, StoreError> {
        let base = self.cache.get(&id).map(|cached| Arc::clone(cached.base()));
        self.cache.forget(&id);
        let read = EntityValue::read(id, value)?;
        match base.filter(|base| base.commit == read.base) {
            Some(base) => {
                let stored = Arc::new(read.on(id, base)?);
                self.keep(Arc::clone(&stored));
                Ok(Some(stored))
            }
            None => self.whole(id).await,
        }
    }

    /// Returns the command that reads an entity. It also reads the base of the entity, unless a base is cached.
    fn read(&self, id: EntityId, is_cached: bool) -> Cmd {
        if !is_cached {
            return self.read_whole(id);
        }
        let key = self.keys.entity(id);
        let mut get = Cmd::with_capacity(2, key.len() + 3);
        get.arg("GET").arg(key);
        get
    }

    /// Returns the command that reads an entity and its base at the same moment.
    pub(super) fn read_whole(&self, id: EntityId) -> Cmd {
        let mut get = redis::cmd("MGET");
        get.arg(self.keys.entity(id)).arg(self.keys.base(id));
        get
    }

    /// Decodes an entity that was read, and caches it. `cached` is the cache entry that the entity had before the read.
    pub(super) fn take(
        &self,
        id: EntityId,
        cached: Option<Arc<RedisEntity>>,
        read: Value,
    ) -> Result<DecodedRead, StoreError> {
        let (value, base) = match read {
            Value::Array(both) => {
                let mut both = both.into_iter();
                (both.next().unwrap_or(Value::Nil), both.next())
            }
            value => (value, None),
        };
        let Value::BulkString(value) = value else {
            self.cache.forget(&id);
            return Ok(DecodedRead::Entity(None));
        };
        let is_it = |cached: &Arc<RedisEntity>| cached.is_in(&value);
        if let Some(cached) = cached.filter(is_it) {
            return Ok(DecodedRead::Entity(Some(cached)));
        }
        // Another request may have cached the same version while this request waited for Redis.
        let cached = self.cache.get(&id);
        if let Some(cached) = cached.as_ref().filter(|cached| is_it(cached)) {
            return Ok(DecodedRead::Entity(Some(Arc::clone(cached))));
        }
        let read = EntityValue::read(id, value)?;
        let base = match base {
            Some(Value::BulkString(base)) => Some(Arc::new(Base::read(id, base)?)),
            _ => cached.map(|cached| Arc::clone(cached.base())),
        };
        let Some(base) = base.filter(|base| base.commit == read.base) else { return Ok(DecodedRead::OtherBase) };
        let stored = Arc::new(read.on(id, base)?);
        self.keep(Arc::clone(&stored));
        Ok(DecodedRead::Entity(Some(stored)))
    }

    /// Caches an entity, unless a newer version is cached.
    pub(super) fn keep(&self, stored: Arc<RedisEntity>) {
        let version = stored.entity.version;
        self.cache.keep_unless(stored.entity.id, stored, |cached| cached.entity.version > version);
    }

    /// Returns the entity. Waits until enough Redis replicas have it.
    pub(super) async fn read_entity(&self, id: EntityId) -> Result<Option<StoredEntity>, StoreError> {
        Ok(self.shown_entity(id).await?.map(|stored| stored.entity.clone()))
    }

    /// Returns an entity. Waits until enough Redis replicas have it.
    pub(super) async fn shown_entity(&self, id: EntityId) -> Result<Option<Arc<RedisEntity>>, StoreError> {
        for _ in 0..READ_TRIES {
            let Some(stored) = self.current(id).await? else { return Ok(None) };
            if self.may_be_shown(&stored).await? {
                return Ok(Some(stored));
            }
        }
        Err(changing())
    }

    /// Returns the entity and its events with numbers above `after`.
    pub(super) async fn read_events(
        &self,
        id: EntityId,
        after: u64,
        limit: usize,
    ) -> Result<EntityAnd<Vec<Vec<u8>>>, StoreError> {
        let first = i64::try_from(after).unwrap_or(i64::MAX);
        let last = i64::try_from(after.saturating_add(limit as u64)).unwrap_or(i64::MAX) - 1;
        let mut range = redis::cmd("LRANGE");
        range.arg(self.keys.events(id)).arg(first).arg(last);
        let (entity, events) = self.read_shown(id, &range).await?;
        // Another process may have committed between the two commands of the round trip.
        let missing = entity.as_ref().map_or(0, |entity| entity.missing(after));
        let events: Vec<Vec<u8>> = read_as(events)?;
        let events = events.iter().take(missing).map(|event| self.phrases.unpack(event)).collect::<Result<_, _>>()?;
        Ok((entity, events))
    }

    /// Returns the entity, and the stored answer to a request that changed it.
    pub(super) async fn read_entity_and_answer(
        &self,
        id: EntityId,
        key: &Key,
    ) -> Result<EntityAnd<Option<StoredAnswer>>, StoreError> {
        let name = self.keys.answer(AnswerOwner::Entity(id), key);
        let (entity, answer) = self.read_shown(id, redis::cmd("GET").arg(&name)).await?;
        Ok((entity, self.confirmed_answer(name, answer).await?))
    }

    pub(super) async fn read_notes(&self, id: EntityId) -> Result<EntityAnd<Vec<StoredNote>>, StoreError> {
        let (entity, notes) = self.read_shown(id, redis::cmd("HGETALL").arg(self.keys.notes(id))).await?;
        Ok((entity, read_as(notes)?))
    }

    /// Returns the entity, and version and value of its deliveries.
    pub(super) async fn read_deliveries(&self, id: EntityId) -> Result<EntityAnd<(u64, Vec<u8>)>, StoreError> {
        let (entity, deliveries) = self.read_shown(id, redis::cmd("GET").arg(self.keys.deliveries(id))).await?;
        Ok((entity, unpack_deliveries(&deliveries)?))
    }

    /// Reads the entity and runs another command in one round trip. Takes another one if replicas have to be checked:
    /// this waits until enough Redis replicas have the entity, so that no client sees a version that a failover undoes.
    async fn read_shown(&self, id: EntityId, other: &Cmd) -> Result<(Option<StoredEntity>, Value), StoreError> {
        for _ in 0..READ_TRIES {
            let (stored, value) = self.read_both(id, other).await?;
            let is_shown = match &stored {
                Some(stored) => self.may_be_shown(stored).await?,
                None => true,
            };
            if is_shown {
                return Ok((stored.map(|stored| stored.entity.clone()), value));
            }
        }
        Err(changing())
    }

    /// Reads the entity and runs another command in one round trip. Takes two if another process has replaced the base.
    async fn read_both(&self, id: EntityId, other: &Cmd) -> Result<(Option<Arc<RedisEntity>>, Value), StoreError> {
        let cached = self.cache.get(&id);
        for is_cached in [cached.is_some(), false] {
            let mut both = redis::pipe();
            both.add_command(self.read(id, is_cached)).add_command(other.clone());
            let mut values = self.client.many(&both).await?.into_iter();
            if let DecodedRead::Entity(stored) = self.take(id, cached.clone(), values.next().unwrap_or(Value::Nil))? {
                return Ok((stored, values.next().unwrap_or(Value::Nil)));
            }
        }
        Err(StoreError::Damaged(format!("base of entity {id}")))
    }
}

/// Encodes deliveries: version (8 bytes, big endian), value.
pub(super) fn pack_deliveries(version: u64, value: &[u8]) -> Vec<u8> {
    [&version.to_be_bytes()[..], value].concat()
}

/// Decodes deliveries. Without a value, the version is 0.
pub(super) fn unpack_deliveries(value: &Value) -> Result<(u64, Vec<u8>), StoreError> {
    let Value::BulkString(bytes) = value else { return Ok((0, Vec::new())) };
    let split = bytes.split_first_chunk::<8>();
    let (version, value) = split.ok_or_else(|| StoreError::Damaged("deliveries".to_owned()))?;
    Ok((u64::from_be_bytes(*version), value.to_vec()))
}

fn changing() -> StoreError {
    StoreError::Unavailable("the entity changes faster than it can be read".to_owned())
}
