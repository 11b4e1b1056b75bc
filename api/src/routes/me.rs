//! The operation that describes the token of the caller.

use actix_web::get;
use actix_web::web::Data;

use crate::error::Problem;
use crate::model::me::Me;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Read what a token is
///
/// For any kind of token, the answer has its role, its game and seat, its group, player, table or tournament, and the
/// operations that it allows.
#[utoipa::path(tag = "service", responses((status = 200, description = "What the token is", body = Me)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["token_revoked"]))))]
#[get("/v1/me")]
pub(crate) async fn read_me(service: Data<Service>, call: Call) -> Result<Reply, Problem> {
    service.read_me(&call).await
}
