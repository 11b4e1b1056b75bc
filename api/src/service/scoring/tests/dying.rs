//! A store as a dying process sees it: after some commits, every call fails.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use uuid::Uuid;

use crate::store::{
    AnswerOwner, BoardPage, BoardPageQuery, BucketSpend, Change, Commit, EntityAnd, EntityCopy, EntityId, Inventory,
    Key, Kind, LeasedTask, Note, Store, StoreError, StoreFuture, StoredAnswer, StoredEntity, StoredNote,
};

/// The store of a process that dies.
pub(super) struct Dying {
    store: Arc<dyn Store>,
    /// Number of commits that the process still makes.
    left: AtomicI64,
    /// Whether the last commit is made, and only its answer is lost.
    last_is_made: bool,
    /// Decides how long each call waits, so that processes run in all kinds of order.
    pauses: Mutex<ChaCha8Rng>,
}

impl Dying {
    /// Makes the store of a process that dies at the commit after `commits` commits.
    pub(super) fn after(store: Arc<dyn Store>, commits: i64, last_is_made: bool, seed: u64) -> Arc<Self> {
        let pauses = Mutex::new(ChaCha8Rng::seed_from_u64(seed));
        Arc::new(Self { store, left: AtomicI64::new(commits), last_is_made, pauses })
    }

    /// Makes the store of a process that lives, and whose calls take a random time.
    pub(super) fn never(store: Arc<dyn Store>, seed: u64) -> Arc<Self> {
        Self::after(store, i64::MAX, false, seed)
    }

    /// Tells whether the process has died.
    pub(super) fn is_dead(&self) -> bool {
        self.left.load(Ordering::SeqCst) < 0
    }

    async fn pause(&self) {
        let pauses = self.pauses.lock().unwrap_or_else(PoisonError::into_inner).random_range(0..6);
        for _ in 0..pauses {
            tokio::task::yield_now().await;
        }
    }

    /// Makes a call to the store, unless the process is dead.
    fn call<'s, T: Send + 's>(&'s self, made: impl FnOnce() -> StoreFuture<'s, T> + Send + 's) -> StoreFuture<'s, T> {
        Box::pin(async move {
            self.pause().await;
            if self.is_dead() {
                return Err(dead());
            }
            made().await
        })
    }
}

fn dead() -> StoreError {
    StoreError::Unavailable("the process is dead".to_owned())
}

impl Store for Dying {
    fn commit(&self, commit: Commit) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.pause().await;
            // Only commits of entities count: texts and tasks are written beside them.
            let counts = matches!(commit.change, Change::Entity(_) | Change::Remove { .. } | Change::Rewrite { .. });
            let left = self.left.fetch_sub(i64::from(counts), Ordering::SeqCst);
            match left {
                0 if counts && self.last_is_made => self.store.commit(commit).await.and(Err(dead())),
                left if left < 0 || (left == 0 && counts) => Err(dead()),
                _ => self.store.commit(commit).await,
            }
        })
    }

    fn entity(&self, id: EntityId) -> StoreFuture<'_, Option<StoredEntity>> {
        self.call(move || self.store.entity(id))
    }

    /// A process that has just begun has nothing in its cache.
    fn cached(&self, _: EntityId) -> Option<StoredEntity> {
        None
    }

    fn list(&self, kind: Kind, tag: String, before: Option<Uuid>, limit: usize) -> StoreFuture<'_, Vec<StoredEntity>> {
        self.call(move || self.store.list(kind, tag, before, limit))
    }

    fn board(&self, query: BoardPageQuery) -> StoreFuture<'_, BoardPage> {
        self.store.board(query)
    }

    fn entity_and_events(&self, id: EntityId, after: u64, limit: usize) -> StoreFuture<'_, EntityAnd<Vec<Vec<u8>>>> {
        self.call(move || self.store.entity_and_events(id, after, limit))
    }

    fn wait(&self, id: EntityId, after: u64, at_most: Duration) -> StoreFuture<'_, bool> {
        self.store.wait(id, after, at_most)
    }

    fn answer(&self, owner: AnswerOwner, key: Key) -> StoreFuture<'_, Option<StoredAnswer>> {
        self.store.answer(owner, key)
    }

    fn entity_and_answer(&self, id: EntityId, key: Key) -> StoreFuture<'_, EntityAnd<Option<StoredAnswer>>> {
        self.call(move || self.store.entity_and_answer(id, key))
    }

    fn reserve(&self, key: Key, id: EntityId) -> StoreFuture<'_, (EntityId, Option<StoredAnswer>)> {
        self.store.reserve(key, id)
    }

    fn text(&self, digest: String) -> StoreFuture<'_, Option<Vec<u8>>> {
        self.store.text(digest)
    }

    fn published(&self) -> StoreFuture<'_, Vec<(String, String)>> {
        self.store.published()
    }

    fn now(&self) -> u64 {
        self.store.now()
    }

    fn due(&self, limit: usize) -> StoreFuture<'_, Vec<LeasedTask>> {
        self.store.due(limit)
    }

    fn note(&self, id: EntityId, notes: Vec<Note>, lifetime: Duration) -> StoreFuture<'_, ()> {
        self.store.note(id, notes, lifetime)
    }

    fn entity_and_notes(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<Vec<StoredNote>>> {
        self.store.entity_and_notes(id)
    }

    fn entity_and_deliveries(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<(u64, Vec<u8>)>> {
        self.call(move || self.store.entity_and_deliveries(id))
    }

    fn spend(&self, spent: Vec<BucketSpend>) -> StoreFuture<'_, Vec<Duration>> {
        self.store.spend(spent)
    }

    fn inventory(&self) -> StoreFuture<'_, Inventory> {
        self.store.inventory()
    }

    fn copy(&self, id: EntityId, keys: Vec<Key>) -> StoreFuture<'_, Option<EntityCopy>> {
        self.store.copy(id, keys)
    }

    fn ready(&self) -> StoreFuture<'_, Vec<String>> {
        self.store.ready()
    }
}
