//! Commits: the changes that commands make in a store.

use bytes::Bytes;

use super::id::EntityId;
use super::schedule::{LeasedTask, Task};
use super::transfer::{CopiedAnswer, EntityCopy};

/// The hash of an idempotency key.
pub type Key = [u8; 32];

/// The whole effect of a command on the store. It is written as a whole, or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The change to the store.
    pub change: Change,
    /// The idempotency key of the request, and the answer that repetitions of the request get. `None` if it has no key.
    pub answer: Option<(Key, StoredAnswer)>,
}

impl From<Change> for Commit {
    /// Makes a commit of a request without an idempotency key.
    fn from(change: Change) -> Self {
        Self { change, answer: None }
    }
}

/// The change that a commit makes in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Writes the next version of an entity.
    Entity(EntityChange),
    /// Publishes a text under a name. Fails with [`StoreError::NameTaken`] if a text has this name already.
    ///
    /// [`StoreError::NameTaken`]: super::StoreError::NameTaken
    Publish {
        /// The name of the text.
        name: String,
        /// The text and its digest.
        text: SharedText,
    },
    /// Writes the next version of an entity's deliveries, the progress of its webhook messages. Fails with
    /// [`StoreError::Conflict`] if the deliveries are at another version, or if the entity does not exist.
    ///
    /// [`StoreError::Conflict`]: super::StoreError::Conflict
    Deliveries {
        /// The entity of the deliveries.
        id: EntityId,
        /// The current version of the deliveries; 0 if there are none yet.
        expected: u64,
        /// The deliveries at version `expected + 1`, as bytes.
        value: Vec<u8>,
    },
    /// Ends the lease on a task, and gives the task this deadline, unless the task got an earlier one during the lease.
    EndLease {
        /// The task and its lease. If the lease has ended before, the task only gets the deadline.
        leased: LeasedTask,
        /// The deadline, in milliseconds since 1970. `None` removes the task from the schedule, unless the task got a
        /// new deadline during the lease.
        at: Option<u64>,
    },
    /// Gives the lease on a task another end, unless the lease has ended before.
    ExtendLease {
        /// The task and its lease.
        leased: LeasedTask,
        /// The new end, in milliseconds since 1970.
        until: u64,
    },
    /// Gives each task this deadline, unless the task has an earlier one.
    ScheduleBy(Vec<(Task, /* in milliseconds since 1970 */ u64)>),
    /// Stores texts, and answers that belong to no entity.
    Shared {
        /// The texts.
        texts: Vec<SharedText>,
        /// Answers to requests that changed no single entity. An answer that a key has already stays.
        answers: Vec<CopiedAnswer>,
    },
    /// Imports an entity from another store. Fails with [`StoreError::Conflict`] if the entity exists already.
    ///
    /// [`StoreError::Conflict`]: super::StoreError::Conflict
    Import(Box<EntityCopy>),
    /// Replaces events of an entity. Its version and its number of events stay the same. An event that is no longer the
    /// one that the caller has read is not replaced. Does nothing if the entity does not exist.
    Rewrite {
        /// The entity of the events.
        id: EntityId,
        /// The events to replace.
        events: Vec<RewrittenEvent>,
    },
    /// Removes an entity with its events and deliveries; does nothing if the entity does not exist. Fails with
    /// [`StoreError::Conflict`] if the entity or its deliveries have changed. Stored answers about the entity stay
    /// until they expire, and so may its notes.
    ///
    /// [`StoreError::Conflict`]: super::StoreError::Conflict
    Remove {
        /// The entity to remove.
        id: EntityId,
        /// The current version of the entity.
        expected: u64,
        /// The current version of the entity's deliveries; 0 if there are none.
        delivered: u64,
    },
}

/// The replacement of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewrittenEvent {
    /// The number of the event, from 1.
    pub number: u64,
    /// The event as the caller has read it.
    pub from: Vec<u8>,
    /// The new event.
    pub to: Vec<u8>,
}

/// The next version of an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityChange {
    /// The entity to write.
    pub id: EntityId,
    /// The current version of the entity. 0: the entity does not exist yet.
    pub expected: u64,
    /// The snapshot at version `expected + 1`.
    pub snapshot: Bytes,
    /// The time of the change, in milliseconds since 1970.
    pub changed_at: u64,
    /// Whether the entity is closed from now on: no events follow.
    pub is_closed: bool,
    /// The new tags, by which the entity is listed, and its lines on boards ([`BoardLine::to_tag`]). `None` keeps the
    /// present tags.
    ///
    /// [`BoardLine::to_tag`]: super::BoardLine::to_tag
    pub tags: Option<Vec<String>>,
    /// Events to append.
    pub events: Vec<Vec<u8>>,
    /// A text that the snapshot refers to by its digest. It is stored together with the entity.
    pub text: Option<SharedText>,
    /// The time, in milliseconds since 1970, by which a worker has to look at the entity ([`Task::entity`]). It is
    /// required if the task has no deadline or a later one. It may be left out if the deadline becomes later: the task
    /// is then due too early, and the worker that takes it schedules it again.
    pub deadline: Option<u64>,
}

/// A text that is stored once, under its digest, for all entities and names that use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedText {
    /// The digest, by which entities and names refer to the text.
    pub digest: String,
    /// The text as bytes.
    pub bytes: Vec<u8>,
}

/// The answer to a request with an idempotency key. Repetitions of the request get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The hash of the request that was answered.
    pub request: [u8; 32],
    /// The time, in seconds since 1970, after which the store may drop the answer.
    pub expires: u64,
    /// The answer, encrypted by the service.
    pub sealed: Vec<u8>,
}

/// The owner of a stored answer: the entity that the answered request changed, or the list of published texts. On
/// Redis, the answer is stored in the hash slot of its owner, so that one script can write both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerOwner {
    /// The request changed this entity.
    Entity(EntityId),
    /// The request published a text.
    Published,
}
