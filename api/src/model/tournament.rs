//! Tournaments, as JSON: their terms and entrants.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::creation::{OptionValue, Robot, TurnTimer};
use super::game::RuleSetRef;

/// A tournament to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"title": "Village cup", "rule_set": "pagade", "format": {"kind": "swiss", "rounds": 5}}))]
pub(crate) struct CreateTournament {
    /// A title for people, as for a game.
    #[schema(min_length = 1, max_length = 80)]
    pub title: Option<String>,
    /// The id of the rule set of all games.
    #[schema(min_length = 1, max_length = 64)]
    pub rule_set: String,
    /// The version of the rule set. By default the newest one. All games of the tournament have it, whatever is
    /// published later.
    #[schema(min_length = 1, max_length = 64)]
    pub version: Option<String>,
    /// Values of options of the rule set, as for a game.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// Which seats of the board play, in the order of travel: one list for each number of seats. By default, seats that
    /// lie as evenly as the rule set allows.
    #[serde(default)]
    #[schema(max_items = 8)]
    pub boards: Vec<Vec<String>>,
    /// The time limit for decisions, as for a game. With `forfeit_after`, no round waits for somebody who does not
    /// come.
    pub turn_timer: Option<TurnTimer>,
    /// The pause before a robot plays its turn, in milliseconds, as for a game. With 0, games of robots take seconds.
    #[schema(value_type = Option<u32>, minimum = 0, maximum = 10_000)]
    pub robot_pause_milliseconds: Option<u16>,
    /// Whether all tables of a round get the same throws. Until a round is over, its games and their seed are then
    /// shown to the organiser and to the players of each game only.
    #[serde(default)]
    pub same_dice: bool,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// The order of the entrants before the first round.
    #[serde(default)]
    pub seeding: SeedingWord,
    /// The consequences for entrants who do not come. By default a game waits for them as long as `turn_timer` does.
    pub no_show: Option<NoShow>,
    /// The points for each place. By default 6 for the first place, 0 for the last one, and even steps between them.
    pub points: Option<TournamentPoints>,
    /// The tie-breaks in their order. By default `buchholz`, `direct_meeting`, `wins`, `score_difference`, `lots`.
    #[schema(max_items = 8)]
    pub tie_breaks: Option<Vec<TieBreakWord>>,
    /// The prizes for the first places, for people: the first entry is the prize of the winner. The standings show
    /// them.
    #[serde(default)]
    #[schema(value_type = Vec<PrizeText>, max_items = 16)]
    pub prizes: Vec<String>,
    /// Number of members of an entrant. The members of a team sit at the same table and have to be partners by the
    /// rules: the rule set `pagade` needs the option `mode` with the value `partnership`.
    #[schema(minimum = 1, maximum = 4, default = 1)]
    pub team_size: Option<u32>,
    /// Whether the organiser may enter robots.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub robots: bool,
    /// Who may enter.
    #[serde(default)]
    pub registration: RegistrationWord,
    /// Maximum number of entrants who play. Further ones wait until a place is free.
    #[schema(minimum = 2, maximum = 1024, default = 1024)]
    pub most_entrants: Option<u32>,
    /// Whether people may enter by themselves after the start. The organiser may always enter them, if the format has a
    /// place.
    #[serde(default)]
    pub late_entries: bool,
    /// Whether each round is paired by itself when all results are in, and the tournament ends by itself after the last
    /// one. An arena always does so.
    #[serde(default)]
    pub automatic: bool,
    /// The seed of all lots. By default the server draws one.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub seed: Option<String>,
}

fn yes() -> bool {
    true
}

/// The consequences for entrants who do not come.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"seconds": 600, "withdraw_after": 2}))]
pub(crate) struct NoShow {
    /// The time for the first decision of a seat in a game, in place of the time of `turn_timer`. It begins with the
    /// first turn of the seat: for the first seat with the game. A seat that decides nothing within it forfeits the
    /// game, and the entrant counts as one who did not come. If all others forfeit before anybody has made a decision,
    /// the last entrant has the same time, and wins by the first decision.
    #[schema(minimum = 1, maximum = 1_209_600)]
    pub seconds: u32,
    /// The entrant is withdrawn after missing this number of tables. By default never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 64)]
    pub withdraw_after: Option<u32>,
}

/// The text of a prize, as a client sends it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PrizeText;

impl PartialSchema for PrizeText {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(200));
        text.description(Some("The text of a prize.")).into()
    }
}

impl ToSchema for PrizeText {}

/// The form of a tournament.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"kind": "groups", "table": 4, "groups": 4, "advance": 2, "knock_out_table": 4}))]
pub(crate) struct TournamentFormat {
    /// The kind of the form.
    pub kind: FormatKind,
    /// Number of entrants at a full table; the rule set must have tables of this size. A `knock_out` has 2 or 4; at a
    /// table of four, two go on. If three are left for whom the rule set has no table, two play, and one has a bye: in
    /// a knock-out the strongest. A `round_robin` has full tables only.
    #[schema(minimum = 2, maximum = 4, default = 2)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<u32>,
    /// Number of rounds. Needed for `swiss`, and only there.
    #[schema(minimum = 1, maximum = 64)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// How many times the schedule is played, in `round_robin` and `groups`.
    #[schema(minimum = 1, maximum = 16, default = 1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<u32>,
    /// Whether a table of a `swiss` or `arena` may have one seat fewer, so that fewer entrants have a bye; two fewer,
    /// if the rule set has no table for one fewer. By default they may, but tables of an `arena` not by two seats. If
    /// too few entrants are left for any table, they play at the largest table that they can fill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smaller_tables: Option<bool>,
    /// Number of groups. Needed for `groups`, and only there.
    #[schema(minimum = 1, maximum = 128)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<u32>,
    /// Number of entrants of each group who go on to the knock-out. Needed for `groups`, and only there.
    #[schema(minimum = 1, maximum = 64)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advance: Option<u32>,
    /// Number of entrants at a table of the knock-out after `groups`: 2 or 4.
    #[schema(minimum = 2, maximum = 4, default = 2)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub knock_out_table: Option<u32>,
    /// In a knock-out of two at a table: the greatest number of games that decide a table, an odd one.
    #[schema(minimum = 1, maximum = 15, default = 1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_of: Option<u32>,
    /// In a knock-out of two at a table: whether the losers of the semi-finals play for the third place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub third_place: Option<bool>,
    /// The time for which an `arena` is open. Needed for `arena`, and only there.
    #[schema(minimum = 1, maximum = 86_400)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u32>,
}

/// The kind of a tournament's form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FormatKind {
    /// All entrants meet all others.
    RoundRobin,
    /// Entrants with similar scores meet, as often as there are rounds.
    Swiss,
    /// Losers leave the tournament.
    KnockOut,
    /// A round robin in each of several groups, then a knock-out of the best.
    Groups,
    /// Entrants who are free play at once, as long as the arena is open. Entrants come and go.
    Arena,
}

/// The order of the entrants before the first round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeedingWord {
    /// An order by lot.
    #[default]
    Lots,
    /// The order of their numbers, the strongest first.
    AsListed,
}

/// A rule that orders entrants with equal points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TieBreakWord {
    /// The sum of the opponents' points; at a table of three or four, their mean. In a round without opponents, the
    /// entrant's own points count.
    Buchholz,
    /// The sum of `buchholz` without the round that adds least.
    BuchholzCut1,
    /// The points of opponents who finished below, and half of the points of those who shared the place. At a table of
    /// three or four, divided by the number of opponents.
    SonnebornBerger,
    /// The results among entrants who are still equal, if each two of them have met.
    DirectMeeting,
    /// The number of tables at which the entrant finished above every opponent who came.
    Wins,
    /// The entrant's game scores (pawns home) less the mean of the opponents' scores.
    ScoreDifference,
    /// A lot from the seed of the tournament.
    Lots,
}

impl TieBreakWord {
    /// Returns the word of the tie-break, as JSON has it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Buchholz => "buchholz",
            Self::BuchholzCut1 => "buchholz_cut1",
            Self::SonnebornBerger => "sonneborn_berger",
            Self::DirectMeeting => "direct_meeting",
            Self::Wins => "wins",
            Self::ScoreDifference => "score_difference",
            Self::Lots => "lots",
        }
    }
}

/// Who may enter a tournament.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RegistrationWord {
    /// Everybody.
    #[default]
    Open,
    /// Everybody who sends the invitation, which the organiser gets when the tournament is created.
    Invited,
    /// Only entrants whom the organiser enters.
    List,
}

/// The points for each place, by the number of entrants at a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"two": [6, 0], "three": [6, 3, 0], "four": [6, 4, 2, 0], "bye": 6, "absent": 0, "no_show": 0}))]
pub(crate) struct TournamentPoints {
    /// First and second place at a table of two.
    #[schema(value_type = Vec<PlacePoints>, min_items = 2, max_items = 2)]
    pub two: Vec<u16>,
    /// First to third place at a table of three.
    #[schema(value_type = Vec<PlacePoints>, min_items = 3, max_items = 3)]
    pub three: Vec<u16>,
    /// First to fourth place at a table of four.
    #[schema(value_type = Vec<PlacePoints>, min_items = 4, max_items = 4)]
    pub four: Vec<u16>,
    /// The points for a bye.
    #[schema(value_type = u32, minimum = 0, maximum = 1000)]
    pub bye: u16,
    /// The points for a round in which the entrant is absent and has said so before it was paired.
    #[schema(value_type = u32, minimum = 0, maximum = 1000)]
    pub absent: u16,
    /// The points for a table to which the entrant did not come.
    #[serde(default)]
    #[schema(value_type = u32, minimum = 0, maximum = 1000, default = 0)]
    pub no_show: u16,
}

/// The points for one place, as a client sends them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacePoints;

impl PartialSchema for PlacePoints {
    fn schema() -> RefOr<Schema> {
        let points = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(1000));
        points.description(Some("The points for one place.")).into()
    }
}

impl ToSchema for PlacePoints {}

/// How far a tournament is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TournamentStatusWord {
    /// People enter.
    Open,
    /// Rounds are paired and played.
    Running,
    /// No round follows.
    Finished,
}

/// A tournament that was created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedTournament<'a> {
    /// The token of the organiser, who may do everything. No other answer shows it.
    #[schema(example = "pagade_tournament_01992b3e8c5a7d52b3c96f1f0a6f2e17_0f3c...")]
    pub token: &'a str,
    /// A token for arbiters, who enter and correct results and pair rounds. No other answer shows it.
    pub arbiter_token: &'a str,
    /// The invitation, which people send when they enter. Only if the registration is `invited`. No other answer shows
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<&'a str>,
    /// The tournament.
    pub tournament: TournamentView<'a>,
}

/// A new token of a tournament that replaces an old one.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NewTournamentToken<'a> {
    /// The new token. No other answer shows it.
    #[schema(example = "pagade_tournament_01992b3e8c5a7d52b3c96f1f0a6f2e17_5b1e...")]
    pub token: &'a str,
    /// The tournament.
    pub tournament: TournamentView<'a>,
}

/// A tournament.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TournamentView<'a> {
    /// The id of the tournament.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The version of the tournament, which is also its `ETag`. It grows by one with every change.
    pub version: u64,
    /// How far the tournament is.
    pub status: TournamentStatusWord,
    /// The title of the tournament, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    /// The rule set of all games.
    pub rule_set: RuleSetRef,
    /// The options that were chosen.
    pub options: BTreeMap<&'a str, OptionValue>,
    /// Which seats of the board play, by their number.
    pub boards: &'a [Vec<String>],
    /// The time limit for decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_timer: Option<TurnTimer>,
    /// The pause before a robot plays its turn, in milliseconds. Absent if it is 500.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot_pause_milliseconds: Option<u16>,
    /// Whether all tables of a round get the same throws. Until a round is over, its games and their seed are then
    /// shown to the organiser and to the players of each game only.
    pub same_dice: bool,
    /// The consequences for entrants who do not come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_show: Option<NoShow>,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// The order of the entrants before the first round.
    pub seeding: SeedingWord,
    /// The points for each place.
    pub points: TournamentPoints,
    /// The tie-breaks in their order.
    pub tie_breaks: Vec<TieBreakWord>,
    /// The prizes for the first places, the prize of the winner first.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false)]
    pub prizes: &'a [String],
    /// Number of members of an entrant.
    pub team_size: usize,
    /// Whether the organiser may enter robots.
    pub robots: bool,
    /// Who may enter.
    pub registration: RegistrationWord,
    /// Maximum number of entrants who play.
    pub most_entrants: usize,
    /// Whether people may enter by themselves after the start.
    pub late_entries: bool,
    /// Whether rounds are paired by themselves.
    pub automatic: bool,
    /// The entrants in the order in which they got their places, those who withdrew too.
    pub entrants: Vec<EntrantView<'a>>,
    /// The rounds that were paired, in short.
    pub rounds: Vec<RoundSummary>,
    /// The SHA-256 of the seed of all lots, in hexadecimal.
    pub seed_hash: String,
    /// The seed of all lots. Shown when the tournament is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The time at which the tournament was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The time of the start. Absent before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub started_at: Option<String>,
    /// The time of the last change.
    #[schema(format = DateTime)]
    pub updated_at: String,
    /// Number of events so far.
    pub events: u64,
}

/// An entrant.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EntrantView<'a> {
    /// The number of the entrant.
    pub number: u32,
    /// The name of the entrant, for people.
    pub name: &'a str,
    /// The members of a team, in the order of play. Absent for somebody who plays alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub members: Vec<&'a str>,
    /// The ids of the players among the members.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, value_type = Vec<String>)]
    pub players: Vec<Uuid>,
    /// The robot that plays for the entrant. Absent for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<Robot>,
    /// Whether the entrant waits for a place.
    pub waiting: bool,
    /// The first round for which the entrant is paired. Absent for entrants from the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_round: Option<usize>,
    /// The first round for which the entrant is no longer paired. Absent for entrants who are still there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_before_round: Option<usize>,
    /// The rounds for which the entrant asked not to be paired.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub absent_in_rounds: Vec<usize>,
    /// Number of tables to which the entrant did not come since the last return. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_shows: Option<usize>,
    /// Whether the entrant was withdrawn because they did not come. Absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub removed: bool,
    /// Whether the organiser has withdrawn the entrant, who then is brought back by the organiser only. Absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub excluded: bool,
}

/// A round in short.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RoundSummary {
    /// The number of the round, the first is 1.
    pub round: usize,
    /// The group that has the games of the round: `GET /v1/groups/{id}/games` lists them.
    #[schema(value_type = String, format = "uuid")]
    pub group: Uuid,
    /// Number of tables.
    pub tables: usize,
    /// Number of tables with results.
    pub results: usize,
}

/// The result of one entrant at a table.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SeatResultView {
    /// The number of the entrant.
    pub entrant: u32,
    /// The place, the first is 1. Entrants who share a place have the same one.
    pub place: usize,
    /// The score of the game: the pawns that came home.
    pub score: i64,
    /// Whether the entrant did not come.
    pub no_show: bool,
}
