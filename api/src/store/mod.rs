//! Keeps entities: anything with an id, a version, a snapshot and a list of events.
//!
//! One command is one [`Commit`]: all of it happens or nothing, and once it is answered it survives a crash. The process
//! keeps nothing that matters, so several processes may share one store. The store reads no snapshot and no event; what
//! its readers need of any entity stands beside the snapshot, in [`StoredEntity`].

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
    /// How many events it has.
    pub events: u64,
    /// When it last changed, in milliseconds since 1970.
    pub changed_at: u64,
    /// Whether it is over: no events follow.
    pub is_closed: bool,
    /// Its last snapshot.
    pub snapshot: Bytes,
}

/// Time spent from a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketSpend {
    /// Name of the bucket; one that is not known is empty.
    pub bucket: String,
    /// The time to add to the bucket.
    pub time: Duration,
    /// How long ago the spending began. The bucket has been running dry since then.
    pub ago: Duration,
}

/// A store of entities and texts.
pub trait Store: Send + Sync + 'static {
    /// Does all of a commit, or nothing.
    ///
    /// # Errors
    /// [`StoreError::KeyTaken`] where a commit with this idempotency key was done, [`StoreError::Conflict`] where the
    /// entity is not at the expected version, [`StoreError::NameTaken`] where a text of that name is published.
    fn commit(&self, commit: Commit) -> StoreFuture<'_, ()>;

    /// The entity as last committed.
    fn entity(&self, id: EntityId) -> StoreFuture<'_, Option<StoredEntity>>;

    /// A copy in this process's cache, which may be out of date. Good enough to try a command on: the commit compares
    /// versions.
    fn cached(&self, id: EntityId) -> Option<StoredEntity>;

    /// Entities of a kind that carry a tag, newest first, older than `before`.
    fn list(&self, kind: Kind, tag: String, before: Option<Uuid>, limit: usize) -> StoreFuture<'_, Vec<StoredEntity>>;

    /// The entity and its events after the one numbered `after`; the first event is number 1.
    fn entity_and_events(&self, id: EntityId, after: u64, limit: usize) -> StoreFuture<'_, EntityAnd<Vec<Vec<u8>>>>;

    /// Waits until the entity has events after `after`, or until `at_most` has passed; whether it has.
    fn wait(&self, id: EntityId, after: u64, at_most: Duration) -> StoreFuture<'_, bool>;

    /// The stored answer to a request with this idempotency key.
    fn answer(&self, owner: AnswerOwner, key: Key) -> StoreFuture<'_, Option<StoredAnswer>>;

    /// The entity, and the stored answer to a request with this idempotency key that changed it.
    fn entity_and_answer(&self, id: EntityId, key: Key) -> StoreFuture<'_, EntityAnd<Option<StoredAnswer>>>;

    /// Reserves the id of the entity that a request with this idempotency key creates: `id`, unless an earlier request
    /// with the key has reserved another id of this kind. With it comes the stored answer, if the entity was created.
    ///
    /// So two requests with one key ask for one entity, and versions decide between them.
    fn reserve(&self, key: Key, id: EntityId) -> StoreFuture<'_, (EntityId, Option<StoredAnswer>)>;

    /// A text by its digest.
    fn text(&self, digest: String) -> StoreFuture<'_, Option<Vec<u8>>>;

    /// Published texts, sorted: `(name, digest)`.
    fn published(&self) -> StoreFuture<'_, Vec<(String, String)>>;

    /// The clock by which deadlines are kept, in milliseconds since 1970: one for all processes on a store.
    fn now(&self) -> u64 {
        clock::milliseconds()
    }

    /// Tasks whose deadline has come, at most so many, earliest first. Each is given to one caller, and to another one
    /// after [`LEASE`] unless the first has scheduled it anew ([`Change::Schedule`]).
    fn due(&self, limit: usize) -> StoreFuture<'_, Vec<Task>>;

    /// Writes notes of an entity, which may be lost; all of its notes expire so long after the last write.
    fn note(&self, id: EntityId, notes: Vec<Note>, lifetime: Duration) -> StoreFuture<'_, ()>;

    /// The entity and its notes.
    fn entity_and_notes(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<Vec<StoredNote>>>;

    /// The entity, and version and value of its deliveries; version 0: nothing was written yet.
    fn entity_and_deliveries(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<(u64, Vec<u8>)>>;

    /// Adds time to buckets, each of which loses a microsecond every microsecond. Returns how long until each is empty.
    /// Buckets may be lost.
    fn spend(&self, spent: Vec<BucketSpend>) -> StoreFuture<'_, Vec<Duration>>;

    /// The names of everything.
    fn inventory(&self) -> StoreFuture<'_, Inventory>;

    /// A copy of everything of an entity, with the stored answers under these keys.
    fn copy(&self, id: EntityId, keys: Vec<Key>) -> StoreFuture<'_, Option<EntityCopy>>;

    /// Checks that commits work. Returns one warning for each durability promise that the settings do not keep.
    fn ready(&self) -> StoreFuture<'_, Vec<String>>;
}
