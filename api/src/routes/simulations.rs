//! Operations on simulations.

use actix_web::web::{Data, Path};
use actix_web::{delete, get, post};

use crate::error::Problem;
use crate::http::body::{Body, LARGE_LIMIT};
use crate::http::call::{IfNoneMatch, PreferWait, SecretIdempotencyKey};
use crate::model::simulation::{CreateSimulation, SimulationView};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Start a simulation
///
/// Robots play many games by a rule set of this server, or by a rule text that need not be published. The answer comes
/// at once; the games are played in the background, by the process that got the request, and slow down no other
/// request. `Location` is the path of the simulation, which every process knows. Its id is a secret of those who may
/// read and cancel it.
///
/// If the process ends, the simulation ends with it (`ended_by`: `failure`). Results are kept for an hour after the
/// end; without Redis, they are forgotten when the process ends.
#[utoipa::path(tag = "rule sets", params(SecretIdempotencyKey), request_body = CreateSimulation,
    responses((status = 201, description = "The simulation", body = SimulationView,
        headers(("Location" = String, description = "Its path"), ("ETag" = String, description = "Its version")))),
    extensions(("x-problem-codes" = json!(["rule_text_invalid", "too_much_work", "too_busy", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/v1/simulations")]
pub(crate) async fn create_simulation(
    service: Data<Service>,
    call: Call,
    body: Body<CreateSimulation, LARGE_LIMIT>,
) -> Result<Reply, Problem> {
    service.create_simulation(&call, &body.bytes, &body.value).await
}

/// Read a simulation
///
/// The answer has the number of games that were played so far, and their statistics. With `If-None-Match` and
/// `Prefer: wait=30` it waits until there are more.
#[utoipa::path(tag = "rule sets",
    params(("id" = String, Path, description = "Its id", example = "01992b3e-8c5a-8d52-b3c9-6f1f0a6f2e11"), IfNoneMatch, PreferWait),
    responses(
        (status = 200, description = "The simulation", body = SimulationView, headers(("ETag" = String, description = "Its version"))),
        (status = 304, description = "The client has this version")),
    extensions(("x-problem-codes" = json!(["simulation_not_found", "too_many_streams"]))))]
#[get("/v1/simulations/{id}")]
pub(crate) async fn read_simulation(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.read_simulation(&call, &id).await
}

/// Cancel a simulation
///
/// No further games are played. The statistics of the games that were played can still be read. A simulation that has
/// ended stays as it is.
#[utoipa::path(tag = "rule sets",
    params(("id" = String, Path, description = "Its id", example = "01992b3e-8c5a-8d52-b3c9-6f1f0a6f2e11")),
    responses((status = 204, description = "The simulation ends, or has ended")),
    extensions(("x-problem-codes" = json!(["simulation_not_found"]))))]
#[delete("/v1/simulations/{id}")]
pub(crate) async fn cancel_simulation(service: Data<Service>, id: Path<String>) -> Result<Reply, Problem> {
    service.cancel_simulation(&id).await
}
