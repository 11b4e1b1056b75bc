//! Rounds, results and standings of tournaments, as JSON.

use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};
use uuid::Uuid;

use super::tournament::{SeatResultView, TieBreakWord, TournamentView};

/// A round of a tournament.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RoundView<'a> {
    /// The number of the round, the first is 1.
    pub round: usize,
    /// The group that has the games of the round.
    #[schema(value_type = String, format = "uuid")]
    pub group: Uuid,
    /// The time of the pairing.
    #[schema(format = DateTime)]
    pub paired_at: String,
    /// The tables, the first table first.
    pub tables: Vec<RoundTableView<'a>>,
    /// Entrants who are present and have no table.
    pub byes: Vec<ByeView>,
}

/// A table of a round.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RoundTableView<'a> {
    /// The number of the table, the first is 1.
    pub table: usize,
    /// The numbers of the entrants in the order of play: the first one begins.
    pub entrants: Vec<u32>,
    /// The greatest number of games that decide the table.
    pub games_at_most: u32,
    /// Why these entrants sit here, in this order.
    pub why: String,
    /// The games of the table so far.
    pub games: Vec<TableGameView<'a>>,
    /// The result. Absent until there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<TableResultView<'a>>,
    /// The version of the tournament with the pairing or the last result of the table. A correction may name it, or a
    /// later one, in `If-Match`.
    pub version: u64,
}

/// A game of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableGameView<'a> {
    /// The id of the game.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The seats of the board with their entrants.
    pub seats: Vec<RoundSeatView<'a>>,
    /// How far the game is.
    pub status: TableGameStatus,
    /// The result of the game. Absent until there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub result: Vec<SeatResultView>,
}

/// A seat of the board.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RoundSeatView<'a> {
    /// The name of the seat.
    pub seat: &'a str,
    /// The number of the entrant.
    pub entrant: u32,
}

/// How far a game of a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableGameStatus {
    /// The game is created in a moment.
    Planned,
    /// The game is played.
    Playing,
    /// The game has a result.
    Finished,
    /// The game ended without a result: an arbiter decides the table.
    Void,
}

/// The result of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableResultView<'a> {
    /// One entry for each entrant, in the order of the table.
    pub seats: Vec<SeatResultView>,
    /// Whether the games or an arbiter decided the result.
    pub by: ResultByWord,
    /// The reason that an arbiter gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    /// The time of the result.
    #[schema(format = DateTime)]
    pub at: String,
}

/// The origin of a result.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResultByWord {
    /// The games of the table.
    Games,
    /// The organiser or an arbiter.
    Arbiter,
}

/// An entrant without a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ByeView {
    /// The number of the entrant.
    pub entrant: u32,
    /// Why the entrant has no table.
    pub why: String,
    /// Whether the entrant gets the points of a bye. An entrant who waits in an arena gets none.
    pub counts: bool,
}

/// A round to pair.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"round": 2}))]
pub(crate) struct PairRound {
    /// The number of the round to pair. If it is not the next one, the request is refused, so that a round is not
    /// paired twice by mistake. By default the next round.
    #[schema(minimum = 1, maximum = 10_000)]
    pub round: Option<u32>,
    /// The tables of the round, if the organiser has paired it. By default the service pairs it by the format. In a
    /// knock-out, the tables are those of the bracket, in any order of seats; in groups, a table has entrants of one
    /// group.
    #[schema(max_items = 512)]
    pub tables: Option<Vec<OwnTable>>,
    /// The byes of the round, only with `tables`. Every entrant who is present has a table or a bye; in an arena,
    /// entrants who are not named go on waiting.
    #[serde(default)]
    #[schema(max_items = 1024)]
    pub byes: Vec<OwnBye>,
}

/// The end of a tournament.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"early": true}))]
pub(crate) struct FinishTournament {
    /// Whether the tournament ends although rounds are left, or before its start. Its seed is public then.
    #[serde(default)]
    pub early: bool,
}

/// A table that the organiser has put together.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"entrants": [4, 1], "why": "the final of the juniors"}))]
pub(crate) struct OwnTable {
    /// The numbers of the entrants in the order of play: the first one begins.
    #[schema(value_type = Vec<EntrantNumber>, min_items = 2, max_items = 4)]
    pub entrants: Vec<u32>,
    /// The reason, for people. The field `why` of the table shows it.
    #[schema(min_length = 1, max_length = 200)]
    pub why: Option<String>,
}

/// The number of an entrant, as a client sends it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntrantNumber;

impl PartialSchema for EntrantNumber {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(100_000));
        number.description(Some("The number of an entrant.")).into()
    }
}

impl ToSchema for EntrantNumber {}

/// A bye that the organiser gives.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"entrant": 5, "why": "asked for it"}))]
pub(crate) struct OwnBye {
    /// The number of the entrant.
    #[schema(minimum = 1, maximum = 100_000)]
    pub entrant: u32,
    /// The reason, for people. The field `why` of the bye shows it.
    #[schema(min_length = 1, max_length = 200)]
    pub why: Option<String>,
}

/// A round that was paired.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PairedRound<'a> {
    /// The round.
    pub round: RoundView<'a>,
    /// The tournament.
    pub tournament: TournamentView<'a>,
}

/// The result of a table to enter.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"seats": [{"entrant": 1, "place": 1}, {"entrant": 4, "place": 2, "no_show": true}], "reason": "Red did not come"}))]
pub(crate) struct EnterResult {
    /// One entry for each entrant of the table.
    #[schema(min_items = 2, max_items = 4)]
    pub seats: Vec<EnterSeatResult>,
    /// The reason, for people.
    #[schema(min_length = 1, max_length = 200)]
    pub reason: String,
    /// Whether later rounds are taken back: their games are aborted, their results are lost, and they are paired anew.
    /// In a knock-out, only this changes a result from which the next round was paired.
    #[serde(default)]
    pub take_back: bool,
}

/// The result of one entrant to enter.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EnterSeatResult {
    /// The number of the entrant.
    #[schema(minimum = 1, maximum = 100_000)]
    pub entrant: u32,
    /// The place, the first is 1. Entrants who share a place have the same one, and the places after it are left out:
    /// 1, 2, 2, 4.
    #[schema(value_type = u32, minimum = 1, maximum = 4)]
    pub place: usize,
    /// The score of the game, such as pawns home.
    #[serde(default)]
    #[schema(minimum = -10_000, maximum = 10_000)]
    pub score: i64,
    /// Whether the entrant did not come. Such entrants come last, and get the points for that.
    #[serde(default)]
    pub no_show: bool,
}

/// An entrant's absence to note.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"round": 3}))]
pub(crate) struct NoteAbsence {
    /// The number of the round, which is not paired yet.
    #[schema(minimum = 1, maximum = 10_000)]
    pub round: u32,
}

/// The standings of a tournament.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Standings<'a> {
    /// The number of rounds that count.
    pub rounds: usize,
    /// The entrants, best first.
    pub standings: Vec<StandingView<'a>>,
}

/// The place of one entrant, with its reasons.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StandingView<'a> {
    /// The place, the first is 1. Entrants whom nothing separates share a place.
    pub place: usize,
    /// The number of the entrant.
    pub entrant: u32,
    /// The name of the entrant.
    pub name: &'a str,
    /// How far the entrant came in a knock-out, which counts before the points; a larger number is better. 0 in all
    /// other formats.
    pub reached: u32,
    /// The points so far. Shares of points are multiples of 1/144.
    pub points: f64,
    /// The tie-breaks in their order.
    pub tie_breaks: Vec<TieBreakView>,
    /// The tie-break that separates the entrant from the one above. Absent if the points or the knock-out do, or if
    /// they share a place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<TieBreakWord>,
    /// The prizes of the place, from the first round on. Entrants who share a place share the prizes of all places that
    /// they take. Absent if the place has none.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false)]
    pub prizes: &'a [String],
}

/// The value of a tie-break for one entrant.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TieBreakView {
    /// The tie-break.
    pub tie_break: TieBreakWord,
    /// Its value; a larger one is better.
    pub value: f64,
    /// What each round adds to the value.
    pub parts: Vec<TieBreakPart>,
}

/// What one round adds to the value of a tie-break.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TieBreakPart {
    /// The number of the round.
    pub round: usize,
    /// The numbers of the opponents who count.
    pub opponents: Vec<u32>,
    /// The value that the round adds.
    pub value: f64,
    /// Whether the round is left out of the sum.
    pub cut: bool,
}

/// Which standings to read.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct StandingsQuery {
    /// The standings after this round. By default those after the last one.
    #[param(minimum = 0, maximum = 10_000)]
    pub round: Option<u32>,
}

/// The part of a tournament to export.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportQuery {
    /// Only this round. By default all rounds. The standings of JSON are those after all rounds in any case.
    #[param(minimum = 1, maximum = 10_000)]
    pub round: Option<u32>,
}

/// A whole tournament: everything from which its standings can be computed again.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TournamentExport<'a> {
    /// The tournament with its terms and entrants. When it is over, also with the seed of all lots.
    pub tournament: TournamentView<'a>,
    /// The rounds with their tables, games and results.
    pub rounds: Vec<RoundView<'a>>,
    /// The standings, with every tie-break.
    pub standings: Vec<StandingView<'a>>,
}
