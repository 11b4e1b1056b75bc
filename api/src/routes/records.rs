//! Operations on records, the histories of games.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};

use crate::error::Problem;
use crate::http::body::TextBody;
use crate::http::call::SecretIdempotencyKey;
use crate::http::media::{self, NDJSON, PLAIN};
use crate::model::creation::CreatedGame;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Read the record of a game
///
/// The header `Accept` chooses the form: NDJSON with a line for every decision (position, throw, hand, legal actions,
/// what was played), or text with a line for every turn. Both can be imported with `POST /v1/records`.
#[utoipa::path(tag = "records",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11")),
    responses((status = 200, description = "The record", content((String = "application/x-ndjson"), (String = "text/plain")))),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "game_not_started", "not_acceptable", "too_much_work", "too_busy"]))))]
#[get("/record")]
pub(crate) async fn read_record(
    service: Data<Service>,
    call: Call,
    request: HttpRequest,
    id: Path<String>,
) -> Result<HttpResponse, Problem> {
    match media::choose(&request, &[NDJSON, PLAIN])? {
        PLAIN => {
            let text = service.read_record_text(&call, &id).await?;
            Ok(HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(text))
        }
        _ => Ok(HttpResponse::Ok().content_type(NDJSON).body(service.read_record(&call, &id).await?)),
    }
}

/// Import a record
///
/// Creates a game from a record. Every line is checked against the rules, and the game continues where the record ends.
/// The owner's token plays every seat from then on, and the players throw the dice.
#[utoipa::path(tag = "records", params(SecretIdempotencyKey),
    request_body(description = "The record of one game; its form is known by its first line", content((String = "application/x-ndjson"), (String = "text/plain"), (String = "application/octet-stream"))),
    responses((status = 201, description = "The game and its token", body = CreatedGame,
        headers(("Location" = String, description = "Its path"), ("ETag" = String, description = "Its version")))),
    extensions(("x-problem-codes" = json!(["too_much_work", "too_busy", "game_too_long", "record_invalid", "body_too_large", "body_incomplete", "media_type_unknown",
        "body_invalid", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/v1/records")]
pub(crate) async fn import_record(service: Data<Service>, call: Call, body: TextBody) -> Result<Reply, Problem> {
    service.import_record(&call, &body.text).await
}
