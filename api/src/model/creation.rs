//! The creation of games and the joining of seats, as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::game::GameView;

/// A game to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"rule_set": "pagade", "players": ["red", "yellow"], "hot_seat": true}))]
pub(crate) struct CreateGame {
    /// The id of the rule set.
    #[schema(min_length = 1, max_length = 64)]
    pub rule_set: String,
    /// The version of the rule set. By default the newest one.
    #[schema(min_length = 1, max_length = 64)]
    pub version: Option<String>,
    /// Values of options. The others have their default values.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// The names of the seats that play. By default all seats of the rule set play.
    #[schema(min_items = 1, max_items = 8)]
    pub players: Option<Vec<String>>,
    /// Whether the server or the players throw the dice.
    #[serde(default)]
    pub dice: DiceHolder,
    /// The seed of the server's dice, by default random. With it, every throw can be known in advance, unless players
    /// contribute.
    #[schema(pattern = "^[!-~]([ -~]{0,126}[!-~])?$")]
    pub seed: Option<String>,
    /// The time limit for decisions, by default none. Only if the server throws the dice.
    pub turn_timer: Option<TurnTimer>,
    /// Whether the game can be seen and joined only with a token of the game.
    #[serde(default)]
    pub private: bool,
    /// Whether the owner's token plays every seat but those of robots. The game then starts at once.
    #[serde(default)]
    pub hot_seat: bool,
    /// A title for people, written as the name of a player.
    #[schema(min_length = 1, max_length = 80)]
    pub title: Option<String>,
    /// The players who have a seat from the beginning, by seat. The answer contains their tokens. Not with `hot_seat`.
    #[serde(default)]
    pub seats: BTreeMap<String, JoinSeat>,
    /// The seat of the player whose token the request has.
    #[schema(min_length = 1, max_length = 64)]
    pub my_seat: Option<String>,
    /// Robots by seat. Only if the server throws the dice.
    #[serde(default)]
    pub robots: BTreeMap<String, Robot>,
    /// The robot that plays for a player who follows the game by a stream, and loses this connection. `GET /v1/limits`
    /// says after how long, and how long the player may come back. By default no robot plays for absent players. Only
    /// if the server throws the dice; not with `hot_seat`.
    pub stand_in: Option<Robot>,
    /// The pause before a robot plays its turn, in milliseconds: by default 500, so that people can follow it. A game
    /// of robots with a pause of 0 goes on as fast as the server can play it.
    #[schema(value_type = Option<u32>, minimum = 0, maximum = 10_000)]
    pub robot_pause_milliseconds: Option<u16>,
    /// Whether the game starts at once, with all seats taken.
    #[serde(default)]
    pub start: bool,
}

/// A robot for any set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Robot {
    /// Plays a random legal action. Voluntary actions are played only if no other is legal.
    Random,
    /// Moves the pawn that is nearest home.
    Runner,
    /// Captures the pawn that loses the most steps. Without a capture, wins a throw, else brings a pawn home, else
    /// plays as `runner`.
    Hunter,
    /// Tries every way to spend the hand, and values the positions that are left.
    Thinker,
    /// Plays as `thinker`, by values that self-play has found for the rule set and the number of players: the strongest
    /// robot.
    Learned,
}

/// The player who joins a seat.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Asha", "contribution": "nine tamarind seeds"}))]
pub(crate) struct JoinSeat {
    /// A name for people: not blank, on one line, without characters that change the direction of text, and not the
    /// name of another player of the game. It is shown trimmed, in Unicode's composed form (NFC).
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// A text of the player that is mixed into the server's dice, which everyone can see. `seed_hash` was published
    /// before, so no one can know the throws in advance.
    #[schema(pattern = "^[!-~]([ -~]{0,62}[!-~])?$")]
    pub contribution: Option<String>,
    /// The invitation to a private game, if the request has the token of a player instead.
    #[schema(min_length = 1, max_length = 200)]
    pub invitation: Option<String>,
}

/// The value of an option: a word, a number or a truth value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum OptionValue {
    /// The value of an option that is true or false.
    Truth(bool),
    /// The value of an option that is a number.
    Number(i64),
    /// The value of an option that is a word.
    Word(String),
}

/// Who throws the dice of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiceHolder {
    /// The server throws. Its throws are computed from the seed.
    #[default]
    Server,
    /// The players throw, for example with real dice, and send what they threw.
    Players,
}

/// The time limit for decisions. A throw and an action are decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"seconds": 60, "then": "random"}))]
pub struct TurnTimer {
    /// Seconds for each decision.
    #[schema(minimum = 1, maximum = 1_209_600)]
    pub seconds: u32,
    /// How the server plays the remaining part of the turn when the time is over. A question of the rules is answered
    /// by the last line of `choices` that is open.
    #[serde(default)]
    pub then: WhenLate,
    /// Number of late decisions in a row after which a seat forfeits the game. By default a seat never forfeits.
    #[schema(minimum = 1, maximum = 100)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit_after: Option<u8>,
    /// Whether a seat that was late is in automatic mode: the server plays its next turns at once, until its player
    /// sends a command.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub automatic: bool,
}

/// The way in which the server plays a late turn to its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhenLate {
    /// The server throws if a throw is due, and plays a random legal action. All are equally likely,
    /// but voluntary actions are played only if no other is legal.
    #[default]
    Random,
    /// The server throws if a throw is due, and plays the first action of `legal`.
    First,
    /// The robot `runner` plays.
    Runner,
    /// The robot `hunter` plays.
    Hunter,
    /// The robot `thinker` plays.
    Thinker,
    /// The robot `learned` plays.
    Learned,
}

/// A game that was created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedGame<'a> {
    /// The owner's token, which starts the game and frees seats. With `hot_seat` it plays every seat. No other answer
    /// shows it.
    #[schema(example = "pagade_game_01992b3e8c5a7d52b3c96f1f0a6f2e11_0f3c...")]
    pub token: &'a str,
    /// Only for private games: the token for guests, with which they can see and join the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<&'a str>,
    /// The tokens of the seats that were given to players, by seat.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false, example = json!({"red": "pagade_game_..."}))]
    pub seats: BTreeMap<&'a str, &'a str>,
    /// The game.
    pub game: GameView<'a>,
}

/// A seat that was joined.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct JoinedSeat<'a> {
    /// The name of the seat.
    #[schema(example = "red")]
    pub seat: &'a str,
    /// The token of the seat, which plays and leaves the seat. No other answer shows it.
    #[schema(example = "pagade_game_01992b3e8c5a7d52b3c96f1f0a6f2e11_77aa...")]
    pub token: &'a str,
    /// The game.
    pub game: GameView<'a>,
}

/// A new token that replaces an old one.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NewToken<'a> {
    /// The new token. No other answer shows it.
    #[schema(example = "pagade_game_01992b3e8c5a7d52b3c96f1f0a6f2e11_5b1e...")]
    pub token: &'a str,
    /// The game.
    pub game: GameView<'a>,
}

/// A body without fields.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({}))]
pub(crate) struct Empty {}
