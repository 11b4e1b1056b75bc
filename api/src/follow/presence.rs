//! Presence: which seats follow an entity, and when each was last seen.
//!
//! Each process counts its own streams, and writes the counts to the store as notes, independently of requests. Notes
//! expire, so the streams of a process that died are soon no longer counted.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ground::clock;
use crate::store::{EntityId, Note, StoredNote};

/// Time after which a note is written again although nothing has changed.
const REFRESH: Duration = Duration::from_secs(20);
/// How long a note about streams counts, in milliseconds. It is more than twice [`REFRESH`], so a note still counts
/// after one failed write.
const NOTE_LIFETIME: u64 = 50_000;
/// Prefix of the names of notes that say when a seat was last seen.
const SEEN: &str = "seen:";
/// Prefix of the names of notes that say that a seat has followed the entity by a stream.
const FOLLOWED: &str = "followed:";

/// The numbers of streams of one entity, at one process.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct StreamCounts {
    /// Time of the count, in milliseconds since 1970.
    pub at: u64,
    /// Number of streams of callers without a seat.
    pub watchers: u32,
    /// Number of streams of each seat, by the name of the seat.
    pub seats: BTreeMap<String, u32>,
}

impl StreamCounts {
    fn is_empty(&self) -> bool {
        self.watchers == 0 && self.seats.is_empty()
    }
}

/// The presence at an entity, combined from all processes.
#[derive(Debug, Clone, Default)]
pub(crate) struct CombinedPresence {
    /// The open streams.
    pub streams: StreamCounts,
    /// When each seat was last seen, in milliseconds since 1970.
    pub seen: BTreeMap<String, u64>,
    /// The seats that have, or had, a stream.
    pub followed: BTreeSet<String>,
}

/// The followers of one entity, at this process.
#[derive(Debug, Default)]
struct LocalPresence {
    streams: StreamCounts,
    /// When each seat was last seen at this process, in milliseconds since 1970.
    seen: BTreeMap<String, u64>,
    /// The seats that have, or had, a stream at this process.
    followed: BTreeSet<String>,
    /// Time of the last write to the store; `None` if the counts have changed since then.
    written_at: Option<Instant>,
}

/// Presence at this process: its streams, and the seats that have sent requests.
#[derive(Debug)]
pub(crate) struct PresenceTracker {
    /// The name of this process, which is also the name of its note about streams.
    process: String,
    // The service draws the ids, so no client can choose ids that collide in this map.
    entities: Mutex<HashMap<EntityId, LocalPresence, RandomState>>,
}

impl Default for PresenceTracker {
    fn default() -> Self {
        Self { process: Uuid::now_v7().simple().to_string(), entities: Mutex::default() }
    }
}

/// Counts one follower as present until this value is dropped.
#[derive(Debug)]
pub(crate) struct PresentFollower {
    presence: Arc<PresenceTracker>,
    id: EntityId,
    seats: Vec<String>,
}

impl PresenceTracker {
    /// Records that these seats were seen now.
    pub(crate) fn mark_seen(&self, id: EntityId, seats: &[&str]) {
        if !seats.is_empty() {
            self.change(id, seats, |_| ());
        }
    }

    /// Adds a follower that plays these seats, or none.
    pub(crate) fn add_follower(self: &Arc<Self>, id: EntityId, seats: &[&str]) -> PresentFollower {
        self.change(id, seats, |LocalPresence { streams, followed, .. }| {
            followed.extend(seats.iter().map(|seat| (*seat).to_owned()));
            seats.iter().for_each(|seat| *streams.seats.entry((*seat).to_owned()).or_default() += 1);
            streams.watchers += u32::from(seats.is_empty());
        });
        let seats = seats.iter().map(|seat| (*seat).to_owned()).collect();
        PresentFollower { presence: Arc::clone(self), id, seats }
    }

    fn change(&self, id: EntityId, seats: &[&str], change: impl FnOnce(&mut LocalPresence)) {
        let mut entities = self.lock();
        let local = entities.entry(id).or_default();
        let now = clock::milliseconds();
        for seat in seats {
            match local.seen.get_mut(*seat) {
                Some(seen) => *seen = now,
                None => drop(local.seen.insert((*seat).to_owned(), now)),
            }
        }
        change(local);
        local.written_at = None;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<EntityId, LocalPresence, RandomState>> {
        self.entities.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the notes to write to the store now: all notes of each entity whose presence has changed, or whose notes
    /// were last written at least [`REFRESH`] ago. Drops entities without followers whose notes an earlier call has
    /// returned: until then the notes may not be in the store yet.
    pub(crate) fn notes_to_write(&self, now: u64) -> Vec<(EntityId, Vec<Note>)> {
        let mut entities = self.lock();
        entities.retain(|_, local| !local.streams.is_empty() || local.written_at.is_none());
        let due = entities
            .iter_mut()
            .filter(|(_, local)| local.written_at.is_none_or(|written_at| written_at.elapsed() >= REFRESH));
        let notes = due.map(|(id, local)| {
            local.written_at = Some(Instant::now());
            local.streams.at = now;
            let there = local.streams.seats.keys().map(|seat| (seat.clone(), now)).collect::<Vec<_>>();
            local.seen.extend(there);
            let seen = local.seen.iter().map(|(seat, at)| (format!("{SEEN}{seat}"), Some(at.to_string().into_bytes())));
            let followed = local.followed.iter().map(|seat| (format!("{FOLLOWED}{seat}"), Some(Vec::new())));
            let streams = (!local.streams.is_empty()).then(|| serde_json::to_vec(&local.streams).unwrap_or_default());
            (*id, seen.chain(followed).chain([(self.process.clone(), streams)]).collect())
        });
        notes.collect()
    }

    /// Removes all followers, because the process stops.
    pub(crate) fn remove_all(&self) {
        for local in self.lock().values_mut() {
            (local.streams, local.written_at) = (StreamCounts::default(), None);
        }
    }

    /// Combines the counts of this process with the notes of the other processes.
    pub(crate) fn combine(&self, id: EntityId, notes: Vec<StoredNote>, now: u64) -> CombinedPresence {
        let CombinedPresence { mut streams, mut seen, mut followed } = self.local(id);
        for (name, value) in notes {
            if let Some(seat) = name.strip_prefix(FOLLOWED) {
                followed.insert(seat.to_owned());
            } else if let Some(seat) = name.strip_prefix(SEEN) {
                let at = std::str::from_utf8(&value).ok().and_then(|at| at.parse().ok()).unwrap_or(0);
                let last = seen.entry(seat.to_owned()).or_default();
                *last = at.max(*last);
            } else if name != self.process
                && let Ok(other) = serde_json::from_slice::<StreamCounts>(&value)
                && other.at + NOTE_LIFETIME > now
            {
                streams.watchers += other.watchers;
                other.seats.into_iter().for_each(|(seat, count)| *streams.seats.entry(seat).or_default() += count);
            }
        }
        CombinedPresence { streams, seen, followed }
    }

    fn local(&self, id: EntityId) -> CombinedPresence {
        let entities = self.lock();
        let Some(local) = entities.get(&id) else { return CombinedPresence::default() };
        CombinedPresence { streams: local.streams.clone(), seen: local.seen.clone(), followed: local.followed.clone() }
    }
}

impl Drop for PresentFollower {
    fn drop(&mut self) {
        let seats: Vec<_> = self.seats.iter().map(String::as_str).collect();
        self.presence.change(self.id, &seats, |LocalPresence { streams, .. }| {
            for seat in &self.seats {
                let left = streams.seats.get(seat).map_or(0, |count| count.saturating_sub(1));
                match left {
                    0 => streams.seats.remove(seat),
                    left => streams.seats.insert(seat.clone(), left),
                };
            }
            streams.watchers = streams.watchers.saturating_sub(u32::from(self.seats.is_empty()));
        });
    }
}
