//! Operations that run scenarios.

use actix_web::post;
use actix_web::web::{Data, Json};

use crate::error::Problem;
use crate::http::body::{Body, LARGE_LIMIT};
use crate::model::scenario_run::{RunScenarios, ScenarioRun};
use crate::service::Service;

/// Run scenarios
///
/// Scenarios are tests of a rule set, as rule authors write them. The answer says for each scenario whether it passed;
/// if not, the line that failed, what it expects and what was found. Nothing is stored.
#[utoipa::path(tag = "rule sets", request_body = RunScenarios,
    responses((status = 200, description = "The results", body = ScenarioRun)),
    extensions(("x-problem-codes" = json!(["rule_text_invalid", "too_much_work", "too_busy"]))))]
#[post("/v1/scenario-runs")]
pub(crate) async fn run_scenarios(
    service: Data<Service>,
    body: Body<RunScenarios, LARGE_LIMIT>,
) -> Result<Json<ScenarioRun>, Problem> {
    Ok(Json(service.run_scenarios(&body.value).await?))
}
