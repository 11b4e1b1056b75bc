//! Operations on games: create, list, read, start, draw.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IdempotencyKey, IfNoneMatch, IfSeen, PreferWait, SecretIdempotencyKey};
use crate::http::media;
use crate::http::query::Query;
use crate::model::creation::{CreateGame, CreatedGame, Empty};
use crate::model::game::GameView;
use crate::model::game_list::{GameList, GamesQuery, MomentQuery, PictureQuery};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Create a game
///
/// Anyone may create a game. The answer has the owner's token, which no other answer shows. With `hot_seat`, this token
/// plays every seat without a robot, and the game starts at once. A player sits down at once with `my_seat` and the
/// player's token.
#[utoipa::path(tag = "games", params(SecretIdempotencyKey), request_body = CreateGame,
    responses((status = 201, description = "The game and its token", body = CreatedGame,
        headers(("Location" = String, description = "Its path"), ("ETag" = String, description = "Its version")))),
    security((), ("token" = [])),
    extensions(("x-problem-codes" = json!(["games_full", "player_not_found", "token_unknown", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/v1/games")]
pub(crate) async fn create_game(service: Data<Service>, call: Call, body: Body<CreateGame>) -> Result<Reply, Problem> {
    service.create_game(&call, &body.bytes, &body.value).await
}

/// List games
///
/// The newest games come first. Private games are not listed.
#[utoipa::path(tag = "games", params(GamesQuery),
    responses((status = 200, description = "A page of games", body = GameList,
        headers(("Link" = String, description = "The next page, `rel=next`; absent on the last one")))))]
#[get("/v1/games")]
pub(crate) async fn list_games(service: Data<Service>, query: Query<GamesQuery>) -> Result<Reply, Problem> {
    service.list_games(&query).await
}

/// Read a game
///
/// The answer is the present game, or with `at` the game after that number of steps. The position lists every pawn, and
/// `legal` every legal action (see `legal_complete`).
///
/// With `Prefer: wait=30` the answer waits: with `If-None-Match`, until the game has another version; with `turn`,
/// until it is the turn of that seat; with both, until both are true. If the game is over, the answer comes at once.
/// When the waiting time has passed, the answer is the game as it is, or 304 if the version is still that of
/// `If-None-Match`.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), MomentQuery, IfNoneMatch, PreferWait),
    responses(
        (status = 200, description = "The game", body = GameView,
            headers(("ETag" = String, description = "Its version; absent with `at`"))),
        (status = 304, description = "The client has this version")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "step_not_found", "too_much_work", "too_busy", "too_many_streams"]))))]
#[get("")]
pub(crate) async fn read_game(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    query: Query<MomentQuery>,
) -> Result<Reply, Problem> {
    service.read_game(&call, &id, &query).await
}

/// Start a game
///
/// The owner starts the game when every seat is taken.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 200, description = "The game", body = GameView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "not_allowed", "game_started", "seats_free", "version_conflict", "idempotency_key_reused"]))))]
#[post("/start")]
pub(crate) async fn start_game(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.start_game(&call, &body.bytes, &id).await
}

/// Draw the board of a game
///
/// The picture is SVG, with every pawn on its square: at present, or with `at` after that number of steps.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), PictureQuery),
    responses((status = 200, description = "The board", content((String = "image/svg+xml"), (String = "text/plain")))),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "step_not_found", "too_much_work", "too_busy", "seat_not_found"]))))]
#[get("/board")]
pub(crate) async fn draw_game_board(
    service: Data<Service>,
    request: HttpRequest,
    call: Call,
    id: Path<String>,
    query: Query<PictureQuery>,
) -> Result<HttpResponse, Problem> {
    let svg = service.draw_game(&call, &id, &query).await?;
    Ok(media::text(&request, "image/svg+xml", svg))
}
