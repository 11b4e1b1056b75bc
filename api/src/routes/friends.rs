//! Operations on the friends of a player, and on blocked players.

use actix_web::web::{Data, Path};
use actix_web::{delete, get, post, put};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IdempotencyKey, IfSeen};
use crate::model::creation::Empty;
use crate::model::friends::FriendList;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// List the friends of a player
///
/// The request needs the player's token. The answer also has the open requests and the blocked players.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15")),
    responses((status = 200, description = "The friends", body = FriendList, headers(("ETag" = String, description = "The player's version")))),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["player_not_found"]))))]
#[get("/friends")]
pub(crate) async fn list_friends(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.list_friends(&call, &id).await
}

/// Ask a player to be a friend, or accept a request
///
/// The request needs the player's token. The other player is told in the inbox (`friend_asked`) and accepts with the
/// same operation; then both are friends (`friend_added`). Friends of the master may sit down at a private table. A
/// player who does not exist, was deleted, or has blocked the player is not found.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"),
        ("other" = String, Path, description = "The other player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), IdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 204, description = "The player is asked, or is a friend", headers(("ETag" = String, description = "The player's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["player_not_found", "not_allowed", "friends_full", "version_conflict", "idempotency_key_reused"]))))]
#[post("/friends/{other}")]
pub(crate) async fn ask_friend(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    let (id, other) = path.into_inner();
    service.ask_friend(&call, &body.bytes, &id, &other).await
}

/// End a friendship, or withdraw or decline a request
///
/// The request needs the player's token. A former friend keeps a seat at a private table, but can no longer sit down
/// there.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"),
        ("other" = String, Path, description = "The other player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), IfSeen),
    responses((status = 204, description = "There is neither a friendship nor a request", headers(("ETag" = String, description = "The player's version")))),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["player_not_found", "version_conflict"]))))]
#[delete("/friends/{other}")]
pub(crate) async fn end_friend(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, other) = path.into_inner();
    service.end_friend(&call, &id, &other).await
}

/// Block a player
///
/// The request needs the player's token. The blocked player is no longer a friend, finds no such player, can neither
/// ask nor invite this player, and quick play does not bring both to one table. The blocked player is not told.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"),
        ("other" = String, Path, description = "The other player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), IfSeen),
    responses((status = 204, description = "The other player is blocked", headers(("ETag" = String, description = "The player's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["player_not_found", "not_allowed", "friends_full", "version_conflict"]))))]
#[put("/blocked/{other}")]
pub(crate) async fn block_player(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, other) = path.into_inner();
    service.block_player(&call, &id, &other).await
}

/// Unblock a player
///
/// The request needs the player's token.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"),
        ("other" = String, Path, description = "The other player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), IfSeen),
    responses((status = 204, description = "The other player is not blocked", headers(("ETag" = String, description = "The player's version")))),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["player_not_found", "version_conflict"]))))]
#[delete("/blocked/{other}")]
pub(crate) async fn unblock_player(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, other) = path.into_inner();
    service.unblock_player(&call, &id, &other).await
}
