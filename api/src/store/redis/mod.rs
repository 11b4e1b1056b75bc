//! The store for several processes: entities in Redis 7.0 or newer, which is one server, a server behind sentinels, or
//! a cluster.
//!
//! A read takes one round trip. A command takes one if the cache of this process has the current entity, otherwise two.
//! Commands that change tags, or set a text or a deadline, take more; see `commit.rs` and `tags.rs`. Reads and commands
//! take one more in the rare case that another process has replaced the base of a cached entity; see `base.rs`. Callers
//! that wait for events cost no round trips until there are events.

use std::sync::Arc;
use std::time::{Duration, Instant};

use redis::{FromRedisValue, Value};
use tokio::sync::watch;
use uuid::Uuid;

use super::waiters::{EventCount, Waiters};
use super::{
    AnswerOwner, BoardPage, BoardPageQuery, BucketSpend, Change, Commit, EntityAnd, EntityCopy, EntityId, Inventory,
    Key, Kind, LeasedTask, Note, Phrases, Store, StoreError, StoreFuture, StoredAnswer, StoredEntity, StoredNote,
};
use crate::ground::recent::Recent;
use address::{Address, RedisServers};
use client::Client;
use clock::Clock;
use durability::WantedDurability;
use keys::Keys;
use scripts::Scripts;
use stored::RedisEntity;
use subscriber::Subscriber;
use tags::Sweeps;

mod address;
mod answers;
mod base;
mod boards;
mod client;
mod clock;
mod commit;
mod connection;
mod durability;
mod keys;
mod read;
mod schedule;
mod scripts;
mod stored;
mod subscriber;
mod tags;
mod texts;
mod transfer;

/// While the subscription is broken, a caller that waits for an event reads the number of events this often.
const POLL: Duration = Duration::from_secs(5);
/// Longest time that a check of readiness waits for Redis.
const READY: Duration = Duration::from_secs(1);

/// The result of waiting for a published number of events.
enum Heard {
    /// The number of events, as a commit has published it.
    Count(u64),
    /// Messages may have been lost, so the caller has to read the number of events.
    Unknown,
    /// No message came before the end of the wait.
    Nothing,
}

/// The store in Redis.
pub struct Redis {
    keys: Keys,
    phrases: &'static Phrases,
    replicas: u32,
    client: Client,
    scripts: Scripts,
    /// A cache of entities. They may be out of date, but a commit compares versions in Redis.
    cache: Recent<EntityId, Arc<RedisEntity>, 2048>,
    clock: Clock,
    waiters: Arc<Waiters>,
    subscriber: Subscriber,
    sweeps: Sweeps,
    durability: durability::DurabilityChecks,
}

impl std::fmt::Debug for Redis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redis").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl Redis {
    /// Opens the store at an address. The store packs its events with these phrases. Logs each durability promise that
    /// the server does not keep.
    ///
    /// # Errors
    /// The address is malformed, or the server cannot be reached, is too old, or is another kind of Redis than the
    /// address says.
    pub async fn open(address: &str, phrases: &'static Phrases) -> Result<Self, StoreError> {
        let Address { reach, prefix, durability, replicas } = Address::parse(address)?;
        crate::ground::tls::prepare();
        let wanted = WantedDurability { durability, replicas };
        for warning in durability::check(&reach, wanted).await? {
            tracing::warn!(%warning, "store durability reduced");
        }
        let keys = Keys::under(&prefix);
        let waiters = Arc::new(Waiters::default());
        let store = Self {
            subscriber: Subscriber::start(reach.clone(), keys.clone(), Arc::clone(&waiters))?,
            scripts: Scripts::new(matches!(reach, RedisServers::Cluster(_))),
            client: Client::at(reach.clone()),
            cache: Recent::default(),
            clock: Clock::default(),
            sweeps: Sweeps::default(),
            durability: durability::DurabilityChecks::new(reach, wanted),
            keys,
            phrases,
            replicas,
            waiters,
        };
        // This call also reads the clock of Redis. If it fails, the clock of this process is used until the next call.
        if let Err(error) = store.take_due(0).await {
            tracing::warn!(%error, "clock of the Redis server not read, using the clock of this process");
        }
        Ok(store)
    }

    /// Returns one warning for each durability promise that the Redis at an address does not keep. Changes nothing.
    ///
    /// # Errors
    /// The same errors as those of [`Redis::open`].
    pub async fn examine(address: &str) -> Result<Vec<String>, StoreError> {
        let Address { reach, durability, replicas, .. } = Address::parse(address)?;
        crate::ground::tls::prepare();
        durability::check(&reach, WantedDurability { durability, replicas }).await
    }

    async fn deliver(&self, id: EntityId, expected: u64, value: &[u8]) -> Result<(), StoreError> {
        let (from, to) = (expected.to_be_bytes(), (expected + 1).to_be_bytes());
        let arguments = [&from[..], &to, value];
        let keys = [self.keys.deliveries(id), self.keys.entity(id)];
        match self.client.script(&self.scripts.deliveries, &keys, &arguments, self.replicas).await? {
            Value::Int(1) => Ok(()),
            _ => Err(StoreError::Conflict(None)),
        }
    }

    async fn has_events(&self, id: EntityId, after: u64) -> Result<bool, StoreError> {
        let count = self.client.one(redis::cmd("LLEN").arg(self.keys.events(id))).await?;
        Ok(matches!(count, Value::Int(count) if count.unsigned_abs() > after))
    }

    async fn wait_for_events(&self, id: EntityId, after: u64, at_most: Duration) -> Result<bool, StoreError> {
        let end = Instant::now() + at_most;
        // The channel is subscribed to before the number of events is read, so that no event in between is missed.
        let mut counts = self.waiters.listen(id);
        let subscribed = tokio::time::timeout(POLL.min(at_most), self.subscriber.subscribe(id)).await;
        if subscribed.is_err() {
            tracing::debug!(entity = %id, "event subscription missing, events are polled");
        }
        loop {
            if self.has_events(id, after).await? {
                return Ok(true);
            }
            match self.hear(&mut counts, end).await {
                Heard::Count(count) if count > after => return Ok(true),
                Heard::Count(_) | Heard::Unknown => {}
                Heard::Nothing => return Ok(false),
            }
        }
    }

    /// Waits until the next number of events of an entity is published, or until `end`. Sends no request to Redis.
    /// While the subscription is broken, returns [`Heard::Unknown`] after [`POLL`], so that the caller reads the
    /// number.
    async fn hear(&self, counts: &mut watch::Receiver<EventCount>, end: Instant) -> Heard {
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Heard::Nothing;
            }
            match tokio::time::timeout(POLL.min(left), counts.changed()).await {
                Ok(_) => match *counts.borrow_and_update() {
                    None => return Heard::Unknown,
                    Some(count) => return Heard::Count(count),
                },
                Err(_) if self.subscriber.holds() => {}
                Err(_) => return Heard::Unknown,
            }
        }
    }

    async fn write_notes(&self, id: EntityId, notes: Vec<Note>, lifetime: Duration) -> Result<(), StoreError> {
        let key = self.keys.notes(id);
        let mut all = redis::pipe();
        for (name, value) in notes {
            match value {
                Some(value) => all.cmd("HSET").arg(&key).arg(name).arg(value),
                None => all.cmd("HDEL").arg(&key).arg(name),
            };
        }
        all.cmd("PEXPIRE").arg(&key).arg(lifetime.as_millis() as u64);
        self.client.many(&all).await.map(drop)
    }

    async fn spend_from(&self, spent: &[BucketSpend]) -> Result<Vec<Duration>, StoreError> {
        let keys = spent.iter().map(|spent| self.keys.bucket(&spent.bucket)).collect::<Vec<_>>();
        let times = spent.iter().flat_map(|spent| [spent.time, spent.ago]);
        let times = times.map(|time| time.as_micros().to_string()).collect::<Vec<_>>();
        let times = times.iter().map(String::as_bytes).collect::<Vec<_>>();
        let levels: Vec<u64> = read_as(self.client.script(&self.scripts.spend, &keys, &times, 0).await?)?;
        Ok(levels.into_iter().map(Duration::from_micros).collect())
    }
}

impl Store for Redis {
    /// Each kind of change has a boxed future of its own. One future for all kinds would always be as large as the
    /// largest.
    fn commit(&self, Commit { change, answer }: Commit) -> StoreFuture<'_, ()> {
        match change {
            Change::Entity(change) => Box::pin(self.commit_entity(change, answer)),
            Change::Publish { name, text } => Box::pin(async move { self.publish(&name, &text, answer).await }),
            Change::Deliveries { id, expected, value } => {
                Box::pin(async move { self.deliver(id, expected, &value).await })
            }
            Change::EndLease { leased, at } => Box::pin(async move { self.end_lease(leased, at).await }),
            Change::ExtendLease { leased, until } => Box::pin(async move { self.extend_lease(leased, until).await }),
            Change::ScheduleBy(tasks) => Box::pin(async move { self.schedule_all_by(&tasks).await }),
            Change::Shared { texts, answers } => Box::pin(async move { self.put_shared(&texts, &answers).await }),
            Change::Import(copy) => Box::pin(self.put_copy(*copy)),
            Change::Rewrite { id, events } => Box::pin(async move { self.rewrite(id, &events).await }),
            Change::Remove { id, expected, delivered } => Box::pin(self.remove(id, expected, delivered)),
        }
    }

    fn entity(&self, id: EntityId) -> StoreFuture<'_, Option<StoredEntity>> {
        Box::pin(self.read_entity(id))
    }

    fn cached(&self, id: EntityId) -> Option<StoredEntity> {
        self.cache.get(&id).map(|stored| stored.entity.clone())
    }

    fn list(&self, kind: Kind, tag: String, before: Option<Uuid>, limit: usize) -> StoreFuture<'_, Vec<StoredEntity>> {
        Box::pin(self.read_list(kind, tag, before, limit))
    }

    fn board(&self, query: BoardPageQuery) -> StoreFuture<'_, BoardPage> {
        Box::pin(async move { self.read_board(&query).await })
    }

    fn entity_and_events(&self, id: EntityId, after: u64, limit: usize) -> StoreFuture<'_, EntityAnd<Vec<Vec<u8>>>> {
        Box::pin(self.read_events(id, after, limit))
    }

    fn wait(&self, id: EntityId, after: u64, at_most: Duration) -> StoreFuture<'_, bool> {
        Box::pin(self.wait_for_events(id, after, at_most))
    }

    fn answer(&self, owner: AnswerOwner, key: Key) -> StoreFuture<'_, Option<StoredAnswer>> {
        Box::pin(async move { self.read_answer(owner, &key).await })
    }

    fn entity_and_answer(&self, id: EntityId, key: Key) -> StoreFuture<'_, EntityAnd<Option<StoredAnswer>>> {
        Box::pin(async move { self.read_entity_and_answer(id, &key).await })
    }

    fn reserve(&self, key: Key, id: EntityId) -> StoreFuture<'_, (EntityId, Option<StoredAnswer>)> {
        Box::pin(async move { self.reserve_id(&key, id).await })
    }

    fn text(&self, digest: String) -> StoreFuture<'_, Option<Vec<u8>>> {
        Box::pin(async move { self.read_text(&digest).await })
    }

    fn published(&self) -> StoreFuture<'_, Vec<(String, String)>> {
        Box::pin(self.read_published())
    }

    fn now(&self) -> u64 {
        self.clock.now()
    }

    fn due(&self, limit: usize) -> StoreFuture<'_, Vec<LeasedTask>> {
        Box::pin(self.take_due(limit))
    }

    fn note(&self, id: EntityId, notes: Vec<Note>, lifetime: Duration) -> StoreFuture<'_, ()> {
        Box::pin(self.write_notes(id, notes, lifetime))
    }

    fn entity_and_notes(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<Vec<StoredNote>>> {
        Box::pin(self.read_notes(id))
    }

    fn entity_and_deliveries(&self, id: EntityId) -> StoreFuture<'_, EntityAnd<(u64, Vec<u8>)>> {
        Box::pin(self.read_deliveries(id))
    }

    fn spend(&self, spent: Vec<BucketSpend>) -> StoreFuture<'_, Vec<Duration>> {
        Box::pin(async move { self.spend_from(&spent).await })
    }

    fn inventory(&self) -> StoreFuture<'_, Inventory> {
        Box::pin(self.read_inventory())
    }

    fn copy(&self, id: EntityId, keys: Vec<Key>) -> StoreFuture<'_, Option<EntityCopy>> {
        Box::pin(async move { self.read_copy(id, &keys).await })
    }

    fn ready(&self) -> StoreFuture<'_, Vec<String>> {
        Box::pin(async move {
            let ping = redis::cmd("PING");
            let pong = tokio::time::timeout(READY, self.client.one(&ping)).await;
            pong.map_err(|_| StoreError::Unavailable(format!("no answer within {READY:?}")))??;
            self.durability.warnings().await
        })
    }
}

/// Converts an answer of Redis to this type.
fn read_as<T: FromRedisValue>(value: Value) -> Result<T, StoreError> {
    redis::from_redis_value(value).map_err(|error| StoreError::Damaged(error.to_string()))
}
