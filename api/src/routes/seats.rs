//! Seats of a game: joined and left in the lobby.

use actix_web::web::{Data, Path};
use actix_web::{delete, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IfSeen, SecretIdempotencyKey};
use crate::model::game::{JoinSeat, JoinedSeat};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Join a seat
///
/// Anyone may while the game is open; a private game needs its invitation. The answer holds the seat's token, which is
/// shown only here. One person may join several seats.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"),
        ("seat" = String, Path, description = "The seat", example = "red"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<JoinSeat>, description = "Who joins"),
    responses((status = 201, description = "The seat and its token", body = JoinedSeat,
        headers(("ETag" = String, description = "The game's version")))),
    security((), ("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "seat_not_found", "seat_taken", "name_taken", "game_started", "dice_held_by_players", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
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
/// Before the start: who sits there, or the owner. The seat's token is worth nothing from then on.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"),
        ("seat" = String, Path, description = "The seat", example = "red"), IfSeen),
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
