//! Games as JSON.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::creation::{DiceHolder, OptionValue, Robot, TurnTimer};
use super::ending::{AgreesTo, EndedBy, GaveUp};
use super::scoring::ScoringView;
use super::written::{PawnId, SquareId, WrittenJson};

/// The one who chose the seed of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeedBy {
    /// The server chose the seed at random. It is secret until the game is over.
    Server,
    /// The owner chose the seed, and may therefore know every throw in advance.
    Owner,
}

/// The status of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// The game has not started. Seats can be joined and left.
    Open,
    /// The game has started and is not over.
    Playing,
    /// The game is over.
    Finished,
}

/// The next thing that has to happen in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Awaits {
    /// The owner has to start the game.
    Start,
    /// The seat whose turn it is has to throw.
    Throw,
    /// The seat whose turn it is has to play an action of `legal`.
    Action,
    /// Nothing has to happen, because the game is over.
    Nothing,
}

/// A game.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11", "version": 3, "status": "playing", "awaits": "action",
    "rule_set": {"id": "pagade", "version": "1.0.0", "digest": "5d1f..."},
    "options": {"mode": "individual"}, "dice": "server", "private": false, "hot_seat": true,
    "created_at": "2026-11-21T09:00:00.000Z", "updated_at": "2026-11-21T09:00:05.000Z",
    "seats": [{"seat": "red", "taken": true, "paint": "#c0392b", "pawns": [{"id": "red-1", "place": "6", "square": "x10y6"}]}],
    "turn": "red", "throw": "3+4", "hand": ["3", "4"], "legal": ["6-9:3", "6-10:4"], "legal_complete": true,
    "position": {"red": ["6", "7", "12", "12"]}, "counters": {"red": {"cuts": 0}}, "ranking": [], "steps": 1, "events": 4
}))]
pub(crate) struct GameView<'a> {
    /// The id of the game.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The version of the game, which is also its `ETag`. It grows by one with every change.
    pub version: u64,
    /// The status of the game.
    pub status: GameStatus,
    /// The reason why the game is over. Absent before that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<EndedBy>,
    /// The next thing that has to happen in the game.
    pub awaits: Awaits,
    /// The title of the game, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    /// Id of the group to which the game belongs. Absent if it belongs to none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub group: Option<Uuid>,
    /// Id of the table at which the game is played. Absent if it is played without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub table: Option<Uuid>,
    /// Id of the tournament that gets the result of the game. Absent for all other games.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub tournament: Option<Uuid>,
    /// Whether and how the game counts. Absent in practice games, and in games without a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scoring: Option<ScoringView>,
    /// The rule set of the game. It never changes, even if a newer version is published.
    pub rule_set: RuleSetRef,
    /// The values of all options of the rule set, including defaults.
    #[schema(value_type = BTreeMap<String, OptionValue>)]
    pub options: &'a RawValue,
    /// Whether the server or the players throw the dice.
    pub dice: DiceHolder,
    /// The seed of the dice. Present only when the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<&'a str>,
    /// SHA-256 of the seed, shown from the beginning, so that the server cannot change the seed later. Note it down to
    /// verify the dice at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_hash: Option<&'a str>,
    /// The one who chose the seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_by: Option<SeedBy>,
    /// Whether the game can be seen and joined only with a token of the game.
    pub private: bool,
    /// Whether the owner's token plays every seat without a robot.
    pub hot_seat: bool,
    /// The time limit for decisions. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_timer: Option<TurnTimer>,
    /// The robot that plays for players who are absent. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stand_in: Option<Robot>,
    /// The pause before a robot plays its turn, in milliseconds. Absent if it is 500.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot_pause_milliseconds: Option<u16>,
    /// The time until which the awaited decision has to be made. Within a second or two after it, the server plays the
    /// turn to its end. A robot plays at this time.
    #[schema(format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// The time at which the game was created.
    #[schema(format = DateTime)]
    pub created_at: &'a str,
    /// The time of the last change.
    #[schema(format = DateTime)]
    pub updated_at: &'a str,
    /// The seats that play, in the order of travel.
    #[schema(value_type = Vec<SeatView<'a>>)]
    pub seats: Vec<WrittenJson>,
    /// The seat whose turn it is. Absent before the start and after the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<&'a str>,
    /// The seat that has to decide, where the rules ask another seat than the one whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<&'a str>,
    /// The seat whose pawns move, if they are not the pawns of the seat whose turn it is: those of its partner, for
    /// example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<&'a str>,
    /// The last throw of this turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<String>,
    /// The numbers that the turn has still to spend.
    pub hand: Vec<String>,
    /// The legal actions. The list is empty while a throw is awaited.
    #[schema(value_type = Vec<String>)]
    pub legal: &'a [String],
    /// Whether `legal` has every legal action. It is `false` if there are more actions than the list holds (512), or if
    /// the position is too large to be searched completely. All listed actions are legal even then, but others may be
    /// missing.
    pub legal_complete: bool,
    /// The labels of the places of each seat's pawns, by seat; `seats` has their squares, too.
    #[schema(value_type = BTreeMap<&'a str, Vec<&'a str>>)]
    pub position: WrittenJson,
    /// The counters that the rule set declares, by seat. Counters of the whole game are under `game`.
    #[schema(value_type = BTreeMap<&'a str, BTreeMap<&'a str, OptionValue>>)]
    pub counters: WrittenJson,
    /// The throws that decided which seat begins: in the first round all seats throw, in each later one those that were
    /// tied for the highest sum. They are not played. Absent before the start, and if no throws decided it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Vec<RollOffThrow<'a>>>>)]
    pub roll_off: Option<&'a RawValue>,
    /// The seats that have finished, best first. If the game was ended before its rules ended it, all seats: first
    /// those that still played, by how far the pawns of their side have come, then those that gave up.
    pub ranking: Vec<RankView<'a>>,
    /// Number of throws and actions so far. With `?at=N`, the state is that after `N` of them.
    pub steps: u64,
    /// Number of events so far.
    pub events: u64,
}

/// The fields of [`BriefGame`], in order.
pub(crate) const BRIEF_FIELDS: [&str; 15] = [
    "id",
    "version",
    "status",
    "ended_by",
    "awaits",
    "deadline",
    "seconds_left",
    "turn",
    "asked",
    "moves",
    "throw",
    "hand",
    "legal",
    "legal_complete",
    "events",
];

/// The part of a game that a client needs to play on. It has fields of the game, and `seconds_left`.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BriefGame<'a> {
    /// The id of the game.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// The version of the game, which is also its `ETag`. It grows by one with every change.
    pub version: u64,
    /// The status of the game.
    pub status: GameStatus,
    /// The reason why the game is over. Absent before that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<EndedBy>,
    /// The next thing that has to happen in the game.
    pub awaits: Awaits,
    /// The time until which the awaited decision has to be made. Within a second or two after it, the server plays the
    /// turn to its end.
    #[schema(format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// Whole seconds from the writing of this answer to `deadline`, for clients whose clock is wrong; 0 if the deadline
    /// has passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_left: Option<u64>,
    /// The seat whose turn it is. Absent before the start and after the end of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<&'a str>,
    /// The seat that has to decide, where the rules ask another seat than the one whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<&'a str>,
    /// The seat whose pawns move, if they are not the pawns of the seat whose turn it is: those of its partner, for
    /// example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<&'a str>,
    /// The last throw of this turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<String>,
    /// The numbers that the turn has still to spend.
    pub hand: Vec<String>,
    /// The legal actions. The list is empty while a throw is awaited.
    #[schema(value_type = Vec<String>)]
    pub legal: &'a [String],
    /// Whether `legal` has every legal action. It is `false` if there are more actions than the list holds (512), or if
    /// the position is too large to be searched completely. All listed actions are legal even then, but others may be
    /// missing.
    pub legal_complete: bool,
    /// Number of events so far.
    pub events: u64,
}

/// A rule set, by its id, version and digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({"id": "pagade", "version": "1.0.0", "digest": "5d1f..."}))]
pub(crate) struct RuleSetRef {
    /// The id of the rule set.
    pub id: String,
    /// The version of the rule set.
    pub version: String,
    /// BLAKE3 hash of the rule set's text, in hexadecimal.
    pub digest: String,
}

/// A seat of a game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SeatView<'a> {
    /// The name of the seat, which is its colour.
    pub seat: &'a str,
    /// Whether a player has joined the seat, or a robot plays it.
    pub taken: bool,
    /// The name of the player, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The id of the player, if the seat was joined with a player's token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub player: Option<Uuid>,
    /// The robot that plays the seat, if one does; also the one that plays for a player without a connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<Robot>,
    /// Who decides for the seat. Absent if the seat is free or has given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Control>,
    /// The time until which a player without a connection may come back: `POST /v1/games/{id}/seats/{seat}/return`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub return_until: Option<String>,
    /// The text that the player contributed to the dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contribution: Option<&'a str>,
    /// How the seat gave up, if it did. The server then plays its turns at random; if the players throw the dice, any
    /// of them may play its turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gave_up: Option<GaveUp>,
    /// The proposal that the player agrees to, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees_to: Option<AgreesTo>,
    /// A CSS colour to draw the seat and its pawns with.
    pub paint: &'a str,
    /// The pawns of the seat, and of the other colours of a player with several. Their ids begin with their colour and
    /// stay the same for the whole game.
    pub pawns: Vec<PawnView<'a>>,
}

/// Who decides for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Control {
    /// The player of the seat.
    Player,
    /// A robot: that of the seat, or the one that plays for a player without a connection.
    Robot,
    /// The server, which plays the turns of the seat at once, because its player was late. Any command of the player
    /// ends this.
    Automatic,
    /// A robot to the end of the game, because the player has left, or was away for too long.
    Abandoned,
}

/// A pawn of a seat.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"id": "black-2", "place": "17", "square": "x12y8", "marks": ["returned"]}))]
pub(crate) struct PawnView<'a> {
    /// The id of the pawn.
    #[schema(value_type = String)]
    pub id: PawnId<'a>,
    /// The label of the place where the pawn stands.
    pub place: &'a str,
    /// The square where the pawn stands, as the layout of the board names it; the same for pawns of all seats. Absent
    /// off the board and at home.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub square: Option<SquareId>,
    /// The marks of the pawn, as the rule set declares them. Left out if it has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub marks: Vec<&'a str>,
}

/// A rank that a seat has reached.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"place": 1, "seat": "red", "title": "winner"}))]
pub(crate) struct RankView<'a> {
    /// The rank, from 1. Seats that are tied have the same rank. Seats of a team have the rank of the team, when the
    /// game is over: the first team whose seats have all finished wins.
    pub place: u8,
    /// The name of the seat.
    pub seat: &'a str,
    /// The name that the rule set gives to this rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
}

/// A throw that helps to decide which seat begins.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"seat": "red", "throw": "5"}))]
pub(crate) struct RollOffThrow<'a> {
    /// The seat that has thrown.
    pub seat: &'a str,
    /// The throw, as text.
    pub throw: String,
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema;

    use super::*;

    #[test]
    fn the_fields_of_a_brief_game_are_listed() {
        let schema = serde_json::to_value(BriefGame::schema()).unwrap();
        let mut described = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>();
        let mut listed = BRIEF_FIELDS.to_vec();
        described.sort_unstable();
        listed.sort_unstable();
        assert_eq!(described, listed);
    }
}
