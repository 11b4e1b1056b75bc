//! Operations on the webhooks of a group.

use actix_web::web::{Data, Path};
use actix_web::{delete, get, post};

use crate::error::Problem;
use crate::group::stored::Group;
use crate::http::body::Body;
use crate::http::call::{IfSeen, SecretIdempotencyKey};
use crate::model::group::CreateGroupWebhook;
use crate::model::webhook::{CreatedWebhook, Redeliver, Redelivered, WebhookList};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Register a webhook of a group
///
/// The request needs the owner's token; a group has at most four webhooks. The webhook receives the events of all games
/// of the group, in messages of the type `group.events`. In all other respects it works like a webhook of a game.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13"), SecretIdempotencyKey, IfSeen),
    request_body = CreateGroupWebhook,
    responses((status = 201, description = "The webhook and its secret", body = CreatedWebhook,
        headers(("Location" = String, description = "Where the group's webhooks are listed"), ("ETag" = String, description = "The group's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["group_not_found", "not_allowed", "webhooks_full", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/webhooks")]
pub(crate) async fn create_group_webhook(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<CreateGroupWebhook>,
) -> Result<Reply, Problem> {
    service.add_webhook::<Group>(&call, &body.bytes, &id, &body.value.into()).await
}

/// List the webhooks of a group
///
/// The request needs the owner's token.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13")),
    responses((status = 200, description = "The webhooks", body = WebhookList)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["group_not_found", "not_allowed"]))))]
#[get("/webhooks")]
pub(crate) async fn list_group_webhooks(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
) -> Result<Reply, Problem> {
    service.webhooks_of::<Group>(&call, &id).await
}

/// Remove a webhook of a group
///
/// The request needs the owner's token.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13"),
        ("webhook" = String, Path, description = "The webhook's id", example = "01992b3e8c5a7d52b3c96f1f0a6f2e11"), IfSeen),
    responses((status = 204, description = "The webhook is removed", headers(("ETag" = String, description = "The group's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["group_not_found", "webhook_not_found", "not_allowed", "version_conflict"]))))]
#[delete("/webhooks/{webhook}")]
pub(crate) async fn delete_group_webhook(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, webhook) = path.into_inner();
    service.remove_webhook::<Group>(&call, &id, &webhook).await
}

/// Send messages to a webhook of a group again
///
/// The request needs the owner's token.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13"),
        ("webhook" = String, Path, description = "The webhook's id", example = "01992b3e8c5a7d52b3c96f1f0a6f2e11")),
    request_body(content = Option<Redeliver>, description = "What to send again"),
    responses((status = 202, description = "The messages are sent in a moment", body = Redelivered)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["group_not_found", "webhook_not_found", "not_allowed"]))))]
#[post("/webhooks/{webhook}/redeliveries")]
pub(crate) async fn redeliver_group_webhook(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<Redeliver>,
) -> Result<Reply, Problem> {
    let (id, webhook) = path.into_inner();
    service.redeliver_to::<Group>(&call, &id, &webhook, &body.value).await
}
