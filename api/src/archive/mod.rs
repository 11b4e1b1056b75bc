//! A whole store as a file: NDJSON, a line for everything that was acknowledged, in an order that depends on nothing else.
//!
//! The first line says which version of this layout follows, the last one that nothing is missing. Bytes are written in
//! base64, keys and hashes as well. Notes and rates, which may be lost, are not in it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::store::whole::{Answered, Whole};
use crate::store::{GameId, Remembered, StoreError};

pub use export::export;
pub use import::{Imported, import};

mod export;
mod import;

/// Version of this layout; a file of another one is refused.
pub const FORMAT: u32 = 2;

/// Why a store was not carried over.
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
    /// A rule set as text.
    RuleText { digest: String, bytes: Bytes },
    /// Id and version of a published rule set, and the digest of its text.
    Published { name: String, digest: String },
    /// What was answered to who published a rule set.
    Answer(Answer),
    /// A game.
    Game(Box<Game>),
    /// The last.
    End { games: u64 },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    id: GameId,
    version: u64,
    tags: Vec<String>,
    snapshot: Bytes,
    events: Vec<Bytes>,
    /// How far webhooks are; 0: nothing was written yet.
    deliveries_version: u64,
    deliveries: Bytes,
    /// When it is looked at, and when its deliveries are, in milliseconds since 1970.
    looks: [Option<u64>; 2],
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

fn all(items: Vec<Vec<u8>>) -> Vec<Bytes> {
    items.into_iter().map(Bytes).collect()
}

fn bytes(items: Vec<Bytes>) -> Vec<Vec<u8>> {
    items.into_iter().map(|Bytes(item)| item).collect()
}

impl From<Whole> for Game {
    fn from(whole: Whole) -> Self {
        Self {
            id: whole.id,
            version: whole.version,
            tags: whole.tags,
            snapshot: Bytes(whole.snapshot.into()),
            events: all(whole.events),
            deliveries_version: whole.deliveries.0,
            deliveries: Bytes(whole.deliveries.1),
            looks: whole.looks,
            answers: whole.answers.into_iter().map(Answer::from).collect(),
        }
    }
}

impl TryFrom<Game> for Whole {
    type Error = &'static str;

    fn try_from(game: Game) -> Result<Self, Self::Error> {
        Ok(Self {
            id: game.id,
            version: game.version,
            snapshot: game.snapshot.0.into(),
            tags: game.tags,
            events: bytes(game.events),
            deliveries: (game.deliveries_version, game.deliveries.0),
            looks: game.looks,
            answers: game.answers.into_iter().map(Answered::try_from).collect::<Result<_, _>>()?,
        })
    }
}

impl From<Answered> for Answer {
    fn from(answered: Answered) -> Self {
        let Answered { key, remembered: Remembered { request, expires, answer }, is_creation } = answered;
        Self {
            key: Bytes(key.to_vec()),
            request: Bytes(request.to_vec()),
            expires,
            answer: Bytes(answer),
            creation: is_creation,
        }
    }
}

impl TryFrom<Answer> for Answered {
    type Error = &'static str;

    fn try_from(answer: Answer) -> Result<Self, Self::Error> {
        let hash = |Bytes(bytes): Bytes| bytes.try_into().map_err(|_| "a key or a hash has 32 bytes");
        let remembered =
            Remembered { request: hash(answer.request)?, expires: answer.expires, answer: answer.answer.0 };
        Ok(Self { key: hash(answer.key)?, remembered, is_creation: answer.creation })
    }
}
