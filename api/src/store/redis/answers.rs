//! Stored answers, and the reservations of ids for requests that have no answer yet.

use redis::Value;

use super::stored::{COMMIT, CommitId, LAYOUT};
use super::{Redis, keys};
use crate::store::{AnswerOwner, EntityId, Key, StoreError, StoredAnswer};

/// The commit id in stored answers that were imported from another store. Such answers have no commit in this store.
pub(super) const IMPORTED: CommitId = [0; COMMIT];

impl Redis {
    /// Returns the stored answer of an idempotency key.
    pub(super) async fn read_answer(&self, owner: AnswerOwner, key: &Key) -> Result<Option<StoredAnswer>, StoreError> {
        let name = self.keys.answer(owner, key);
        let value = self.client.one(redis::cmd("GET").arg(&name)).await?;
        self.confirmed_answer(name, value).await
    }

    /// Decodes a stored answer that was read. Waits until enough Redis replicas have it.
    pub(super) async fn confirmed_answer(
        &self,
        name: String,
        value: Value,
    ) -> Result<Option<StoredAnswer>, StoreError> {
        let Value::BulkString(bytes) = value else { return Ok(None) };
        self.confirm(name, &bytes).await?;
        unpack(&bytes).map(Some)
    }

    /// Reserves the id of an entity for an idempotency key. If an earlier request has reserved one, returns that id,
    /// and the stored answer if its entity was created.
    pub(super) async fn reserve_id(
        &self,
        key: &Key,
        id: EntityId,
    ) -> Result<(EntityId, Option<StoredAnswer>), StoreError> {
        let expires = (self.clock.now() / 1000 + keys::RESERVED).to_string();
        let text = id.id.to_string();
        let arguments = [text.as_bytes(), expires.as_bytes()];
        let name = [self.keys.reserved(id.kind, key)];
        let reserved = self.client.script(&self.scripts.reserve, &name, &arguments, 0).await?;
        let damaged = || StoreError::Damaged("a reservation".to_owned());
        let reserved: String = redis::from_redis_value(reserved).map_err(|_| damaged())?;
        let reserved = EntityId::new(id.kind, reserved.parse().map_err(|_| damaged())?);
        let answer = if reserved == id { None } else { self.read_answer(AnswerOwner::Entity(reserved), key).await? };
        Ok((reserved, answer))
    }

    /// Changes the reservation of an entity's id so that it expires at the same time as the stored answer.
    pub(super) async fn renew(&self, key: &Key, id: EntityId, answer: &StoredAnswer) -> Result<(), StoreError> {
        let (text, expires) = (id.id.to_string(), answer.expires.to_string());
        let name = [self.keys.reserved(id.kind, key)];
        let arguments = [text.as_bytes(), expires.as_bytes()];
        match self.client.script(&self.scripts.renew, &name, &arguments, self.replicas).await? {
            // The reservation has expired, and another request has reserved an id for the key. The caller starts again.
            Value::Int(0) => Err(StoreError::Conflict(None)),
            _ => Ok(()),
        }
    }
}

/// Encodes a stored answer: layout (1 byte), id of its commit (8), hash of the request (32), expiry in seconds since
/// 1970 (8, big endian), sealed answer.
pub(super) fn pack(commit: &CommitId, answer: &StoredAnswer) -> Vec<u8> {
    [&[LAYOUT][..], commit, &answer.request, &answer.expires.to_be_bytes(), &answer.sealed].concat()
}

/// Decodes a stored answer.
pub(super) fn unpack(bytes: &[u8]) -> Result<StoredAnswer, StoreError> {
    let damaged = || StoreError::Damaged("a stored answer".to_owned());
    let rest = bytes.strip_prefix(&[LAYOUT]).and_then(|rest| rest.get(COMMIT..)).ok_or_else(damaged)?;
    let (request, rest) = rest.split_first_chunk::<32>().ok_or_else(damaged)?;
    let (expires, sealed) = rest.split_first_chunk::<8>().ok_or_else(damaged)?;
    Ok(StoredAnswer { request: *request, expires: u64::from_be_bytes(*expires), sealed: sealed.to_vec() })
}
