//! Handlers that issue tickets. With a ticket, a browser can open a stream by `EventSource`, which cannot send a token.

use actix_web::post;
use actix_web::web::{Data, Path};

use crate::error::Problem;
use crate::game::stored::Game;
use crate::group::stored::Group;
use crate::http::body::Body;
use crate::model::creation::Empty;
use crate::model::ticket::CreatedTicket;
use crate::player::stored::Player;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;
use crate::table::stored::Table;
use crate::tournament::stored::Tournament;

/// Issue a ticket for a stream of a game
///
/// The request needs a token of the game. A browser's `EventSource` cannot send a token, so the browser opens the
/// stream with the ticket instead: `new EventSource(url)`. A ticket opens one stream of events, once, within a minute.
/// The stream has what the token may see. If the stream breaks off, ask for another ticket, and send the id of the last
/// event as the parameter `after`.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11")),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The ticket", body = CreatedTicket)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found"]))))]
#[post("/tickets")]
pub(crate) async fn create_ticket(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    _: Body<Empty>,
) -> Result<Reply, Problem> {
    service.create_ticket::<Game>(&call, &id).await
}

/// Issue a ticket for a stream of a group
///
/// The request needs the token of the group or of its invitation. Like the ticket of a game, the ticket opens one
/// stream of the events of the group, once, within a minute.
#[utoipa::path(tag = "groups",
    params(("id" = String, Path, description = "The group's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13")),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The ticket", body = CreatedTicket)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["group_not_found"]))))]
#[post("/tickets")]
pub(crate) async fn create_group_ticket(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    _: Body<Empty>,
) -> Result<Reply, Problem> {
    service.create_ticket::<Group>(&call, &id).await
}

/// Issue a ticket for a stream of a player
///
/// The request needs the player's token. Like the ticket of a game, the ticket opens one stream of the events of the
/// player, once, within a minute.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15")),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The ticket", body = CreatedTicket)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["player_not_found"]))))]
#[post("/tickets")]
pub(crate) async fn create_player_ticket(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    _: Body<Empty>,
) -> Result<Reply, Problem> {
    service.create_ticket::<Player>(&call, &id).await
}

/// Issue a ticket for a stream of a table
///
/// The request needs the token of a player who sits at the table, watches it or is invited. Like the ticket of a game,
/// the ticket opens one stream of the events of the table, once, within a minute.
#[utoipa::path(tag = "tables",
    params(("id" = String, Path, description = "The table's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16")),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The ticket", body = CreatedTicket)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["table_not_found", "not_allowed"]))))]
#[post("/tickets")]
pub(crate) async fn create_table_ticket(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    _: Body<Empty>,
) -> Result<Reply, Problem> {
    service.create_ticket::<Table>(&call, &id).await
}

/// Issue a ticket for a stream of a tournament
///
/// The request needs a token of the tournament: of the organiser, the arbiters or an entrant. Like the ticket of a
/// game, the ticket opens one stream of the events of the tournament, once, within a minute.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17")),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The ticket", body = CreatedTicket)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["tournament_not_found"]))))]
#[post("/tickets")]
pub(crate) async fn create_tournament_ticket(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    _: Body<Empty>,
) -> Result<Reply, Problem> {
    service.create_ticket::<Tournament>(&call, &id).await
}
