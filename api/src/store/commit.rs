//! What a command asks of a store.

use bytes::Bytes;

use super::id::EntityId;
use super::schedule::Task;
use super::transfer::{CopiedAnswer, EntityCopy};

/// An idempotency key.
pub type Key = [u8; 32];

/// A command's whole effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// What changes.
    pub change: Change,
    /// The answer to give again to a request with the same idempotency key.
    pub answer: Option<(Key, StoredAnswer)>,
}

impl From<Change> for Commit {
    /// A change that no request with an idempotency key asked for.
    fn from(change: Change) -> Self {
        Self { change, answer: None }
    }
}

/// What a commit changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// An entity goes from one version to the next.
    Entity(EntityChange),
    /// A text is published under a name that is free.
    Publish {
        /// The name.
        name: String,
        /// The text.
        text: SharedText,
    },
    /// The deliveries of an entity go from one version to the next; [`StoreError::Conflict`] where they are at another, or
    /// the entity does not exist.
    ///
    /// [`StoreError::Conflict`]: super::StoreError::Conflict
    Deliveries {
        /// Which entity.
        id: EntityId,
        /// The current version; 0: nothing was written yet.
        expected: u64,
        /// The value at version `expected + 1`.
        value: Vec<u8>,
    },
    /// A task has this deadline, and the lease on it ends.
    Schedule {
        /// Which task.
        task: Task,
        /// In milliseconds since 1970; `None`: the task is over.
        at: Option<u64>,
    },
    /// Tasks have these deadlines or earlier ones: a deadline becomes earlier, never later.
    ScheduleBy(Vec<(Task, /* in milliseconds since 1970 */ u64)>),
    /// What belongs to no entity is brought from another store.
    Shared {
        /// Texts.
        texts: Vec<SharedText>,
        /// Answers about published texts.
        answers: Vec<CopiedAnswer>,
    },
    /// An entity is brought from another store; [`StoreError::Conflict`] where it exists.
    ///
    /// [`StoreError::Conflict`]: super::StoreError::Conflict
    Import(Box<EntityCopy>),
    /// An entity is removed with everything of it; one that does not exist is removed. [`StoreError::Conflict`] where it
    /// has changed. Answers about it, and notes, stay until they expire.
    ///
    /// [`StoreError::Conflict`]: super::StoreError::Conflict
    Remove {
        /// Which entity.
        id: EntityId,
        /// Its current version.
        expected: u64,
        /// The current version of its deliveries.
        delivered: u64,
    },
}

/// An entity's next version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityChange {
    /// Which entity.
    pub id: EntityId,
    /// Its current version; 0: it does not exist yet.
    pub expected: u64,
    /// The entity at version `expected + 1`.
    pub snapshot: Bytes,
    /// When it changes, in milliseconds since 1970.
    pub changed_at: u64,
    /// Whether the entity is over: no events follow.
    pub is_closed: bool,
    /// What it is listed by from now on; `None`: as before.
    pub tags: Option<Vec<String>>,
    /// Events to append.
    pub events: Vec<Vec<u8>>,
    /// A text that the entity needs.
    pub text: Option<SharedText>,
    /// [`Task::entity`] has this deadline or an earlier one, in milliseconds since 1970. To be given where there was no
    /// deadline or a later one. A deadline that becomes later need not be given: the task is due too early then, and its
    /// holder schedules it again.
    pub deadline: Option<u64>,
}

/// A text that is kept once, under its digest, for all who need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedText {
    /// Its digest.
    pub digest: String,
    /// The text.
    pub bytes: Vec<u8>,
}

/// An answer kept for requests that are sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// Hash of the request that was answered.
    pub request: [u8; 32],
    /// When it may be dropped, in seconds since 1970.
    pub expires: u64,
    /// The answer, sealed by the service.
    pub sealed: Vec<u8>,
}

/// What an answered request changed. The answer lies beside it, so that both are written together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerOwner {
    /// This entity.
    Entity(EntityId),
    /// The published texts.
    Published,
}
