//! Rule sets.

use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::Problem;
use crate::http::body::{Body, LARGE_LIMIT};
use crate::http::call::SecretIdempotencyKey;
use crate::http::media;
use crate::http::query::Query;
use crate::model::rule_set::{CheckAnswer, RuleSetList, RuleSetView, RuleText, VersionQuery};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Which board.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BoardQuery {
    /// The version; the newest unless given.
    #[param(example = "1.0.0", max_length = 64)]
    version: Option<String>,
    /// The seat whose path is drawn.
    #[param(example = "red", min_length = 1, max_length = 32)]
    seat: Option<String>,
}

/// List the rule sets
///
/// The newest version of each, those that come with the program and those published here.
#[utoipa::path(tag = "rule sets", responses((status = 200, description = "The rule sets", body = RuleSetList)))]
#[get("/v1/rule-sets")]
pub(crate) async fn list_rule_sets(service: Data<Service>) -> Result<Json<RuleSetList>, Problem> {
    Ok(Json(service.list_rule_sets().await?))
}

/// Publish a rule text
///
/// From then on games can be created with it, without any change to the program. Id and version must be free; a
/// published text never changes. A few games are tried first: a decision may take a quarter of a second.
#[utoipa::path(tag = "rule sets", params(SecretIdempotencyKey), request_body = RuleText,
    responses((status = 201, description = "The rule set", body = RuleSetView, headers(("Location" = String, description = "Its path")))),
    extensions(("x-problem-codes" = json!(["rule_set_exists", "rule_sets_full", "rule_text_invalid", "too_much_work", "too_busy", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/v1/rule-sets")]
pub(crate) async fn publish_rule_set(
    service: Data<Service>,
    call: Call,
    body: Body<RuleText, LARGE_LIMIT>,
) -> Result<Reply, Problem> {
    service.publish_rule_set(&call, &body.bytes, &body.value).await
}

/// Read a rule set
///
/// Its head, its options with their defaults, and which rule lines carry which clause of its sources.
#[utoipa::path(tag = "rule sets", params(("id" = String, Path, description = "Its id", example = "pagade"), VersionQuery),
    responses((status = 200, description = "The rule set", body = RuleSetView)),
    extensions(("x-problem-codes" = json!(["rule_set_not_found"]))))]
#[get("/v1/rule-sets/{id}")]
pub(crate) async fn read_rule_set(
    service: Data<Service>,
    id: Path<String>,
    query: Query<VersionQuery>,
) -> Result<Json<RuleSetView>, Problem> {
    Ok(Json(service.read_rule_set(&id, query.version.as_deref()).await?))
}

/// Read the text of a rule set
///
/// The YAML as it was written, ready to be changed and published under another name.
#[utoipa::path(tag = "rule sets", params(("id" = String, Path, description = "Its id", example = "pagade"), VersionQuery),
    responses((status = 200, description = "The rule file", content((serde_json::Value = "application/yaml"), (String = "text/plain")))),
    extensions(("x-problem-codes" = json!(["rule_set_not_found"]))))]
#[get("/v1/rule-sets/{id}/source")]
pub(crate) async fn read_rule_set_source(
    service: Data<Service>,
    request: HttpRequest,
    id: Path<String>,
    query: Query<VersionQuery>,
) -> Result<HttpResponse, Problem> {
    let text = service.read_source(&id, query.version.as_deref()).await?;
    Ok(media::text(&request, "application/yaml", text))
}

/// List the versions of a rule set
///
/// Oldest first. A game keeps the version it was created with.
#[utoipa::path(tag = "rule sets", params(("id" = String, Path, description = "Its id", example = "pagade")),
    responses((status = 200, description = "Its versions", body = RuleSetList)),
    extensions(("x-problem-codes" = json!(["rule_set_not_found"]))))]
#[get("/v1/rule-sets/{id}/versions")]
pub(crate) async fn list_rule_set_versions(
    service: Data<Service>,
    id: Path<String>,
) -> Result<Json<RuleSetList>, Problem> {
    Ok(Json(service.list_versions(&id).await?))
}

/// Draw the board of a rule set
///
/// SVG with a label on every square, and the path of a seat where one is named.
#[utoipa::path(tag = "rule sets", params(("id" = String, Path, description = "Its id", example = "pagade"), BoardQuery),
    responses((status = 200, description = "The board", content((String = "image/svg+xml"), (String = "text/plain")))),
    extensions(("x-problem-codes" = json!(["rule_set_not_found", "seat_not_found"]))))]
#[get("/v1/rule-sets/{id}/board")]
pub(crate) async fn draw_rule_set_board(
    service: Data<Service>,
    request: HttpRequest,
    id: Path<String>,
    query: Query<BoardQuery>,
) -> Result<HttpResponse, Problem> {
    let svg = service.draw_rule_set(&id, query.version.as_deref(), query.seat.as_deref()).await?;
    Ok(media::text(&request, "image/svg+xml", svg))
}

/// Check a rule text
///
/// Every error and warning with its line and column. Nothing is kept.
#[utoipa::path(tag = "rule sets", request_body = RuleText,
    responses((status = 200, description = "What was found", body = CheckAnswer)),
    extensions(("x-problem-codes" = json!(["too_much_work", "too_busy"]))))]
#[post("/v1/rule-checks")]
pub(crate) async fn check_rule_text(
    service: Data<Service>,
    body: Body<RuleText, LARGE_LIMIT>,
) -> Result<Json<CheckAnswer>, Problem> {
    Ok(Json(service.check_rule_text(&body.value).await?))
}

/// Read the schema of the rule language
///
/// JSON Schema for editors: what a rule file may say.
#[utoipa::path(tag = "rule sets",
    responses((status = 200, description = "The schema", body = serde_json::Value, content_type = "application/schema+json")))]
#[get("/v1/rule-language/schema")]
pub(crate) async fn read_rule_language_schema() -> HttpResponse {
    let schema = pagade_rules::schema::schema();
    HttpResponse::Ok().content_type("application/schema+json").body(schema.to_string())
}
