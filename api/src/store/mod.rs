//! Stores entities: anything with an id, a version, a snapshot and a list of events.
//!
//! One command is one [`Commit`]: all of it takes effect or none, and an acknowledged commit survives a crash. A
//! process has no other state that must not be lost, so several processes may share one store. The store does not
//! interpret snapshots and events. The fields of an entity that the store and its callers need are also stored
//! outside the snapshot, in [`StoredEntity`].

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use uuid::Uuid;

use crate::ground::clock;

pub use board::{BoardCursor, BoardLine, BoardPage, BoardPageQuery, RankedLine};
pub use commit::{AnswerOwner, Change, Commit, EntityChange, Key, RewrittenEvent, SharedText, StoredAnswer};
pub use error::StoreError;
pub use id::{EntityId, Kind};
pub use packing::Phrases;
pub use schedule::{LEASE, LeasedTask, Task, TaskKind};
pub use transfer::{CopiedAnswer, EntityCopy, Inventory};

mod board;
mod commit;
pub mod embedded;
mod error;
mod id;
mod packing;
pub mod redis;
mod schedule;
mod transfer;
mod waiters;

/// The result of the methods of a [`Store`]: a future that may run on any thread.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// An entity, if it exists, and a value read together with it.
pub type EntityAnd<T> = (Option<StoredEntity>, T);

/// A note to write: name and value; without a value the note is removed.
pub type Note = (String, Option<Vec<u8>>);

/// A note that was read: name and value.
pub type StoredNote = (String, Vec<u8>);

/// An entity as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntity {
    /// The name of the entity.
    pub id: EntityId,
    /// The version of the entity, from 1.
    pub version: u64,
    /// Number of events of the entity.
    pub events: u64,
    /// The time of the last change, in milliseconds since 1970.
    pub changed_at: u64,
    /// Whether the entity is closed: no events follow.
    pub is_closed: bool,
    /// The snapshot of the entity at this version.
    pub snapshot: Bytes,
}

impl StoredEntity {
    /// Returns how many events of the entity have numbers above `after`.
    fn missing(&self, after: u64) -> usize {
        usize::try_from(self.events.saturating_sub(after)).unwrap_or(usize::MAX)
    }
}

/// Time that requests add to a bucket, which is the counter of a quota.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketSpend {
    /// The name of the bucket. A bucket that the store does not have is empty.
    pub bucket: String,
    /// The time to add to the bucket.
    pub time: Duration,
    /// The time that has passed since the first of these requests. If the bucket is new, it has been emptying since
    /// then.
    pub ago: Duration,
}

/// A store of entities and texts.
pub trait Store: Send + Sync + 'static {
    /// Carries out a commit as a whole, or not at all.
    ///
    /// # Errors
    /// [`StoreError::KeyTaken`] if a commit with this idempotency key was made before, [`StoreError::Conflict`] if the
    /// entity is not at the expected version, [`StoreError::NameTaken`] if the name of a text is taken.
    fn commit(&self, commit: Commit) -> StoreFuture<'_, ()>;

    /// Returns the entity as it was last committed.
    fn entity(&self, id: EntityId) -> StoreFuture<'_, Option<StoredEntity>>;

    /// Returns the entity from the cache of this process; `None` if it is not cached. The entity may be out of date. A
    /// caller may apply a command to it nevertheless, because the commit fails if the store has another version.
    fn cached(&self, id: EntityId) -> Option<StoredEntity>;

    /// Returns entities of a kind that have a tag, newest first, at most `limit`. All of them are older than `before`.
    fn list(&self, kind: Kind, tag: String, before: Option<Uuid>, limit: usize) -> StoreFuture<'_, Vec<StoredEntity>>;

    /// Reads a page of a board, and the line of one entity.
    fn board(&self, query: BoardPageQuery) -> StoreFuture<'_, BoardPage>;

    /// Returns the entity and its events with numbers above `after`, at most `limit`. The first event has number 1.
    /// Events that a commit appends meanwhile are left out: the last event has at most the number
    /// [`StoredEntity::events`].
    fn entity_and_events(&self, id: EntityId, after: u64, limit: usize) -> StoreFuture<'_, EntityAnd<Vec<Vec<u8>>>>;

    /// Waits until the entity has an event with a number above `after`, at most for the time `at_most`. Returns whether
    /// it has one.
    fn wait(&self, id: EntityId, after: u64, at_most: Duration) -> StoreFuture<'_, bool>;

    /// Returns the stored answer to a request with this idempotency key.
    fn answer(&self, owner: AnswerOwner, key: Key) -> StoreFuture<'_, Option<StoredAnswer>>;

    /// Returns the entity, and the stored answer to a request with this idempotency key that changed the entity.
    fn entity_and_answer(&self, id: EntityId, key: Key) -> StoreFuture<'_, EntityAnd<Option<StoredAnswer>>>;

    /// Reserves the id of the entity that a request with this idempotency key creates. Returns `id`, or the id that an
    /// earlier request with the key has reserved for an entity of this kind. Also returns the stored answer if that
    /// entity was created.
    ///
    /// Two requests with one key thus create one entity: the second commit fails, because the entity exists or the key
    /// is taken.
    fn reserve(&self, key: Key, id: EntityId) -> StoreFuture<'_, (EntityId, Option<StoredAnswer>)>;

    /// Returns the text with this digest.
    fn text(&self, digest: String) -> StoreFuture<'_, Option<Vec<u8>>>;

    /// Returns the names of published texts with their digests, sorted by name.
    fn published(&self) -> StoreFuture<'_, Vec<(String, String)>>;

    /// Returns the present time for deadlines, in milliseconds since 1970. All processes that share a store use the
    /// same clock.
    fn now(&self) -> u64 {
        clock::milliseconds()
    }

    /// Returns at most `limit` tasks that are due, earliest deadline first, and leases them to the caller. Another
    /// caller gets a task after [`LEASE`], unless the first caller has ended the lease ([`Change::EndLease`]) or
    /// has extended it ([`Change::ExtendLease`]).
    ///
    /// A commit may give a task a deadline while a caller has the task. The task keeps this deadline after the lease.
    fn due(&self, limit: usize) -> StoreFuture<'_, Vec<LeasedTask>>;

    /// Writes notes of an entity; notes may be lost. All notes of the entity expire when `lifetime` has passed since
    /// this write.
    fn note(&self, id: EntityId, notes: Vec<Note>, lifetime: Duration) -> StoreFuture<'_, ()>;

    /// Returns the entity and its notes.
    fn entity_and_notes(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<Vec<StoredNote>>>;

    /// Returns the entity, and version and value of its deliveries. The version is 0 if there are none yet.
    fn entity_and_deliveries(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<(u64, Vec<u8>)>>;

    /// Charges requests to the buckets that limit their rate. A bucket holds an amount of time: a request adds its cost
    /// to the amount, and the amount falls to zero as time passes. The store may lose a bucket. Returns how long it
    /// takes until each bucket is empty.
    fn spend(&self, spent: Vec<BucketSpend>) -> StoreFuture<'_, Vec<Duration>>;

    /// Lists all ids, keys and digests in the store.
    fn inventory(&self) -> StoreFuture<'_, Inventory>;

    /// Returns a copy of all data of an entity, except its notes, with those of its stored answers that have these
    /// keys.
    fn copy(&self, id: EntityId, keys: Vec<Key>) -> StoreFuture<'_, Option<EntityCopy>>;

    /// Checks that commits work. Returns one warning for each durability promise that the settings do not keep.
    fn ready(&self) -> StoreFuture<'_, Vec<String>>;
}
