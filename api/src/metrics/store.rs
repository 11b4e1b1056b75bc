//! A store whose calls are measured.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Metrics;
use crate::store::whole::{Inventory, Key, Whole};
use crate::store::{
    Answer, Commit, GameAnd, GameId, Note, Noted, Place, Remembered, Spent, Store, StoreError, StoredGame,
};
use crate::telemetry::{self, Kind};

/// Passes calls on, and notes how long they took and how they ended.
pub struct Measured {
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
}

impl std::fmt::Debug for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Measured").finish_non_exhaustive()
    }
}

impl Measured {
    /// Measures the calls to a store.
    pub fn new(store: Arc<dyn Store>, metrics: Arc<Metrics>) -> Self {
        Self { store, metrics }
    }

    fn measure<'a, T: 'a>(&'a self, call: &'static str, answer: Answer<'a, T>) -> Answer<'a, T> {
        Box::pin(async move {
            let (began, part) = (Instant::now(), telemetry::part("store", Kind::Client));
            let answer = answer.await;
            let outcome = answer.as_ref().err().map_or("ok", outcome);
            self.metrics.called(call, outcome, began.elapsed());
            if let Some(part) = part {
                let attributes = vec![("db.operation.name", call.into()), ("pagade.outcome", outcome.into())];
                part.end(Some(format!("store {call}")), attributes, FAULTS.contains(&outcome));
            }
            answer
        })
    }
}

/// Outcomes that nobody wants.
const FAULTS: [&str; 2] = ["unavailable", "damaged"];

fn outcome(error: &StoreError) -> &'static str {
    match error {
        StoreError::Stale(_) => "stale",
        StoreError::KeyTaken(_) => "key_taken",
        StoreError::Taken(_) => "taken",
        StoreError::Unavailable(_) => "unavailable",
        StoreError::Damaged(_) => "damaged",
    }
}

impl Store for Measured {
    fn commit(&self, commit: Commit) -> Answer<'_, ()> {
        self.measure("commit", self.store.commit(commit))
    }

    fn game(&self, id: GameId) -> Answer<'_, Option<StoredGame>> {
        self.measure("game", self.store.game(id))
    }

    fn copy_at_hand(&self, id: GameId) -> Option<StoredGame> {
        self.store.copy_at_hand(id)
    }

    fn games(&self, tag: String, before: Option<GameId>, limit: usize) -> Answer<'_, Vec<StoredGame>> {
        self.measure("games", self.store.games(tag, before, limit))
    }

    fn game_and_events(&self, id: GameId, after: u64, limit: usize) -> Answer<'_, GameAnd<Vec<Vec<u8>>>> {
        self.measure("game_and_events", self.store.game_and_events(id, after, limit))
    }

    /// Not measured: how long it takes is up to the players.
    fn wait(&self, id: GameId, after: u64, patience: Duration) -> Answer<'_, bool> {
        self.store.wait(id, after, patience)
    }

    fn remembered(&self, place: Place, key: [u8; 32]) -> Answer<'_, Option<Remembered>> {
        self.measure("remembered", self.store.remembered(place, key))
    }

    fn game_and_remembered(&self, id: GameId, key: [u8; 32]) -> Answer<'_, GameAnd<Option<Remembered>>> {
        self.measure("game_and_remembered", self.store.game_and_remembered(id, key))
    }

    fn reserve(&self, key: [u8; 32], id: GameId) -> Answer<'_, (GameId, Option<Remembered>)> {
        self.measure("reserve", self.store.reserve(key, id))
    }

    fn rule_text(&self, digest: String) -> Answer<'_, Option<Vec<u8>>> {
        self.measure("rule_text", self.store.rule_text(digest))
    }

    fn published(&self) -> Answer<'_, Vec<(String, String)>> {
        self.measure("published", self.store.published())
    }

    fn now(&self) -> u64 {
        self.store.now()
    }

    fn due(&self, limit: usize) -> Answer<'_, Vec<GameId>> {
        self.measure("due", self.store.due(limit))
    }

    fn note(&self, id: GameId, notes: Vec<Note>, lifetime: Duration) -> Answer<'_, ()> {
        self.measure("note", self.store.note(id, notes, lifetime))
    }

    fn game_and_notes(&self, id: GameId) -> Answer<'_, GameAnd<Vec<Noted>>> {
        self.measure("game_and_notes", self.store.game_and_notes(id))
    }

    fn game_and_deliveries(&self, id: GameId) -> Answer<'_, GameAnd<(u64, Vec<u8>)>> {
        self.measure("game_and_deliveries", self.store.game_and_deliveries(id))
    }

    fn spend(&self, spent: Vec<Spent>) -> Answer<'_, Vec<Duration>> {
        self.measure("spend", self.store.spend(spent))
    }

    fn inventory(&self) -> Answer<'_, Inventory> {
        self.measure("inventory", self.store.inventory())
    }

    fn whole(&self, id: GameId, keys: Vec<Key>) -> Answer<'_, Option<Whole>> {
        self.measure("whole", self.store.whole(id, keys))
    }

    fn ready(&self) -> Answer<'_, Vec<String>> {
        self.measure("ready", self.store.ready())
    }
}
