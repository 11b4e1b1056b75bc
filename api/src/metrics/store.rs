//! A wrapper of a store, which measures the calls to it.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use uuid::Uuid;

use super::{CallMetrics, Metrics};
use crate::store::{
    AnswerOwner, BoardPage, BoardPageQuery, BucketSpend, Commit, EntityAnd, EntityCopy, EntityId, Inventory, Key, Kind,
    LeasedTask, Note, Store, StoreError, StoreFuture, StoredAnswer, StoredEntity, StoredNote,
};
use crate::telemetry;

/// Passes every call on to a store, and records its duration and outcome as metrics and spans. Calls that only read
/// memory, and waits for changes, are not recorded.
pub(crate) struct Measured {
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
    /// The metrics of the two calls that most requests make. Looking them up for each call would take longer than
    /// recording it.
    commits: OnceLock<CallMetrics>,
    reads: OnceLock<CallMetrics>,
}

impl std::fmt::Debug for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Measured").finish_non_exhaustive()
    }
}

impl Measured {
    /// Wraps a store.
    pub(crate) fn new(store: Arc<dyn Store>, metrics: Arc<Metrics>) -> Self {
        Self { store, metrics, commits: OnceLock::new(), reads: OnceLock::new() }
    }

    fn measure<'a, T: 'a>(&'a self, call: &'static str, called: StoreFuture<'a, T>) -> StoreFuture<'a, T> {
        self.measure_as(call, None, called)
    }

    /// Measures a call. `cached` keeps the metrics for further calls of this name that succeed.
    fn measure_as<'a, T: 'a>(
        &'a self,
        call: &'static str,
        cached: Option<&'a OnceLock<CallMetrics>>,
        called: StoreFuture<'a, T>,
    ) -> StoreFuture<'a, T> {
        Box::pin(async move {
            let (began, span) = (Instant::now(), telemetry::begin_child("store", telemetry::SpanKind::Client));
            let result = called.await;
            let outcome = result.as_ref().err().map_or("ok", outcome);
            match cached.filter(|_| result.is_ok()) {
                Some(cached) => {
                    let CallMetrics { time, succeeded } = cached.get_or_init(|| self.metrics.store_call(call, "ok"));
                    time.observe(began.elapsed().as_secs_f64());
                    succeeded.inc();
                }
                None => self.metrics.count_store_call(call, outcome, began.elapsed()),
            }
            if let Some(span) = span {
                let attributes = vec![("db.operation.name", call.into()), ("pagade.outcome", outcome.into())];
                span.end(Some(format!("store {call}")), attributes, FAULTS.contains(&outcome));
            }
            result
        })
    }
}

/// Outcomes that are faults of the store. A conflict is not a fault of the store, because two clients cause it.
const FAULTS: [&str; 2] = ["unavailable", "damaged"];

fn outcome(error: &StoreError) -> &'static str {
    match error {
        StoreError::Conflict(_) => "conflict",
        StoreError::KeyTaken(_) => "key_taken",
        StoreError::NameTaken(_) => "name_taken",
        StoreError::Unavailable(_) => "unavailable",
        StoreError::Damaged(_) => "damaged",
    }
}

impl Store for Measured {
    fn commit(&self, commit: Commit) -> StoreFuture<'_, ()> {
        self.measure_as("commit", Some(&self.commits), self.store.commit(commit))
    }

    fn entity(&self, id: EntityId) -> StoreFuture<'_, Option<StoredEntity>> {
        self.measure_as("entity", Some(&self.reads), self.store.entity(id))
    }

    fn cached(&self, id: EntityId) -> Option<StoredEntity> {
        self.store.cached(id)
    }

    fn list(&self, kind: Kind, tag: String, before: Option<Uuid>, limit: usize) -> StoreFuture<'_, Vec<StoredEntity>> {
        self.measure("list", self.store.list(kind, tag, before, limit))
    }

    fn board(&self, query: BoardPageQuery) -> StoreFuture<'_, BoardPage> {
        self.measure("board", self.store.board(query))
    }

    fn entity_and_events(&self, id: EntityId, after: u64, limit: usize) -> StoreFuture<'_, EntityAnd<Vec<Vec<u8>>>> {
        self.measure("entity_and_events", self.store.entity_and_events(id, after, limit))
    }

    /// This call is not measured: it waits until the entity changes, so its duration is no property of the store.
    fn wait(&self, id: EntityId, after: u64, at_most: Duration) -> StoreFuture<'_, bool> {
        self.store.wait(id, after, at_most)
    }

    fn answer(&self, owner: AnswerOwner, key: Key) -> StoreFuture<'_, Option<StoredAnswer>> {
        self.measure("answer", self.store.answer(owner, key))
    }

    fn entity_and_answer(&self, id: EntityId, key: Key) -> StoreFuture<'_, EntityAnd<Option<StoredAnswer>>> {
        self.measure("entity_and_answer", self.store.entity_and_answer(id, key))
    }

    fn reserve(&self, key: Key, id: EntityId) -> StoreFuture<'_, (EntityId, Option<StoredAnswer>)> {
        self.measure("reserve", self.store.reserve(key, id))
    }

    fn text(&self, digest: String) -> StoreFuture<'_, Option<Vec<u8>>> {
        self.measure("text", self.store.text(digest))
    }

    fn published(&self) -> StoreFuture<'_, Vec<(String, String)>> {
        self.measure("published", self.store.published())
    }

    fn now(&self) -> u64 {
        self.store.now()
    }

    fn due(&self, limit: usize) -> StoreFuture<'_, Vec<LeasedTask>> {
        self.measure("due", self.store.due(limit))
    }

    fn note(&self, id: EntityId, notes: Vec<Note>, lifetime: Duration) -> StoreFuture<'_, ()> {
        self.measure("note", self.store.note(id, notes, lifetime))
    }

    fn entity_and_notes(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<Vec<StoredNote>>> {
        self.measure("entity_and_notes", self.store.entity_and_notes(id))
    }

    fn entity_and_deliveries(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<(u64, Vec<u8>)>> {
        self.measure("entity_and_deliveries", self.store.entity_and_deliveries(id))
    }

    fn spend(&self, spent: Vec<BucketSpend>) -> StoreFuture<'_, Vec<Duration>> {
        self.measure("spend", self.store.spend(spent))
    }

    fn inventory(&self) -> StoreFuture<'_, Inventory> {
        self.measure("inventory", self.store.inventory())
    }

    fn copy(&self, id: EntityId, keys: Vec<Key>) -> StoreFuture<'_, Option<EntityCopy>> {
        self.measure("copy", self.store.copy(id, keys))
    }

    fn ready(&self) -> StoreFuture<'_, Vec<String>> {
        self.measure("ready", self.store.ready())
    }
}
