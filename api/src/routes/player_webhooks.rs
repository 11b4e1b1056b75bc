//! Operations on the webhooks of a player.

use actix_web::web::{Data, Path};
use actix_web::{delete, get, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IfSeen, SecretIdempotencyKey};
use crate::model::player::CreatePlayerWebhook;
use crate::model::webhook::{CreatedWebhook, Redeliver, Redelivered, WebhookList};
use crate::player::stored::Player;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Register a webhook of a player
///
/// The request needs the player's token. The webhook works like that of a game, with messages of the type
/// `player.events`.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"), SecretIdempotencyKey, IfSeen),
    request_body = CreatePlayerWebhook,
    responses((status = 201, description = "The webhook and its secret", body = CreatedWebhook,
        headers(("Location" = String, description = "Where the player's webhooks are listed"), ("ETag" = String, description = "The player's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["player_not_found", "webhooks_full", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/webhooks")]
pub(crate) async fn create_player_webhook(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<CreatePlayerWebhook>,
) -> Result<Reply, Problem> {
    service.add_webhook::<Player>(&call, &body.bytes, &id, &body.value.into()).await
}

/// List the webhooks of a player
///
/// The request needs the player's token.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15")),
    responses((status = 200, description = "The webhooks", body = WebhookList)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["player_not_found"]))))]
#[get("/webhooks")]
pub(crate) async fn list_player_webhooks(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
) -> Result<Reply, Problem> {
    service.webhooks_of::<Player>(&call, &id).await
}

/// Remove a webhook of a player
///
/// The request needs the player's token.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"),
        ("webhook" = String, Path, description = "The webhook's id", example = "01992b3e8c5a7d52b3c96f1f0a6f2e11"), IfSeen),
    responses((status = 204, description = "The webhook is removed", headers(("ETag" = String, description = "The player's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["player_not_found", "webhook_not_found", "version_conflict"]))))]
#[delete("/webhooks/{webhook}")]
pub(crate) async fn delete_player_webhook(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, webhook) = path.into_inner();
    service.remove_webhook::<Player>(&call, &id, &webhook).await
}

/// Send messages to a webhook of a player again
///
/// The request needs the player's token.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15"),
        ("webhook" = String, Path, description = "The webhook's id", example = "01992b3e8c5a7d52b3c96f1f0a6f2e11")),
    request_body(content = Option<Redeliver>, description = "What to send again"),
    responses((status = 202, description = "The messages are sent in a moment", body = Redelivered)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["player_not_found", "webhook_not_found"]))))]
#[post("/webhooks/{webhook}/redeliveries")]
pub(crate) async fn redeliver_player_webhook(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<Redeliver>,
) -> Result<Reply, Problem> {
    let (id, webhook) = path.into_inner();
    service.redeliver_to::<Player>(&call, &id, &webhook, &body.value).await
}
