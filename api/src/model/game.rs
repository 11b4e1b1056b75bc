//! Games on the wire.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::ending::{AgreesTo, EndedBy, GaveUp};
use super::written::{PawnId, WrittenJson};

/// A game to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"rule_set": "pagade", "players": ["red", "yellow"], "hot_seat": true}))]
pub(crate) struct CreateGame {
    /// Id of the rule set.
    #[schema(min_length = 1, max_length = 64)]
    pub rule_set: String,
    /// Version of the rule set. The newest one by default.
    #[schema(min_length = 1, max_length = 64)]
    pub version: Option<String>,
    /// Values for options of the rule set. An option that is left out has its default.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// The seats that play. The full table by default.
    #[schema(min_items = 1, max_items = 8)]
    pub players: Option<Vec<String>>,
    /// Who throws the dice.
    #[serde(default)]
    pub dice: DiceHolder,
    /// The seed of the server's dice, by default drawn from the operating system. A client that knows the seed knows
    /// every throw, unless players contribute.
    #[schema(pattern = "^[!-~]([ -~]{0,126}[!-~])?$")]
    pub seed: Option<String>,
    /// The time limit for decisions, and what the server does with a late turn. No limit by default. Needs the server's
    /// dice.
    pub turn_timer: Option<TurnTimer>,
    /// Whether only tokens of the game may see and join it.
    #[serde(default)]
    pub private: bool,
    /// The creator's token plays every seat, and the game starts at once.
    #[serde(default)]
    pub hot_seat: bool,
    /// A title for people: not blank, on one line, without characters that change the direction of text. Spaces around
    /// it are removed, and it is shown in Unicode's composed form (NFC).
    #[schema(min_length = 1, max_length = 80)]
    pub title: Option<String>,
}

/// The value of an option: a word, a number or a truth value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum OptionValue {
    /// Yes or no.
    Truth(bool),
    /// A number.
    Number(i64),
    /// A word.
    Word(String),
}

/// Who throws the dice of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiceHolder {
    /// The server, from the seed.
    #[default]
    Server,
    /// The players, who send what they threw: for real boards.
    Players,
}

/// Who chose the seed of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeedBy {
    /// The server, at random: nobody knows the seed before the game is over.
    Server,
    /// The owner, who may therefore know every throw in advance.
    Owner,
}

/// How long a decision, a throw or an action, may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"seconds": 60, "then": "random"}))]
pub struct TurnTimer {
    /// Seconds for each decision.
    #[schema(minimum = 1, maximum = 1_209_600)]
    pub seconds: u32,
    /// How the server plays the rest of the turn when the time is over.
    #[serde(default)]
    pub then: WhenLate,
    /// Number of late decisions in a row after which a seat forfeits the game. By default a seat never forfeits.
    #[schema(minimum = 1, maximum = 100)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit_after: Option<u8>,
}

/// How the server plays a late turn to its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhenLate {
    /// It throws if a throw is due, and plays a random legal action; all are equally likely.
    #[default]
    Random,
    /// It throws if a throw is due, and plays the first action of `legal`.
    First,
}

/// The status of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// Seats are joined and left.
    Open,
    /// It is played.
    Playing,
    /// It is over.
    Finished,
}

/// What a game waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Awaits {
    /// The start.
    Start,
    /// A throw of the seat to move.
    Throw,
    /// An action of the seat to move: one of `legal`.
    Action,
    /// Nothing: it is over.
    Nothing,
}

/// A game that was created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedGame<'a> {
    /// The owner's token, which starts the game and frees seats; with `hot_seat` it plays every seat. Shown only in
    /// this answer.
    #[schema(example = "pagade_0f3c...")]
    pub token: &'a str,
    /// For private games: the token for guests, who may see and join the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<&'a str>,
    /// The game.
    pub game: GameView<'a>,
}

/// A seat that was joined.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct JoinedSeat<'a> {
    /// The seat.
    #[schema(example = "red")]
    pub seat: &'a str,
    /// The seat's token, which plays and leaves the seat. Shown only in this answer.
    #[schema(example = "pagade_77aa...")]
    pub token: &'a str,
    /// The game.
    pub game: GameView<'a>,
}

/// A new token in place of an old one.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NewToken<'a> {
    /// The token. Shown only here.
    #[schema(example = "pagade_5b1e...")]
    pub token: &'a str,
    /// The game.
    pub game: GameView<'a>,
}

/// Who joins a seat.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Asha", "contribution": "nine tamarind seeds"}))]
pub(crate) struct JoinSeat {
    /// A name for people: not blank, on one line, in one direction, and no other player's at this table. White space around
    /// it is left out, and it is shown in Unicode's composed form (NFC).
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// A text of the player's own that is mixed into the server's dice. Their seed was fixed before (`seed_hash`), so
    /// neither the server nor the chooser of the seed can know the throws in advance. Everybody can see the text.
    #[schema(pattern = "^[!-~]([ -~]{0,62}[!-~])?$")]
    pub contribution: Option<String>,
}

/// A body without fields.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({}))]
pub(crate) struct Empty {}

/// A game.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11", "version": 3, "status": "playing", "awaits": "action",
    "rule_set": {"id": "pagade", "version": "1.0.0", "digest": "5d1f..."},
    "options": {"mode": "individual"}, "dice": "server", "private": false, "hot_seat": true,
    "created_at": "2026-11-21T09:00:00.000Z", "updated_at": "2026-11-21T09:00:05.000Z",
    "seats": [{"seat": "red", "taken": true, "paint": "#c0392b", "pawns": [{"id": "red-1", "square": "6"}]}],
    "turn": "red", "throw": "3+4", "hand": ["3", "4"], "legal": ["6-9:3", "6-10:4"], "legal_complete": true,
    "position": {"red": ["6", "7", "12", "12"]}, "counters": {"red": {"cuts": 0}}, "ranking": [], "steps": 1, "events": 4
}))]
pub(crate) struct GameView<'a> {
    /// Its id.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// Its version: grows by one with every change; the `ETag`.
    pub version: u64,
    /// Where it is in its life.
    pub status: GameStatus,
    /// Why it is over, once it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<EndedBy>,
    /// What it waits for.
    pub awaits: Awaits,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    /// The rules it is pinned to.
    pub rule_set: RuleSetRef,
    /// The options chosen, defaults included.
    #[schema(value_type = BTreeMap<String, OptionValue>)]
    pub options: &'a RawValue,
    /// Who throws the dice.
    pub dice: DiceHolder,
    /// The seed of the dice. Shown when the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<&'a str>,
    /// SHA-256 of the seed, shown from the beginning, so that the server cannot change the seed later. Keep it to
    /// verify the dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_hash: Option<&'a str>,
    /// Who chose the seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_by: Option<SeedBy>,
    /// Seen and joined only with a token of the game.
    pub private: bool,
    /// The owner's token plays every seat.
    pub hot_seat: bool,
    /// How long a decision may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_timer: Option<TurnTimer>,
    /// When the decision that is awaited is late; the server then plays the turn to its end, within a second or two.
    #[schema(format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// When it was created.
    #[schema(format = DateTime)]
    pub created_at: &'a str,
    /// When it last changed.
    #[schema(format = DateTime)]
    pub updated_at: &'a str,
    /// The seats that play, in the order of travel.
    #[schema(value_type = Vec<SeatView<'a>>)]
    pub seats: Vec<WrittenJson>,
    /// The seat to move, once it is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<&'a str>,
    /// The colour that the seat moves, where that is another's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<&'a str>,
    /// The last throw of this turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<String>,
    /// What is left to spend.
    pub hand: Vec<String>,
    /// The legal actions; empty while a throw is awaited.
    #[schema(value_type = Vec<String>)]
    pub legal: &'a [String],
    /// Whether `legal` is exact. `false`: the hand is too long to look through to its end. What is listed may be played;
    /// another action that spends as many numbers may be missing.
    pub legal_complete: bool,
    /// The squares of every colour's pawns, by seat, in its own numbering.
    #[schema(value_type = BTreeMap<&'a str, Vec<&'a str>>)]
    pub position: WrittenJson,
    /// The rule set's counters, by seat; those of the game under `game`.
    #[schema(value_type = BTreeMap<&'a str, BTreeMap<&'a str, OptionValue>>)]
    pub counters: WrittenJson,
    /// The seats that finished, first to last; everybody, where the game was ended before its rules ended it: those in play
    /// by how far their side's pawns have come, then those that gave up.
    pub ranking: Vec<RankView<'a>>,
    /// Throws and actions so far; with `?at=N` the state is that after `N` of them.
    pub steps: u64,
    /// Events so far.
    pub events: u64,
}

/// The fields of [`BriefGame`], in order.
pub(crate) const BRIEF_FIELDS: [&str; 14] = [
    "id",
    "version",
    "status",
    "ended_by",
    "awaits",
    "deadline",
    "seconds_left",
    "turn",
    "moves",
    "throw",
    "hand",
    "legal",
    "legal_complete",
    "events",
];

/// The part of a game that a client needs to play on. Its fields are those of a game, and `seconds_left`.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BriefGame<'a> {
    /// Its id.
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    /// Its version: grows by one with every change; the `ETag`.
    pub version: u64,
    /// Where it is in its life.
    pub status: GameStatus,
    /// Why it is over, once it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<EndedBy>,
    /// What it waits for.
    pub awaits: Awaits,
    /// When the decision that is awaited is late; the server then plays the turn to its end, within a second or two.
    #[schema(format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// Whole seconds from the writing of this answer to `deadline`, for clients with a wrong clock; 0 once it is late.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_left: Option<u64>,
    /// The seat to move, once it is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<&'a str>,
    /// The colour that the seat moves, where that is another's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<&'a str>,
    /// The last throw of this turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<String>,
    /// What is left to spend.
    pub hand: Vec<String>,
    /// The legal actions; empty while a throw is awaited.
    #[schema(value_type = Vec<String>)]
    pub legal: &'a [String],
    /// Whether `legal` is exact. `false`: the hand is too long to look through to its end. What is listed may be played;
    /// another action that spends as many numbers may be missing.
    pub legal_complete: bool,
    /// Events so far.
    pub events: u64,
}

/// Rules by name and digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({"id": "pagade", "version": "1.0.0", "digest": "5d1f..."}))]
pub(crate) struct RuleSetRef {
    /// The id.
    pub id: String,
    /// The version.
    pub version: String,
    /// BLAKE3 of its text, in hexadecimal.
    pub digest: String,
}

/// A seat of a game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SeatView<'a> {
    /// Its name: the colour.
    pub seat: &'a str,
    /// Whether a player has joined the seat.
    pub taken: bool,
    /// The player's name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The player's contribution to the dice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contribution: Option<&'a str>,
    /// How the seat gave up, if it did. The server then plays its turns at random; if the players hold the dice, any of
    /// them may play its turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gave_up: Option<GaveUp>,
    /// The proposal that the player agrees to, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees_to: Option<AgreesTo>,
    /// A CSS colour to draw it with.
    pub paint: &'a str,
    /// Its pawns; ids stay the same for the whole game.
    pub pawns: Vec<PawnView<'a>>,
}

/// A pawn.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"id": "black-2", "square": "17", "marks": ["returned"]}))]
pub(crate) struct PawnView<'a> {
    /// Its id.
    #[schema(value_type = String)]
    pub id: PawnId<'a>,
    /// Where it stands, in its colour's numbering.
    pub square: &'a str,
    /// The marks of the pawn, as the rule set declares them. Left out if it has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub marks: Vec<&'a str>,
}

/// A place in the ranking.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"place": 1, "seat": "red", "title": "winner"}))]
pub(crate) struct RankView<'a> {
    /// From 1; seats that are tied share a place.
    pub place: u8,
    /// The seat.
    pub seat: &'a str,
    /// The name of the place in the rule set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
}

/// A game in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11", "version": 3, "status": "open",
    "rule_set": {"id": "pagade", "version": "1.0.0", "digest": "5d1f..."},
    "created_at": "2026-11-21T09:00:00.000Z", "updated_at": "2026-11-21T09:00:05.000Z", "free_seats": ["yellow"]
}))]
pub(crate) struct GameSummary {
    /// Its id.
    #[schema(format = "uuid")]
    pub id: String,
    /// Its version.
    pub version: u64,
    /// Where it is in its life.
    pub status: GameStatus,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The rules it is pinned to.
    pub rule_set: RuleSetRef,
    /// When it was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it last changed.
    #[schema(format = DateTime)]
    pub updated_at: String,
    /// Seats that can be joined.
    pub free_seats: Vec<String>,
}

/// A page of games.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct GameList {
    /// Newest first; private games are not listed.
    pub games: Vec<GameSummary>,
    /// The value of `cursor` for the next page. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema;

    use super::*;

    #[test]
    fn the_fields_of_a_brief_game_are_listed() {
        let schema = serde_json::to_value(BriefGame::schema()).unwrap();
        let mut known = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>();
        let mut listed = BRIEF_FIELDS.to_vec();
        known.sort_unstable();
        listed.sort_unstable();
        assert_eq!(known, listed);
    }
}
