//! Games that their players end.

use actix_web::web::{Data, Path};
use actix_web::{delete, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IdempotencyKey, IfSeen};
use crate::model::ending::{Agree, Resign};
use crate::model::game::{Empty, GameView};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Resign
///
/// Who sits at a seat gives up for good. The last side left has won, and the game is over; a side is a team, or a seat
/// alone. Where several sides are left, they play on: the turns of the seat are played by the server, by chance, and where
/// the players hold the dice, by any of them. Who gave up is ranked after all others.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IdempotencyKey, IfSeen),
    request_body(content = Option<Resign>, description = "Which seat, if the token plays several"),
    responses((status = 200, description = "The game", body = GameView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "not_allowed", "seat_not_found", "game_not_started", "game_over", "version_conflict", "idempotency_key_reused"]))))]
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
/// Each player says what they agree to, and may change their mind with `play`. When all who have not given up agree to
/// `end`, the game is over and ranked by what was reached; with `abort` it is over and does not count.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IdempotencyKey, IfSeen),
    request_body = Agree,
    responses((status = 200, description = "The game", body = GameView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "not_allowed", "game_not_started", "game_over", "version_conflict", "idempotency_key_reused"]))))]
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
/// The owner or any player may, as long as nobody has moved. The game is over, and does not count. A game that has not
/// started is deleted instead.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "Nothing to say"),
    responses((status = 200, description = "The game", body = GameView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "not_allowed", "game_not_started", "game_under_way", "game_over", "version_conflict", "idempotency_key_reused"]))))]
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
/// The owner may before the start. Nothing of the game is left.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IfSeen),
    responses((status = 204, description = "It is gone")),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "not_allowed", "game_started", "version_conflict"]))))]
#[delete("")]
pub(crate) async fn delete_game(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.delete_game(&call, &id).await
}
