//! Webhooks of a game.

use actix_web::web::{Data, Path};
use actix_web::{delete, get, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IfSeen, SecretIdempotencyKey};
use crate::model::webhook::{CreateWebhook, CreatedWebhook, Redeliver, Redelivered, WebhookList};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Register a webhook
///
/// The owner does; a game has four at most. What happens from then on is sent there as `POST`, in order, some events a
/// message: `{"type": "game.events", "timestamp": "..", "data": {"game": "..", "webhook": "..", "events": [..]}}`, the
/// events as `GET /v1/games/{id}/events` gives them. Messages are signed as Standard Webhooks describes it
/// (`webhook-id`, `webhook-timestamp`, `webhook-signature`): check the signature, and take a `webhook-id` once, as a
/// message may come twice. Any answer 2xx within ten seconds will do; redirections are not followed. What is not taken is
/// tried again with longer and longer pauses for most of a day, and then given up.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), SecretIdempotencyKey, IfSeen),
    request_body = CreateWebhook,
    responses((status = 201, description = "The webhook and its secret", body = CreatedWebhook,
        headers(("Location" = String, description = "Where the game's webhooks are listed"), ("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "not_allowed", "webhooks_full", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/webhooks")]
pub(crate) async fn create_webhook(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<CreateWebhook>,
) -> Result<Reply, Problem> {
    service.create_webhook(&call, &body.bytes, &id, &body.value).await
}

/// List the webhooks of a game
///
/// For the owner: how far each is, whether its messages are taken, and which were given up.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11")),
    responses((status = 200, description = "The webhooks", body = WebhookList)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "not_allowed"]))))]
#[get("/webhooks")]
pub(crate) async fn list_webhooks(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.list_webhooks(&call, &id).await
}

/// Remove a webhook
///
/// The owner does. What was not delivered is forgotten.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"),
        ("webhook" = String, Path, description = "The webhook's id", example = "01992b3e8c5a7d52b3c96f1f0a6f2e11"), IfSeen),
    responses((status = 204, description = "It is removed", headers(("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "webhook_not_found", "not_allowed", "version_conflict"]))))]
#[delete("/webhooks/{webhook}")]
pub(crate) async fn delete_webhook(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, webhook) = path.into_inner();
    service.delete_webhook(&call, &id, &webhook).await
}

/// Send again what was given up
///
/// The owner does: all dead letters of a webhook, or one. Each is tried once; what is not taken is a dead letter again.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"),
        ("webhook" = String, Path, description = "The webhook's id", example = "01992b3e8c5a7d52b3c96f1f0a6f2e11")),
    request_body(content = Option<Redeliver>, description = "What to send again"),
    responses((status = 202, description = "It is sent in a moment", body = Redelivered)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "webhook_not_found", "not_allowed"]))))]
#[post("/webhooks/{webhook}/redeliveries")]
pub(crate) async fn redeliver_webhook(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<Redeliver>,
) -> Result<Reply, Problem> {
    let (id, webhook) = path.into_inner();
    service.redeliver(&call, &id, &webhook, &body.value).await
}
