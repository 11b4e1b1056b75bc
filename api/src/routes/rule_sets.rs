//! Operations on rule sets.

use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};

use crate::error::Problem;
use crate::ground::language::Languages;
use crate::http::body::{Body, LARGE_LIMIT};
use crate::http::call::SecretIdempotencyKey;
use crate::http::language::PreferLanguage;
use crate::http::media;
use crate::http::query::Query;
use crate::model::layout::{BoardLayout, BoardQuery, LayoutQuery};
use crate::model::rule_set::{CheckAnswer, RuleSetList, RuleSetView, RuleText, VersionQuery};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::{InLanguage, Reply};

/// List the rule sets
///
/// The newest version of each rule set: of those that come with the program, and of those that were published here.
#[utoipa::path(tag = "rule sets", params(PreferLanguage),
    responses((status = 200, description = "The rule sets", body = RuleSetList,
        headers(("Content-Language" = String, description = "The languages of the titles")))))]
#[get("/v1/rule-sets")]
pub(crate) async fn list_rule_sets(
    service: Data<Service>,
    languages: Languages,
) -> Result<InLanguage<RuleSetList>, Problem> {
    service.list_rule_sets(&languages).await
}

/// Publish a rule text
///
/// After the answer, games can be created with the rule set. Its id and version must not be used yet, and a published
/// text can never be changed. The service first plays a few games with the rules, in which no decision may take longer
/// than a quarter of a second.
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
/// The answer has the title, sources and other facts about the game, its options with their defaults, the texts of all
/// names in the language that the client prefers, and the rule lines that implement each clause of the sources.
#[utoipa::path(tag = "rule sets", params(("id" = String, Path, description = "Its id", example = "pagade"), VersionQuery, PreferLanguage),
    responses((status = 200, description = "The rule set", body = RuleSetView,
        headers(("Content-Language" = String, description = "The languages of the texts")))),
    extensions(("x-problem-codes" = json!(["rule_set_not_found"]))))]
#[get("/v1/rule-sets/{id}")]
pub(crate) async fn read_rule_set(
    service: Data<Service>,
    id: Path<String>,
    query: Query<VersionQuery>,
    languages: Languages,
) -> Result<InLanguage<RuleSetView>, Problem> {
    service.read_rule_set(&id, query.version.as_deref(), &languages).await
}

/// Read the text of a rule set
///
/// The answer is the YAML text as its author wrote it. A changed copy can be published under another id.
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
/// The oldest version comes first. A game keeps the version with which it was created.
#[utoipa::path(tag = "rule sets", params(("id" = String, Path, description = "Its id", example = "pagade"), PreferLanguage),
    responses((status = 200, description = "Its versions", body = RuleSetList,
        headers(("Content-Language" = String, description = "The languages of the titles")))),
    extensions(("x-problem-codes" = json!(["rule_set_not_found"]))))]
#[get("/v1/rule-sets/{id}/versions")]
pub(crate) async fn list_rule_set_versions(
    service: Data<Service>,
    id: Path<String>,
    languages: Languages,
) -> Result<InLanguage<RuleSetList>, Problem> {
    service.list_versions(&id, &languages).await
}

/// Read the board of a rule set
///
/// The board as data: squares, the path of every seat with its steps, dice, and the tables that can be played. Apps use
/// it to draw and animate. It depends on options and players. With `digest`, the answer may be kept for ever.
#[utoipa::path(tag = "rule sets", params(("id" = String, Path, description = "Its id", example = "pagade"), LayoutQuery),
    responses((status = 200, description = "The board", body = BoardLayout)),
    extensions(("x-problem-codes" = json!(["rule_set_not_found", "table_invalid"]))))]
#[get("/v1/rule-sets/{id}/layout")]
pub(crate) async fn read_rule_set_layout(
    service: Data<Service>,
    id: Path<String>,
    query: Query<LayoutQuery>,
) -> Result<Json<BoardLayout>, Problem> {
    Ok(Json(service.read_layout(&id, &query).await?))
}

/// Draw the board of a rule set
///
/// The picture is SVG, with a label on every square, and with the path of a seat if `seat` names one. Squares have
/// `data-square`, their id in the layout. Pawns have `data-pawn` and `data-seat`.
#[utoipa::path(tag = "rule sets", params(("id" = String, Path, description = "Its id", example = "pagade"), BoardQuery),
    responses((status = 200, description = "The board", content((String = "image/svg+xml"), (String = "text/plain")))),
    extensions(("x-problem-codes" = json!(["rule_set_not_found", "seat_not_found", "table_invalid"]))))]
#[get("/v1/rule-sets/{id}/board")]
pub(crate) async fn draw_rule_set_board(
    service: Data<Service>,
    request: HttpRequest,
    id: Path<String>,
    query: Query<BoardQuery>,
) -> Result<HttpResponse, Problem> {
    let svg = service.draw_rule_set(&id, query.0).await?;
    Ok(media::text(&request, "image/svg+xml", svg))
}

/// Check a rule text
///
/// The answer lists every error and warning with line and column. Nothing is stored.
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
/// A JSON Schema of rule files, with which editors can complete and check them.
#[utoipa::path(tag = "rule sets",
    responses((status = 200, description = "The schema", body = serde_json::Value, content_type = "application/schema+json")))]
#[get("/v1/rule-language/schema")]
pub(crate) async fn read_rule_language_schema() -> HttpResponse {
    let schema = pagade_rules::schema::schema();
    HttpResponse::Ok().content_type("application/schema+json").body(schema.to_string())
}
