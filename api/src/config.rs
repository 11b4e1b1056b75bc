//! The settings of the service, as types. `cli/serve/args.rs` fills them from flags, environment variables and the
//! settings file.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::ground::token::TokenHash;
use crate::score::awards::Awards;
use crate::telemetry::Tracing;

/// All settings of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServeConfig {
    /// Address and port to listen on; port 0 takes a free port.
    pub listen: SocketAddr,
    /// Address of a Redis; `None` uses the embedded store.
    pub store: Option<String>,
    /// Directory of the embedded store; created if it is missing.
    pub data: PathBuf,
    /// Web origins whose scripts may call the service (CORS); `*` allows all.
    pub cors_origins: Vec<String>,
    /// Threads that answer requests; 0 takes one for each core.
    pub workers: usize,
    /// Seconds that requests in progress have to finish when the service stops.
    pub grace_seconds: u64,
    /// Hash of the admin token; `None`: no request has the rights of an admin.
    pub admin: Option<TokenHash>,
    /// The identity provider whose tokens name players; `None`: all players are guests.
    pub oidc: Option<Oidc>,
    /// Quotas of clients and tokens.
    pub rates: Rates,
    /// The settings for the delivery of webhook messages.
    pub webhooks: Webhooks,
    /// How long games and players are kept.
    pub retention: Retention,
    /// Limits of the whole process or store, not of one client.
    pub bounds: Bounds,
    /// The settings of competitive games.
    pub scoring: Scoring,
    /// When a robot plays for a player who is absent.
    pub absence: AbsenceTimes,
    /// The collector of traces; `None`: no request is traced.
    pub tracing: Option<Tracing>,
}

/// An identity provider (OpenID Connect), whose tokens name players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oidc {
    /// The URL of the issuer, as in the field `iss` of its tokens.
    pub issuer: String,
    /// The name of this service in the field `aud` of the tokens.
    pub audience: String,
    /// Shortest pause between two attempts to read the issuer's keys, so that tokens with made-up key ids cause no
    /// traffic.
    pub pause: Duration,
    /// The client as which the page signs people in; `None`: the page offers no sign-in.
    pub client: Option<PublicClient>,
}

/// The page as the identity provider knows it: a client without a secret, which signs people in by an authorization
/// code with PKCE (RFC 7636).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicClient {
    /// The id of the client at the provider.
    pub id: String,
    /// The scopes that the page asks for, separated by spaces.
    pub scope: String,
}

impl Oidc {
    /// Returns the web origin of the issuer; `None` if its URL is malformed.
    pub fn origin(&self) -> Option<String> {
        let url = reqwest::Url::parse(&self.issuer).ok()?;
        url.has_host().then(|| url.origin().ascii_serialization())
    }

    /// Makes the settings of an identity provider whose keys are read at most once in 30 seconds.
    pub fn new(issuer: &str, audience: &str) -> Self {
        Self { issuer: issuer.to_owned(), audience: audience.to_owned(), pause: Duration::from_secs(30), client: None }
    }
}

/// The settings for the delivery of webhook messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhooks {
    /// Whether webhooks may have private addresses, and addresses without TLS.
    pub allows_private: bool,
    /// Pause before the second attempt to deliver a message. Each later pause is four times as long, up to 12 hours.
    pub pause: Duration,
    /// Attempts to deliver a message. A message that failed this many times is not sent again.
    pub attempts: u32,
}

impl Default for Webhooks {
    /// The nine attempts to deliver a message spread over some twenty hours.
    fn default() -> Self {
        Self { allows_private: false, pause: Duration::from_secs(5), attempts: 9 }
    }
}

/// The settings of competitive games: chips, seasons, levels and badges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scoring {
    /// Number of chips that a new registered player gets.
    pub chips: u64,
    /// The name of the present season; `None` between seasons.
    pub season: Option<String>,
    /// The tables of levels and badges.
    pub awards: Awards,
}

impl Default for Scoring {
    fn default() -> Self {
        Self { chips: 1_000, season: None, awards: Awards::default() }
    }
}

/// Tells whether a season can have this name: 1 to 40 lower-case letters, digits and hyphens.
pub fn is_season(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=40).contains(&name.len()) && name.bytes().all(is_word)
}

/// Retention: how long entities are kept after their last change. `None` keeps them for ever.
///
/// Groups, tables and tournaments that are over are kept like finished games. Others are kept as long as the games that
/// are kept longest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Retention {
    /// How long games that have not started are kept.
    pub open: Option<Duration>,
    /// How long games in play are kept.
    pub playing: Option<Duration>,
    /// How long finished games are kept.
    pub finished: Option<Duration>,
    /// How long players are kept.
    pub players: Option<Duration>,
}

/// The times of the stand-in, the robot of a game that plays for players who have lost the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AbsenceTimes {
    /// The time without a connection after which the robot plays.
    pub after: Duration,
    /// The time in which the player may come back, counted from the first turn of the robot.
    pub window: Duration,
}

impl Default for AbsenceTimes {
    fn default() -> Self {
        Self { after: Duration::from_secs(30), window: Duration::from_secs(300) }
    }
}

/// Limits of the whole process or store, not of one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Largest number of open connections of this process.
    pub connections: usize,
    /// Seconds in which a client has to send a request. Also the longest pause, in seconds, that a client may make
    /// while it reads an answer.
    pub patience_seconds: u64,
    /// Largest number of published rule sets in the store.
    pub rule_sets: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { connections: 25_000, patience_seconds: 30, rule_sets: 10_000 }
    }
}

/// Quotas; `None` stands for no limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rates {
    /// Largest number of requests of one client in a minute.
    pub client: Option<u32>,
    /// Largest number of requests with one token in a minute.
    pub token: Option<u32>,
    /// Largest number of rule texts, scenarios, simulations and records that one client may send in a minute. An editor
    /// that checks a rule text after each key sends some hundred.
    pub heavy: Option<u32>,
    /// Largest number of games, groups, players, tables and tournaments that one client may create or import in an
    /// hour.
    pub create: Option<u32>,
    /// Largest number of rule sets that one client may publish in a day.
    pub publish: Option<u32>,
    /// Largest number of invitations to tables, requests to be friends and votes at tables that one player may send in
    /// an hour.
    pub invite: Option<u32>,
    /// Largest number of streams and long polls that one client may have open at a time in this process.
    pub streams: Option<u32>,
    /// Largest number of simulations that one client may have waiting or running at a time in this process.
    pub simulations: Option<u32>,
    /// Largest number of open connections of one client to this process. Connections are not counted if there are
    /// proxies.
    pub connections: Option<u32>,
    /// Number of proxies in front of the service; 0 if clients connect directly. Each one adds the address of its client to `client_header`.
    pub proxies: u8,
    /// Name of the header with the addresses of clients, as in `X-Forwarded-For`.
    pub client_header: String,
}

impl Rates {
    /// Returns quotas without limits.
    pub fn unlimited() -> Self {
        Self {
            client: None,
            token: None,
            heavy: None,
            create: None,
            publish: None,
            invite: None,
            streams: None,
            simulations: None,
            connections: None,
            ..Self::default()
        }
    }
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            client: Some(12_000),
            token: Some(3_000),
            heavy: Some(600),
            create: Some(6_000),
            publish: Some(200),
            invite: Some(120),
            streams: Some(500),
            simulations: Some(4),
            connections: Some(1_000),
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
            oidc: None,
            rates: Rates::default(),
            webhooks: Webhooks::default(),
            retention: Retention::default(),
            bounds: Bounds::default(),
            scoring: Scoring::default(),
            absence: AbsenceTimes::default(),
            tracing: None,
        }
    }
}
