//! Archives: a whole store as an NDJSON file.
//!
//! The first line names the layout of the file. Then follow the texts, published names, stored answers and entities of
//! the store, in a fixed order. The last line has the number of entities, so that a file that was cut off is noticed.
//! Texts, snapshots, events, deliveries, sealed answers, and the hashes of idempotency keys and of requests are written
//! as base64. Notes and buckets are not in an archive, because they may be lost.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use crate::store::{CopiedAnswer, EntityCopy, EntityId, Kind, StoreError, StoredAnswer};

pub use export::export;
pub use import::{Imported, import};

mod export;
mod import;

/// Number of the layout of archives that this program reads and writes; a file with another number is refused.
pub(crate) const FORMAT: u32 = 4;

/// An error of an export or an import.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be read or written.
    #[error("the archive file: {0}")]
    File(#[from] std::io::Error),
    /// A line of the file does not fit the layout.
    #[error("line {line}: {reason}")]
    Line {
        /// Number of the line, from 1.
        line: u64,
        /// What is wrong with the line.
        reason: String,
    },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum ArchiveLine {
    /// The first line: layout, and version of the program that wrote the file.
    Store {
        format: u32,
        program: String,
    },
    /// The text of a rule set.
    Text {
        digest: String,
        bytes: Base64,
    },
    /// The name of a published rule set, and the digest of its text.
    Published {
        name: String,
        digest: String,
    },
    /// The stored answer to a request that published a rule set.
    Answer(ArchivedAnswer),
    Entity(Box<ArchivedEntity>),
    /// The last line, with the number of entities in the file.
    End {
        entities: u64,
    },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArchivedEntity {
    kind: String,
    id: Uuid,
    version: u64,
    /// The time of the last change, in milliseconds since 1970.
    changed_at: u64,
    closed: bool,
    tags: Vec<String>,
    snapshot: Base64,
    events: Vec<Base64>,
    /// The version of `deliveries`; 0 if the entity has no delivery progress.
    deliveries_version: u64,
    deliveries: Base64,
    /// Deadline of the entity, and deadline of its deliveries, in milliseconds since 1970.
    deadlines: [Option<u64>; 2],
    answers: Vec<ArchivedAnswer>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArchivedAnswer {
    key: Base64,
    request: Base64,
    /// The time at which the answer expires, in seconds since 1970.
    expires: u64,
    answer: Base64,
    creation: bool,
}

/// Bytes that are written as base64.
#[derive(Debug)]
struct Base64(Vec<u8>);

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD_NO_PAD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD_NO_PAD.decode(text).map(Self).map_err(serde::de::Error::custom)
    }
}

impl From<EntityCopy> for ArchivedEntity {
    fn from(copy: EntityCopy) -> Self {
        let (deliveries_version, deliveries) = copy.deliveries;
        Self {
            kind: copy.id.kind.to_string(),
            id: copy.id.id,
            version: copy.version,
            changed_at: copy.changed_at,
            closed: copy.is_closed,
            tags: copy.tags,
            snapshot: Base64(copy.snapshot.into()),
            events: copy.events.into_iter().map(Base64).collect(),
            deliveries_version,
            deliveries: Base64(deliveries),
            deadlines: copy.deadlines,
            answers: copy.answers.into_iter().map(ArchivedAnswer::from).collect(),
        }
    }
}

impl TryFrom<ArchivedEntity> for EntityCopy {
    type Error = &'static str;

    fn try_from(entity: ArchivedEntity) -> Result<Self, Self::Error> {
        let kind = Kind::read(entity.kind.as_bytes()).ok_or("a kind is a word of 1 to 12 lower-case letters")?;
        Ok(Self {
            id: EntityId::new(kind, entity.id),
            version: entity.version,
            changed_at: entity.changed_at,
            is_closed: entity.closed,
            snapshot: entity.snapshot.0.into(),
            tags: entity.tags,
            events: entity.events.into_iter().map(|Base64(event)| event).collect(),
            deliveries: (entity.deliveries_version, entity.deliveries.0),
            deadlines: entity.deadlines,
            answers: entity.answers.into_iter().map(CopiedAnswer::try_from).collect::<Result<_, _>>()?,
        })
    }
}

impl From<CopiedAnswer> for ArchivedAnswer {
    fn from(copied: CopiedAnswer) -> Self {
        let CopiedAnswer { key, answer: StoredAnswer { request, expires, sealed }, is_creation } = copied;
        Self {
            key: Base64(key.to_vec()),
            request: Base64(request.to_vec()),
            expires,
            answer: Base64(sealed),
            creation: is_creation,
        }
    }
}

impl TryFrom<ArchivedAnswer> for CopiedAnswer {
    type Error = &'static str;

    fn try_from(answer: ArchivedAnswer) -> Result<Self, Self::Error> {
        let hash = |Base64(bytes): Base64| bytes.try_into().map_err(|_| "a key or a hash has 32 bytes");
        let key = hash(answer.key)?;
        let stored = StoredAnswer { request: hash(answer.request)?, expires: answer.expires, sealed: answer.answer.0 };
        Ok(Self { key, answer: stored, is_creation: answer.creation })
    }
}
