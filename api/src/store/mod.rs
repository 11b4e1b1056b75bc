//! Stores entities: anything with an id, a version, a snapshot and a list of events.
//!
//! One command is one [`Commit`]: all of it takes effect or none, and an acknowledged commit survives a crash. A
//! process has no other state that must not be lost, so several processes may share one store. The store does not
//! interpret snapshots and events. The fields of an entity that the store and its callers need stand beside the
//! snapshot, in [`StoredEntity`].

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use uuid::Uuid;

use crate::ground::clock;

pub use commit::{AnswerOwner, Change, Commit, EntityChange, Key, SharedText, StoredAnswer};
pub use error::StoreError;
pub use id::{EntityId, Kind};
pub use schedule::{Duty, LEASE, Task};
pub use transfer::{CopiedAnswer, EntityCopy, Inventory};

mod commit;
pub mod embedded;
mod error;
mod id;
pub mod redis;
mod schedule;
mod transfer;
mod waiters;

/// What the methods of a [`Store`] return: a future that may run on any thread.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// An entity, if it exists, and something read together with it.
pub type EntityAnd<T> = (Option<StoredEntity>, T);

/// A note to write: name and value; without a value the note is removed.
pub type Note = (String, Option<Vec<u8>>);

/// A note that was read: name and value.
pub type StoredNote = (String, Vec<u8>);

/// An entity as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntity {
    /// Which entity.
    pub id: EntityId,
    /// Its version, from 1.
    pub version: u64,
    /// Number of events of the entity.
    pub events: u64,
    /// When it last changed, in milliseconds since 1970.
    pub changed_at: u64,
    /// Whether the entity is closed: no events follow.
    pub is_closed: bool,
    /// Its last snapshot.
    pub snapshot: Bytes,
}

/// Time spent from a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketSpend {
    /// Name of the bucket. A bucket that the store does not have is empty.
    pub bucket: String,
    /// The time to add to the bucket.
    pub time: Duration,
    /// Time since the first of the requests. A new bucket has been emptying since then.
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

    /// The entity as last committed.
    fn entity(&self, id: EntityId) -> StoreFuture<'_, Option<StoredEntity>>;

    /// The entity in the cache of this process, which may be out of date. Commands may be tried on it, because the
    /// commit compares versions.
    fn cached(&self, id: EntityId) -> Option<StoredEntity>;

    /// Entities of a kind that carry a tag, newest first, older than `before`.
    fn list(&self, kind: Kind, tag: String, before: Option<Uuid>, limit: usize) -> StoreFuture<'_, Vec<StoredEntity>>;

    /// The entity and its events after the one numbered `after`; the first event is number 1.
    fn entity_and_events(&self, id: EntityId, after: u64, limit: usize) -> StoreFuture<'_, EntityAnd<Vec<Vec<u8>>>>;

    /// Waits until the entity has an event after number `after`, for `at_most` at the longest. Returns whether it has
    /// one.
    fn wait(&self, id: EntityId, after: u64, at_most: Duration) -> StoreFuture<'_, bool>;

    /// The stored answer to a request with this idempotency key.
    fn answer(&self, owner: AnswerOwner, key: Key) -> StoreFuture<'_, Option<StoredAnswer>>;

    /// The entity, and the stored answer to a request with this idempotency key that changed it.
    fn entity_and_answer(&self, id: EntityId, key: Key) -> StoreFuture<'_, EntityAnd<Option<StoredAnswer>>>;

    /// Reserves the id of the entity that a request with this idempotency key creates. Returns `id`, or the id of this
    /// kind that an earlier request with the key has reserved; and the stored answer, if the entity was created.
    ///
    /// So two requests with one key create the same entity, and the second commit conflicts with the first.
    fn reserve(&self, key: Key, id: EntityId) -> StoreFuture<'_, (EntityId, Option<StoredAnswer>)>;

    /// A text by its digest.
    fn text(&self, digest: String) -> StoreFuture<'_, Option<Vec<u8>>>;

    /// Published texts, sorted: `(name, digest)`.
    fn published(&self) -> StoreFuture<'_, Vec<(String, String)>>;

    /// The present time for deadlines, in milliseconds since 1970. All processes on a store use the same clock.
    fn now(&self) -> u64 {
        clock::milliseconds()
    }

    /// Takes at most `limit` due tasks, earliest deadline first. Each task is leased to the caller: another caller gets
    /// it after [`LEASE`], unless the first one has scheduled it again ([`Change::Schedule`]).
    fn due(&self, limit: usize) -> StoreFuture<'_, Vec<Task>>;

    /// Writes notes of an entity, which may be lost. All of its notes expire `lifetime` after the last write.
    fn note(&self, id: EntityId, notes: Vec<Note>, lifetime: Duration) -> StoreFuture<'_, ()>;

    /// The entity and its notes.
    fn entity_and_notes(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<Vec<StoredNote>>>;

    /// The entity, and version and value of its deliveries; version 0: nothing was written yet.
    fn entity_and_deliveries(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<(u64, Vec<u8>)>>;

    /// Adds time to buckets, each of which loses a microsecond every microsecond. Returns how long until each is empty.
    /// Buckets may be lost.
    fn spend(&self, spent: Vec<BucketSpend>) -> StoreFuture<'_, Vec<Duration>>;

    /// The inventory: all ids, keys and digests in the store.
    fn inventory(&self) -> StoreFuture<'_, Inventory>;

    /// A copy of everything of an entity, with the stored answers under these keys.
    fn copy(&self, id: EntityId, keys: Vec<Key>) -> StoreFuture<'_, Option<EntityCopy>>;

    /// Checks that commits work. Returns one warning for each durability promise that the settings do not keep.
    fn ready(&self) -> StoreFuture<'_, Vec<String>>;
}
