//! Operations on competitive play: leaderboards, statistics of players, the bank.

use actix_web::get;
use actix_web::web::{Data, Path};

use crate::error::Problem;
use crate::http::query::Query;
use crate::model::bank::BankView;
use crate::model::leaderboard::{Leaderboard, LeaderboardQuery};
use crate::model::statistics::PlayerStatistics;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Read a leaderboard
///
/// Registered players, ordered by their experience in one rule set. With the token of a player, the answer has the
/// player's own rank, too. A player has at most 1,300 results, one for each rule set and each season of it: beyond
/// that, the rule set that was played longest ago loses its oldest season, or its only result, also on the leaderboard.
#[utoipa::path(tag = "players",
    params(("rule_set" = String, Path, description = "The id of the rule set", example = "parcheesi"), LeaderboardQuery),
    responses((status = 200, description = "A page of the leaderboard", body = Leaderboard,
        headers(("Link" = String, description = "The next page, `rel=next`; absent on the last one")))),
    extensions(("x-problem-codes" = json!(["rule_set_not_found"]))))]
#[get("/v1/leaderboards/{rule_set}")]
pub(crate) async fn read_leaderboard(
    service: Data<Service>,
    call: Call,
    rule_set: Path<String>,
    query: Query<LeaderboardQuery>,
) -> Result<Reply, Problem> {
    service.read_leaderboard(&call, &rule_set, &query).await
}

/// Read the statistics of a player
///
/// Games, experience, level, badges and ratings of a player, for everybody whom the player has not blocked. Only
/// competitive games count.
#[utoipa::path(tag = "players",
    params(("id" = String, Path, description = "The player's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15")),
    responses((status = 200, description = "The statistics", body = PlayerStatistics)),
    extensions(("x-problem-codes" = json!(["player_not_found"]))))]
#[get("/statistics")]
pub(crate) async fn read_player_statistics(
    service: Data<Service>,
    call: Call,
    id: Path<String>,
) -> Result<Reply, Problem> {
    service.read_player_statistics(&call, &id).await
}

/// Read the bank
///
/// The request needs the admin token.
#[utoipa::path(tag = "service", responses((status = 200, description = "The bank", body = BankView)),
    security(("token" = [])), extensions(("x-problem-codes" = json!(["not_allowed"]))))]
#[get("/v1/bank")]
pub(crate) async fn read_bank(service: Data<Service>, call: Call) -> Result<Reply, Problem> {
    service.read_bank(&call).await
}
