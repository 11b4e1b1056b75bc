//! Operations on players: create, read, rename, follow, export, delete.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IdempotencyKey, IfSeen, SecretIdempotencyKey};
use crate::http::query::Query;
use crate::model::creation::Empty;
use crate::model::event::{EventsQuery, LastEventId};
use crate::model::player::{
    ChangePlayer, ClaimGuest, CreatePlayer, PlayerEventList, PlayerGameList, PlayerGamesQuery, PlayerProfile,
    PlayerToken, PlayerView,
};
use crate::model::player_export::PlayerExport;
use crate::player::stored::Player;
use crate::routes::events;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Create a player
///
/// Anyone may create a player: a guest without an account, who can sit in many games. Games can be played without one.
#[utoipa::path(tag = "players", params(SecretIdempotencyKey),
    request_body(content = Option<CreatePlayer>, description = "Who the player is"),
    responses((status = 201, description = "The player and its token", body = PlayerToken,
        headers(("Location" = String, description = "Its path"), ("ETag" = String, description = "Its version")))),
    extensions(("x-problem-codes" = json!(["idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/v1/players")]
pub(crate) async fn create_player(
    service: Data<Service>,
    call: Call,
    body: Body<CreatePlayer>,
) -> Result<Reply, Problem> {
    service.create_player(&call, &body.bytes, &body.value).await
}

/// Read a player
///
/// The answer has what everybody may know, also a caller without a token. `GET /v1/me` tells the player more. If this
/// player has blocked the caller, every operation on this player answers as for an unknown id. Operations that need
/// this player's token answer every other player in the same way, so that nobody can tell who is blocked.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15")),
    responses((status = 200, description = "The player", body = PlayerProfile)),
    extensions(("x-problem-codes" = json!(["player_not_found"]))))]
#[get("")]
pub(crate) async fn read_player(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.read_player(&call, &id).await
}

/// Rename a player
///
/// The request needs the player's token.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"), IdempotencyKey, IfSeen),
    request_body = ChangePlayer,
    responses((status = 200, description = "The player", body = PlayerView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["player_not_found", "version_conflict", "idempotency_key_reused"]))))]
#[patch("")]
pub(crate) async fn change_player(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<ChangePlayer>,
) -> Result<Reply, Problem> {
    service.change_player(&call, &body.bytes, &id, &body.value).await
}

/// Renew the token of a player
///
/// The request needs the player's token. This token becomes invalid, and streams that were opened with it end. The
/// tokens of a registered player are those of an issuer, and cannot be renewed here.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The player and its new token", body = PlayerToken, headers(("ETag" = String, description = "The player's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["not_allowed", "player_not_found", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/token")]
pub(crate) async fn renew_player_token(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.renew_player_token(&call, &body.bytes, &id).await
}

/// List the games of a player
///
/// The request needs the player's token. The newest games come first, private ones too.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"), PlayerGamesQuery),
    responses((status = 200, description = "A page of games", body = PlayerGameList,
        headers(("Link" = String, description = "The next page, `rel=next`; absent on the last one")))),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["player_not_found"]))))]
#[get("/games")]
pub(crate) async fn list_player_games(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    query: Query<PlayerGamesQuery>,
) -> Result<Reply, Problem> {
    service.list_player_games(&call, &id, &query).await
}

/// Read or follow the events of a player
///
/// The request needs the player's token. The list is the inbox of the player: it says of every game that the game has
/// started, that it is the player's turn, and how the game ended. Read and follow it as the events of a game; the
/// message `snapshot` has the player. The last event of a game has the game's state.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"), EventsQuery, LastEventId),
    responses((status = 200, description = "Events", content((PlayerEventList = "application/json"), (String = "text/event-stream"), (String = "application/x-ndjson")))),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["player_not_found", "not_acceptable", "ticket_unknown", "too_many_streams"]))))]
#[get("/events")]
pub(crate) fn list_player_events(
    service: Data<Service>,
    call: Call,
    request: HttpRequest,
    id: Path<String>,
    query: Query<EventsQuery>,
) -> impl Future<Output = Result<HttpResponse, Problem>> {
    events::answer::<Player>(service, call, request, id, query)
}

/// Claim a guest
///
/// The request needs the token of a registered player, and has the token of the guest in its body. At once, the guest
/// is no longer found, and the token of the guest is revoked: the player plays on with the tokens of the issuer. A
/// moment later, the games, tables, tournaments and friends of the guest are those of the player. In a game in which
/// both have a seat, the guest is taken out. The inbox of the guest is not moved, and the webhooks of the guest are
/// removed. A repeated claim has no further effect. Nobody can undo this.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"), IfSeen),
    request_body = ClaimGuest,
    responses((status = 200, description = "The player", body = PlayerView, headers(("ETag" = String, description = "The player's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["player_not_found", "not_allowed", "token_revoked", "version_conflict"]))))]
#[post("/claims")]
pub(crate) async fn claim_guest(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<ClaimGuest>,
) -> Result<Reply, Problem> {
    service.claim_guest(&call, &id, &body.value).await
}

/// Export a player
///
/// The request needs the player's token. The answer is everything that the service keeps about the player: including
/// all data in games, tables and tournaments that deleting the player would erase, in games, tables and tournaments.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15")),
    responses((status = 200, description = "The player, with games, tables, tournaments, events, friends and webhooks", body = PlayerExport)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["player_not_found"]))))]
#[get("/export")]
pub(crate) async fn export_player(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.export_player(&call, &id).await
}

/// Delete a player
///
/// The request needs the player's token. At once, the token is invalid, and the player is no longer found; open streams
/// of events end within 15 seconds. A moment later, games, groups, tables and friends no longer name the player: in a
/// game in play, the seat gives up, or the robot of the game plays on; in any game that has started, the seat keeps its
/// moves and its contribution to the dice under the name `deleted player`, so that the game can be replayed; before the
/// start, the seat becomes free. Nobody can undo this.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"), IfSeen),
    responses((status = 204, description = "The player is deleted")),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["player_not_found", "version_conflict"]))))]
#[delete("")]
pub(crate) async fn delete_player(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.delete_player(&call, &id).await
}
