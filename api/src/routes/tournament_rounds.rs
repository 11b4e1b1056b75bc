//! Operations on the rounds of a tournament: pair, read, results, standings.

use actix_web::web::{Bytes, Data, Path};
use actix_web::{Either, HttpRequest, HttpResponse, get, post, put};
use futures_util::StreamExt;

use crate::error::Problem;
use crate::http::body::{Body, LARGE_LIMIT};
use crate::http::call::{IdempotencyKey, IfNoneMatch, IfSeen};
use crate::http::media::NDJSON;
use crate::http::media::{self, JSON};
use crate::http::query::Query;
use crate::model::tournament_round::{
    EnterResult, ExportQuery, PairRound, PairedRound, RoundTableView, RoundView, Standings, StandingsQuery,
    TournamentExport,
};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

const CSV: &str = "text/csv";

/// Pair the next round
///
/// The organiser and the arbiters may do this. Swiss rounds and knock-outs need the results of all earlier rounds. With
/// `tables` and `byes`, the organiser pairs the round; the request is checked as a whole, and a problem lists every
/// mistake. Such a round is like any other, and its field `why` says that it was uploaded. The games start at once. If
/// the service fails after the round was paired, it creates the games that are missing as soon as it can.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), IdempotencyKey, IfSeen),
    request_body(content = Option<PairRound>, description = "Which round"),
    responses((status = 201, description = "The round", body = PairedRound,
        headers(("Location" = String, description = "The path of the round"), ("ETag" = String, description = "The tournament's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["tournament_not_found", "not_allowed", "tournament_not_started", "tournament_over", "round_paired", "results_missing",
        "pairing_impossible", "version_conflict", "idempotency_key_reused"]))))]
#[post("/rounds")]
pub(crate) async fn pair_round(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
    body: Body<PairRound, LARGE_LIMIT>,
) -> Result<Reply, Problem> {
    service.pair_round(&call, &body.bytes, &id, &body.value).await
}

/// Read a round
///
/// The answer has the tables with their entrants, games and results, and says why each entrant sits there.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"),
        ("round" = String, Path, description = "The number of the round", example = "1"), IfNoneMatch),
    responses((status = 200, description = "The round", body = RoundView, headers(("ETag" = String, description = "The tournament's version"))),
        (status = 304, description = "The client has this version")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["tournament_not_found", "round_not_found"]))))]
#[get("/rounds/{round}")]
pub(crate) async fn read_round(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String)>,
) -> Result<Reply, Problem> {
    let (id, round) = path.into_inner();
    service.read_round(&call, &id, &round).await
}

/// Enter or correct a result
///
/// The organiser and the arbiters may do this, with a reason. The result stands: a game of the table in play is
/// aborted. To change the result of a table that has one, `If-Match` is needed, so that two arbiters do not overwrite
/// each other: with the `version` of the table, or any later `version` of the tournament at which the table had this
/// result. Standings follow at once, also after the end. In a knock-out, a result from which the next round was paired
/// can be changed only with `take_back`.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"),
        ("round" = String, Path, description = "The number of the round", example = "1"),
        ("table" = String, Path, description = "The number of the table", example = "1"), IdempotencyKey, IfSeen),
    request_body = EnterResult,
    responses((status = 200, description = "The table", body = RoundTableView, headers(("ETag" = String, description = "The tournament's version")))),
    security(("token" = [])),
    extensions(("x-problem-codes" = json!(["tournament_not_found", "round_not_found", "not_allowed", "tournament_not_started", "result_fixed",
        "pairing_impossible", "version_conflict", "version_needed", "idempotency_key_reused"]))))]
#[put("/rounds/{round}/tables/{table}/result")]
pub(crate) async fn enter_result(
    service: Data<Service>,
    call: Call,
    path: Path<(String, String, String)>,
    body: Body<EnterResult>,
) -> Result<Reply, Problem> {
    let (id, round, table) = path.into_inner();
    service.enter_result(&call, &body.bytes, [&id, &round, &table], &body.value).await
}

/// Read the standings
///
/// The standings follow from the results so far, with every tie-break and what each round adds to it. Tables without a
/// result do not count yet. The header `Accept` chooses the form: JSON, or CSV with a line for each entrant.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), StandingsQuery, IfNoneMatch),
    responses((status = 200, description = "The standings", content((Standings = "application/json"), (String = "text/csv")), headers(("ETag" = String, description = "The tournament's version; only of JSON"))),
        (status = 304, description = "The client has this version")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["tournament_not_found", "round_not_found", "pairing_impossible", "not_acceptable"]))))]
#[get("/standings")]
pub(crate) async fn read_standings(
    service: Data<Service>,
    call: Call,
    request: HttpRequest,
    id: Path<String>,
    query: Query<StandingsQuery>,
) -> Result<Either<Reply, HttpResponse>, Problem> {
    match media::choose(&request, &[JSON, CSV])? {
        CSV => Ok(Either::Right(csv(service.read_standings_as_csv(&call, &id, &query).await?))),
        _ => Ok(Either::Left(service.read_standings(&call, &id, &query).await?)),
    }
}

/// Export a tournament
///
/// The header `Accept` chooses the form. JSON has everything from which the standings can be computed again: terms,
/// entrants, rounds, tables, results, tie-breaks, and the seed when the tournament is over. CSV has a line for each
/// entrant of each table, and for each bye. NDJSON has the records of all games that have begun, one after the other,
/// in the order of rounds and tables: each as `GET /v1/games/{id}/record` answers it, with the fields `id`, `round` and
/// `table` in its first line. Every record counts as a request of the client.
#[utoipa::path(tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"), ExportQuery),
    responses((status = 200, description = "The tournament", content((TournamentExport = "application/json"), (String = "text/csv"), (String = "application/x-ndjson")))),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["tournament_not_found", "round_not_found", "pairing_impossible", "not_acceptable"]))))]
#[get("/export")]
pub(crate) async fn export_tournament(
    service: Data<Service>,
    call: Call,
    request: HttpRequest,
    id: Path<String>,
    query: Query<ExportQuery>,
) -> Result<Either<Reply, HttpResponse>, Problem> {
    match media::choose(&request, &[JSON, CSV, NDJSON])? {
        CSV => Ok(Either::Right(csv(service.export_tournament_as_csv(&call, &id, &query).await?))),
        NDJSON => {
            let records = service.export_records(&call, &id, &query).await?;
            let body = records.map(|record| record.map(Bytes::from));
            Ok(Either::Right(HttpResponse::Ok().content_type(NDJSON).streaming(body)))
        }
        _ => Ok(Either::Left(service.export_tournament(&call, &id, &query).await?)),
    }
}

fn csv(text: String) -> HttpResponse {
    HttpResponse::Ok().content_type("text/csv; charset=utf-8").body(text)
}
