//! Health, limits and problem codes on the wire.

use serde::Serialize;
use utoipa::ToSchema;

/// The service is well.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({"status": "ok", "version": "0.1.0"}))]
pub(crate) struct Health {
    /// `ok`.
    pub status: String,
    /// Version of the program.
    pub version: String,
}

/// The service takes commands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({"status": "ok", "version": "0.1.0", "warnings": []}))]
pub(crate) struct Readiness {
    /// `ok`.
    pub status: String,
    /// Version of the program.
    pub version: String,
    /// One warning for each durability promise that the settings of the store do not keep.
    pub warnings: Vec<String>,
}

/// The limits of the service.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "body_bytes": 65536, "large_body_bytes": 4_194_304, "page_items": 100, "event_page_items": 1000,
    "events_per_game": 100_000, "event_wait_seconds": 30, "actions_per_request": 32, "idempotency_seconds": 86400,
    "rule_text_bytes": 1_000_000, "turn_timer_seconds": 1_209_600, "events_behind": 1000, "request_seconds": 30,
    "work_seconds": 10, "rule_sets": 10000, "streams_per_client": 500,
    "open_game_seconds": 2_592_000, "playing_game_seconds": 0, "finished_game_seconds": 7_776_000,
    "rates": [{"name": "client", "quota": 12000, "window_seconds": 60, "remaining": 11999, "reset_seconds": 1}]
}))]
pub(crate) struct Limits {
    /// Maximum size of an ordinary body, in bytes.
    pub body_bytes: u64,
    /// Maximum size of a body with a rule text or a record, in bytes.
    pub large_body_bytes: u64,
    /// Maximum number of items on a page.
    pub page_items: u64,
    /// Maximum number of events on a page.
    pub event_page_items: u64,
    /// Maximum number of events of a game in play; a game that reaches them is over.
    pub events_per_game: u64,
    /// Longest wait for an event.
    pub event_wait_seconds: u64,
    /// Maximum number of actions in one request.
    pub actions_per_request: u64,
    /// How long an idempotency key is remembered.
    pub idempotency_seconds: u64,
    /// Longest rule text.
    pub rule_text_bytes: u64,
    /// Longest time for a decision that a game can be created with.
    pub turn_timer_seconds: u64,
    /// Number of events that a reader of a stream may lag behind before the stream resyncs.
    pub events_behind: u64,
    /// Longest time for a request to arrive. A client that reads nothing of its answer for this time is disconnected.
    pub request_seconds: u64,
    /// Longest time for a rule text to be checked or tried, or a record to be replayed.
    pub work_seconds: u64,
    /// Maximum number of rule sets that are published here.
    pub rule_sets: u64,
    /// Number of games that a client may follow at the same time, for each process. 0: no limit.
    pub streams_per_client: u32,
    /// How long a game that was not started is kept after its last change; then it is removed; 0: for ever.
    pub open_game_seconds: u64,
    /// How long a game is kept in which nobody plays any more; 0: for ever.
    pub playing_game_seconds: u64,
    /// How long a game that is over is kept after its last change; 0: for ever.
    pub finished_game_seconds: u64,
    /// The quotas that apply to the caller, and what is left of each.
    pub rates: Vec<RateView>,
}

/// A quota, and what is left of it for the caller.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({"name": "token", "quota": 3000, "window_seconds": 60, "remaining": 2999, "reset_seconds": 1}))]
pub(crate) struct RateView {
    /// Its name in the headers `RateLimit-Policy` and `RateLimit`: `client`: requests of the client, by its address;
    /// `token`: requests with the token; `heavy`: rule texts and records that the client sends; `create`: games that it
    /// creates or imports; `publish`: rule sets that it publishes.
    pub name: String,
    /// Number of requests in one window. They may come all at once.
    pub quota: u32,
    /// Length of the window, in seconds.
    pub window_seconds: u64,
    /// Number of requests that are accepted at present.
    pub remaining: u32,
    /// Seconds until the whole quota is available again.
    pub reset_seconds: u64,
}

/// A problem code.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "code": "version_conflict", "status": 412, "title": "The game has moved on since that version",
    "help": "Read the game again and send its new ETag in If-Match"
}))]
pub(crate) struct ProblemCode {
    /// The word in the field `code`.
    pub code: String,
    /// The HTTP status it comes with.
    pub status: u16,
    /// What it means.
    pub title: String,
    /// What to do.
    pub help: String,
}

/// Every problem code.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ProblemCodes {
    /// Sorted by status.
    pub problems: Vec<ProblemCode>,
}
