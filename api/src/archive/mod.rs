//! An archive: all that a store has as NDJSON, a line for everything that was acknowledged, in a fixed order.
//!
//! The first line says which version of this layout follows, the last one that nothing is missing. Bytes, keys and hashes
//! are written in base64. Notes and buckets, which may be lost, are not in it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::store::{CopiedAnswer, EntityCopy, EntityId, Kind, StoreError, StoredAnswer};

pub use export::export;
pub use import::{Imported, import};

mod export;
mod import;

/// Version of this layout; a file of another one is refused.
pub const FORMAT: u32 = 3;

/// Why an export or an import failed.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The store cannot do it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be read or written.
    #[error("the file: {0}")]
    File(#[from] std::io::Error),
    /// A line of the file makes no sense.
    #[error("line {line}: {reason}")]
    Line {
        /// Which, from 1.
        line: u64,
        /// Why.
        reason: String,
    },
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    /// The first.
    Store { format: u32, program: String },
    /// A text.
    Text { digest: String, bytes: Bytes },
    /// A published name, and the digest of its text.
    Published { name: String, digest: String },
    /// A stored answer about a published text.
    Answer(Answer),
    /// An entity.
    Entity(Box<Entity>),
    /// The last.
    End { entities: u64 },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entity {
    kind: String,
    id: Uuid,
    version: u64,
    /// In milliseconds since 1970.
    changed_at: u64,
    closed: bool,
    tags: Vec<String>,
    snapshot: Bytes,
    events: Vec<Bytes>,
    /// 0: nothing was written yet.
    deliveries_version: u64,
    deliveries: Bytes,
    /// Of the entity, and of its deliveries, in milliseconds since 1970.
    deadlines: [Option<u64>; 2],
    answers: Vec<Answer>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    key: Bytes,
    request: Bytes,
    /// In seconds since 1970.
    expires: u64,
    answer: Bytes,
    creation: bool,
}

/// Bytes in base64.
#[derive(Debug)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD_NO_PAD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD_NO_PAD.decode(text).map(Self).map_err(serde::de::Error::custom)
    }
}

impl From<EntityCopy> for Entity {
    fn from(copy: EntityCopy) -> Self {
        let (deliveries_version, deliveries) = copy.deliveries;
        Self {
            kind: copy.id.kind.to_string(),
            id: copy.id.id,
            version: copy.version,
            changed_at: copy.changed_at,
            closed: copy.is_closed,
            tags: copy.tags,
            snapshot: Bytes(copy.snapshot.into()),
            events: copy.events.into_iter().map(Bytes).collect(),
            deliveries_version,
            deliveries: Bytes(deliveries),
            deadlines: copy.deadlines,
            answers: copy.answers.into_iter().map(Answer::from).collect(),
        }
    }
}

impl TryFrom<Entity> for EntityCopy {
    type Error = &'static str;

    fn try_from(entity: Entity) -> Result<Self, Self::Error> {
        let kind = Kind::read(entity.kind.as_bytes()).ok_or("a kind is a word of 1 to 12 lower-case letters")?;
        Ok(Self {
            id: EntityId::new(kind, entity.id),
            version: entity.version,
            changed_at: entity.changed_at,
            is_closed: entity.closed,
            snapshot: entity.snapshot.0.into(),
            tags: entity.tags,
            events: entity.events.into_iter().map(|Bytes(event)| event).collect(),
            deliveries: (entity.deliveries_version, entity.deliveries.0),
            deadlines: entity.deadlines,
            answers: entity.answers.into_iter().map(CopiedAnswer::try_from).collect::<Result<_, _>>()?,
        })
    }
}

impl From<CopiedAnswer> for Answer {
    fn from(copied: CopiedAnswer) -> Self {
        let CopiedAnswer { key, answer: StoredAnswer { request, expires, sealed }, is_creation } = copied;
        Self {
            key: Bytes(key.to_vec()),
            request: Bytes(request.to_vec()),
            expires,
            answer: Bytes(sealed),
            creation: is_creation,
        }
    }
}

impl TryFrom<Answer> for CopiedAnswer {
    type Error = &'static str;

    fn try_from(answer: Answer) -> Result<Self, Self::Error> {
        let hash = |Bytes(bytes): Bytes| bytes.try_into().map_err(|_| "a key or a hash has 32 bytes");
        let key = hash(answer.key)?;
        let stored = StoredAnswer { request: hash(answer.request)?, expires: answer.expires, sealed: answer.answer.0 };
        Ok(Self { key, answer: stored, is_creation: answer.creation })
    }
}
