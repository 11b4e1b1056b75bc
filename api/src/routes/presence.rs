//! Operations on the presence of players in a game.

use actix_web::get;
use actix_web::web::{Data, Json, Path};

use crate::error::Problem;
use crate::model::presence::Presence;
use crate::service::Service;
use crate::service::call::Call;

/// Read the presence of a game
///
/// The answer says for each seat whether a client follows the events of the game at present, at any process of the
/// service, and when the seat was last seen. A change at another process is visible within a second or two.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11")),
    responses((status = 200, description = "Who follows the game", body = Presence)),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found"]))))]
#[get("/presence")]
pub(crate) async fn read_presence(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
) -> Result<Json<Presence>, Problem> {
    service.read_presence(&call, &id).await.map(Json)
}
