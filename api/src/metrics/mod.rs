//! What the operator measures: counters and distributions of this process, in the text format of OpenMetrics 1.0.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

mod store;

pub use store::Measured;

/// The media type of [`Metrics::text`].
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Methods that are told apart; whatever else a client sends is one kind.
const METHODS: [&str; 5] = ["GET", "POST", "DELETE", "HEAD", "OPTIONS"];

/// How games are followed, as [`Metrics::follows`] is told.
const MEDIA: [&str; 2] = ["sse", "ndjson"];

/// The limits of [`Metrics::refused`].
const LIMITS: [&str; 7] = ["client", "token", "heavy", "create", "publish", "streams", "connections"];

/// The outcomes of [`Metrics::told`].
const OUTCOMES: [&str; 3] = ["delivered", "failed", "dead"];

/// What is measured.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    request_time: Family<Operation, Histogram>,
    store_calls: Family<Called, Counter>,
    store_time: Family<Call, Histogram>,
    streams: Family<Media, Gauge>,
    games: Family<Milestone, Counter>,
    late: Histogram,
    refused: Family<Limit, Counter>,
    webhooks: Family<Outcome, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    path: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Operation {
    method: &'static str,
    path: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Called {
    call: &'static str,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Call {
    call: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Media {
    media: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Milestone {
    rule_set: String,
    became: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Limit {
    limit: &'static str,
}

/// A quarter of a millisecond to four seconds, each twice the last.
fn times() -> Histogram {
    Histogram::new(exponential_buckets(0.000_25, 2.0, 15))
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("pagade");
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program that runs", version);
        let requests = Family::default();
        registry.register("http_requests", "Requests answered, by the path of the operation", requests.clone());
        let request_time = Family::new_with_constructor(times as fn() -> Histogram);
        let help = "Time until an answer began";
        registry.register_with_unit("http_request", help, Unit::Seconds, request_time.clone());
        let store_calls = Family::default();
        registry.register("store_calls", "Calls to the store, by how they ended", store_calls.clone());
        let store_time = Family::new_with_constructor(times as fn() -> Histogram);
        registry.register_with_unit("store_call", "Time of a call to the store", Unit::Seconds, store_time.clone());
        let streams = Family::<Media, Gauge>::default();
        MEDIA.into_iter().for_each(|media| drop(streams.get_or_create(&Media { media })));
        registry.register("streams", "Clients that follow a game now", streams.clone());
        let games = Family::default();
        registry.register(
            "games",
            "Games that were created, started, finished, removed, and removed while nobody played them (abandoned)",
            games.clone(),
        );
        let late = Histogram::new(exponential_buckets(0.1, 2.0, 12));
        let help = "How long after its deadline a decision was made by the server";
        registry.register_with_unit("timer_late", help, Unit::Seconds, late.clone());
        let refused = Family::<Limit, Counter>::default();
        LIMITS.into_iter().for_each(|limit| drop(refused.get_or_create(&Limit { limit })));
        registry.register("refused", "Requests refused by a limit", refused.clone());
        let webhooks = Family::<Outcome, Counter>::default();
        OUTCOMES.into_iter().for_each(|outcome| drop(webhooks.get_or_create(&Outcome { outcome })));
        registry.register("webhook_messages", "Messages to webhooks, by what became of them", webhooks.clone());
        Self { registry, requests, request_time, store_calls, store_time, streams, games, late, refused, webhooks }
    }
}

impl Metrics {
    /// All of it, as OpenMetrics text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }

    /// A request was answered; `path` is that of the operation, `None` where there is none.
    pub fn answered(&self, method: &str, path: Option<String>, status: u16, took: Duration) {
        let method = METHODS.into_iter().find(|known| *known == method).unwrap_or("other");
        let operation = Operation { method, path: path.unwrap_or_else(|| "none".to_owned()) };
        self.request_time.get_or_create(&operation).observe(took.as_secs_f64());
        self.requests.get_or_create(&Answered { method, path: operation.path, status }).inc();
    }

    fn called(&self, call: &'static str, outcome: &'static str, took: Duration) {
        self.store_time.get_or_create(&Call { call }).observe(took.as_secs_f64());
        self.store_calls.get_or_create(&Called { call, outcome }).inc();
    }

    /// Someone follows a game, until what is given back is dropped.
    pub fn follows(&self, media: &'static str) -> Following {
        let gauge = self.streams.get_or_create(&Media { media }).clone();
        gauge.inc();
        Following(gauge)
    }

    /// A game became something: created, started, finished, removed, abandoned.
    pub fn became(&self, rule_set: &str, became: &'static str) {
        self.games.get_or_create(&Milestone { rule_set: rule_set.to_owned(), became }).inc();
    }

    /// A request was refused by a limit.
    pub fn refused(&self, limit: &'static str) {
        self.refused.get_or_create(&Limit { limit }).inc();
    }

    /// A message to a webhook was delivered, failed, or is dead.
    pub fn told(&self, outcome: &'static str) {
        self.webhooks.get_or_create(&Outcome { outcome }).inc();
    }

    /// A deadline was kept this long after its time.
    pub fn late(&self, by: Duration) {
        self.late.observe(by.as_secs_f64());
    }
}

/// Somebody who follows a game.
#[derive(Debug)]
pub struct Following(Gauge);

impl Drop for Following {
    fn drop(&mut self) {
        self.0.dec();
    }
}
