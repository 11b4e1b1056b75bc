//! Operations on tables: create, list, read, sit down, leave, watch, invite, follow.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, delete, get, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IdempotencyKey, IfNoneMatch, IfSeen, SecretIdempotencyKey};
use crate::http::query::Query;
use crate::model::creation::Empty;
use crate::model::event::{EventsQuery, LastEventId};
use crate::model::table::{
    CreateTable, InvitePlayer, JoinTable, QuickPlay, SeatRobot, TableInvitationList, TableLink, TableView,
};
use crate::model::table_event::TableEventList;
use crate::model::table_list::{PlayerTablesQuery, TableList, TablesQuery};
use crate::routes::events;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;
use crate::table::stored::Table;

/// Create a table
///
/// The request needs the token of a player, who sits down first and is the master of the table: the master chooses the
/// options and starts the games. If the master leaves, the player who sat down next becomes the master; when the last
/// player leaves, the table is closed. A game at a table is played with the tokens of its players, under
/// `/v1/games/{id}`.
#[utoipa::path(tag = "tables", params(IdempotencyKey), request_body = CreateTable,
    responses((status = 201, description = "The table", body = TableView,
        headers(("Location" = String, description = "Its path"), ("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["not_allowed", "insufficient_chips", "idempotency_key_reused", "too_much_work", "too_busy"]))))]
#[post("/v1/tables")]
pub(crate) async fn create_table(
    service: Data<Service>,
    call: Call,
    body: Body<CreateTable>,
) -> Result<Reply, Problem> {
    service.create_table(&call, &body.bytes, &body.value).await
}

/// Play with strangers
///
/// The request needs the token of a player, who gets a seat at an open public table with the same rule set, number of
/// seats, options and time for a decision; if there is none, a table is opened. The game begins as soon as all seats
/// are taken. A player who waits at such a table, or plays there, stays there: a repeated request has no further
/// effect. After a game, a player who plays with strangers again leaves the table. Players who have blocked each other
/// are not brought together; players with equal names are.
#[utoipa::path(tag = "tables", params(IdempotencyKey), request_body = QuickPlay,
    responses((status = 200, description = "A table at which others sit, or at which the player waits or plays already", body = TableView,
            headers(("ETag" = String, description = "Its version"))),
        (status = 201, description = "A new table", body = TableView,
            headers(("Location" = String, description = "Its path"), ("ETag" = String, description = "Its version")))),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["idempotency_key_reused", "too_much_work", "too_busy"]))))]
#[post("/v1/quick-play")]
pub(crate) async fn quick_play(service: Data<Service>, call: Call, body: Body<QuickPlay>) -> Result<Reply, Problem> {
    service.quick_play(&call, &body.bytes, &body.value).await
}

/// List the open tables
///
/// The newest tables come first, with their free seats. Private tables are listed, too; only invited players can sit
/// down there.
#[utoipa::path(tag = "tables", params(TablesQuery),
    responses((status = 200, description = "A page of tables", body = TableList,
        headers(("Link" = String, description = "The next page, `rel=next`; absent on the last one")))))]
#[get("/v1/tables")]
pub(crate) async fn list_tables(service: Data<Service>, query: Query<TablesQuery>) -> Result<Reply, Problem> {
    service.list_tables(&query).await
}

/// Read a table
///
/// Everybody may read who sits at a table, its master (`star`), its game in play and its past games.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), IfNoneMatch),
    responses((status = 200, description = "The table", body = TableView, headers(("ETag" = String, description = "Its version"))),
        (status = 304, description = "The client has this version")),
    extensions(("x-problem-codes" = json!(["table_not_found"]))))]
#[get("")]
pub(crate) async fn read_table(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.read_table(&call, &id).await
}

/// Sit down at a table
///
/// The request needs the token of a player. At a private table, the player needs an invitation or the link, or is a
/// friend of the master. A player
/// who sits down during a game plays from the next game on.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"),
        ("seat" = String, Path, description = "The name of the seat", example = "red"), IdempotencyKey, IfSeen),
    request_body(content = Option<JoinTable>, description = "Who sits down"),
    responses((status = 201, description = "The table", body = TableView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "seat_not_found", "not_allowed", "insufficient_chips", "name_taken", "seated_already", "seat_taken",
        "table_closed", "version_conflict", "idempotency_key_reused"]))))]
#[post("/seats/{seat}")]
pub(crate) async fn take_table_seat(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<JoinTable>,
) -> Result<Reply, Problem> {
    let (id, seat) = path.into_inner();
    service.take_table_seat(&call, &body.bytes, &id, &seat, &body.value).await
}

/// Give a seat of a table to a robot
///
/// The request needs the master's token. The robot plays from the next game on; another request gives the seat to
/// another robot, and `DELETE /v1/tables/{id}/seats/{seat}` frees it. Robots are neither master, nor do they vote.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"),
        ("seat" = String, Path, description = "The name of the seat", example = "red"), IdempotencyKey, IfSeen),
    request_body = SeatRobot,
    responses((status = 200, description = "The table", body = TableView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "seat_not_found", "not_allowed", "seat_taken", "table_closed", "version_conflict",
        "idempotency_key_reused"]))))]
#[post("/seats/{seat}/robot")]
pub(crate) async fn seat_table_robot(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<SeatRobot>,
) -> Result<Reply, Problem> {
    let (id, seat) = path.into_inner();
    service.seat_table_robot(&call, &body.bytes, &id, &seat, &body.value).await
}

/// Leave a table
///
/// The request needs the token of the player who sits there. During a game, the player leaves it for good: the robot of
/// the option `stand_in` plays to the end, or the seat gives up if the option is `none`. The master may free the seat
/// of a robot at any time, and between games that of a player.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"),
        ("seat" = String, Path, description = "The name of the seat", example = "red"), IfSeen),
    responses((status = 204, description = "The seat is free", headers(("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "seat_not_found", "not_allowed", "table_playing", "version_conflict"]))))]
#[delete("/seats/{seat}")]
pub(crate) async fn leave_table_seat(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, seat) = path.into_inner();
    service.leave_table_seat(&call, &id, &seat).await
}

/// Watch a table
///
/// The request needs the token of a player. A watcher reads and follows the games of the table under `/v1/games/{id}`,
/// and may speak in the chat, but plays nothing. The name may not look like that of a player or watcher at the table.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), IdempotencyKey, IfSeen),
    request_body(content = Option<JoinTable>, description = "Who watches"),
    responses((status = 200, description = "The table", body = TableView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed", "name_taken", "seated_already", "table_closed", "table_full",
        "version_conflict", "idempotency_key_reused"]))))]
#[post("/watchers")]
pub(crate) async fn watch_table(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<JoinTable>,
) -> Result<Reply, Problem> {
    service.watch_table(&call, &body.bytes, &id, &body.value).await
}

/// Stop watching a table
///
/// The request needs the token of the watcher or of the master.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"),
        ("player" = String, Path, description = "The watcher's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"), IfSeen),
    responses((status = 204, description = "The player no longer watches", headers(("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "player_not_found", "not_allowed", "version_conflict"]))))]
#[delete("/watchers/{player}")]
pub(crate) async fn stop_watching_table(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, player) = path.into_inner();
    service.stop_watching_table(&call, &id, &player).await
}

/// Invite a player to a table
///
/// The request needs the token of a player who sits at the table. The invited player is told in the inbox
/// (`table_invited`), finds the table with `GET /v1/players/{id}/tables?role=invited`, and may sit down even if the
/// table is private. Invitations end with the table.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), IdempotencyKey, IfSeen),
    request_body = InvitePlayer,
    responses((status = 201, description = "The open invitations", body = TableInvitationList, headers(("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "player_not_found", "not_allowed", "seated_already", "table_closed", "table_full",
        "version_conflict", "idempotency_key_reused"]))))]
#[post("/invitations")]
pub(crate) async fn invite_to_table(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<InvitePlayer>,
) -> Result<Reply, Problem> {
    service.invite_to_table(&call, &body.bytes, &id, &body.value).await
}

/// List the invitations of a table
///
/// The request needs the token of a player who sits at the table.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16")),
    responses((status = 200, description = "The open invitations", body = TableInvitationList, headers(("ETag" = String, description = "The table's version")))),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed"]))))]
#[get("/invitations")]
pub(crate) async fn list_table_invitations(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
) -> Result<Reply, Problem> {
    service.list_table_invitations(&call, &id).await
}

/// Decline or withdraw an invitation to a table
///
/// The request needs the token of the invited player, of the player who invited, or of the master.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"),
        ("player" = String, Path, description = "The invited player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"), IfSeen),
    responses((status = 204, description = "The player has no invitation", headers(("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "player_not_found", "not_allowed", "version_conflict"]))))]
#[delete("/invitations/{player}")]
pub(crate) async fn end_table_invitation(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, player) = path.into_inner();
    service.end_table_invitation(&call, &id, &player).await
}

/// Renew the link to a table
///
/// The request needs the master's token. A player who sends the token of the link as `link` may sit down or watch, even
/// if the table is private. An older link becomes invalid.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The link", body = TableLink, headers(("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed", "table_closed", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/link")]
pub(crate) async fn renew_table_link(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.renew_table_link(&call, &body.bytes, &id).await
}

/// Read or follow the events of a table
///
/// Read and follow them as the events of a game. The message `snapshot` has the table, and the newest event has it as
/// `table`. Everybody may follow a public table; a private one needs the token of a player who sits there, watches or
/// is invited, or the link.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), EventsQuery, LastEventId),
    responses((status = 200, description = "Events", content((TableEventList = "application/json"), (String = "text/event-stream"), (String = "application/x-ndjson"))),
        (status = 204, description = "A stream that would resume after the last event of a closed table")),
    security((), ("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed", "not_acceptable", "ticket_unknown", "too_many_streams"]))))]
#[get("/events")]
pub(crate) fn list_table_events(
    service: Data<Service>,
    call: Call,
    request: HttpRequest,
    id: Path<String>,
    query: Query<EventsQuery>,
) -> impl Future<Output = Result<HttpResponse, Problem>> {
    events::answer::<Table>(service, call, request, id, query)
}

/// List the tables of a player
///
/// The request needs the player's token. The list has the tables at which the player sits; with `role`, those that the
/// player watches or is invited to.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"), PlayerTablesQuery),
    responses((status = 200, description = "A page of tables", body = TableList,
        headers(("Link" = String, description = "The next page, `rel=next`; absent on the last one")))),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["player_not_found"]))))]
#[get("/tables")]
pub(crate) async fn list_player_tables(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    query: Query<PlayerTablesQuery>,
) -> Result<Reply, Problem> {
    service.list_player_tables(&call, &id, &query).await
}
