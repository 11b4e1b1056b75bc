//! What the service is told when it starts.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::ground::token::TokenHash;
use crate::telemetry::Tracing;

/// How to serve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServeConfig {
    /// Address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Address of a Redis; none: the embedded store.
    pub store: Option<String>,
    /// Directory of the embedded store; made where it is missing.
    pub data: PathBuf,
    /// Origins whose scripts may call from browsers; `*` for all.
    pub cors_origins: Vec<String>,
    /// Threads that answer; 0: as many as there are cores.
    pub workers: usize,
    /// Seconds that requests in progress are given when the service closes.
    pub grace_seconds: u64,
    /// The token of whoever runs the service, by its hash; none: there is no such token.
    pub admin: Option<TokenHash>,
    /// How often may be asked.
    pub rates: Rates,
    /// How games tell others what happens.
    pub webhooks: Webhooks,
    /// How long games are kept.
    pub keep: Keep,
    /// What is bounded for all together.
    pub bounds: Bounds,
    /// Where traces go; none: nothing is traced.
    pub tracing: Option<Tracing>,
}

/// How games tell others what happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhooks {
    /// Also to addresses that are not public, and without TLS.
    pub allows_private: bool,
    /// Pause before a message is tried for the second time; each is four times as long as the one before.
    pub pause: Duration,
    /// After so many tries a message is given up.
    pub attempts: u32,
}

impl Default for Webhooks {
    /// For twenty hours.
    fn default() -> Self {
        Self { allows_private: false, pause: Duration::from_secs(5), attempts: 9 }
    }
}

/// How long games are kept in which nothing changes; none: for ever.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keep {
    /// Games that were not started.
    pub open: Option<Duration>,
    /// Games that were started and are not over.
    pub playing: Option<Duration>,
    /// Games that are over.
    pub finished: Option<Duration>,
}

/// What is bounded for all together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Most connections at a time.
    pub connections: usize,
    /// Seconds that a client may take for a request, and may take nothing of an answer.
    pub patience_seconds: u64,
    /// Most rule sets that are published.
    pub rule_sets: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { connections: 25_000, patience_seconds: 30, rule_sets: 10_000 }
    }
}

/// How often may be asked; 0: as often as one likes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rates {
    /// Requests of a client a minute.
    pub client: u32,
    /// Requests with a token a minute.
    pub token: u32,
    /// Rule texts and records that a client sends a minute.
    pub heavy: u32,
    /// Games that a client creates or imports an hour.
    pub create: u32,
    /// Rule sets that a client publishes a day.
    pub publish: u32,
    /// Games that a client follows at a time, here.
    pub streams: u32,
    /// Connections of a client at a time, here; not counted behind proxies.
    pub connections: u32,
    /// Proxies in front, each of which adds the address that it saw to the header.
    pub proxies: u8,
    /// The header.
    pub client_header: String,
}

impl Rates {
    /// Everybody may ask as often as they like.
    pub fn unlimited() -> Self {
        Self { client: 0, token: 0, heavy: 0, create: 0, publish: 0, streams: 0, connections: 0, ..Self::default() }
    }
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            client: 12_000,
            token: 3_000,
            heavy: 120,
            create: 6_000,
            publish: 200,
            streams: 500,
            connections: 1_000,
            proxies: 0,
            client_header: "X-Forwarded-For".to_owned(),
        }
    }
}

impl Default for ServeConfig {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            store: None,
            data: PathBuf::from("data"),
            cors_origins: Vec::new(),
            workers: 0,
            grace_seconds: 20,
            admin: None,
            rates: Rates::default(),
            webhooks: Webhooks::default(),
            keep: Keep::default(),
            bounds: Bounds::default(),
            tracing: None,
        }
    }
}
