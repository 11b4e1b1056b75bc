//! The meter counts requests by client and by token, and refuses those beyond a quota.
//!
//! Every process decides from its own buckets, so that no request waits for the store. Four times a second the process
//! reports its requests to the store, and sets its buckets to the levels that the store computes for all processes. A
//! client that uses several processes at once can therefore exceed its quota by the requests that it sends in a quarter
//! of a second.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use uuid::Uuid;

use crate::config::Rates;
use crate::error::{Code, Detail, Problem, detail};
use crate::limits::bucket::{BucketFull, Buckets, Level, Quota};
use crate::limits::client;
use crate::limits::slots::{Slot, Slots};
use crate::metrics::Metrics;
use crate::store::{BucketSpend, Store};

/// Pause between two reports of counted requests to the store.
const REPORT_PAUSE: Duration = Duration::from_millis(250);
/// Largest number of buckets in one report to the store.
const REPORT_BATCH: usize = 512;

/// Value of `Retry-After` when a client has too many streams. It is a guess: the client's other streams can end at any
/// time.
const STREAM_RETRY: Duration = Duration::from_secs(5);

/// Value of `Retry-After` when a client has too many simulations. It is a guess, as for streams.
const SIMULATION_RETRY: Duration = Duration::from_secs(5);

/// The names of the limits of slots in metrics.
const STREAMS: &str = "streams";
const SIMULATIONS: &str = "simulations";
const CONNECTIONS: &str = "connections";

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The name of a quota.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) enum Policy {
    /// All requests of a client.
    #[default]
    Client,
    /// All requests with a token.
    Token,
    /// Long work for a client: rule texts that it checks, compares or publishes, scenarios, simulations, and records
    /// that it imports.
    Heavy,
    /// Games, groups, players, tables and tournaments that a client creates, and games that it imports. The games of a
    /// tournament's round count when the round is paired.
    Create,
    /// Rule sets that a client publishes.
    Publish,
    /// Invitations to tables and requests to be friends that a player sends, and votes that the player opens at tables.
    Invite,
}

impl Policy {
    pub(crate) const ALL: [Self; 6] =
        [Self::Client, Self::Token, Self::Heavy, Self::Create, Self::Publish, Self::Invite];

    /// Returns the name of the policy in headers, in metrics and in the store.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Token => "token",
            Self::Heavy => "heavy",
            Self::Create => "create",
            Self::Publish => "publish",
            Self::Invite => "invite",
        }
    }
}

/// The sender of a request, as quotas count it: the client's address and the hash of its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Caller {
    client: u128,
    token: Option<u128>,
}

impl Caller {
    /// Returns the number under which requests of the caller's address are counted, as bytes.
    pub(crate) fn client_bytes(self) -> [u8; 16] {
        self.client.to_be_bytes()
    }
}

/// How much of one quota a caller has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QuotaUse {
    pub policy: Policy,
    pub quota: Quota,
    pub level: Level,
}

/// The refusal of a request beyond a quota.
#[derive(Debug, Clone)]
pub(crate) struct RefusedRequest {
    /// The answer: 429 with `Retry-After`.
    pub problem: Problem,
    pub standing: QuotaUse,
}

type BucketKey = (Policy, u128);

/// Counts requests, streams and connections, and refuses those beyond their limits.
#[derive(Debug)]
pub(crate) struct Meter {
    rates: Rates,
    metrics: Arc<Metrics>,
    started: Instant,
    buckets: Mutex<Buckets<BucketKey>>,
    /// Slots for streams and long polls.
    streams: Slots,
    simulations: Slots,
    connections: Slots,
    /// Each connection has a clone of it, so the number of clones is the number of open connections.
    all_connections: Arc<()>,
}

/// Counts a connection as open until this value is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    _client: Option<Slot>,
    _process: Arc<()>,
}

impl Meter {
    /// Lists the names of all limits that can refuse a request, a stream, a simulation or a connection.
    pub(crate) fn limits() -> impl Iterator<Item = &'static str> {
        Policy::ALL.into_iter().map(Policy::name).chain([STREAMS, SIMULATIONS, CONNECTIONS])
    }

    pub(crate) fn new(rates: Rates, metrics: Arc<Metrics>) -> Self {
        Self {
            rates,
            metrics,
            started: Instant::now(),
            buckets: Mutex::default(),
            streams: Slots::default(),
            simulations: Slots::default(),
            connections: Slots::default(),
            all_connections: Arc::default(),
        }
    }

    /// Makes the caller of a request from its network address and the value of its `Authorization` header.
    pub(crate) fn caller(&self, address: IpAddr, authorization: Option<&[u8]>) -> Caller {
        let token = authorization.filter(|_| self.rates.token.is_some()).map(|sent| {
            let hash = blake3::derive_key("pagade rate limit v1", sent);
            hash.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
        });
        Caller { client: client::number(address), token }
    }

    /// Returns the number of proxies in front of the service, and the header in which they name the client.
    pub(crate) fn proxies(&self) -> (u8, &str) {
        (self.rates.proxies, &self.rates.client_header)
    }

    /// Returns the quota of a policy; `None` if it has no limit.
    fn quota(&self, policy: Policy) -> Option<Quota> {
        let (most, window) = match policy {
            Policy::Client => (self.rates.client, MINUTE),
            Policy::Token => (self.rates.token, MINUTE),
            Policy::Heavy => (self.rates.heavy, MINUTE),
            Policy::Create => (self.rates.create, HOUR),
            Policy::Publish => (self.rates.publish, DAY),
            Policy::Invite => (self.rates.invite, HOUR),
        };
        most.map(|most| Quota { most, window })
    }

    /// Returns the bucket of a caller; `None` if the policy does not count callers of this kind. Invitations are
    /// counted for each player, not for each caller.
    fn key(policy: Policy, caller: Caller) -> Option<BucketKey> {
        let number = match policy {
            Policy::Token => caller.token?,
            Policy::Invite => return None,
            Policy::Client | Policy::Heavy | Policy::Create | Policy::Publish => caller.client,
        };
        Some((policy, number))
    }

    /// Counts an invitation, a request to be friends, or a vote that this player opens.
    ///
    /// # Errors
    /// 429 if the player has sent too many; the refused one is not counted.
    pub(crate) fn invite(&self, player: Uuid) -> Result<(), Problem> {
        let Some(quota) = self.quota(Policy::Invite) else { return Ok(()) };
        match self.buckets().spend((Policy::Invite, player.as_u128()), quota, 1, self.now()) {
            Ok(_) => Ok(()),
            Err(BucketFull { wait, .. }) => {
                self.metrics.count_refusal(Policy::Invite.name());
                Err(Problem::new(Code::TooManyRequests, refusal(Policy::Invite, quota)).after(wait))
            }
        }
    }

    /// Counts a request and returns how much of the quota the caller has used; `None` if the policy has no limit, or
    /// does not apply because the caller has no token.
    ///
    /// # Errors
    /// 429 if the quota is used up; the request is not counted then.
    pub(crate) fn count(&self, policy: Policy, caller: Caller) -> Result<Option<QuotaUse>, Box<RefusedRequest>> {
        self.count_many(policy, caller, 1)
    }

    /// Counts a request as `number` requests.
    ///
    /// # Errors
    /// 429 if fewer than `number` requests are left in the quota; nothing is counted then.
    pub(crate) fn count_many(
        &self,
        policy: Policy,
        caller: Caller,
        number: usize,
    ) -> Result<Option<QuotaUse>, Box<RefusedRequest>> {
        let Some((key, quota)) = Self::key(policy, caller).zip(self.quota(policy)) else { return Ok(None) };
        match self.buckets().spend(key, quota, number, self.now()) {
            Ok(level) => Ok(Some(QuotaUse { policy, quota, level })),
            Err(BucketFull { wait, level }) => {
                self.metrics.count_refusal(policy.name());
                let problem = Problem::new(Code::TooManyRequests, refusal(policy, quota)).after(wait);
                Err(Box::new(RefusedRequest { problem, standing: QuotaUse { policy, quota, level } }))
            }
        }
    }

    /// Takes a slot for a stream or a long poll; `None` if streams have no limit, or `caller` is `None`.
    ///
    /// # Errors
    /// 429 if the client holds all its slots.
    pub(crate) fn follow(&self, caller: Option<Caller>) -> Result<Option<Slot>, Problem> {
        let Some((Caller { client, .. }, most)) = caller.zip(self.rates.streams) else { return Ok(None) };
        self.streams.take(client, most).map(Some).ok_or_else(|| {
            self.metrics.count_refusal(STREAMS);
            Problem::new(Code::TooManyStreams, detail!("a client may follow {most} games at a time", most))
                .after(STREAM_RETRY)
        })
    }

    /// Takes a slot for a simulation; `None` if simulations have no limit, or `caller` is `None`.
    ///
    /// # Errors
    /// 429 if the client holds all its slots.
    pub(crate) fn simulate(&self, caller: Option<Caller>) -> Result<Option<Slot>, Problem> {
        let Some((Caller { client, .. }, most)) = caller.zip(self.rates.simulations) else { return Ok(None) };
        self.simulations.take(client, most).map(Some).ok_or_else(|| {
            self.metrics.count_refusal(SIMULATIONS);
            let detail = detail!("a client may have {most} simulations at a time", most);
            Problem::new(Code::TooManyRequests, detail).after(SIMULATION_RETRY)
        })
    }

    /// Counts a new connection; `None` if the client already has as many connections as it may.
    ///
    /// If there are proxies, connections are not counted by client, because all of them come from the proxies.
    pub(crate) fn connect(&self, peer: IpAddr) -> Option<ConnectionSlot> {
        let counted = |slot| ConnectionSlot { _client: slot, _process: Arc::clone(&self.all_connections) };
        let Some(most) = self.rates.connections.filter(|_| self.rates.proxies == 0) else {
            return Some(counted(None));
        };
        let slot = self.connections.take(client::number(peer.to_canonical()), most);
        if slot.is_none() {
            self.metrics.count_refusal(CONNECTIONS);
        }
        slot.map(|slot| counted(Some(slot)))
    }

    /// Returns the number of open connections of this process.
    pub(crate) fn connected(&self) -> usize {
        Arc::strong_count(&self.all_connections) - 1
    }

    /// Returns how many streams and long polls a client may have open at a time; `None` for no limit.
    pub(crate) fn most_streams(&self) -> Option<u32> {
        self.rates.streams
    }

    /// Returns how many simulations a client may have at a time; `None` for no limit.
    pub(crate) fn most_simulations(&self) -> Option<u32> {
        self.rates.simulations
    }

    /// Returns how much the caller has used of every quota that applies to it.
    pub(crate) fn standings(&self, caller: Caller) -> Vec<QuotaUse> {
        let (buckets, now) = (self.buckets(), self.now());
        let standing = |policy: Policy| {
            let (key, quota) = Self::key(policy, caller).zip(self.quota(policy))?;
            Some(QuotaUse { policy, quota, level: buckets.level(key, quota, now) })
        };
        Policy::ALL.into_iter().filter_map(standing).collect()
    }

    /// Shares the counts of this process with the other processes, through the store. Never returns.
    pub(crate) async fn share_counts(self: Arc<Self>, store: Arc<dyn Store>) {
        loop {
            tokio::time::sleep(REPORT_PAUSE).await;
            let now = self.now();
            let unreported = self.buckets().take_unreported(now);
            for batch in unreported.chunks(REPORT_BATCH) {
                let spent = batch.iter().map(|(key, spending)| BucketSpend {
                    bucket: bucket_name(*key),
                    time: Duration::from_micros(spending.time),
                    ago: Duration::from_micros(now.saturating_sub(spending.since)),
                });
                match store.spend(spent.collect()).await {
                    Ok(levels) => {
                        let (mut buckets, now) = (self.buckets(), self.now());
                        let levels = batch.iter().zip(levels);
                        levels.for_each(|((key, _), filled)| buckets.set_shared_level(*key, filled, now));
                    }
                    Err(error) => {
                        tracing::debug!(
                            %error, buckets = batch.len(),
                            "rate limits not shared with other processes, retrying"
                        );
                        let mut buckets = self.buckets();
                        batch.iter().for_each(|(key, spending)| buckets.put_back(*key, *spending));
                    }
                }
            }
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn buckets(&self) -> MutexGuard<'_, Buckets<BucketKey>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the name of a bucket in the store.
fn bucket_name((policy, number): BucketKey) -> String {
    format!("{}:{}", policy.name(), const_hex::encode(number.to_be_bytes()))
}

fn refusal(policy: Policy, Quota { most, window }: Quota) -> Detail {
    let seconds = window.as_secs();
    match policy {
        Policy::Client => detail!("a client may send {most} requests in {seconds} seconds", most, seconds),
        Policy::Token => detail!("{most} requests may come with one token in {seconds} seconds", most, seconds),
        Policy::Heavy => detail!("a client may send {most} rule texts and records in {seconds} seconds", most, seconds),
        Policy::Create => detail!(
            "a client may create {most} games, groups, players, tables and tournaments in {seconds} seconds",
            most,
            seconds
        ),
        Policy::Publish => detail!("a client may publish {most} rule sets in {seconds} seconds", most, seconds),
        Policy::Invite => detail!("a player may invite or ask {most} players in {seconds} seconds", most, seconds),
    }
}
