//! Operations on groups of games: create, fill, list, follow.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};

use crate::error::Problem;
use crate::group::stored::Group;
use crate::http::body::{Body, LARGE_LIMIT};
use crate::http::call::{IdempotencyKey, IfNoneMatch, IfSeen, NeededIdempotencyKey, SecretIdempotencyKey};
use crate::http::query::Query;
use crate::model::creation::Empty;
use crate::model::event::{EventsQuery, LastEventId};
use crate::model::group::{
    CreateGames, CreateGroup, CreatedGames, CreatedGroup, GroupEventList, GroupGameList, GroupGamesQuery, GroupView,
    NewGroupToken,
};
use crate::routes::events;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Create a group
///
/// Anyone may create a group. A group has games that are listed and followed together, such as a round of a tournament.
/// The answer has the token of the group, which no other answer shows. Games are added with `POST
/// /v1/groups/{id}/games`.
#[utoipa::path(tag = "groups", params(SecretIdempotencyKey), request_body(content = Option<CreateGroup>, description = "What the group is"),
    responses((status = 201, description = "The group and its token", body = CreatedGroup,
        headers(("Location" = String, description = "Its path"), ("ETag" = String, description = "Its version")))),
    extensions(("x-problem-codes" = json!(["idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/v1/groups")]
pub(crate) async fn create_group(
    service: Data<Service>,
    call: Call,
    body: Body<CreateGroup>,
) -> Result<Reply, Problem> {
    service.create_group(&call, &body.bytes, &body.value).await
}

/// Read a group
///
/// The answer has the number of games by status. `GET /v1/groups/{id}/games` lists the games.
#[utoipa::path(tag = "groups",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13"), IfNoneMatch),
    responses((status = 200, description = "The group", body = GroupView, headers(("ETag" = String, description = "Its version"))),
        (status = 304, description = "The client has this version")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["group_not_found"]))))]
#[get("")]
pub(crate) async fn read_group(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.read_group(&call, &id).await
}

/// Add games to a group
///
/// The owner of the group adds a whole round of games in one request: either all of them or none. If one of the games
/// has a mistake, no game is added, and the answer names the position of the mistake. `seats` names the players who
/// have a seat from the beginning; with `start`, their game starts at once. The answer has the tokens of all games,
/// which no other answer shows.
///
/// If the connection breaks or the service fails, send the same request with the same key again: it creates the games
/// that are still missing, and gives the same answer. Every game counts for the quota `create`.
#[utoipa::path(tag = "groups",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13"), NeededIdempotencyKey, IfSeen),
    request_body = CreateGames,
    responses((status = 201, description = "The games and their tokens", body = CreatedGames,
        headers(("Location" = String, description = "Where the games of the group are listed"), ("ETag" = String, description = "The group's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["group_not_found", "not_allowed", "group_complete", "group_full", "version_conflict", "too_much_work", "too_busy",
        "idempotency_key_missing", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/games")]
pub(crate) async fn create_games(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<CreateGames, LARGE_LIMIT>,
) -> Result<Reply, Problem> {
    service.create_games(&call, &body.bytes, &id, &body.value).await
}

/// List the games of a group
///
/// The games come in the order in which they were added, each with its seats and their players, its status, whose turn
/// it is, and its result so far. With `status=finished`, the list has the results. One page can have all games of the
/// group.
#[utoipa::path(tag = "groups",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13"), GroupGamesQuery),
    responses((status = 200, description = "A page of games", body = GroupGameList,
        headers(("Link" = String, description = "The next page, `rel=next`; absent on the last one")))),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["group_not_found"]))))]
#[get("/games")]
pub(crate) async fn list_group_games(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    query: Query<GroupGamesQuery>,
) -> Result<Reply, Problem> {
    service.list_group_games(&call, &id, &query).await
}

/// Read or follow the events of a group
///
/// The list has the events of all games of the group, and those about the group itself, with numbers of its own. The
/// header `Accept` chooses the form, as for a game: pages (with `wait`, a long poll), `text/event-stream` or
/// `application/x-ndjson`. A stream resumes with `Last-Event-ID`, and has the messages `snapshot`, `resync` and `end`.
/// The message `snapshot` has the group as `GET /v1/groups/{id}` answers it.
///
/// The events of a game come a moment after they happened. Of several events of one game that come together, the last
/// has a further field, `game`, with the state of the game after it, as a brief answer has it. So a client can play
/// many games from one stream. A stream ends when the group is complete and all its games are over.
#[utoipa::path(tag = "groups",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13"), EventsQuery, LastEventId),
    responses((status = 200, description = "Events", content((GroupEventList = "application/json"), (String = "text/event-stream"), (String = "application/x-ndjson"))),
        (status = 204, description = "A stream that would resume after the last event of a finished group")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["group_not_found", "not_acceptable", "ticket_unknown", "too_many_streams"]))))]
#[get("/events")]
pub(crate) fn list_group_events(
    service: Data<Service>,
    call: Call,
    request: HttpRequest,
    id: Path<String>,
    query: Query<EventsQuery>,
) -> impl Future<Output = Result<HttpResponse, Problem>> {
    events::answer::<Group>(service, call, request, id, query)
}

/// Complete a group
///
/// The request needs the owner's token. No more games can be added from then on. When all games are over, the status of
/// the group is `finished`, and its streams end.
#[utoipa::path(tag = "groups",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13"), IdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 200, description = "The group", body = GroupView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["group_not_found", "not_allowed", "group_complete", "version_conflict", "idempotency_key_reused"]))))]
#[post("/complete")]
pub(crate) async fn complete_group(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.complete_group(&call, &body.bytes, &id).await
}

/// Renew the token of a group
///
/// The request needs the owner's token. This token becomes invalid, and streams that were opened with it end.
#[utoipa::path(tag = "groups",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The new token", body = NewGroupToken, headers(("ETag" = String, description = "The group's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["group_not_found", "not_allowed", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/token")]
pub(crate) async fn renew_group_token(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.renew_group_token(&call, &body.bytes, &id).await
}

/// Renew the invitation to a group
///
/// The owner of a private group may do this. The old invitation becomes invalid, and streams that were opened with it
/// end.
#[utoipa::path(tag = "groups",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The new invitation", body = NewGroupToken, headers(("ETag" = String, description = "The group's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["group_not_found", "not_allowed", "not_private", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/invitation")]
pub(crate) async fn renew_group_invitation(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.renew_group_invitation(&call, &body.bytes, &id).await
}
