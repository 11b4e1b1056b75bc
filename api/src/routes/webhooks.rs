//! Operations on the webhooks of a game.

use actix_web::web::{Data, Path};
use actix_web::{delete, get, post};

use crate::error::Problem;
use crate::game::stored::Game;
use crate::http::body::Body;
use crate::http::call::{IfSeen, SecretIdempotencyKey};
use crate::model::webhook::{CreateWebhook, CreatedWebhook, Redeliver, Redelivered, WebhookList};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Register a webhook
///
/// The request needs the owner's token; a game has at most four webhooks. From then on, the service sends the events of
/// the game to the URL as `POST`, in order, with one or more events in a message: `{"type": "game.events", "timestamp":
/// "..", "data": {"game": "..", "webhook": "..", "events": [..]}}`. The events have the form of `GET
/// /v1/games/{id}/events`. Messages are signed as in Standard Webhooks (`webhook-id`, `webhook-timestamp`,
/// `webhook-signature`). Check the signature, and process each `webhook-id` only once, because a message may come
/// twice. A message is delivered when the receiver answers 2xx within ten seconds; redirections are not followed. A
/// message that is not delivered is sent again, with longer and longer pauses, for most of a day, and then given up.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), SecretIdempotencyKey, IfSeen),
    request_body = CreateWebhook,
    responses((status = 201, description = "The webhook and its secret", body = CreatedWebhook,
        headers(("Location" = String, description = "Where the game's webhooks are listed"), ("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "not_allowed", "webhooks_full", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/webhooks")]
pub(crate) async fn create_webhook(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<CreateWebhook>,
) -> Result<Reply, Problem> {
    service.add_webhook::<Game>(&call, &body.bytes, &id, &body.value).await
}

/// List the webhooks of a game
///
/// The request needs the owner's token. The answer has for each webhook the last event that was settled, whether its
/// messages are delivered, and those that were given up.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11")),
    responses((status = 200, description = "The webhooks", body = WebhookList)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "not_allowed"]))))]
#[get("/webhooks")]
pub(crate) async fn list_webhooks(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.webhooks_of::<Game>(&call, &id).await
}

/// Remove a webhook
///
/// The request needs the owner's token. Events that were not delivered yet are dropped.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"),
        ("webhook" = String, Path, description = "The webhook's id", example = "01992b3e8c5a7d52b3c96f1f0a6f2e11"), IfSeen),
    responses((status = 204, description = "The webhook is removed", headers(("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "webhook_not_found", "not_allowed", "version_conflict"]))))]
#[delete("/webhooks/{webhook}")]
pub(crate) async fn delete_webhook(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, webhook) = path.into_inner();
    service.remove_webhook::<Game>(&call, &id, &webhook).await
}

/// Send given-up messages again
///
/// The request needs the owner's token. All messages of a webhook that were given up are sent again, or one of them.
/// Each gets one attempt; if it fails, the message is given up again.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"),
        ("webhook" = String, Path, description = "The webhook's id", example = "01992b3e8c5a7d52b3c96f1f0a6f2e11")),
    request_body(content = Option<Redeliver>, description = "What to send again"),
    responses((status = 202, description = "The messages are sent in a moment", body = Redelivered)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "webhook_not_found", "not_allowed"]))))]
#[post("/webhooks/{webhook}/redeliveries")]
pub(crate) async fn redeliver_webhook(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<Redeliver>,
) -> Result<Reply, Problem> {
    let (id, webhook) = path.into_inner();
    service.redeliver_to::<Game>(&call, &id, &webhook, &body.value).await
}
