//! The store that needs nothing beside it: one file, written by one thread, on disk before the answer.

use std::collections::{BTreeMap, HashMap};
use std::fs::OpenOptions;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use redb::{DatabaseError, ReadOnlyDatabase, ReadTransaction};
use tokio::sync::oneshot;

use super::whole::{Inventory, Key, Whole};
use super::{
    Answer, Change, Commit, GameAnd, GameId, LEASE, Note, Noted, Place, Remembered, Spent, Store, StoreError,
    StoredGame,
};
use file::File;
use tables::{
    DELIVERIES, DUE, EVENTS, GAMES, KEYS, PUBLISHED, RULES, TAGS, unavailable, unpack_deliveries, unpack_game,
};
use writer::{Held, Job, Told};

mod file;
mod tables;
mod whole;
mod writer;

/// What is noted of a game, and until when.
type Notes = (Instant, BTreeMap<String, Vec<u8>>);

/// Most games with notes: then those whose time has passed are forgotten, or else the half whose time comes first.
const NOTED: usize = 4096;

/// Games in a file under the data directory.
///
/// Reads run where they are asked: they touch few pages, mostly cached. A store much larger than memory would move
/// them to threads of their own.
pub struct Embedded {
    file: Arc<File>,
    jobs: Mutex<Option<Sender<Job>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    told: Arc<Told>,
    /// Games that were due and given to somebody, until when. One process has the file, so they need not be in it.
    leased: Mutex<HashMap<GameId, Instant>>,
    notes: Mutex<HashMap<GameId, Notes>>,
    /// When each bucket is dry.
    buckets: Mutex<HashMap<String, Instant>>,
}

impl std::fmt::Debug for Embedded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Embedded").finish_non_exhaustive()
    }
}

impl Embedded {
    /// Opens the store in this directory, making both where they are missing.
    ///
    /// # Errors
    /// The directory cannot be made, the file is in use by another process, or it is of another data format.
    pub fn open(directory: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(directory)
            .map_err(|error| StoreError::Unavailable(format!("`{}` cannot be made: {error}", directory.display())))?;
        let file = Arc::new(File::open(directory)?);
        let told = Arc::new(Told::default());
        let (jobs, queue) = channel();
        let thread = (Arc::clone(&file), Arc::clone(&told));
        let writer = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || writer::run(&thread.0, &queue, &thread.1))
            .map_err(unavailable)?;
        Ok(Self {
            file,
            jobs: Mutex::new(Some(jobs)),
            writer: Mutex::new(Some(writer)),
            told,
            leased: Mutex::default(),
            notes: Mutex::default(),
            buckets: Mutex::default(),
        })
    }

    /// Whether there is a store in this directory.
    pub fn is_in(directory: &Path) -> bool {
        file::path(directory).is_file()
    }

    /// What opening the store in this directory would find; nothing is changed.
    ///
    /// # Errors
    /// As [`Embedded::open`].
    pub fn examine(directory: &Path) -> Result<String, StoreError> {
        let shown = directory.display();
        if let Some(there) = directory.ancestors().find(|folder| folder.exists())
            && !there.is_dir()
        {
            return Err(StoreError::Unavailable(format!("`{}` is no folder", there.display())));
        }
        let file = file::path(directory);
        if !file.exists() {
            return Ok(format!("`{shown}` has no games yet: the store is made at the start"));
        }
        let cannot = |error: &dyn std::fmt::Display| {
            StoreError::Unavailable(format!("`{}` cannot be opened: {error}", file.display()))
        };
        OpenOptions::new().write(true).open(&file).map_err(|error| cannot(&error))?;
        match ReadOnlyDatabase::open(&file) {
            Ok(database) => {
                let games = tables::examine(&database)?;
                Ok(format!("`{shown}` has {games} games"))
            }
            Err(DatabaseError::RepairAborted) => {
                Ok(format!("`{shown}` was not closed: it is put right at the start, which may take a while"))
            }
            Err(error) => Err(cannot(&error)),
        }
    }

    fn read(&self) -> Result<ReadTransaction, StoreError> {
        self.file.read()
    }

    fn read_game(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        if let Some(game) = self.told.games.get(id) {
            return Ok(Some(game));
        }
        let games = self.read()?.open_table(GAMES).map_err(unavailable)?;
        match games.get(id.as_bytes()).map_err(unavailable)? {
            None => Ok(None),
            Some(stored) => {
                let (version, _, snapshot) = unpack_game(id, stored.value())?;
                Ok(Some(StoredGame { id, version, snapshot: Bytes::copy_from_slice(snapshot) }))
            }
        }
    }

    fn read_games(&self, tag: &str, before: Option<GameId>, limit: usize) -> Result<Vec<StoredGame>, StoreError> {
        let tags = self.read()?.open_table(TAGS).map_err(unavailable)?;
        let end = before.map_or([0xff; 16], |id| *id.as_bytes());
        let range = tags.range((tag, &[0; 16])..(tag, &end)).map_err(unavailable)?;
        let mut games = Vec::new();
        for entry in range.rev().take(limit) {
            let (key, _) = entry.map_err(unavailable)?;
            games.extend(self.read_game(GameId::from_bytes(*key.value().1))?);
        }
        Ok(games)
    }

    fn read_events(&self, game: GameId, after: u64, limit: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        let table = self.read()?.open_table(EVENTS).map_err(unavailable)?;
        let id = game.as_bytes();
        let range = (id, after.saturating_add(1))..=(id, u64::MAX);
        let items = table.range(range).map_err(unavailable)?.take(limit);
        items.map(|entry| Ok(entry.map_err(unavailable)?.1.value().to_vec())).collect()
    }

    fn read_remembered(&self, key: &[u8; 32]) -> Result<Option<Remembered>, StoreError> {
        let keys = self.read()?.open_table(KEYS).map_err(unavailable)?;
        let held = keys.get(key).map_err(unavailable)?;
        let held = held.map(|held| Held::unpack(held.value())).transpose()?.map(|held| held.remembered);
        Ok(held.filter(|held| held.expires > seconds()))
    }

    fn take_due(&self, limit: usize) -> Result<Vec<GameId>, StoreError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
        let mut leased = self.leased.lock().unwrap_or_else(PoisonError::into_inner);
        leased.retain(|_, until| *until > Instant::now());
        let due = self.read()?.open_table(DUE).map_err(unavailable)?;
        let mut games = Vec::new();
        for entry in due.range(..=(now, &[0xff; 16])).map_err(unavailable)? {
            let id = GameId::from_bytes(*entry.map_err(unavailable)?.0.value().1);
            if games.len() == limit {
                break;
            }
            if !leased.contains_key(&id) {
                games.push(id);
            }
        }
        leased.extend(games.iter().map(|id| (*id, Instant::now() + LEASE)));
        Ok(games)
    }

    fn read_published(&self) -> Result<Vec<(String, String)>, StoreError> {
        let table = self.read()?.open_table(PUBLISHED).map_err(unavailable)?;
        let entries = table.range::<&str>(..).map_err(unavailable)?;
        entries
            .map(|entry| {
                let (name, digest) = entry.map_err(unavailable)?;
                Ok((name.value().to_owned(), digest.value().to_owned()))
            })
            .collect()
    }
}

impl Store for Embedded {
    fn commit(&self, commit: Commit) -> Answer<'_, ()> {
        let (done, answer) = oneshot::channel();
        let looked = match &commit.change {
            Change::Look { id, .. } => Some(*id),
            _ => None,
        };
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let sent = jobs.is_some_and(|jobs| jobs.send(Job { commit, done }).is_ok());
        Box::pin(async move {
            let closed = || StoreError::Unavailable("it is closing".to_owned());
            if !sent {
                return Err(closed());
            }
            answer.await.map_err(|_| closed())??;
            if let Some(id) = looked {
                self.leased.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            }
            Ok(())
        })
    }

    fn game(&self, id: GameId) -> Answer<'_, Option<StoredGame>> {
        Box::pin(async move { self.read_game(id) })
    }

    fn copy_at_hand(&self, id: GameId) -> Option<StoredGame> {
        self.read_game(id).ok().flatten()
    }

    fn games(&self, tag: String, before: Option<GameId>, limit: usize) -> Answer<'_, Vec<StoredGame>> {
        Box::pin(async move { self.read_games(&tag, before, limit) })
    }

    fn game_and_events(&self, id: GameId, after: u64, limit: usize) -> Answer<'_, GameAnd<Vec<Vec<u8>>>> {
        Box::pin(async move { Ok((self.read_game(id)?, self.read_events(id, after, limit)?)) })
    }

    fn wait(&self, id: GameId, after: u64, patience: Duration) -> Answer<'_, bool> {
        Box::pin(async move {
            // Listen first, then look: an event between the two is heard.
            let mut told = self.told.waiters.listen(id);
            if !self.read_events(id, after, 1)?.is_empty() {
                return Ok(true);
            }
            let heard = tokio::time::timeout(patience, told.wait_for(|events| *events > after));
            Ok(heard.await.is_ok_and(|heard| heard.is_ok()))
        })
    }

    fn remembered(&self, _: Place, key: [u8; 32]) -> Answer<'_, Option<Remembered>> {
        Box::pin(async move { self.read_remembered(&key) })
    }

    fn game_and_remembered(&self, id: GameId, key: [u8; 32]) -> Answer<'_, GameAnd<Option<Remembered>>> {
        Box::pin(async move { Ok((self.read_game(id)?, self.read_remembered(&key)?)) })
    }

    fn reserve(&self, key: [u8; 32], id: GameId) -> Answer<'_, (GameId, Option<Remembered>)> {
        // All keys are in one table here: of two requests with one key the second commit is refused.
        Box::pin(async move { Ok((id, self.read_remembered(&key)?)) })
    }

    fn rule_text(&self, digest: String) -> Answer<'_, Option<Vec<u8>>> {
        Box::pin(async move {
            let rules = self.read()?.open_table(RULES).map_err(unavailable)?;
            let text = rules.get(digest.as_str()).map_err(unavailable)?;
            Ok(text.map(|text| text.value().to_vec()))
        })
    }

    fn published(&self) -> Answer<'_, Vec<(String, String)>> {
        Box::pin(async move { self.read_published() })
    }

    fn due(&self, limit: usize) -> Answer<'_, Vec<GameId>> {
        Box::pin(async move { self.take_due(limit) })
    }

    fn note(&self, id: GameId, notes: Vec<Note>, lifetime: Duration) -> Answer<'_, ()> {
        let mut games = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if games.len() >= NOTED && !games.contains_key(&id) {
            games.retain(|_, (until, _)| *until > now);
            forget_half(&mut games);
        }
        let (until, held) = games.entry(id).or_insert_with(|| (now, BTreeMap::new()));
        *until = now + lifetime;
        for (name, value) in notes {
            match value {
                Some(value) => held.insert(name, value),
                None => held.remove(&name),
            };
        }
        Box::pin(async { Ok(()) })
    }

    fn game_and_notes(&self, id: GameId) -> Answer<'_, GameAnd<Vec<Noted>>> {
        let games = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let held = games.get(&id).filter(|(until, _)| *until > Instant::now());
        let notes = held.map(|(_, notes)| notes.clone().into_iter().collect()).unwrap_or_default();
        Box::pin(async move { Ok((self.read_game(id)?, notes)) })
    }

    fn game_and_deliveries(&self, id: GameId) -> Answer<'_, GameAnd<(u64, Vec<u8>)>> {
        Box::pin(async move {
            let table = self.read()?.open_table(DELIVERIES).map_err(unavailable)?;
            let held = table.get(id.as_bytes()).map_err(unavailable)?;
            Ok((self.read_game(id)?, unpack_deliveries(held.as_ref().map(|held| held.value()))))
        })
    }

    fn spend(&self, spent: Vec<Spent>) -> Answer<'_, Vec<Duration>> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        buckets.retain(|_, dry_at| *dry_at > now);
        let pour = |Spent { bucket, time, ago }| {
            let dry_at = buckets.entry(bucket).or_insert(now.checked_sub(ago).unwrap_or(now));
            *dry_at += time;
            dry_at.saturating_duration_since(now)
        };
        let levels = spent.into_iter().map(pour).collect();
        Box::pin(async { Ok(levels) })
    }

    fn inventory(&self) -> Answer<'_, Inventory> {
        Box::pin(async move { whole::inventory(&self.read()?, seconds()) })
    }

    fn whole(&self, id: GameId, keys: Vec<Key>) -> Answer<'_, Option<Whole>> {
        Box::pin(async move { whole::read(&self.read()?, id, &keys) })
    }

    fn ready(&self) -> Answer<'_, Vec<String>> {
        Box::pin(async move { self.file.check().map(|()| Vec::new()) })
    }
}

/// Where there are too many games, the half whose time comes first is forgotten: notes may be lost.
fn forget_half(games: &mut HashMap<GameId, Notes>) {
    if games.len() < NOTED {
        return;
    }
    let mut ends: Vec<Instant> = games.values().map(|(until, _)| *until).collect();
    let (_, middle, _) = ends.select_nth_unstable(NOTED / 2);
    games.retain(|_, (until, _)| *until > *middle);
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

impl Drop for Embedded {
    /// Waits until everything that was accepted is on disk.
    fn drop(&mut self) {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).take();
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer
            && writer.join().is_err()
        {
            tracing::error!("the writer of the store ended badly");
        }
    }
}
