//! Operations on the webhooks of a table.

use actix_web::web::{Data, Path};
use actix_web::{delete, get, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IfSeen, SecretIdempotencyKey};
use crate::model::table_event::CreateTableWebhook;
use crate::model::webhook::{CreatedWebhook, Redeliver, Redelivered, WebhookList};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;
use crate::table::stored::Table;

/// Register a webhook of a table
///
/// The request needs the master's token; a table has at most four webhooks. The webhook receives the events of the
/// table, in messages of the type `table.events`, until the master leaves the table. In all other respects it works
/// like a webhook of a game.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"), SecretIdempotencyKey, IfSeen),
    request_body = CreateTableWebhook,
    responses((status = 201, description = "The webhook and its secret", body = CreatedWebhook,
        headers(("Location" = String, description = "Where the table's webhooks are listed"), ("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed", "webhooks_full", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/webhooks")]
pub(crate) async fn create_table_webhook(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<CreateTableWebhook>,
) -> Result<Reply, Problem> {
    service.add_webhook::<Table>(&call, &body.bytes, &id, &body.value.into()).await
}

/// List the webhooks of a table
///
/// The request needs the master's token.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16")),
    responses((status = 200, description = "The webhooks", body = WebhookList)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed"]))))]
#[get("/webhooks")]
pub(crate) async fn list_table_webhooks(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
) -> Result<Reply, Problem> {
    service.webhooks_of::<Table>(&call, &id).await
}

/// Remove a webhook of a table
///
/// The request needs the master's token.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"),
        ("webhook" = String, Path, description = "The webhook's id", example = "01992b3e8c5a7d52b3c96f1f0a6f2e11"), IfSeen),
    responses((status = 204, description = "The webhook is removed", headers(("ETag" = String, description = "The table's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["table_not_found", "webhook_not_found", "not_allowed", "version_conflict"]))))]
#[delete("/webhooks/{webhook}")]
pub(crate) async fn delete_table_webhook(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, webhook) = path.into_inner();
    service.remove_webhook::<Table>(&call, &id, &webhook).await
}

/// Send messages to a webhook of a table again
///
/// The request needs the master's token.
#[utoipa::path(tag = "webhooks",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16"),
        ("webhook" = String, Path, description = "The webhook's id", example = "01992b3e8c5a7d52b3c96f1f0a6f2e11")),
    request_body(content = Option<Redeliver>, description = "What to send again"),
    responses((status = 202, description = "The messages are sent in a moment", body = Redelivered)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["table_not_found", "webhook_not_found", "not_allowed"]))))]
#[post("/webhooks/{webhook}/redeliveries")]
pub(crate) async fn redeliver_table_webhook(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<Redeliver>,
) -> Result<Reply, Problem> {
    let (id, webhook) = path.into_inner();
    service.redeliver_to::<Table>(&call, &id, &webhook, &body.value).await
}
