//! How often may be asked: by client, by token, and for what is expensive.
//!
//! Each process decides by itself, so that a request waits for nothing. A few times a second it tells the store what its
//! clients asked for, and learns how full their buckets are by what all processes told: a client that goes to several of
//! them at once gains what fits between two tellings, once.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::config::Rates;
use crate::error::{Code, Problem};
use crate::limits::bucket::{Buckets, Full, Level, Quota};
use crate::limits::client;
use crate::limits::slots::{Slot, Slots};
use crate::metrics::Metrics;
use crate::store::{BucketSpend, Store};

/// How often other processes are told.
const TICK: Duration = Duration::from_millis(250);
/// Buckets told of at a time.
const BATCH: usize = 512;

/// When it is worth trying again to follow a game.
const AGAIN: Duration = Duration::from_secs(5);

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Requests of a client.
    #[default]
    Client,
    /// Requests with a token.
    Token,
    /// Rule texts that a client has checked or published, and records that it has imported.
    Heavy,
    /// Games that a client has created or imported.
    Create,
    /// Rule sets that a client has published.
    Publish,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Self; 5] = [Self::Client, Self::Token, Self::Heavy, Self::Create, Self::Publish];

    /// Its name in headers, in metrics and in the store.
    pub fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Token => "token",
            Self::Heavy => "heavy",
            Self::Create => "create",
            Self::Publish => "publish",
        }
    }
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    client: u128,
    token: Option<u128>,
}

/// Where a caller stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// In what.
    pub policy: Policy,
    /// What may be asked for.
    pub quota: Quota,
    /// What is left of it.
    pub level: Level,
}

/// A request that was too much.
#[derive(Debug, Clone)]
pub struct Refused {
    /// What is answered.
    pub problem: Problem,
    /// Where the caller stands.
    pub standing: Standing,
}

type Key = (Policy, u128);

/// Counts what callers ask for.
#[derive(Debug)]
pub struct Meter {
    rates: Rates,
    metrics: Arc<Metrics>,
    started: Instant,
    buckets: Mutex<Buckets<Key>>,
    /// Streams and long polls by client.
    streams: Slots,
    connections: Slots,
    /// Every connection holds it.
    connected: Arc<()>,
}

/// A connection, as long as this is there.
#[derive(Debug)]
pub struct Connected {
    _slot: Option<Slot>,
    _one: Arc<()>,
}

impl Meter {
    /// With these rates.
    pub fn new(rates: Rates, metrics: Arc<Metrics>) -> Self {
        Self {
            rates,
            metrics,
            started: Instant::now(),
            buckets: Mutex::default(),
            streams: Slots::default(),
            connections: Slots::default(),
            connected: Arc::default(),
        }
    }

    /// Who sends a request: from this address, with this value of `Authorization`.
    pub fn caller(&self, address: IpAddr, authorization: Option<&[u8]>) -> Caller {
        let token = authorization.filter(|_| self.rates.token > 0).map(|sent| {
            let hash = blake3::derive_key("pagade rate limit v1", sent);
            hash.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
        });
        Caller { client: client::number(address), token }
    }

    /// How many proxies stand in front, and the header in which they name the client.
    pub fn proxies(&self) -> (u8, &str) {
        (self.rates.proxies, &self.rates.client_header)
    }

    /// What a caller may ask for; `None`: as much as it likes.
    fn quota(&self, policy: Policy) -> Option<Quota> {
        let (most, window) = match policy {
            Policy::Client => (self.rates.client, MINUTE),
            Policy::Token => (self.rates.token, MINUTE),
            Policy::Heavy => (self.rates.heavy, MINUTE),
            Policy::Create => (self.rates.create, HOUR),
            Policy::Publish => (self.rates.publish, DAY),
        };
        (most > 0).then_some(Quota { most, window })
    }

    fn key(policy: Policy, caller: Caller) -> Option<Key> {
        Some((policy, if policy == Policy::Token { caller.token? } else { caller.client }))
    }

    /// Counts a request, and where the caller stands then; `None`: in this, it may ask for as much as it likes.
    ///
    /// # Errors
    /// 429 where it asked for too much.
    pub fn count(&self, policy: Policy, caller: Caller) -> Result<Option<Standing>, Box<Refused>> {
        let Some((key, quota)) = Self::key(policy, caller).zip(self.quota(policy)) else { return Ok(None) };
        match self.buckets().pour(key, quota, self.now()) {
            Ok(level) => Ok(Some(Standing { policy, quota, level })),
            Err(Full { wait, level }) => {
                self.metrics.refused(policy.name());
                let problem = Problem::new(Code::TooManyRequests, refusal(policy, quota)).after(wait);
                Err(Box::new(Refused { problem, standing: Standing { policy, quota, level } }))
            }
        }
    }

    /// Lets a caller follow a game; `None`: nobody counts.
    ///
    /// # Errors
    /// 429 where it follows too many.
    pub fn follow(&self, caller: Option<Caller>) -> Result<Option<Slot>, Problem> {
        let most = self.rates.streams;
        let Some(Caller { client, .. }) = caller.filter(|_| most > 0) else { return Ok(None) };
        self.streams.take(client, most).map(Some).ok_or_else(|| {
            self.metrics.refused("streams");
            let detail = format!("a client may follow {most} games at a time");
            Problem::new(Code::TooManyStreams, detail).after(AGAIN)
        })
    }

    /// Lets a client connect; `None`: it has enough connections. Those of a proxy are not counted by client.
    pub fn connect(&self, peer: IpAddr) -> Option<Connected> {
        let most = self.rates.connections;
        if most == 0 || self.rates.proxies > 0 {
            return Some(Connected { _slot: None, _one: Arc::clone(&self.connected) });
        }
        let slot = self.connections.take(client::number(peer.to_canonical()), most);
        if slot.is_none() {
            self.metrics.refused("connections");
        }
        slot.map(|slot| Connected { _slot: Some(slot), _one: Arc::clone(&self.connected) })
    }

    /// How many connections there are.
    pub fn connected(&self) -> usize {
        Arc::strong_count(&self.connected) - 1
    }

    /// How many games a caller may follow at a time; 0: as many as it likes.
    pub fn most_streams(&self) -> u32 {
        self.rates.streams
    }

    /// Where the caller stands in everything that applies to it.
    pub fn standings(&self, caller: Caller) -> Vec<Standing> {
        let (buckets, now) = (self.buckets(), self.now());
        let standing = |policy: Policy| {
            let (key, quota) = Self::key(policy, caller).zip(self.quota(policy))?;
            Some(Standing { policy, quota, level: buckets.level(key, quota, now) })
        };
        Policy::ALL.into_iter().filter_map(standing).collect()
    }

    /// Tells other processes what was asked for here, through the store, until the task is ended.
    pub async fn tell(self: Arc<Self>, store: Arc<dyn Store>) {
        loop {
            tokio::time::sleep(TICK).await;
            let now = self.now();
            let news = self.buckets().news(now);
            for batch in news.chunks(BATCH) {
                let spent = batch.iter().map(|(key, poured)| BucketSpend {
                    bucket: name(*key),
                    time: Duration::from_micros(poured.time),
                    ago: Duration::from_micros(now.saturating_sub(poured.since)),
                });
                match store.spend(spent.collect()).await {
                    Ok(levels) => {
                        let (mut buckets, now) = (self.buckets(), self.now());
                        batch.iter().zip(levels).for_each(|((key, _), held)| buckets.learn(*key, held, now));
                    }
                    Err(error) => {
                        tracing::debug!(%error, "what clients ask for is counted here alone for a moment");
                        let mut buckets = self.buckets();
                        batch.iter().for_each(|(key, poured)| buckets.untell(*key, *poured));
                    }
                }
            }
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn buckets(&self) -> MutexGuard<'_, Buckets<Key>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A bucket's name in the store.
fn name((policy, number): Key) -> String {
    format!("{}:{number:032x}", policy.name())
}

fn refusal(policy: Policy, Quota { most, window }: Quota) -> String {
    let seconds = window.as_secs();
    match policy {
        Policy::Client => format!("a client may send {most} requests in {seconds} seconds"),
        Policy::Token => format!("{most} requests may come with one token in {seconds} seconds"),
        Policy::Heavy => format!("a client may send {most} rule texts and records in {seconds} seconds"),
        Policy::Create => format!("a client may create {most} games in {seconds} seconds"),
        Policy::Publish => format!("a client may publish {most} rule sets in {seconds} seconds"),
    }
}
