//! Operations that compare rule sets.

use actix_web::post;
use actix_web::web::{Data, Json};

use crate::error::Problem;
use crate::http::body::{Body, LARGE_LIMIT};
use crate::model::rule_comparison::{CompareRules, RuleComparison};
use crate::service::Service;

/// Compare two rule sets
///
/// The answer lists what differs in their data: options, lines and values that were added, removed or changed. Either
/// may be a rule set of this server or a rule text. Nothing is stored.
#[utoipa::path(tag = "rule sets", request_body = CompareRules,
    responses((status = 200, description = "What differs", body = RuleComparison)),
    extensions(("x-problem-codes" = json!(["rule_text_invalid", "too_much_work", "too_busy"]))))]
#[post("/v1/rule-comparisons")]
pub(crate) async fn compare_rules(
    service: Data<Service>,
    body: Body<CompareRules, LARGE_LIMIT>,
) -> Result<Json<RuleComparison>, Problem> {
    Ok(Json(service.compare_rules(&body.value).await?))
}
