//! Notes of entities, and the buckets of quotas. Both are in memory only, because they may be lost.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::store::{BucketSpend, EntityId, Note, StoredNote};

/// Maximum number of entities with notes.
const MOST: usize = 4096;

/// The notes of one entity, and the time at which all of them expire.
struct Noted {
    expires: Instant,
    notes: BTreeMap<String, Vec<u8>>,
}

/// Notes by entity, for at most [`MOST`] entities. When the map is full, expired notes are dropped; if it is still
/// full, the half of the entities whose notes expire first is dropped.
#[derive(Default)]
pub(super) struct Notes(Mutex<HashMap<EntityId, Noted>>);

impl Notes {
    /// Writes notes of an entity. All of its notes then expire after `lifetime`.
    pub(super) fn write(&self, id: EntityId, notes: Vec<Note>, lifetime: Duration) {
        let mut entities = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if entities.len() >= MOST && !entities.contains_key(&id) {
            make_room(&mut entities, now);
        }
        let noted = entities.entry(id).or_insert_with(|| Noted { expires: now, notes: BTreeMap::new() });
        noted.expires = now + lifetime;
        for (name, value) in notes {
            match value {
                Some(value) => noted.notes.insert(name, value),
                None => noted.notes.remove(&name),
            };
        }
    }

    /// Returns the notes of an entity; none if they have expired.
    pub(super) fn read(&self, id: EntityId) -> Vec<StoredNote> {
        let entities = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let noted = entities.get(&id).filter(|noted| noted.expires > Instant::now());
        noted.map(|noted| noted.notes.clone().into_iter().collect()).unwrap_or_default()
    }
}

fn make_room(entities: &mut HashMap<EntityId, Noted>, now: Instant) {
    entities.retain(|_, noted| noted.expires > now);
    if entities.len() >= MOST {
        let mut ends: Vec<Instant> = entities.values().map(|noted| noted.expires).collect();
        let (_, middle, _) = ends.select_nth_unstable(MOST / 2);
        entities.retain(|_, noted| noted.expires > *middle);
    }
}

/// The time at which each bucket will be empty, by its name. The next call removes the entries of empty buckets.
#[derive(Default)]
pub(super) struct Buckets(Mutex<HashMap<String, Instant>>);

impl Buckets {
    /// Adds time to buckets. Returns how long it takes until each of them is empty.
    pub(super) fn spend(&self, spent: Vec<BucketSpend>) -> Vec<Duration> {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        buckets.retain(|_, dry_at| *dry_at > now);
        let pour = |BucketSpend { bucket, time, ago }| {
            let dry_at = buckets.entry(bucket).or_insert(now.checked_sub(ago).unwrap_or(now));
            *dry_at += time;
            dry_at.saturating_duration_since(now)
        };
        spent.into_iter().map(pour).collect()
    }
}
