//! The store for several processes: games in Redis, 7.0 or newer; alone, behind sentinels, or as a cluster.
//!
//! A read is one round trip. A command is one where this process has a fresh copy of the game, and two where not. What
//! lies where is in `keys.rs`; how a commit is done, also when its answer is lost, in `commit.rs`.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use redis::Value;

use super::waiters::Waiters;
use super::whole::{Inventory, Key, Whole};
use super::{
    Answer, Change, Commit, GameAnd, GameId, Note, Noted, Place, Remembered, Spent, Store, StoreError, StoredGame,
};
use crate::ground::recent::Recent;
use address::{Address, Reach};
use ask::{Asked, Text};
use keys::Keys;
use layout::{Record, digest_of_published, unpack_answer, unpack_deliveries};
use listener::Listener;

mod address;
mod ask;
mod commit;
mod index;
mod keys;
mod layout;
mod lines;
mod listener;
mod looks;
mod promises;
mod whole;

/// How often whoever waits looks at the game, told or not.
const LOOK: Duration = Duration::from_secs(5);
/// Who asks whether the store is ready does not wait for better times.
const READY: Duration = Duration::from_secs(1);
/// How often a game is read that changes while it is read.
const READS: usize = 10;
/// How long a look at the server's promises is good for.
const PROMISED: Duration = Duration::from_secs(30);

/// Games in Redis.
pub struct Redis {
    reach: Reach,
    keys: Keys,
    promises: promises::Asked,
    replicas: u32,
    asked: Asked,
    scripts: Scripts,
    /// Copies to try commands on. Nothing rests on them: a commit compares versions where the game lies.
    recent: Recent<GameId, Arc<Record>, 2048>,
    clock: looks::Clock,
    waiters: Arc<Waiters>,
    listener: Listener,
    /// When overdue notes were looked for.
    looked: Mutex<Option<Instant>>,
    /// When the server's promises were looked at, and what was found.
    promised: tokio::sync::Mutex<Option<(Instant, Vec<String>)>>,
}

struct Scripts {
    commit: Text,
    publish: Text,
    reserve: Text,
    renew: Text,
    announce: Text,
    overdue: Text,
    confirm: Text,
    look: Text,
    due: Text,
    spend: Text,
    deliver: Text,
    remove: Text,
}

impl std::fmt::Debug for Redis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redis").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl Redis {
    /// Opens the store at an address; where the server promises less than the address asks for, that is logged.
    ///
    /// # Errors
    /// The address cannot be read, or there is no Redis that will do.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        let Address { reach, prefix, durability, replicas } = Address::parse(address)?;
        crate::ground::tls::prepare();
        let promises = promises::Asked { durability, replicas };
        for warning in promises::examine(&reach, promises).await? {
            tracing::warn!("{warning}");
        }
        let keys = Keys::under(&prefix);
        let mut commit = include_str!("scripts/commit.lua").to_owned();
        if matches!(reach, Reach::Cluster(_)) {
            // Channels belong to slots there: anything else would be told to every node.
            commit = commit.replace("'PUBLISH'", "'SPUBLISH'");
        }
        let waiters = Arc::new(Waiters::default());
        let store = Self {
            listener: Listener::start(reach.clone(), keys.clone(), Arc::clone(&waiters))?,
            asked: Asked::at(reach.clone()),
            scripts: Scripts {
                commit: Text::new(&commit),
                publish: Text::new(include_str!("scripts/publish.lua")),
                reserve: Text::new(include_str!("scripts/reserve.lua")),
                renew: Text::new(include_str!("scripts/renew.lua")),
                announce: Text::new(include_str!("scripts/announce.lua")),
                overdue: Text::new(include_str!("scripts/overdue.lua")),
                confirm: Text::new(include_str!("scripts/confirm.lua")),
                look: Text::new(include_str!("scripts/look.lua")),
                due: Text::new(include_str!("scripts/due.lua")),
                spend: Text::new(include_str!("scripts/spend.lua")),
                deliver: Text::new(include_str!("scripts/deliver.lua")),
                remove: Text::new(include_str!("scripts/remove.lua")),
            },
            recent: Recent::default(),
            clock: looks::Clock::default(),
            looked: Mutex::new(None),
            promised: tokio::sync::Mutex::new(None),
            reach,
            keys,
            promises,
            replicas,
            waiters,
        };
        // This tells the time there, too; until it does, the process goes by its own clock.
        if let Err(error) = store.take_due(0).await {
            tracing::warn!(%error, "the time by the server's clock is not known yet");
        }
        Ok(store)
    }

    /// In what the Redis at an address promises less than the address asks for; nothing is changed.
    ///
    /// # Errors
    /// As [`Redis::open`].
    pub async fn examine(address: &str) -> Result<Vec<String>, StoreError> {
        let Address { reach, durability, replicas, .. } = Address::parse(address)?;
        crate::ground::tls::prepare();
        promises::examine(&reach, promises::Asked { durability, replicas }).await
    }

    async fn record(&self, id: GameId) -> Result<Option<Arc<Record>>, StoreError> {
        self.keep(id, self.asked.one(redis::cmd("GET").arg(self.keys.game(id))).await?)
    }

    /// Reads a game and keeps a copy.
    fn keep(&self, id: GameId, value: Value) -> Result<Option<Arc<Record>>, StoreError> {
        let Value::BulkString(bytes) = value else {
            self.recent.forget(id);
            return Ok(None);
        };
        if let Some(held) = self.recent.get(id).filter(|held| held.is_in(&bytes)) {
            return Ok(Some(held));
        }
        let record = Arc::new(Record::read(id, bytes)?);
        self.remember(Arc::clone(&record));
        Ok(Some(record))
    }

    /// Keeps a copy, unless a newer one is there.
    fn remember(&self, record: Arc<Record>) {
        let version = record.game.version;
        self.recent.keep_unless(record.game.id, record, |held| held.game.version > version);
    }

    async fn answer(&self, place: Place, key: &[u8; 32]) -> Result<Option<Remembered>, StoreError> {
        let key = self.keys.answer(place, key);
        let value = self.asked.one(redis::cmd("GET").arg(&key)).await?;
        self.confirmed_answer(key, value).await
    }

    /// An answer as it was read; the replicas have it.
    async fn confirmed_answer(&self, key: String, value: Value) -> Result<Option<Remembered>, StoreError> {
        let Value::BulkString(bytes) = value else { return Ok(None) };
        self.confirm(key, &bytes).await?;
        unpack_answer(&bytes).map(Some)
    }

    /// The game, as it may be shown.
    async fn shown(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        for _ in 0..READS {
            let Some(record) = self.record(id).await? else { return Ok(None) };
            if self.may_be_shown(&record).await? {
                return Ok(Some(record.game.clone()));
            }
        }
        Err(restless())
    }

    /// The game and a part of one of its lists, as they may be shown; in one round trip, where no replica is asked.
    async fn game_and_range(
        &self,
        id: GameId,
        list: String,
        from: i64,
        to: i64,
    ) -> Result<GameAnd<Vec<Vec<u8>>>, StoreError> {
        let mut both = redis::pipe();
        both.cmd("GET").arg(self.keys.game(id)).cmd("LRANGE").arg(list).arg(from).arg(to);
        for _ in 0..READS {
            let mut values = self.asked.many(&both).await?.into_iter();
            let game = self.keep(id, values.next().unwrap_or(Value::Nil))?;
            let is_shown = match &game {
                Some(record) => self.may_be_shown(record).await?,
                None => true,
            };
            if is_shown {
                let items = redis::from_redis_value(values.next().unwrap_or(Value::Nil));
                let items = items.map_err(|error| StoreError::Damaged(error.to_string()))?;
                return Ok((game.map(|record| record.game.clone()), items));
            }
        }
        Err(restless())
    }

    async fn deliver(&self, id: GameId, expected: u64, value: &[u8]) -> Result<(), StoreError> {
        let (from, to) = (expected.to_be_bytes(), (expected + 1).to_be_bytes());
        let arguments = [&from[..], &to, value];
        let keys = [self.keys.deliveries(id), self.keys.game(id)];
        match self.asked.script(&self.scripts.deliver, &keys, &arguments, self.replicas).await? {
            Value::Int(1) => Ok(()),
            _ => Err(StoreError::Stale(None)),
        }
    }

    async fn has_events(&self, id: GameId, after: u64) -> Result<bool, StoreError> {
        let count = self.asked.one(redis::cmd("LLEN").arg(self.keys.events(id))).await?;
        Ok(matches!(count, Value::Int(count) if count.unsigned_abs() > after))
    }
}

impl Store for Redis {
    /// A future for each kind: that of the largest would be too large for the commonest.
    fn commit(&self, Commit { change, remember }: Commit) -> Answer<'_, ()> {
        match change {
            Change::Game(change) => Box::pin(self.commit_game(change, remember)),
            Change::RuleSet { name, text } => Box::pin(async move { self.publish(&name, &text, remember).await }),
            Change::Deliveries { id, expected, value } => {
                Box::pin(async move { self.deliver(id, expected, &value).await })
            }
            Change::Look { id, at } => Box::pin(self.look_next(id, at)),
            Change::LookBy(looks) => Box::pin(async move { self.look_at_all(&looks).await }),
            Change::Beside { texts, answers } => Box::pin(async move { self.put_beside(&texts, &answers).await }),
            Change::Put(whole) => Box::pin(async move { self.put_whole(&whole).await }),
            Change::Remove { id, expected, delivered } => Box::pin(self.remove(id, expected, delivered)),
        }
    }

    fn game(&self, id: GameId) -> Answer<'_, Option<StoredGame>> {
        Box::pin(self.shown(id))
    }

    fn copy_at_hand(&self, id: GameId) -> Option<StoredGame> {
        self.recent.get(id).map(|record| record.game.clone())
    }

    fn games(&self, tag: String, before: Option<GameId>, limit: usize) -> Answer<'_, Vec<StoredGame>> {
        Box::pin(self.list(tag, before, limit))
    }

    fn game_and_events(&self, id: GameId, after: u64, limit: usize) -> Answer<'_, GameAnd<Vec<Vec<u8>>>> {
        let first = i64::try_from(after).unwrap_or(i64::MAX);
        let last = i64::try_from(after.saturating_add(limit as u64)).unwrap_or(i64::MAX) - 1;
        Box::pin(self.game_and_range(id, self.keys.events(id), first, last))
    }

    fn wait(&self, id: GameId, after: u64, patience: Duration) -> Answer<'_, bool> {
        Box::pin(async move {
            let end = Instant::now() + patience;
            // Listen first, then look: an event between the two is heard.
            let mut told = self.waiters.listen(id);
            let listening = tokio::time::timeout(LOOK.min(patience), self.listener.hear(id)).await;
            if listening.is_err() {
                tracing::debug!(game = %id, "waiting without news");
            }
            loop {
                if self.has_events(id, after).await? {
                    return Ok(true);
                }
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Ok(false);
                }
                let heard = tokio::time::timeout(LOOK.min(left), told.changed()).await;
                if heard.is_ok() && (after + 1..u64::MAX).contains(&*told.borrow_and_update()) {
                    return Ok(true);
                }
            }
        })
    }

    fn remembered(&self, place: Place, key: [u8; 32]) -> Answer<'_, Option<Remembered>> {
        Box::pin(async move { self.answer(place, &key).await })
    }

    fn game_and_remembered(&self, id: GameId, key: [u8; 32]) -> Answer<'_, GameAnd<Option<Remembered>>> {
        Box::pin(async move {
            let mut both = redis::pipe();
            let key = self.keys.answer(Place::Game(id), &key);
            both.cmd("GET").arg(self.keys.game(id)).cmd("GET").arg(&key);
            let mut values = self.asked.many(&both).await?.into_iter();
            let game = self.keep(id, values.next().unwrap_or(Value::Nil))?;
            let answer = self.confirmed_answer(key, values.next().unwrap_or(Value::Nil)).await?;
            Ok((game.map(|record| record.game.clone()), answer))
        })
    }

    fn reserve(&self, key: [u8; 32], id: GameId) -> Answer<'_, (GameId, Option<Remembered>)> {
        Box::pin(async move {
            let expires = (self.clock.now() / 1000 + keys::RESERVED).to_string();
            let text = id.to_string();
            let arguments = [text.as_bytes(), expires.as_bytes()];
            let held = self.asked.script(&self.scripts.reserve, &[self.keys.reserved(&key)], &arguments, 0).await?;
            let reserved: String = redis::from_redis_value(held).map_err(|_| damaged_reservation())?;
            let reserved = GameId::try_parse(&reserved).map_err(|_| damaged_reservation())?;
            let answer = if reserved == id { None } else { self.answer(Place::Game(reserved), &key).await? };
            Ok((reserved, answer))
        })
    }

    fn rule_text(&self, digest: String) -> Answer<'_, Option<Vec<u8>>> {
        Box::pin(async move {
            match self.asked.one(redis::cmd("GET").arg(self.keys.text(&digest))).await? {
                Value::BulkString(bytes) => Ok(Some(bytes)),
                _ => Ok(None),
            }
        })
    }

    fn published(&self) -> Answer<'_, Vec<(String, String)>> {
        Box::pin(async move {
            let all = self.asked.one(redis::cmd("HGETALL").arg(self.keys.published())).await?;
            let mut all: Vec<(String, String)> =
                redis::from_redis_value(all).map_err(|error| StoreError::Damaged(error.to_string()))?;
            all.sort();
            let digests = all.into_iter().map(|(name, entry)| (name, digest_of_published(&entry).to_owned()));
            Ok(digests.collect())
        })
    }

    fn now(&self) -> u64 {
        self.clock.now()
    }

    fn due(&self, limit: usize) -> Answer<'_, Vec<GameId>> {
        Box::pin(self.take_due(limit))
    }

    fn note(&self, id: GameId, notes: Vec<Note>, lifetime: Duration) -> Answer<'_, ()> {
        Box::pin(async move {
            let key = self.keys.presence(id);
            let mut all = redis::pipe();
            for (name, value) in notes {
                match value {
                    Some(value) => all.cmd("HSET").arg(&key).arg(name).arg(value),
                    None => all.cmd("HDEL").arg(&key).arg(name),
                };
            }
            all.cmd("PEXPIRE").arg(&key).arg(lifetime.as_millis() as u64);
            self.asked.many(&all).await.map(drop)
        })
    }

    fn game_and_notes(&self, id: GameId) -> Answer<'_, GameAnd<Vec<Noted>>> {
        Box::pin(async move {
            let mut both = redis::pipe();
            both.cmd("GET").arg(self.keys.game(id)).cmd("HGETALL").arg(self.keys.presence(id));
            let mut values = self.asked.many(&both).await?.into_iter();
            let game = self.keep(id, values.next().unwrap_or(Value::Nil))?;
            let notes = redis::from_redis_value(values.next().unwrap_or(Value::Nil));
            let notes = notes.map_err(|error| StoreError::Damaged(error.to_string()))?;
            Ok((game.map(|record| record.game.clone()), notes))
        })
    }

    fn game_and_deliveries(&self, id: GameId) -> Answer<'_, GameAnd<(u64, Vec<u8>)>> {
        Box::pin(async move {
            let mut both = redis::pipe();
            both.cmd("GET").arg(self.keys.game(id)).cmd("GET").arg(self.keys.deliveries(id));
            let mut values = self.asked.many(&both).await?.into_iter();
            let game = self.keep(id, values.next().unwrap_or(Value::Nil))?;
            let held = match values.next() {
                Some(Value::BulkString(bytes)) => unpack_deliveries(&bytes)?,
                _ => (0, Vec::new()),
            };
            Ok((game.map(|record| record.game.clone()), held))
        })
    }

    fn spend(&self, spent: Vec<Spent>) -> Answer<'_, Vec<Duration>> {
        Box::pin(async move {
            let keys = spent.iter().map(|spent| self.keys.bucket(&spent.bucket)).collect::<Vec<_>>();
            let times = spent.iter().flat_map(|spent| [spent.time, spent.ago]);
            let times = times.map(|time| time.as_micros().to_string()).collect::<Vec<_>>();
            let times = times.iter().map(String::as_bytes).collect::<Vec<_>>();
            let levels = self.asked.script(&self.scripts.spend, &keys, &times, 0).await?;
            let levels = redis::from_redis_value::<Vec<u64>>(levels);
            let levels = levels.map_err(|error| StoreError::Damaged(error.to_string()))?;
            Ok(levels.into_iter().map(Duration::from_micros).collect())
        })
    }

    fn inventory(&self) -> Answer<'_, Inventory> {
        Box::pin(self.list_all())
    }

    fn whole(&self, id: GameId, keys: Vec<Key>) -> Answer<'_, Option<Whole>> {
        Box::pin(async move { self.read_whole(id, &keys).await })
    }

    fn ready(&self) -> Answer<'_, Vec<String>> {
        Box::pin(async move {
            let ping = redis::cmd("PING");
            let pong = tokio::time::timeout(READY, self.asked.one(&ping)).await;
            pong.map_err(|_| StoreError::Unavailable(format!("no answer within {READY:?}")))??;
            let mut promised = self.promised.lock().await;
            if let Some((looked, warnings)) = promised.as_ref()
                && looked.elapsed() < PROMISED
            {
                return Ok(warnings.clone());
            }
            let warnings = promises::examine(&self.reach, self.promises).await?;
            *promised = Some((Instant::now(), warnings.clone()));
            Ok(warnings)
        })
    }
}

fn restless() -> StoreError {
    StoreError::Unavailable("the game changes faster than it can be read".to_owned())
}

fn damaged_reservation() -> StoreError {
    StoreError::Damaged("a reserved id".to_owned())
}
