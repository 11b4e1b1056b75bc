//! Turns: throws, legal actions, actions.

use actix_web::web::{Data, Path};
use actix_web::{get, post};

use crate::error::Problem;
use crate::http::body::Body;
use crate::http::call::{IdempotencyKey, IfMatch, IfNoneMatch};
use crate::model::turn::{BriefAnswer, DryRun, LegalActions, PlayActions, ThrowDice, TurnAnswer};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Throw the dice
///
/// The server throws, or takes what the players threw where they hold the dice. The answer says what may be played; where
/// nothing can be, the turn has passed already. By `Accept`: `application/json` gives the whole game after it,
/// `application/vnd.pagade.brief+json` what is needed to play on.
#[utoipa::path(tag = "turns",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IfMatch, IdempotencyKey),
    request_body(content = Option<ThrowDice>, description = "What was thrown, where the players hold the dice"),
    responses((status = 200, description = "What happened and what may be played",
        content((TurnAnswer = "application/json"), (BriefAnswer = "application/vnd.pagade.brief+json")),
        headers(("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "not_allowed", "not_your_turn", "game_not_started", "game_over",
        "throw_not_expected", "choice_needed", "dice_held_by_server", "dice_held_by_players", "throw_unreadable",
        "version_needed", "version_conflict", "idempotency_key_reused"]))))]
#[post("/throws")]
pub(crate) async fn throw_dice(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<ThrowDice>,
) -> Result<Reply, Problem> {
    service.throw_dice(&call, &body.bytes, &id, &body.value).await
}

/// List the legal actions
///
/// Exactly those that may be played now, taken apart: which pawns, from where to where, what is spent, by which rule.
#[utoipa::path(tag = "turns",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IfNoneMatch),
    responses((status = 200, description = "The legal actions", body = LegalActions, headers(("ETag" = String, description = "The game's version"))),
        (status = 304, description = "The client has this version")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found"]))))]
#[get("/legal")]
pub(crate) async fn list_legal_actions(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.legal_actions(&call, &id).await
}

/// Play actions
///
/// One or several, in order: all are played or none. The answer says what happened and what is legal next. By `Accept`:
/// `application/json` gives the whole game after it, `application/vnd.pagade.brief+json` what is needed to play on.
#[utoipa::path(tag = "turns",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IfMatch, IdempotencyKey),
    request_body = PlayActions,
    responses((status = 200, description = "What happened and what is legal next",
        content((TurnAnswer = "application/json"), (BriefAnswer = "application/vnd.pagade.brief+json")),
        headers(("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "not_allowed", "not_your_turn", "game_not_started", "game_over",
        "throw_expected", "action_not_legal", "action_unreadable", "version_needed", "version_conflict", "idempotency_key_reused"]))))]
#[post("/actions")]
pub(crate) async fn play_actions(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<PlayActions>,
) -> Result<Reply, Problem> {
    service.play_actions(&call, &body.bytes, &id, &body.value).await
}

/// Try a turn
///
/// What a throw and actions would lead to. Nothing is changed; whoever may see the game may try. By `Accept`:
/// `application/json` gives the whole game after it, `application/vnd.pagade.brief+json` what would be needed to play on.
#[utoipa::path(tag = "turns",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11")),
    request_body(content = Option<DryRun>, description = "What to try"),
    responses((status = 200, description = "What would happen",
        content((TurnAnswer = "application/json"), (BriefAnswer = "application/vnd.pagade.brief+json")))),
    security((), ("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_not_started", "game_over", "throw_expected",
        "throw_not_expected", "choice_needed", "throw_unreadable", "action_not_legal", "action_unreadable"]))))]
#[post("/dry-runs")]
pub(crate) async fn try_turn(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<DryRun>,
) -> Result<Reply, Problem> {
    service.try_turn(&call, &id, &body.value).await
}
