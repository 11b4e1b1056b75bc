//! Operations on tournaments: create, enter, start, list, follow.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, delete, get, post};

use crate::error::Problem;
use crate::http::body::{Body, LARGE_LIMIT};
use crate::http::call::{IdempotencyKey, IfNoneMatch, IfSeen, SecretIdempotencyKey};
use crate::http::query::Query;
use crate::model::creation::Empty;
use crate::model::event::{EventsQuery, LastEventId};
use crate::model::tournament::{CreateTournament, CreatedTournament, NewTournamentToken, TournamentView};
use crate::model::tournament_entry::{EnterTournament, EnteredTournament};
use crate::model::tournament_event::TournamentEventList;
use crate::model::tournament_list::{TournamentList, TournamentsQuery};
use crate::model::tournament_round::{FinishTournament, NoteAbsence};
use crate::routes::events;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;
use crate::tournament::stored::Tournament;

/// Create a tournament
///
/// Anyone may create a tournament. Its rules, form, points and tie-breaks do not change after it. The answer has the
/// tokens of the organiser and of the arbiters, which no other answer shows.
#[utoipa::path(tag = "tournaments", params(SecretIdempotencyKey), request_body = CreateTournament,
    responses((status = 201, description = "The tournament and its tokens", body = CreatedTournament,
        headers(("Location" = String, description = "Its path"), ("ETag" = String, description = "Its version")))),
    extensions(("x-problem-codes" = json!(["too_much_work", "too_busy", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/v1/tournaments")]
pub(crate) async fn create_tournament(
    service: Data<Service>,
    call: Call,
    body: Body<CreateTournament>,
) -> Result<Reply, Problem> {
    service.create_tournament(&call, &body.bytes, &body.value).await
}

/// List tournaments
///
/// The tournaments come newest first.
#[utoipa::path(tag = "tournaments", params(TournamentsQuery),
    responses((status = 200, description = "A page of tournaments", body = TournamentList,
        headers(("Link" = String, description = "The next page, `rel=next`; absent on the last one")))))]
#[get("/v1/tournaments")]
pub(crate) async fn list_tournaments(service: Data<Service>, query: Query<TournamentsQuery>) -> Result<Reply, Problem> {
    service.list_tournaments(&query).await
}

/// Read a tournament
///
/// The answer has the terms, the entrants, and the rounds in short. `GET /v1/tournaments/{id}/rounds/{round}` has the
/// tables of a round, and `GET /v1/tournaments/{id}/standings` the standings.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), IfNoneMatch),
    responses((status = 200, description = "The tournament", body = TournamentView, headers(("ETag" = String, description = "Its version"))),
        (status = 304, description = "The client has this version")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["tournament_not_found"]))))]
#[get("")]
pub(crate) async fn read_tournament(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.read_tournament(&call, &id).await
}

/// Enter a tournament
///
/// The organiser enters any number of entrants in one request: either all of them or none. Others enter themselves, if
/// registration is open: with the token of a player, or without one. For each member without an account, the answer has
/// a token, which no other answer shows. This token plays the member's seat in every game of the tournament.
///
/// Before the start, entrants for whom there is no place wait. After it, an entrant is paired from the next round on.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), SecretIdempotencyKey, IfSeen),
    request_body = EnterTournament,
    responses((status = 201, description = "The entrants and their tokens", body = EnteredTournament, headers(("ETag" = String, description = "The tournament's version")))),
    security((), ("token" = [])),
    extensions(("x-problem-codes" = json!(["tournament_not_found", "token_missing", "token_unknown", "not_allowed", "entries_closed", "entered_already", "name_taken", "tournament_full",
        "tournament_over", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/entrants")]
pub(crate) async fn enter_tournament(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<EnterTournament, LARGE_LIMIT>,
) -> Result<Reply, Problem> {
    service.enter_tournament(&call, &body.bytes, &id, &body.value).await
}

/// Withdraw an entrant
///
/// The entrant or the organiser may do this. Before the start, the entrant leaves the list, and the first entrant who
/// waits gets the place. After it, the entrant is no longer paired, and the results so far count. A game in play
/// goes on: it can be resigned, or an arbiter decides its table, which aborts the game. `POST .../return` brings the
/// entrant back.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"),
        ("number" = String, Path, description = "The entrant's number", example = "3"), IdempotencyKey, IfSeen),
    responses((status = 200, description = "The tournament", body = TournamentView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["tournament_not_found", "entrant_not_found", "not_allowed", "entrant_withdrawn", "tournament_over",
        "version_conflict", "idempotency_key_reused"]))))]
#[delete("/entrants/{number}")]
pub(crate) async fn withdraw_entrant(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, number) = path.into_inner();
    service.withdraw_entrant(&call, &id, &number).await
}

/// Bring an entrant back
///
/// An entrant who has withdrawn after the start, or was withdrawn because they did not come, takes part again: with the
/// same number, tokens and results, from the next round on. Rounds that were paired meanwhile are rounds without a
/// game. The entrant or the organiser may do this; an entrant whom the organiser has withdrawn is brought back by the
/// organiser only. Before the start an entrant who has left simply enters again.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"),
        ("number" = String, Path, description = "The entrant's number", example = "3"), IdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 200, description = "The tournament", body = TournamentView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["tournament_not_found", "entrant_not_found", "not_allowed", "entrant_present", "tournament_full", "tournament_over",
        "version_conflict", "idempotency_key_reused"]))))]
#[post("/entrants/{number}/return")]
pub(crate) async fn return_entrant(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    let (id, number) = path.into_inner();
    service.return_entrant(&call, &body.bytes, [&id, &number]).await
}

/// Note an entrant's absence
///
/// The entrant or the organiser says that the entrant is not to be paired in a round.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"),
        ("number" = String, Path, description = "The entrant's number", example = "3"), IdempotencyKey, IfSeen),
    request_body = NoteAbsence,
    responses((status = 200, description = "The tournament", body = TournamentView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["tournament_not_found", "entrant_not_found", "not_allowed", "entrant_withdrawn", "round_paired", "absences_full", "tournament_over",
        "version_conflict", "idempotency_key_reused"]))))]
#[post("/entrants/{number}/absences")]
pub(crate) async fn note_absence(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
    body: Body<NoteAbsence>,
) -> Result<Reply, Problem> {
    let (id, number) = path.into_inner();
    service.note_absence(&call, &body.bytes, [&id, &number], body.value.round).await
}

/// Start a tournament
///
/// The organiser may do this. The form is checked against the number of entrants. If rounds are paired by themselves,
/// the first one is paired a moment later.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), IdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 200, description = "The tournament", body = TournamentView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["tournament_not_found", "not_allowed", "tournament_started", "tournament_over", "pairing_impossible", "version_conflict",
        "idempotency_key_reused"]))))]
#[post("/start")]
pub(crate) async fn start_tournament(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.start_tournament(&call, &body.bytes, &id).await
}

/// End a tournament
///
/// The organiser may do this when all tables have results: after the last round, or before it with `early`, also before
/// the start. A tournament whose rounds are paired by themselves ends by itself after the last round.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), IdempotencyKey, IfSeen),
    request_body(content = Option<FinishTournament>, description = "Whether it may end early"),
    responses((status = 200, description = "The tournament", body = TournamentView, headers(("ETag" = String, description = "Its version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["tournament_not_found", "not_allowed", "tournament_not_started", "tournament_over", "results_missing", "rounds_left",
        "version_conflict", "idempotency_key_reused"]))))]
#[post("/finish")]
pub(crate) async fn finish_tournament(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<FinishTournament>,
) -> Result<Reply, Problem> {
    service.finish_tournament(&call, &body.bytes, &id, &body.value).await
}

/// Read or follow the events of a tournament
///
/// The events are those of entrants, rounds and results. The games of a round have their own events: `GET
/// /v1/groups/{id}/events` with the group of the round has all of them. The header `Accept` chooses the form, as for a
/// game. The message `snapshot` of a stream has the tournament as `GET /v1/tournaments/{id}` answers it.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), EventsQuery, LastEventId),
    responses((status = 200, description = "Events", content((TournamentEventList = "application/json"), (String = "text/event-stream"), (String = "application/x-ndjson"))),
        (status = 204, description = "A stream that would resume after the last event of a tournament that is over")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["tournament_not_found", "not_acceptable", "ticket_unknown", "too_many_streams"]))))]
#[get("/events")]
pub(crate) fn list_tournament_events(
    service: Data<Service>,
    call: Call,
    request: HttpRequest,
    id: Path<String>,
    query: Query<EventsQuery>,
) -> impl Future<Output = Result<HttpResponse, Problem>> {
    events::answer::<Tournament>(service, call, request, id, query)
}

/// Renew the token of the organiser
///
/// The request needs the organiser's token, which becomes invalid, also for the games of the tournament.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The new token", body = NewTournamentToken, headers(("ETag" = String, description = "The tournament's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["tournament_not_found", "not_allowed", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/token")]
pub(crate) async fn renew_tournament_token(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.renew_tournament_token(&call, &body.bytes, &id).await
}

/// Renew the token of the arbiters
///
/// The request needs the organiser's token. The old token of the arbiters becomes invalid.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The new token", body = NewTournamentToken, headers(("ETag" = String, description = "The tournament's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["tournament_not_found", "not_allowed", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/arbiter-token")]
pub(crate) async fn renew_arbiter_token(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.renew_arbiter_token(&call, &body.bytes, &id).await
}

/// Renew the invitation to a tournament
///
/// The request needs the organiser's token. The old invitation becomes invalid; entrants who came by it stay. Only if
/// the registration is `invited`.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), SecretIdempotencyKey, IfSeen),
    request_body(content = Option<Empty>, description = "No fields"),
    responses((status = 201, description = "The new invitation, as `token`", body = NewTournamentToken, headers(("ETag" = String, description = "The tournament's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["tournament_not_found", "not_allowed", "not_private", "version_conflict", "idempotency_key_weak", "idempotency_key_reused"]))))]
#[post("/invitation")]
pub(crate) async fn renew_tournament_invitation(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<Empty>,
) -> Result<Reply, Problem> {
    service.renew_tournament_invitation(&call, &body.bytes, &id).await
}
