//! The embedded store: one file, written by one thread. A commit is on disk before it is answered.

use std::fs::OpenOptions;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use redb::{DatabaseError, ReadOnlyDatabase};
#[cfg(target_os = "linux")]
use rustix::fs::{Access, access};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::{
    AnswerOwner, BoardPage, BoardPageQuery, BucketSpend, Change, Commit, EntityAnd, EntityCopy, EntityId, Inventory,
    Key, Kind, LeasedTask, Note, Phrases, Store, StoreError, StoreFuture, StoredAnswer, StoredEntity, StoredNote,
};
use crate::ground::clock;
use file::StoreFile;
use notes::{Notes, SharedBuckets};
use schedule::Leases;
use tables::unavailable;
use writer::{Observers, QueuedCommit};

mod answers;
mod apply;
mod boards;
mod file;
mod layout;
mod notes;
mod read;
mod schedule;
mod tables;
mod transfer;
mod writer;

/// The store of a single process: a file in the data directory.
///
/// Reads run on the thread of the caller, because they touch few pages of the file, and most of these pages are in
/// memory. A store much larger than memory would need threads for its reads.
pub struct Embedded {
    file: Arc<StoreFile>,
    phrases: &'static Phrases,
    sender: Mutex<Option<Sender<QueuedCommit>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    observers: Arc<Observers>,
    leases: Arc<Leases>,
    notes: Notes,
    buckets: SharedBuckets,
}

impl std::fmt::Debug for Embedded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Embedded").finish_non_exhaustive()
    }
}

impl Embedded {
    /// Opens the store in this directory; creates directory and store if they are missing. The store packs its events
    /// with these phrases.
    ///
    /// # Errors
    /// The directory cannot be created, the file is in use by another process, or it has another data format.
    pub fn open(directory: &Path, phrases: &'static Phrases) -> Result<Self, StoreError> {
        std::fs::create_dir_all(directory)
            .map_err(|error| StoreError::Unavailable(format!("`{}` cannot be made: {error}", directory.display())))?;
        let file = Arc::new(StoreFile::open(directory)?);
        let observers = Arc::new(Observers::default());
        let leases = Arc::new(Leases::default());
        let (sender, queue) = channel();
        let (its_file, its_observers, its_leases) = (Arc::clone(&file), Arc::clone(&observers), Arc::clone(&leases));
        let writer = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || writer::run(&its_file, phrases, &queue, &its_observers, &its_leases))
            .map_err(unavailable)?;
        Ok(Self {
            file,
            phrases,
            sender: Mutex::new(Some(sender)),
            writer: Mutex::new(Some(writer)),
            observers,
            leases,
            notes: Notes::default(),
            buckets: SharedBuckets::default(),
        })
    }

    /// Tells whether there is a store in this directory.
    pub fn is_in(directory: &Path) -> bool {
        file::path(directory).is_file()
    }

    /// Finds out the state of the store in this directory, without changing it.
    ///
    /// # Errors
    /// The path is not a directory, or the file cannot be opened or has another data format. [`Embedded::open`] would
    /// fail, too.
    pub fn examine(directory: &Path) -> Result<StoreState, StoreError> {
        let there = directory.ancestors().find(|folder| folder.exists());
        if let Some(there) = there.filter(|there| !there.is_dir()) {
            return Err(StoreError::Unavailable(format!("`{}` is not a folder", there.display())));
        }
        let file = file::path(directory);
        if !file.exists() {
            #[cfg(target_os = "linux")]
            if let Some(there) = there
                && let Err(error) = access(there, Access::WRITE_OK | Access::EXEC_OK)
            {
                let error = std::io::Error::from(error);
                return Err(StoreError::Unavailable(format!("`{}` cannot be written: {error}", there.display())));
            }
            return Ok(StoreState::Nothing);
        }
        let cannot = |error: &dyn std::fmt::Display| {
            StoreError::Unavailable(format!("`{}` cannot be opened: {error}", file.display()))
        };
        OpenOptions::new().write(true).open(&file).map_err(|error| cannot(&error))?;
        match ReadOnlyDatabase::open(&file) {
            Ok(database) => tables::examine(&database).map(StoreState::Entities),
            Err(DatabaseError::RepairAborted) => Ok(StoreState::NotClosed),
            Err(error) => Err(cannot(&error)),
        }
    }
}

/// The state of the store in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreState {
    /// There is no store in the directory. [`Embedded::open`] creates one.
    Nothing,
    /// There is a store with this number of entities.
    Entities(u64),
    /// There is a store that was not closed properly. [`Embedded::open`] repairs it, which may take a while.
    NotClosed,
}

impl Store for Embedded {
    fn commit(&self, commit: Commit) -> StoreFuture<'_, ()> {
        let (done, result) = oneshot::channel();
        let leased = match &commit.change {
            Change::EndLease { leased, .. } => Some(*leased),
            _ => None,
        };
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_sent = sender.is_some_and(|sender| sender.send(QueuedCommit { commit, done }).is_ok());
        Box::pin(async move {
            let closed = || StoreError::Unavailable("the store is closing".to_owned());
            if !is_sent {
                return Err(closed());
            }
            result.await.map_err(|_| closed())??;
            leased.into_iter().for_each(|leased| self.leases.end(leased));
            Ok(())
        })
    }

    fn entity(&self, id: EntityId) -> StoreFuture<'_, Option<StoredEntity>> {
        Box::pin(async move { self.read_entity(id) })
    }

    fn cached(&self, id: EntityId) -> Option<StoredEntity> {
        self.read_entity(id).ok().flatten()
    }

    fn list(&self, kind: Kind, tag: String, before: Option<Uuid>, limit: usize) -> StoreFuture<'_, Vec<StoredEntity>> {
        Box::pin(async move { self.read_list(kind, &tag, before, limit) })
    }

    fn board(&self, query: BoardPageQuery) -> StoreFuture<'_, BoardPage> {
        Box::pin(async move { boards::read(&self.file.read()?, &query) })
    }

    fn entity_and_events(&self, id: EntityId, after: u64, limit: usize) -> StoreFuture<'_, EntityAnd<Vec<Vec<u8>>>> {
        Box::pin(async move {
            let entity = self.read_entity(id)?;
            // The file may already have events of a later commit.
            let missing = entity.as_ref().map_or(0, |entity| entity.missing(after));
            let events = self.read_events(id, after, limit.min(missing))?;
            Ok((entity, events))
        })
    }

    fn wait(&self, id: EntityId, after: u64, at_most: Duration) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            // The waiter is registered before the entity is read, so that no event in between is missed.
            let mut counts = self.observers.waiters.listen(id);
            if self.read_entity(id)?.is_some_and(|entity| entity.events > after) {
                return Ok(true);
            }
            let heard =
                tokio::time::timeout(at_most, counts.wait_for(|events| events.is_none_or(|events| events > after)));
            Ok(heard.await.is_ok_and(|heard| heard.is_ok()))
        })
    }

    /// Ignores the owner, because one table has the answers of all owners.
    fn answer(&self, _: AnswerOwner, key: Key) -> StoreFuture<'_, Option<StoredAnswer>> {
        Box::pin(async move { self.read_answer(&key) })
    }

    fn entity_and_answer(&self, id: EntityId, key: Key) -> StoreFuture<'_, EntityAnd<Option<StoredAnswer>>> {
        Box::pin(async move { Ok((self.read_entity(id)?, self.read_answer(&key)?)) })
    }

    /// Reserves nothing, because all idempotency keys are in one table: the second of two commits with one key is
    /// refused.
    fn reserve(&self, key: Key, id: EntityId) -> StoreFuture<'_, (EntityId, Option<StoredAnswer>)> {
        Box::pin(async move { Ok((id, self.read_answer(&key)?)) })
    }

    fn text(&self, digest: String) -> StoreFuture<'_, Option<Vec<u8>>> {
        Box::pin(async move { self.read_text(&digest) })
    }

    fn published(&self) -> StoreFuture<'_, Vec<(String, String)>> {
        Box::pin(async move { self.read_published() })
    }

    fn due(&self, limit: usize) -> StoreFuture<'_, Vec<LeasedTask>> {
        Box::pin(async move { self.leases.take_due(&self.file.read()?, limit) })
    }

    fn note(&self, id: EntityId, notes: Vec<Note>, lifetime: Duration) -> StoreFuture<'_, ()> {
        self.notes.write(id, notes, lifetime);
        Box::pin(async { Ok(()) })
    }

    fn entity_and_notes(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<Vec<StoredNote>>> {
        Box::pin(async move { Ok((self.read_entity(id)?, self.notes.read(id))) })
    }

    fn entity_and_deliveries(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<(u64, Vec<u8>)>> {
        Box::pin(async move { Ok((self.read_entity(id)?, self.read_deliveries(id)?)) })
    }

    fn spend(&self, spent: Vec<BucketSpend>) -> StoreFuture<'_, Vec<Duration>> {
        let levels = self.buckets.spend(spent);
        Box::pin(async { Ok(levels) })
    }

    fn inventory(&self) -> StoreFuture<'_, Inventory> {
        // The inventory reads every entity, so it runs on a thread of its own, and other requests do not wait for it.
        let file = Arc::clone(&self.file);
        Box::pin(async move {
            let read = tokio::task::spawn_blocking(move || transfer::inventory(&file.read()?, clock::seconds()));
            read.await.map_err(unavailable)?
        })
    }

    fn copy(&self, id: EntityId, keys: Vec<Key>) -> StoreFuture<'_, Option<EntityCopy>> {
        Box::pin(async move { transfer::copy(&self.file.read()?, self.phrases, id, &keys) })
    }

    fn ready(&self) -> StoreFuture<'_, Vec<String>> {
        Box::pin(async move { self.file.check().map(|()| Vec::new()) })
    }
}

impl Drop for Embedded {
    /// Waits until all accepted commits are on disk.
    fn drop(&mut self) {
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer
            && writer.join().is_err()
        {
            tracing::error!("store writer panicked");
        }
    }
}
