//! Operations that renew and revoke tokens.

use actix_web::web::{Data, Path};
use actix_web::{delete, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IfSeen, SecretIdempotencyKey};
use crate::model::creation::{Empty, JoinedSeat, NewToken};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Renew a seat's token
///
/// Renew a token that was lost, or that others may have seen. The request needs the token of the seat or of the owner.
/// The old token of the seat becomes invalid, and streams that were opened with it end.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"),
        ("seat" = String, Path, description = "The name of the seat", example = "red"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The seat and its new token", body = JoinedSeat,
        headers(("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "seat_not_found", "seats_free", "not_allowed", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/seats/{seat}/token")]
pub(crate) async fn renew_seat_token(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    let (id, seat) = path.into_inner();
    service.renew_seat_token(&call, &body.bytes, &id, &seat).await
}

/// Revoke a seat's token
///
/// The request needs the token of the seat or of the owner. The seat stays taken, but no one can play it until the
/// owner has renewed its token.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"),
        ("seat" = String, Path, description = "The name of the seat", example = "red"), IfSeen),
    responses((status = 204, description = "The token is invalid", headers(("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "seat_not_found", "seats_free", "not_allowed", "version_conflict"]))))]
#[delete("/seats/{seat}/token")]
pub(crate) async fn revoke_seat_token(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, seat) = path.into_inner();
    service.revoke_seat_token(&call, &id, &seat).await
}

/// Renew the owner's token
///
/// The request needs the owner's token. This token becomes invalid, and streams that were opened with it end.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The new token", body = NewToken, headers(("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "not_allowed", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/token")]
pub(crate) async fn renew_owner_token(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.renew_owner_token(&call, &body.bytes, &id).await
}

/// Renew the invitation
///
/// The owner of a private game may do this. The old invitation becomes invalid, and streams that were opened with it
/// end.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The new invitation", body = NewToken, headers(("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "not_allowed", "not_private", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/invitation")]
pub(crate) async fn renew_invitation(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.renew_invitation(&call, &body.bytes, &id).await
}
