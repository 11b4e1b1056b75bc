//! Who is there: which seats follow a game, at whichever process, and when they were last seen.
//!
//! Each process counts its own streams and tells the store now and then, aside from all requests. What it tells is good
//! for a while only, so a process that dies is forgotten. Nothing rests on it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::stream::iter;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::Problem;
use crate::game::stored::Game;
use crate::ground::clock;
use crate::model::presence::{Presence, SeatPresence};
use crate::service::Service;
use crate::service::access;
use crate::service::access::Role;
use crate::service::call::Call;
use crate::service::games::reading;
use crate::store::{GameId, Note};

/// How often the store is told what is new.
const TICK: Duration = Duration::from_secs(1);
/// How often it is told what stays.
const REFRESH: Duration = Duration::from_secs(20);
/// How long it is believed, in milliseconds: two tellings may be missed.
const BELIEVED: u64 = 50_000;
/// How long it is kept when nothing is told any more.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// Games told of at the same time.
const AT_ONCE: usize = 64;
/// What the name of a note begins with that says when a seat was last seen.
const SEEN: &str = "seen:";

/// The seats that whoever has a role plays; none: a watcher.
pub fn seats_of<'a>(role: Option<&'a Role>, game: &'a Game) -> Vec<&'a str> {
    match role {
        Some(Role::Seat(seat)) => vec![seat],
        Some(Role::Owner) if game.setup.hot_seat => game.setup.seats.iter().map(|seat| seat.seat.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// Streams of a game at a process.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Streams {
    /// When this was so, in milliseconds since 1970.
    at: u64,
    watchers: u32,
    seats: BTreeMap<String, u32>,
}

impl Streams {
    fn is_empty(&self) -> bool {
        self.watchers == 0 && self.seats.is_empty()
    }
}

/// A game as it is seen here.
#[derive(Debug, Default)]
struct Here {
    streams: Streams,
    /// When its seats were last seen here, in milliseconds since 1970.
    seen: BTreeMap<String, u64>,
    /// When the store was told; none: something is new.
    told: Option<Instant>,
}

/// The games that somebody is at here.
#[derive(Debug)]
pub struct Attendance {
    /// The name of this process.
    process: String,
    games: Mutex<HashMap<GameId, Here>>,
}

impl Default for Attendance {
    fn default() -> Self {
        Self { process: Uuid::now_v7().simple().to_string(), games: Mutex::default() }
    }
}

/// Someone who follows a game, until this is dropped.
#[derive(Debug)]
pub struct Attends {
    attendance: Arc<Attendance>,
    id: GameId,
    seats: Vec<String>,
}

impl Attendance {
    /// These seats were seen.
    pub fn saw(&self, id: GameId, seats: &[&str]) {
        if !seats.is_empty() {
            self.change(id, seats, |_| ());
        }
    }

    /// Someone follows.
    pub fn attend(self: &Arc<Self>, id: GameId, seats: &[&str]) -> Attends {
        self.change(id, seats, |streams| {
            seats.iter().for_each(|seat| *streams.seats.entry((*seat).to_owned()).or_default() += 1);
            streams.watchers += u32::from(seats.is_empty());
        });
        let seats = seats.iter().map(|seat| (*seat).to_owned()).collect();
        Attends { attendance: Arc::clone(self), id, seats }
    }

    fn change(&self, id: GameId, seats: &[&str], change: impl FnOnce(&mut Streams)) {
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
        here.told = None;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<GameId, Here>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the store is to be told; games that nobody follows any more are forgotten here.
    fn news(&self, now: u64) -> Vec<(GameId, Vec<Note>)> {
        let mut games = self.lock();
        let due = games.iter_mut().filter(|(_, here)| here.told.is_none_or(|told| told.elapsed() >= REFRESH));
        let news = due.map(|(id, here)| {
            here.told = Some(Instant::now());
            here.streams.at = now;
            let there = here.streams.seats.keys().map(|seat| (seat.clone(), now)).collect::<Vec<_>>();
            here.seen.extend(there);
            let seen = here.seen.iter().map(|(seat, at)| (format!("{SEEN}{seat}"), Some(at.to_string().into_bytes())));
            let streams = (!here.streams.is_empty()).then(|| serde_json::to_vec(&here.streams).unwrap_or_default());
            (*id, seen.chain([(self.process.clone(), streams)]).collect())
        });
        let news = news.collect();
        games.retain(|_, here| !here.streams.is_empty());
        news
    }

    /// What is known here of a game.
    fn here(&self, id: GameId) -> (Streams, BTreeMap<String, u64>) {
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

impl Service {
    /// Tells the store who is here, until the service closes; then that nobody is.
    pub async fn keep_presence(self) {
        let mut closing = self.closing.clone();
        loop {
            let closed = tokio::time::timeout(TICK, closing.wait_for(|closing| *closing)).await.is_ok();
            if closed {
                self.attendance
                    .lock()
                    .values_mut()
                    .for_each(|here| *here = Here { seen: here.seen.clone(), ..Here::default() });
            }
            let news = self.attendance.news(clock::milliseconds());
            let told = iter(news).for_each_concurrent(AT_ONCE, async |(id, notes)| {
                if let Err(error) = self.store.note(id, notes, KEPT).await {
                    tracing::debug!(game = %id, %error, "who is there is not told");
                }
            });
            told.await;
            if closed {
                return;
            }
        }
    }

    /// Who is there.
    ///
    /// # Errors
    /// The game is unknown.
    pub async fn read_presence(&self, call: &Call, id: &str) -> Result<Presence, Problem> {
        let id = reading::game_id(id)?;
        let (stored, notes) = self.store.game_and_notes(id).await?;
        let game = Game::read(&stored.ok_or_else(access::not_found)?.snapshot)?;
        access::may_see(&game, call)?;
        let now = clock::milliseconds();
        let (mut streams, mut seen) = self.attendance.here(id);
        for (name, value) in notes {
            if let Some(seat) = name.strip_prefix(SEEN) {
                let at = std::str::from_utf8(&value).ok().and_then(|at| at.parse().ok()).unwrap_or(0);
                let last = seen.entry(seat.to_owned()).or_default();
                *last = at.max(*last);
            } else if name != self.attendance.process
                && let Ok(other) = serde_json::from_slice::<Streams>(&value)
                && other.at + BELIEVED > now
            {
                streams.watchers += other.watchers;
                other.seats.into_iter().for_each(|(seat, count)| *streams.seats.entry(seat).or_default() += count);
            }
        }
        let seats = game.setup.players().into_iter().map(|seat| {
            let connected = streams.seats.contains_key(&seat);
            let last = if connected { Some(now) } else { seen.get(&seat).copied() };
            SeatPresence { connected, last_seen: last.map(clock::at), seat }
        });
        Ok(Presence { seats: seats.collect(), watchers: streams.watchers })
    }
}
