//! Commits: the changes that commands make in a store.

use bytes::Bytes;

use super::id::EntityId;
use super::schedule::Task;
use super::transfer::{CopiedAnswer, EntityCopy};

/// An idempotency key.
pub type Key = [u8; 32];

/// A command's whole effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The change to the store.
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
    /// Writes the next version of an entity.
    Entity(EntityChange),
    /// Publishes a text. Fails with [`StoreError::NameTaken`] if the name is taken.
    ///
    /// [`StoreError::NameTaken`]: super::StoreError::NameTaken
    Publish {
        /// The name.
        name: String,
        /// The text.
        text: SharedText,
    },
    /// Writes the next version of an entity's deliveries. Fails with [`StoreError::Conflict`] if the deliveries are at
    /// another version, or if the entity does not exist.
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
    /// Gives a task this deadline, and ends the lease on the task.
    Schedule {
        /// Which task.
        task: Task,
        /// The deadline, in milliseconds since 1970. `None` removes the task.
        at: Option<u64>,
    },
    /// Gives each task this deadline, unless the task has an earlier one.
    ScheduleBy(Vec<(Task, /* in milliseconds since 1970 */ u64)>),
    /// Imports data that belongs to no entity from another store.
    Shared {
        /// Texts.
        texts: Vec<SharedText>,
        /// Stored answers to requests that published texts.
        answers: Vec<CopiedAnswer>,
    },
    /// Imports an entity from another store. Fails with [`StoreError::Conflict`] if the entity exists already.
    ///
    /// [`StoreError::Conflict`]: super::StoreError::Conflict
    Import(Box<EntityCopy>),
    /// Removes an entity with its events and deliveries; does nothing if the entity does not exist. Fails with
    /// [`StoreError::Conflict`] if the entity or its deliveries have changed. Stored answers about the entity stay
    /// until they expire, and so may its notes.
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

/// The next version of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityChange {
    /// Which entity.
    pub id: EntityId,
    /// The current version of the entity. 0: the entity does not exist yet.
    pub expected: u64,
    /// The entity at version `expected + 1`.
    pub snapshot: Bytes,
    /// The time of the change, in milliseconds since 1970.
    pub changed_at: u64,
    /// Whether the entity is over: no events follow.
    pub is_closed: bool,
    /// The new tags, by which the entity is listed. `None` keeps the present tags.
    pub tags: Option<Vec<String>>,
    /// Events to append.
    pub events: Vec<Vec<u8>>,
    /// A text that the entity needs.
    pub text: Option<SharedText>,
    /// The latest deadline of [`Task::entity`], in milliseconds since 1970. It is required if the task has no deadline
    /// or a later one. It may be left out if the deadline becomes later: the task is then due too early, and the worker
    /// that takes it schedules it again.
    pub deadline: Option<u64>,
}

/// A text that is stored once, under its digest, for all entities and names that use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedText {
    /// The digest of the text.
    pub digest: String,
    /// The text.
    pub bytes: Vec<u8>,
}

/// An answer kept for requests that are sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// Hash of the request that was answered.
    pub request: [u8; 32],
    /// When the stored answer may be dropped, in seconds since 1970.
    pub expires: u64,
    /// The answer, sealed by the service.
    pub sealed: Vec<u8>,
}

/// The owner of a stored answer: what the answered request has changed. The answer is stored beside its owner, so that
/// one write covers both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerOwner {
    /// The request changed this entity.
    Entity(EntityId),
    /// The request published a text.
    Published,
}
