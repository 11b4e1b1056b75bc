//! Operations on the service itself: health, metrics, sign-in, limits, problem codes.

use std::time::Duration;

use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse, get};

use crate::config::{Oidc, PublicClient};
use crate::error::{Code, Problem, ProblemWords, detail};
use crate::ground::language::Languages;
use crate::http::body;
use crate::http::errors::whole_seconds;
use crate::http::language::PreferLanguage;
use crate::http::media;
use crate::limits::QuotaUse;
use crate::metrics::{self, Metrics};
use crate::model::operations::{
    Health, Limits, ProblemCode, ProblemCodes, RateView, Readiness, SignIn, SignInProvider,
};
use crate::model::simulation::MOST_GAMES;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::limits;
use crate::service::reply::InLanguage;
use crate::service::{idempotency, page};

/// Check that the process runs
///
/// If this operation does not answer, restart the process.
#[utoipa::path(tag = "service", responses((status = 200, description = "The process runs", body = Health)))]
#[get("/livez")]
pub(crate) async fn read_liveness() -> Json<Health> {
    Json(health())
}

/// Check that commands are accepted
///
/// While the answer is 503, send no requests: the store is not available, or the process is stopping. `warnings` are
/// for the operator: each names a durability promise that the settings of the store do not keep.
#[utoipa::path(tag = "service", responses((status = 200, description = "The process accepts commands", body = Readiness)))]
#[get("/readyz")]
pub(crate) async fn read_readiness(service: Data<Service>) -> Result<Json<Readiness>, Problem> {
    let warnings = service.check_ready().await?;
    let Health { status, version } = health();
    Ok(Json(Readiness { status, version, warnings }))
}

fn health() -> Health {
    Health { status: "ok".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
}

/// Read the metrics
///
/// The metrics of this process, for Prometheus: requests, calls to the store, streams, games, delays.
#[utoipa::path(tag = "service",
    responses((status = 200, description = "OpenMetrics text", content((String = "application/openmetrics-text"), (String = "text/plain")))))]
#[get("/metrics")]
pub(crate) async fn read_metrics(request: HttpRequest, metrics: Data<Metrics>) -> HttpResponse {
    media::text(&request, metrics::MEDIA_TYPE, metrics.text())
}

/// Read how to sign in
///
/// The identity provider at which an app can sign people in without a secret: by an authorization code with PKCE (RFC
/// 7636), as the client `client_id`. The service takes the ID token if `audience` is that client, otherwise the access
/// token, as the token of a registered player. Without such a provider, all people of the page are guests.
#[utoipa::path(tag = "service", responses((status = 200, description = "How to sign in", body = SignIn)))]
#[get("/v1/sign-in")]
pub(crate) async fn read_sign_in(service: Data<Service>) -> Json<SignIn> {
    let offer = service.identity().and_then(|identity| Some((identity, identity.settings().client.clone()?)));
    let Some((identity, client)) = offer else { return Json(SignIn { provider: None }) };
    let Oidc { issuer, audience, .. } = identity.settings().clone();
    let token_endpoint = identity.token_endpoint().await.map(String::from);
    let PublicClient { id: client_id, scope } = client;
    let provider = Some(SignInProvider { issuer, client_id, scope, audience, token_endpoint });
    Json(SignIn { provider })
}

/// Read the limits
///
/// The sizes, counts and times that the service limits, and how many requests the caller has left.
#[utoipa::path(tag = "service", responses((status = 200, description = "The limits", body = Limits)),
    security((), ("token" = [])))]
#[get("/v1/limits")]
pub(crate) async fn read_limits(service: Data<Service>, call: Call) -> Json<Limits> {
    let keep = service.keep();
    let seconds = |kept: Option<Duration>| kept.map_or(0, whole_seconds);
    let standings = call.caller.map(|caller| service.meter().standings(caller)).unwrap_or_default();
    Json(Limits {
        rates: standings.into_iter().map(rate).collect(),
        body_bytes: body::LIMIT as u64,
        large_body_bytes: body::LARGE_LIMIT as u64,
        page_items: page::MOST.into(),
        event_page_items: limits::EVENT_PAGE.into(),
        events_per_game: limits::EVENTS,
        event_wait_seconds: limits::EVENT_WAIT.into(),
        actions_per_request: limits::ACTIONS as u64,
        games_per_request: limits::GAMES_AT_ONCE as u64,
        games_per_group: limits::GAMES_OF_GROUP.into(),
        games_per_player: limits::GAMES_OF_PLAYER as u64,
        idempotency_seconds: idempotency::LIFETIME,
        rule_text_bytes: limits::RULE_TEXT as u64,
        turn_timer_seconds: limits::TURN_TIMER.into(),
        events_behind: limits::EVENTS_BEHIND,
        request_seconds: service.bounds().patience_seconds,
        work_seconds: limits::WORK.as_secs(),
        simulation_games: MOST_GAMES,
        simulation_seconds: limits::SIMULATION_TIME.as_secs(),
        simulation_kept_seconds: limits::SIMULATION_KEPT.as_secs(),
        simulations_per_client: service.meter().most_simulations().unwrap_or(0),
        rule_sets: service.bounds().rule_sets as u64,
        absent_seconds: whole_seconds(service.absence().after),
        return_seconds: whole_seconds(service.absence().window),
        open_game_seconds: seconds(keep.open),
        playing_game_seconds: seconds(keep.playing),
        finished_game_seconds: seconds(keep.finished),
        player_seconds: seconds(keep.players),
        streams_per_client: service.meter().most_streams().unwrap_or(0),
    })
}

fn rate(QuotaUse { policy, quota, level }: QuotaUse) -> RateView {
    RateView {
        name: policy.name().to_owned(),
        quota: quota.most,
        window_seconds: quota.window.as_secs(),
        remaining: level.remaining,
        reset_seconds: whole_seconds(level.reset),
    }
}

/// List the problem codes
///
/// Every value that the field `code` of an error answer (`application/problem+json`) can have.
#[utoipa::path(tag = "service", params(PreferLanguage),
    responses((status = 200, description = "The codes", body = ProblemCodes,
        headers(("Content-Language" = String, description = "The language of the texts")))))]
#[get("/v1/problems")]
pub(crate) async fn list_problem_codes(languages: Languages) -> InLanguage<ProblemCodes> {
    let words = ProblemWords::in_one_of(&languages);
    let problems = Code::ALL.iter().map(|code| describe(*code, words)).collect();
    InLanguage { languages: words.language().to_owned(), body: ProblemCodes { problems } }
}

/// Read about a problem code
///
/// The field `type` of an error answer is the path of this operation.
#[utoipa::path(tag = "service", params(("code" = String, Path, description = "The code", example = "version_conflict"), PreferLanguage),
    responses((status = 200, description = "The code", body = ProblemCode,
        headers(("Content-Language" = String, description = "The language of the texts")))),
    extensions(("x-problem-codes" = json!(["problem_not_found"]))))]
#[get("/v1/problems/{code}")]
pub(crate) async fn read_problem_code(
    code: Path<String>,
    languages: Languages,
) -> Result<InLanguage<ProblemCode>, Problem> {
    let words = ProblemWords::in_one_of(&languages);
    let described = |code| InLanguage { languages: words.language().to_owned(), body: describe(code, words) };
    let found = Code::of_word(&code).map(described);
    found.ok_or_else(|| Problem::new(Code::ProblemNotFound, detail!("no problem has the code `{code}`", code = *code)))
}

fn describe(code: Code, words: ProblemWords) -> ProblemCode {
    ProblemCode {
        code: code.word().to_owned(),
        status: code.status(),
        title: words.title(code).to_owned(),
        help: words.help(code).to_owned(),
    }
}
