//! Operations by which players end a game.

use actix_web::web::{Data, Path};
use actix_web::{delete, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IdempotencyKey, IfSeen};
use crate::model::creation::Empty;
use crate::model::ending::{Agree, Resign};
use crate::model::game::GameView;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Resign
///
/// A player gives up a seat for good. A side is a team, or a seat without a team. When only one side is left, it has
/// won, and the game is over. If several sides are left, they play on. The server then plays the turns of the seat at
/// random; if the players throw the dice, any of them may play these turns. Seats that gave up are ranked after all
/// others.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IdempotencyKey, IfSeen),
    request_body(content = Option<Resign>, description = "Which seat, if the token plays several"),
    responses((status = 200, description = "The game", body = GameView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "not_allowed", "seat_not_found", "seat_abandoned", "game_not_started", "game_over", "version_conflict", "idempotency_key_reused"]))))]
#[post("/resignations")]
pub(crate) async fn resign_seat(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Resign>,
) -> Result<Reply, Problem> {
    service.resign_seat(&call, &body.bytes, &id, &body.value).await
}

/// Agree to end a game
///
/// Each player says what they agree to, and may take it back with `play`. When all players who have not given up agree
/// to `end`, the game is over, and the seats are ranked by how far their pawns have come. When all agree to `abort`,
/// the game is over and does not count; in a tournament nobody can agree to that.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IdempotencyKey, IfSeen),
    request_body = Agree,
    responses((status = 200, description = "The game", body = GameView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "not_allowed", "not_available", "seat_abandoned", "game_not_started", "game_over", "version_conflict", "idempotency_key_reused"]))))]
#[post("/agreements")]
pub(crate) async fn agree_to_end(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Agree>,
) -> Result<Reply, Problem> {
    service.agree_to_end(&call, &body.bytes, &id, &body.value).await
}

/// Abort a game
///
/// The owner or any player may abort a game as long as no pawn has moved. The game is over, and does not count. A game
/// that has not started is deleted instead. The players of a tournament cannot abort its games.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 200, description = "The game", body = GameView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "not_allowed", "game_not_started", "game_under_way", "not_available", "game_over", "version_conflict", "idempotency_key_reused"]))))]
#[post("/abort")]
pub(crate) async fn abort_game(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.abort_game(&call, &body.bytes, &id).await
}

/// Delete a game
///
/// The owner may delete a game before it starts. No data of the game is kept.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IfSeen),
    responses((status = 204, description = "The game is deleted")),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "not_allowed", "game_started", "version_conflict"]))))]
#[delete("")]
pub(crate) async fn delete_game(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.delete_game(&call, &id).await
}
