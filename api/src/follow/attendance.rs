//! Presence: which seats follow a game, at which process, and when they were last seen.
//!
//! Each process counts its own streams and notes them in the store now and then, aside from all requests. A note is good
//! for a while only, so a process that dies is forgotten.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ground::clock;
use crate::store::{EntityId, Note, StoredNote};

/// How often a note that did not change is written again.
const REFRESH: Duration = Duration::from_secs(20);
/// How long a note of streams counts, in milliseconds: two writes may fail.
const BELIEVED: u64 = 50_000;
/// Prefix of the notes that say when a seat was last seen.
const SEEN: &str = "seen:";

/// Streams of a game at a process.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Streams {
    /// When this was so, in milliseconds since 1970.
    pub at: u64,
    /// Streams of callers without a seat.
    pub watchers: u32,
    /// Streams by seat.
    pub seats: BTreeMap<String, u32>,
}

impl Streams {
    fn is_empty(&self) -> bool {
        self.watchers == 0 && self.seats.is_empty()
    }
}

/// Presence in one game, at this process.
#[derive(Debug, Default)]
struct Here {
    streams: Streams,
    /// When its seats were last seen here, in milliseconds since 1970.
    seen: BTreeMap<String, u64>,
    /// When the store was told; none: something is new.
    reported: Option<Instant>,
}

/// Presence as this process sees it: its own streams, and the seats that asked it for something.
#[derive(Debug)]
pub struct Attendance {
    /// The name of this process, and of the note with its streams.
    process: String,
    entities: Mutex<HashMap<EntityId, Here>>,
}

impl Default for Attendance {
    fn default() -> Self {
        Self { process: Uuid::now_v7().simple().to_string(), entities: Mutex::default() }
    }
}

/// A follower of a game, until this is dropped.
#[derive(Debug)]
pub struct Attends {
    attendance: Arc<Attendance>,
    id: EntityId,
    seats: Vec<String>,
}

impl Attendance {
    /// These seats were seen.
    pub fn saw(&self, id: EntityId, seats: &[&str]) {
        if !seats.is_empty() {
            self.change(id, seats, |_| ());
        }
    }

    /// A follower of a game who plays these seats, or none.
    pub fn attend(self: &Arc<Self>, id: EntityId, seats: &[&str]) -> Attends {
        self.change(id, seats, |streams| {
            seats.iter().for_each(|seat| *streams.seats.entry((*seat).to_owned()).or_default() += 1);
            streams.watchers += u32::from(seats.is_empty());
        });
        let seats = seats.iter().map(|seat| (*seat).to_owned()).collect();
        Attends { attendance: Arc::clone(self), id, seats }
    }

    fn change(&self, id: EntityId, seats: &[&str], change: impl FnOnce(&mut Streams)) {
        let mut games = self.lock();
        let here = games.entry(id).or_default();
        let now = clock::milliseconds();
        for seat in seats {
            match here.seen.get_mut(*seat) {
                Some(seen) => *seen = now,
                None => drop(here.seen.insert((*seat).to_owned(), now)),
            }
        }
        change(&mut here.streams);
        here.reported = None;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<EntityId, Here>> {
        self.entities.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The notes that the store is to be given; games without followers are forgotten here.
    pub fn notes(&self, now: u64) -> Vec<(EntityId, Vec<Note>)> {
        let mut games = self.lock();
        let due =
            games.iter_mut().filter(|(_, here)| here.reported.is_none_or(|reported| reported.elapsed() >= REFRESH));
        let notes = due.map(|(id, here)| {
            here.reported = Some(Instant::now());
            here.streams.at = now;
            let there = here.streams.seats.keys().map(|seat| (seat.clone(), now)).collect::<Vec<_>>();
            here.seen.extend(there);
            let seen = here.seen.iter().map(|(seat, at)| (format!("{SEEN}{seat}"), Some(at.to_string().into_bytes())));
            let streams = (!here.streams.is_empty()).then(|| serde_json::to_vec(&here.streams).unwrap_or_default());
            (*id, seen.chain([(self.process.clone(), streams)]).collect())
        });
        let notes = notes.collect();
        games.retain(|_, here| !here.streams.is_empty());
        notes
    }

    /// All followers are gone: the process closes.
    pub fn end(&self) {
        for here in self.lock().values_mut() {
            (here.streams, here.reported) = (Streams::default(), None);
        }
    }

    /// Followers of a game at all processes, and when its seats were last seen (milliseconds since 1970): what is known
    /// here, and what other processes have noted.
    pub fn presence(&self, id: EntityId, notes: Vec<StoredNote>, now: u64) -> (Streams, BTreeMap<String, u64>) {
        let (mut streams, mut seen) = self.here(id);
        for (name, value) in notes {
            if let Some(seat) = name.strip_prefix(SEEN) {
                let at = std::str::from_utf8(&value).ok().and_then(|at| at.parse().ok()).unwrap_or(0);
                let last = seen.entry(seat.to_owned()).or_default();
                *last = at.max(*last);
            } else if name != self.process
                && let Ok(other) = serde_json::from_slice::<Streams>(&value)
                && other.at + BELIEVED > now
            {
                streams.watchers += other.watchers;
                other.seats.into_iter().for_each(|(seat, count)| *streams.seats.entry(seat).or_default() += count);
            }
        }
        (streams, seen)
    }

    fn here(&self, id: EntityId) -> (Streams, BTreeMap<String, u64>) {
        self.lock().get(&id).map(|here| (here.streams.clone(), here.seen.clone())).unwrap_or_default()
    }
}

impl Drop for Attends {
    fn drop(&mut self) {
        let seats: Vec<_> = self.seats.iter().map(String::as_str).collect();
        self.attendance.change(self.id, &seats, |streams| {
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
