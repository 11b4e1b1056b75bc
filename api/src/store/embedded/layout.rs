//! The binary format of the values in the tables. Numbers are big endian.

use bytes::Bytes;

use crate::store::id::ID_BYTES;
use crate::store::{AnswerOwner, EntityId, StoreError, StoredAnswer, StoredEntity};

/// The stored form of an entity: version (8 bytes), number of events (8), time of the last change (8), whether it is
/// closed (1), length of the tags (4), tags joined by line feeds, snapshot.
pub(super) struct EntityValue<'b> {
    pub version: u64,
    pub events: u64,
    pub changed_at: u64,
    pub is_closed: bool,
    pub tags: &'b str,
    pub snapshot: &'b [u8],
}

impl<'b> EntityValue<'b> {
    /// Decodes the stored form of the entity with this id.
    pub(super) fn read(id: EntityId, bytes: &'b [u8]) -> Result<Self, StoreError> {
        Self::split(bytes).ok_or_else(|| StoreError::Damaged(format!("entity {id}")))
    }

    fn split(bytes: &'b [u8]) -> Option<Self> {
        let (version, rest) = bytes.split_first_chunk::<8>()?;
        let (events, rest) = rest.split_first_chunk::<8>()?;
        let (changed_at, rest) = rest.split_first_chunk::<8>()?;
        let (is_closed, rest) = rest.split_first()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (tags, snapshot) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        Some(Self {
            version: u64::from_be_bytes(*version),
            events: u64::from_be_bytes(*events),
            changed_at: u64::from_be_bytes(*changed_at),
            is_closed: *is_closed != 0,
            tags: std::str::from_utf8(tags).ok()?,
            snapshot,
        })
    }

    /// Encodes the entity in its stored form.
    pub(super) fn write(&self) -> Vec<u8> {
        let length = u32::try_from(self.tags.len()).unwrap_or(u32::MAX).to_be_bytes();
        let (version, events) = (self.version.to_be_bytes(), self.events.to_be_bytes());
        let changed_at = self.changed_at.to_be_bytes();
        let is_closed = [u8::from(self.is_closed)];
        [&version[..], &events, &changed_at, &is_closed, &length, self.tags.as_bytes(), self.snapshot].concat()
    }

    /// Returns the entity without its tags.
    pub(super) fn to_entity(&self, id: EntityId) -> StoredEntity {
        StoredEntity {
            id,
            version: self.version,
            events: self.events,
            changed_at: self.changed_at,
            is_closed: self.is_closed,
            snapshot: Bytes::copy_from_slice(self.snapshot),
        }
    }

    /// Makes the error for a commit that expected another version of this entity.
    pub(super) fn conflict(&self, id: EntityId) -> StoreError {
        StoreError::Conflict(Some(Box::new(self.to_entity(id))))
    }
}

/// Joins tags to the text that is part of an entity's stored form.
pub(super) fn join_tags(tags: &[String]) -> String {
    tags.join("\n")
}

/// Splits the text of [`join_tags`] into tags.
pub(super) fn split_tags(tags: &str) -> impl Iterator<Item = &str> {
    tags.split('\n').filter(|tag| !tag.is_empty())
}

/// Encodes deliveries in their stored form: version (8 bytes), value.
pub(super) fn pack_deliveries(version: u64, value: &[u8]) -> Vec<u8> {
    [&version.to_be_bytes()[..], value].concat()
}

/// Decodes the stored form of deliveries. Without bytes, the version is 0.
pub(super) fn unpack_deliveries(bytes: Option<&[u8]>) -> (u64, Vec<u8>) {
    let packed = bytes.and_then(|bytes| bytes.split_first_chunk::<8>());
    packed.map_or((0, Vec::new()), |(version, value)| (u64::from_be_bytes(*version), value.to_vec()))
}

/// The stored form of an answer: name of the entity that the request changed (28 bytes; zeros if the request published
/// a text), whether the request created the entity (1), hash of the request (32), expiry in seconds since 1970 (8),
/// sealed answer.
pub(super) struct AnswerValue {
    pub owner: AnswerOwner,
    pub is_creation: bool,
    pub answer: StoredAnswer,
}

impl AnswerValue {
    /// Encodes the answer in its stored form.
    pub(super) fn write(&self) -> Vec<u8> {
        let owner = match self.owner {
            AnswerOwner::Entity(id) => id.to_bytes(),
            AnswerOwner::Published => [0; ID_BYTES],
        };
        let StoredAnswer { request, expires, sealed } = &self.answer;
        [&owner[..], &[u8::from(self.is_creation)], request, &expires.to_be_bytes(), sealed].concat()
    }

    /// Decodes the stored form of an answer.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, StoreError> {
        Self::split(bytes).ok_or_else(|| StoreError::Damaged("a stored answer".to_owned()))
    }

    fn split(bytes: &[u8]) -> Option<Self> {
        let (owner, rest) = bytes.split_first_chunk::<ID_BYTES>()?;
        let (is_creation, rest) = rest.split_first()?;
        let (request, rest) = rest.split_first_chunk::<32>()?;
        let (expires, sealed) = rest.split_first_chunk::<8>()?;
        Some(Self {
            owner: match owner {
                [0, ..] => AnswerOwner::Published,
                owner => AnswerOwner::Entity(EntityId::from_bytes(owner)?),
            },
            is_creation: *is_creation != 0,
            answer: StoredAnswer { request: *request, expires: u64::from_be_bytes(*expires), sealed: sealed.to_vec() },
        })
    }
}
