//! Operations on turns: throw, list legal actions, play, try.

use actix_web::web::{Data, Path};
use actix_web::{get, post};

use crate::error::Problem;
use crate::ground::language::Languages;
use crate::http::body::Body;
use crate::http::call::{IdempotencyKey, IfMatch, IfNoneMatch};
use crate::http::language::PreferLanguage;
use crate::http::query::Query;
use crate::model::turn::{BriefAnswer, DryRun, LegalActions, LegalQuery, PlayActions, ThrowDice, TurnAnswer};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Throw the dice
///
/// The server throws, or takes the throw from the body if the players throw the dice. The answer lists the actions that
/// are legal now. If there is none, the turn has passed to the next seat already. The header `Accept` chooses the form:
/// `application/json` gives the whole game after the throw, `application/vnd.pagade.brief+json` only what is needed to
/// play on.
#[utoipa::path(tag = "turns",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IfMatch, IdempotencyKey),
    request_body(content = Option<ThrowDice>, description = "The throw, if the players throw the dice"),
    responses((status = 200, description = "What happened and what may be played",
        content((TurnAnswer = "application/json"), (BriefAnswer = "application/vnd.pagade.brief+json")),
        headers(("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "not_allowed", "not_your_turn", "seat_abandoned", "game_not_started", "game_over",
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
/// The answer has each action with its parts: which pawns may make it, which places they walk over, which pawns they
/// capture, which numbers they spend, which rule line allows it, and the text of that line in the language that the
/// client prefers. The `ETag` belongs to that language. With `explain=all` the answer also says why other moves are not
/// legal.
#[utoipa::path(tag = "turns",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), LegalQuery, IfNoneMatch, PreferLanguage),
    responses((status = 200, description = "The legal actions", body = LegalActions, headers(("ETag" = String, description = "The game's version, with the language unless it is that of the rule file; `If-Match` takes both"), ("Content-Language" = String, description = "The languages of the texts"))),
        (status = 304, description = "The client has this version")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found"]))))]
#[get("/legal")]
pub(crate) async fn list_legal_actions(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    query: Query<LegalQuery>,
    languages: Languages,
) -> Result<Reply, Problem> {
    service.legal_actions(&call, &id, &query, &languages).await
}

/// Play actions
///
/// One or several actions are played in order: either all of them or none. The answer says what happened, and which
/// actions are legal next. The header `Accept` chooses the form: `application/json` gives the whole game after the
/// actions, `application/vnd.pagade.brief+json` only what is needed to play on.
#[utoipa::path(tag = "turns",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IfMatch, IdempotencyKey),
    request_body = PlayActions,
    responses((status = 200, description = "What happened and what is legal next",
        content((TurnAnswer = "application/json"), (BriefAnswer = "application/vnd.pagade.brief+json")),
        headers(("ETag" = String, description = "The game's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["game_not_found", "game_too_long", "not_allowed", "not_your_turn", "seat_abandoned", "game_not_started", "game_over",
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
/// The answer shows what a throw and actions would lead to; the game is not changed. Anyone who may see the game may
/// try. The header `Accept` chooses the form: `application/json` gives the whole game after the actions,
/// `application/vnd.pagade.brief+json` only what would be needed to play on.
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
