//! Presence in a game.

use actix_web::get;
use actix_web::web::{Data, Json, Path};

use crate::error::Problem;
use crate::model::presence::Presence;
use crate::service::Service;
use crate::service::call::Call;

/// Read the presence of a game
///
/// The seats that follow the events of the game now, at any process of the service, and when each was last seen.
/// Changes at other processes are visible within a second or two.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11")),
    responses((status = 200, description = "Who is there", body = Presence)),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found"]))))]
#[get("/presence")]
pub(crate) async fn read_presence(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
) -> Result<Json<Presence>, Problem> {
    service.read_presence(&call, &id).await.map(Json)
}
