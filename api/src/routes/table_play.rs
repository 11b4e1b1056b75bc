//! Operations on the options, games, votes and chat of a table.

use actix_web::web::{Data, Path};
use actix_web::{delete, get, patch, post};

use crate::error::Problem;
use crate::ground::language::Languages;
use crate::http::body::Body;
use crate::http::call::{IdempotencyKey, IfSeen};
use crate::http::language::PreferLanguage;
use crate::http::query::Query;
use crate::model::creation::Empty;
use crate::model::table::{CastVote, OpenVote, TableView};
use crate::model::table_chat::{ChatLineView, ChatPage, ChatQuery, MutePlayer, SayLine};
use crate::model::table_options::{ChangeOptions, TableOptions};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Read the options of a table
///
/// The list has every option of the table and of its rule set, with its value, its default, the values that it can
/// have, whether a change takes effect now or with the next game, and which other option it needs. The texts are in the
/// language that the client prefers. For a player at the table, reading the options removes the mark
/// `options_changed`.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), PreferLanguage),
    responses((status = 200, description = "The options", body = TableOptions, headers(("ETag" = String, description = "The table's version"), ("Content-Language" = String, description = "The languages of the texts")))),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed"]))))]
#[get("/options")]
pub(crate) async fn read_table_options(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    languages: Languages,
) -> Result<Reply, Problem> {
    service.read_table_options(&call, &id, &languages).await
}

/// Change options of a table
///
/// The request needs the master's token. Either all options are changed or none. The answer lists the options that have
/// other values now. Everybody else at the table is marked with `options_changed`, until the player reads the options.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), IdempotencyKey, IfSeen, PreferLanguage),
    request_body = ChangeOptions,
    responses((status = 200, description = "The options", body = TableOptions, headers(("ETag" = String, description = "The table's version"), ("Content-Language" = String, description = "The languages of the texts")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed", "not_available", "table_closed", "version_conflict", "idempotency_key_reused"]))))]
#[patch("/options")]
pub(crate) async fn change_table_options(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<ChangeOptions>,
    languages: Languages,
) -> Result<Reply, Problem> {
    service.change_table_options(&call, &body.bytes, &id, &body.value, &languages).await
}

/// Start a game at a table
///
/// The request needs the master's token. Those who sit at the table play, with the options of the table. When the game
/// is over, it is listed in `past_games`, and the master may start the next one.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), IdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The table with the game", body = TableView,
        headers(("Location" = String, description = "The path of the game"), ("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed", "insufficient_chips", "table_closed", "table_playing", "table_invalid", "version_conflict",
        "too_much_work", "too_busy", "idempotency_key_reused"]))))]
#[post("/games")]
pub(crate) async fn start_table_game(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.start_table_game(&call, &body.bytes, &id).await
}

/// Open a vote at a table
///
/// The request needs the token of a player of the game in play (`end`), or of a player at the table (`next_game`), who
/// agrees by this. The others are told in their inboxes (`vote_due`) and have a minute to vote. If all agree, the game
/// ends and does not count, or the next one begins. Play goes on during a vote. Votes that a player opens count like
/// invitations: there is a limit for an hour.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), IdempotencyKey, IfSeen),
    request_body = OpenVote,
    responses((status = 201, description = "The table", body = TableView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed", "not_available", "table_playing", "vote_open", "insufficient_chips", "table_invalid", "version_conflict",
        "idempotency_key_reused"]))))]
#[post("/votes")]
pub(crate) async fn open_table_vote(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<OpenVote>,
) -> Result<Reply, Problem> {
    service.open_table_vote(&call, &body.bytes, &id, &body.value).await
}

/// Vote at a table
///
/// The request needs the token of a player who may vote. One player who does not agree closes the vote.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), IdempotencyKey, IfSeen),
    request_body = CastVote,
    responses((status = 200, description = "The table", body = TableView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed", "not_available", "version_conflict", "idempotency_key_reused"]))))]
#[post("/votes/current")]
pub(crate) async fn cast_table_vote(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<CastVote>,
) -> Result<Reply, Problem> {
    service.cast_table_vote(&call, &body.bytes, &id, &body.value).await
}

/// Say something at a table
///
/// The request needs the token of a player who sits at the table or watches it. A player may say five lines in ten
/// seconds.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), IdempotencyKey),
    request_body = SayLine,
    responses((status = 201, description = "The line", body = ChatLineView, headers(("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed", "table_closed", "idempotency_key_reused"]))))]
#[post("/chat")]
pub(crate) async fn say_at_table(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<SayLine>,
) -> Result<Reply, Problem> {
    service.say_at_table(&call, &body.bytes, &id, &body.value).await
}

/// Read the chat of a table
///
/// The request needs the token of a player who sits at the table or watches it. Only the newest lines are kept. The
/// event `said` has the number of each new line.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), ChatQuery),
    responses((status = 200, description = "A page of lines", body = ChatPage)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed"]))))]
#[get("/chat")]
pub(crate) async fn read_table_chat(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    query: Query<ChatQuery>,
) -> Result<Reply, Problem> {
    service.read_table_chat(&call, &id, &query).await
}

/// Remove a line from the chat of a table
///
/// The request needs the token of the player who said the line, or of the master.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"),
        ("line" = String, Path, description = "The number of the line", example = "3"), IfSeen),
    responses((status = 204, description = "The line is removed", headers(("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "line_not_found", "not_allowed", "version_conflict"]))))]
#[delete("/chat/{line}")]
pub(crate) async fn remove_chat_line(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, line) = path.into_inner();
    service.remove_chat_line(&call, &id, &line).await
}

/// Report a line of the chat of a table
///
/// The request needs the token of a player who sits at the table or watches it. The master sees how many players have
/// reported a line.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"),
        ("line" = String, Path, description = "The number of the line", example = "3"), IdempotencyKey),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 204, description = "The line is reported", headers(("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "line_not_found", "not_allowed", "idempotency_key_reused"]))))]
#[post("/chat/{line}/reports")]
pub(crate) async fn report_chat_line(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    let (id, line) = path.into_inner();
    service.report_chat_line(&call, &body.bytes, &id, &line).await
}

/// Mute a player at a table
///
/// The request needs the master's token. A muted player may say nothing until the master allows it again.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"),
        ("player" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"), IfSeen),
    request_body = MutePlayer,
    responses((status = 204, description = "The player is muted, or may speak again", headers(("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "player_not_found", "not_allowed", "version_conflict"]))))]
#[patch("/mutes/{player}")]
pub(crate) async fn mute_at_table(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<MutePlayer>,
) -> Result<Reply, Problem> {
    let (id, player) = path.into_inner();
    service.mute_at_table(&call, &body.bytes, &id, &player, &body.value).await
}
