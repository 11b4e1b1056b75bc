//! Health, limits and problem codes, as JSON.

use serde::Serialize;
use utoipa::ToSchema;

/// The answer of a process that runs.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({"status": "ok", "version": "0.1.0"}))]
pub(crate) struct Health {
    /// Always `ok`.
    pub status: String,
    /// The version of the program.
    pub version: String,
}

/// The answer of a process that accepts commands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({"status": "ok", "version": "0.1.0", "warnings": []}))]
pub(crate) struct Readiness {
    /// Always `ok`.
    pub status: String,
    /// The version of the program.
    pub version: String,
    /// One warning for each durability promise that the settings of the store do not keep.
    pub warnings: Vec<String>,
}

/// How people can sign in at the page of the service.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "provider": {"issuer": "https://accounts.example", "client_id": "pagade-page", "scope": "openid profile",
        "audience": "pagade-page", "token_endpoint": "https://accounts.example/oauth2/token"}
}))]
pub(crate) struct SignIn {
    /// The identity provider. Absent if the operator offers no sign-in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<SignInProvider>,
}

/// An identity provider (OpenID Connect), at which people can sign in.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SignInProvider {
    /// The URL of the issuer. Its description is at `/.well-known/openid-configuration` below it.
    pub issuer: String,
    /// The id of the public client.
    pub client_id: String,
    /// The scopes to ask for, separated by spaces.
    pub scope: String,
    /// The audience that a token must have to be taken.
    pub audience: String,
    /// The address at which an app exchanges the code for tokens, as the provider describes itself. Absent while the
    /// service cannot read the description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_endpoint: Option<String>,
}

/// The limits of the service.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "body_bytes": 65536, "large_body_bytes": 4_194_304, "page_items": 100, "event_page_items": 1000,
    "events_per_game": 100_000, "event_wait_seconds": 30, "actions_per_request": 32, "games_per_request": 500, "games_per_group": 1000, "games_per_player": 1000, "idempotency_seconds": 86400,
    "rule_text_bytes": 262_144, "turn_timer_seconds": 1_209_600, "events_behind": 1000, "request_seconds": 30,
    "work_seconds": 10, "simulation_games": 20000, "simulation_seconds": 30, "simulation_kept_seconds": 3600,
    "simulations_per_client": 4, "rule_sets": 10000, "streams_per_client": 500, "absent_seconds": 30, "return_seconds": 300,
    "open_game_seconds": 2_592_000, "playing_game_seconds": 0, "finished_game_seconds": 7_776_000, "player_seconds": 0,
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
    /// Longest time that a request can wait for an event, in seconds.
    pub event_wait_seconds: u64,
    /// Maximum number of actions in one request.
    pub actions_per_request: u64,
    /// Maximum number of games that one request adds to a group.
    pub games_per_request: u64,
    /// Maximum number of games of a group.
    pub games_per_group: u64,
    /// Maximum number of games that are not over in which a player sits.
    pub games_per_player: u64,
    /// How long a request with an idempotency key can be repeated, in seconds.
    pub idempotency_seconds: u64,
    /// Maximum size of a rule text, in bytes.
    pub rule_text_bytes: u64,
    /// Longest time limit for a decision that a game can have, in seconds.
    pub turn_timer_seconds: u64,
    /// Number of events that a client may fall behind the end of a stream. If it is more, the client gets a new
    /// snapshot.
    pub events_behind: u64,
    /// Seconds in which a request has to arrive. A client that reads nothing of its answer for this time is
    /// disconnected.
    pub request_seconds: u64,
    /// Longest time to check a rule text, to run scenarios or to replay a record, in seconds.
    pub work_seconds: u64,
    /// Maximum number of games of a simulation.
    pub simulation_games: u32,
    /// Longest processor time of a simulation, in seconds. It then ends with the games that it has played.
    pub simulation_seconds: u64,
    /// Seconds for which the results of a simulation are kept after its end.
    pub simulation_kept_seconds: u64,
    /// Number of simulations that a client may have waiting or running at a time, for each process; 0: no limit.
    pub simulations_per_client: u32,
    /// Maximum number of rule sets that can be published here.
    pub rule_sets: u64,
    /// Number of streams that a client may have at a time, for each process; 0: no limit.
    pub streams_per_client: u32,
    /// Seconds without a connection after which the robot `stand_in` plays for a player.
    pub absent_seconds: u64,
    /// Seconds in which such a player may come back.
    pub return_seconds: u64,
    /// Seconds for which a game that has not started is kept after its last change; 0: for ever.
    pub open_game_seconds: u64,
    /// Seconds for which a game in play is kept after its last change; 0: for ever.
    pub playing_game_seconds: u64,
    /// Seconds for which a game that is over is kept after its last change; 0: for ever.
    pub finished_game_seconds: u64,
    /// Seconds for which a player is kept after the last change; 0: for ever.
    pub player_seconds: u64,
    /// The quotas that apply to the caller, with the number of remaining requests.
    pub rates: Vec<RateView>,
}

/// A quota, and how much of it the caller has left.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RateView {
    /// The name of the quota, also in the headers `RateLimit-Policy` and `RateLimit`. `client` counts requests of the
    /// client, by its address; `token` requests with the token; `heavy` rule texts, scenarios, simulations and records
    /// that the client sends; `create` games, groups, players, tables and tournaments that it creates or imports;
    /// `publish` rule sets that it publishes; `invite` invitations to tables, requests to be friends and votes.
    pub name: String,
    /// Number of requests in one window. They may come all at once.
    pub quota: u32,
    /// Length of the window, in seconds.
    pub window_seconds: u64,
    /// Number of requests that would be accepted now.
    pub remaining: u32,
    /// Seconds until the whole quota is available again.
    pub reset_seconds: u64,
}

/// A problem code.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "code": "version_conflict", "status": 412, "title": "There is a newer version",
    "help": "Read it again and send its new ETag in If-Match"
}))]
pub(crate) struct ProblemCode {
    /// The word in the field `code` of a problem.
    pub code: String,
    /// The HTTP status of answers with this code.
    pub status: u16,
    /// The meaning of the code.
    pub title: String,
    /// Advice: what the client can do about the problem.
    pub help: String,
}

/// Every problem code.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ProblemCodes {
    /// All problem codes, sorted by status.
    pub problems: Vec<ProblemCode>,
}
