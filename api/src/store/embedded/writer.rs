//! The thread that writes: it takes all waiting commits, writes them in one transaction, and then answers each of them.
//!
//! A sync to disk takes as long for one commit as for five hundred, so commits share a sync when there are many. A
//! single commit does not wait for others.

use std::sync::mpsc::{self, Receiver, RecvError};

use redb::{Database, Durability};
use tokio::sync::oneshot;

use super::answers;
use super::apply::{Applied, apply};
use super::file::StoreFile;
use super::schedule::Leases;
use super::tables::{Tables, unavailable};
use crate::ground::clock;
use crate::ground::recent::Recent;
use crate::store::waiters::Waiters;
use crate::store::{Change, Commit, EntityChange, EntityId, Phrases, StoreError, StoredEntity};

/// Maximum number of commits in one transaction. It limits the time that a commit waits for the others of its
/// transaction.
const COMMITS_A_TRANSACTION: usize = 512;

/// A commit, and the channel to its caller.
pub(super) struct QueuedCommit {
    /// The commit to write.
    pub commit: Commit,
    /// The channel that the result of the commit is sent to.
    pub done: oneshot::Sender<Result<(), StoreError>>,
}

/// The observers of committed changes: callers that wait for events, and the cache. Only the writer changes the cache,
/// and before it answers a commit. So the cache is never older than an answered commit.
#[derive(Default)]
pub(super) struct Observers {
    /// Callers that wait for events.
    pub waiters: Waiters,
    /// Recently committed entities.
    pub cache: Recent<EntityId, StoredEntity, 1024>,
}

impl Observers {
    fn committed(&self, commit: Commit, applied: &Applied) {
        match (commit.change, applied) {
            (Change::Entity(change), Ok(events)) => {
                let EntityChange { id, expected, snapshot, changed_at, is_closed, .. } = change;
                let events = events.unwrap_or_default();
                let entity = StoredEntity { id, version: expected + 1, events, changed_at, is_closed, snapshot };
                self.cache.keep(id, entity);
                self.waiters.wake(id, Some(events));
            }
            (Change::Remove { id, .. }, Ok(_)) => self.cache.forget(&id),
            _ => {}
        }
    }

    /// Drops the cache entry after a failed commit, because the file may or may not have the commit.
    fn failed(&self, commit: &Commit) {
        if let Change::Entity(EntityChange { id, .. }) | Change::Remove { id, .. } = &commit.change {
            self.cache.forget(id);
        }
    }
}

/// Writes commits until all senders are dropped and all received commits are written.
pub(super) fn run(
    file: &StoreFile,
    phrases: &Phrases,
    queue: &Receiver<QueuedCommit>,
    observers: &Observers,
    leases: &Leases,
) {
    while let Ok(batch) = next_batch(queue) {
        let (commits, callers): (Vec<_>, Vec<_>) = batch.into_iter().map(|queued| (queued.commit, queued.done)).unzip();
        match file.write(|database| write(database, phrases, leases, &commits)) {
            Ok(results) => {
                for ((commit, applied), caller) in commits.into_iter().zip(results).zip(callers) {
                    // A worker may have leased the task while the transaction was being written. The lease gets the
                    // deadline here.
                    leases.note_deadlines(&commit.change);
                    observers.committed(commit, &applied);
                    // The caller may have stopped waiting. Its commit is written nevertheless.
                    let _ = caller.send(applied.map(drop));
                }
            }
            Err(error) => {
                tracing::error!(%error, commits = callers.len(), "store transaction failed");
                commits.iter().for_each(|commit| observers.failed(commit));
                for caller in callers {
                    let _ = caller.send(Err(StoreError::Unavailable(error.to_string())));
                }
            }
        }
    }
}

fn next_batch(queue: &Receiver<QueuedCommit>) -> Result<Vec<QueuedCommit>, RecvError> {
    let mut batch = vec![queue.recv()?];
    while batch.len() < COMMITS_A_TRANSACTION {
        match queue.try_recv() {
            Ok(queued) => batch.push(queued),
            Err(mpsc::TryRecvError::Empty | mpsc::TryRecvError::Disconnected) => break,
        }
    }
    Ok(batch)
}

fn write(
    database: &Database,
    phrases: &Phrases,
    leases: &Leases,
    commits: &[Commit],
) -> Result<Vec<Applied>, StoreError> {
    let mut transaction = database.begin_write().map_err(unavailable)?;
    transaction.set_durability(Durability::Immediate).map_err(unavailable)?;
    let now = clock::seconds();
    let mut results = Vec::with_capacity(commits.len());
    let mut tables = Tables::open(&transaction)?;
    answers::sweep(&mut tables, now)?;
    for commit in commits {
        // INVARIANT: `apply` has written nothing when it refuses a commit. After any other error, the transaction is
        // dropped.
        match apply(&mut tables, phrases, leases, commit, now) {
            Err(error @ (StoreError::Unavailable(_) | StoreError::Damaged(_))) => return Err(error),
            applied => results.push(applied),
        }
    }
    drop(tables);
    transaction.commit().map_err(unavailable)?;
    Ok(results)
}
