//! Notes of entities, and the buckets of quotas. Both are in memory only, because they may be lost.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::ground::recent::Recent;
use crate::store::{BucketSpend, EntityId, Note, StoredNote};

/// Number of entities whose notes are kept at least: those whose notes were written last.
const ENTITIES: usize = 2048;

/// The notes of one entity, and the time at which all of them expire.
#[derive(Clone)]
struct Noted {
    expires: Instant,
    notes: BTreeMap<String, Vec<u8>>,
}

#[derive(Default)]
pub(super) struct Notes(Recent<EntityId, Noted, ENTITIES>);

impl Notes {
    /// Writes notes of an entity. All of its notes then expire after `lifetime`.
    pub(super) fn write(&self, id: EntityId, notes: Vec<Note>, lifetime: Duration) {
        let now = Instant::now();
        self.0.change(id, |noted| {
            let noted = noted.filter(|noted| noted.expires > now);
            let mut present = noted.map(|noted| noted.notes).unwrap_or_default();
            for (name, value) in notes {
                match value {
                    Some(value) => present.insert(name, value),
                    None => present.remove(&name),
                };
            }
            Noted { expires: now + lifetime, notes: present }
        });
    }

    /// Returns the notes of an entity; none if they have expired.
    pub(super) fn read(&self, id: EntityId) -> Vec<StoredNote> {
        let noted = self.0.get(&id).filter(|noted| noted.expires > Instant::now());
        noted.map(|noted| noted.notes.into_iter().collect()).unwrap_or_default()
    }
}

/// The time at which each bucket will be empty, by the name of the bucket. Empty buckets are removed when `spend` is
/// called.
#[derive(Default)]
pub(super) struct SharedBuckets(Mutex<HashMap<String, Instant>>);

impl SharedBuckets {
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

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::store::Kind;

    const LAMP: Kind = Kind::named("lamp");

    fn note(name: &str) -> Vec<Note> {
        vec![(name.to_owned(), Some(b"1".to_vec()))]
    }

    fn names(notes: &Notes, id: EntityId) -> Vec<String> {
        notes.read(id).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn expired_notes_do_not_come_back_with_later_ones() {
        let (notes, id) = (Notes::default(), EntityId::new(LAMP, Uuid::now_v7()));
        notes.write(id, note("a"), Duration::ZERO);
        assert!(notes.read(id).is_empty());
        notes.write(id, note("b"), Duration::from_secs(60));
        notes.write(id, note("c"), Duration::from_secs(60));
        assert_eq!(names(&notes, id), ["b", "c"]);
    }

    #[test]
    fn notes_that_are_written_again_and_again_stay_while_many_others_come() {
        let (notes, id) = (Notes::default(), EntityId::new(LAMP, Uuid::now_v7()));
        for number in 0..3 * ENTITIES {
            if number % (ENTITIES / 2) == 0 {
                notes.write(id, note("kept"), Duration::from_secs(60));
            }
            notes.write(EntityId::new(LAMP, Uuid::now_v7()), note("other"), Duration::from_secs(60));
        }
        assert_eq!(names(&notes, id), ["kept"]);
    }
}
