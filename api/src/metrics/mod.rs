//! The metrics of this process, as Prometheus reads them: the text format of OpenMetrics 1.0.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

mod requests;
mod store;

pub(crate) use requests::RequestCounts;
pub(crate) use store::Measured;

/// The media type of the metrics, as Prometheus reads them.
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// HTTP methods with counters of their own; all others count as `other`, so that clients cannot add labels.
const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// The formats of streams; each has its own gauge.
const MEDIA: [&str; 2] = ["sse", "ndjson"];

/// The values of labels whose counters exist from the start, at 0. Their words are those of the code that counts.
#[derive(Debug)]
pub(crate) struct LabelValues {
    /// The limits that can refuse a request, a stream, a simulation or a connection.
    pub limits: Vec<&'static str>,
    /// The outcomes of attempts to deliver a webhook message.
    pub deliveries: Vec<&'static str>,
    /// The reasons why a simulation ends.
    pub simulation_ends: Vec<&'static str>,
}

/// All metrics of this process, with the registry that writes them as text.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    request_time: Family<Operation, Histogram>,
    store_calls: Family<StoreCallEnd, Counter>,
    store_time: Family<StoreCall, Histogram>,
    streams: Family<Media, Gauge>,
    games: Family<GameChange, Counter>,
    late: Histogram,
    refused: Family<Limit, Counter>,
    webhooks: Family<DeliveryEnd, Counter>,
    simulations: Gauge,
    simulations_ended: Family<SimulationEnded, Counter>,
    simulated_games: Counter,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
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
struct StoreCallEnd {
    call: &'static str,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StoreCall {
    call: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Media {
    media: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct GameChange {
    rule_set: String,
    became: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DeliveryEnd {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SimulationEnded {
    by: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Limit {
    limit: &'static str,
}

/// The duration of the calls of one method of the store, and the number of calls that succeeded.
struct CallMetrics {
    time: Histogram,
    succeeded: Counter,
}

/// Makes a histogram with buckets from a quarter of a millisecond to four seconds. The bound of each bucket is twice
/// that of the one before.
fn durations() -> Histogram {
    Histogram::new(exponential_buckets(0.000_25, 2.0, 15))
}

impl Metrics {
    pub(crate) fn new(labels: LabelValues) -> Self {
        let LabelValues { limits, deliveries, simulation_ends } = labels;
        let mut registry = Registry::with_prefix("pagade");
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program that runs", version);
        let requests = Family::default();
        registry.register("http_requests", "Requests answered, by the path of the operation", requests.clone());
        let request_time = Family::new_with_constructor(durations as fn() -> Histogram);
        let help = "Time until an answer began";
        registry.register_with_unit("http_request", help, Unit::Seconds, request_time.clone());
        let store_calls = Family::default();
        registry.register("store_calls", "Calls to the store, by outcome", store_calls.clone());
        let store_time = Family::new_with_constructor(durations as fn() -> Histogram);
        registry.register_with_unit("store_call", "Duration of a call to the store", Unit::Seconds, store_time.clone());
        let streams = Family::<Media, Gauge>::default();
        MEDIA.into_iter().for_each(|media| drop(streams.get_or_create(&Media { media })));
        registry.register("streams", "Followers of games and other entities, by medium of the stream", streams.clone());
        let games = Family::default();
        registry.register(
            "games",
            "Games created, started, finished, deleted, expired, and expired while in play",
            games.clone(),
        );
        let late = Histogram::new(exponential_buckets(0.1, 2.0, 12));
        let help = "Time from a deadline, such as a turn's, until the service did what was due";
        registry.register_with_unit("deadline_late", help, Unit::Seconds, late.clone());
        let refused = Family::<Limit, Counter>::default();
        limits.into_iter().for_each(|limit| drop(refused.get_or_create(&Limit { limit })));
        registry.register("refused", "Requests, streams and connections refused by a limit", refused.clone());
        let webhooks = Family::<DeliveryEnd, Counter>::default();
        deliveries.into_iter().for_each(|outcome| drop(webhooks.get_or_create(&DeliveryEnd { outcome })));
        registry.register("webhook_messages", "Attempts to deliver webhook messages, by outcome", webhooks.clone());
        let simulations = Gauge::default();
        registry.register("simulations", "Simulations that wait or run", simulations.clone());
        let simulations_ended = Family::<SimulationEnded, Counter>::default();
        simulation_ends.into_iter().for_each(|by| drop(simulations_ended.get_or_create(&SimulationEnded { by })));
        registry.register("simulations_ended", "Simulations that ended, by reason", simulations_ended.clone());
        let simulated_games = Counter::default();
        registry.register("simulated_games", "Games played in simulations", simulated_games.clone());
        Self {
            registry,
            requests,
            request_time,
            store_calls,
            store_time,
            streams,
            games,
            late,
            refused,
            webhooks,
            simulations,
            simulations_ended,
            simulated_games,
        }
    }
}

impl Metrics {
    /// Writes all metrics as OpenMetrics text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }

    fn request(&self, method: &'static str, path: &str, status: u16) -> (Histogram, Counter) {
        let operation = Operation { method, path: path.to_owned() };
        let time = self.request_time.get_or_create(&operation).clone();
        (time, self.requests.get_or_create(&RequestLabels { method, path: operation.path, status }).clone())
    }

    /// Returns the metrics of calls to the store with this name and outcome.
    fn store_call(&self, call: &'static str, outcome: &'static str) -> CallMetrics {
        let time = self.store_time.get_or_create(&StoreCall { call }).clone();
        CallMetrics { time, succeeded: self.store_calls.get_or_create(&StoreCallEnd { call, outcome }).clone() }
    }

    fn count_store_call(&self, call: &'static str, outcome: &'static str, took: Duration) {
        self.store_time.get_or_create(&StoreCall { call }).observe(took.as_secs_f64());
        self.store_calls.get_or_create(&StoreCallEnd { call, outcome }).inc();
    }

    /// Counts a follower of an entity as connected until the returned value is dropped.
    pub(crate) fn count_follower(&self, media: &'static str) -> Counted {
        let gauge = self.streams.get_or_create(&Media { media }).clone();
        gauge.inc();
        Counted(gauge)
    }

    /// Counts a simulation as waiting or running until the returned value is dropped.
    pub(crate) fn count_simulation(&self) -> Counted {
        self.simulations.inc();
        Counted(self.simulations.clone())
    }

    /// Counts a simulation that has ended, and the games that it has played.
    pub(crate) fn count_simulation_end(&self, by: &'static str, games: u64) {
        self.simulations_ended.get_or_create(&SimulationEnded { by }).inc();
        self.simulated_games.inc_by(games);
    }

    /// Counts a game that was created, started, finished or deleted, or has expired.
    pub(crate) fn count_game(&self, rule_set: &str, became: &'static str) {
        self.games.get_or_create(&GameChange { rule_set: rule_set.to_owned(), became }).inc();
    }

    /// Counts a request, stream or connection that a limit refused.
    pub(crate) fn count_refusal(&self, limit: &'static str) {
        self.refused.get_or_create(&Limit { limit }).inc();
    }

    /// Counts an attempt to deliver a webhook message, by its outcome: delivered, failed, or given up.
    pub(crate) fn count_delivery(&self, outcome: &'static str) {
        self.webhooks.get_or_create(&DeliveryEnd { outcome }).inc();
    }

    /// Records the delay between a deadline and the moment at which the service acted on it.
    pub(crate) fn record_delay(&self, by: Duration) {
        self.late.observe(by.as_secs_f64());
    }
}

/// Counts something in a gauge until this value is dropped.
#[derive(Debug)]
pub(crate) struct Counted(Gauge);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}
