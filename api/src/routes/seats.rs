//! Operations on the seats of a game: join and leave before the start, come back during the game.

use actix_web::web::{Data, Path};
use actix_web::{delete, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IdempotencyKey, IfSeen, SecretIdempotencyKey};
use crate::model::creation::{Empty, JoinSeat, JoinedSeat};
use crate::model::game::GameView;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Join a seat
///
/// Anyone may join a game that has not started; for a private game, the request needs the token of an invitation. The
/// answer has the token of the seat, which no other answer shows. One person may join several seats.
///
/// With the token of a player, the seat is that player's, whose token may do what the token of the seat may. A player
/// has one seat in a game.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"),
        ("seat" = String, Path, description = "The name of the seat", example = "red"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<JoinSeat>, description = "Who joins"),
    responses((status = 201, description = "The seat and its token", body = JoinedSeat,
        headers(("ETag" = String, description = "The game's version")))),
    security((), ("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "seat_not_found", "seat_taken", "seated_already", "games_full", "player_not_found", "name_taken", "token_unknown", "game_started", "dice_held_by_players", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/seats/{seat}")]
pub(crate) async fn join_seat(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<JoinSeat>,
) -> Result<Reply, Problem> {
    let (id, seat) = path.into_inner();
    service.join_seat(&call, &body.bytes, &id, &seat, &body.value).await
}

/// Leave a seat
///
/// Possible only before the start, with the token of the seat or of the owner. The token of the seat becomes invalid.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"),
        ("seat" = String, Path, description = "The name of the seat", example = "red"), IfSeen),
    responses((status = 204, description = "The seat is free", headers(("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "seat_not_found", "not_allowed", "game_started", "version_conflict"]))))]
#[delete("/seats/{seat}")]
pub(crate) async fn leave_seat(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, seat) = path.into_inner();
    service.leave_seat(&call, &id, &seat).await
}

/// Come back to a seat
///
/// Needed if somebody else plays for the player: the server in automatic mode, because the player was late, or a robot,
/// because the player had lost the connection. `control` of the seat says which. The player decides again at once, even
/// in the middle of the turn. Any throw or action in the own turn does the same, and so does a new stream of events
/// after a lost connection. Nobody comes back to an `abandoned` seat.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"),
        ("seat" = String, Path, description = "The name of the seat", example = "red"), IdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 200, description = "The game", body = GameView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "seat_not_found", "not_allowed", "game_not_started", "game_over", "game_too_long", "seat_abandoned", "version_conflict", "idempotency_key_reused"]))))]
#[post("/seats/{seat}/return")]
pub(crate) async fn return_to_seat(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    let (id, seat) = path.into_inner();
    service.return_to_seat(&call, &body.bytes, &id, &seat).await
}
