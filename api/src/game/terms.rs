//! The terms of a game, as they are stored. The API has types of its own for them, so that either form can change
//! alone.

use std::collections::BTreeMap;

use pagade_rules::ruleset::{OptionValue, Options, RuleSet};
use serde::{Deserialize, Serialize};

use pagade_robots::RobotKind;

/// The rule set of a game. It never changes, even if a newer version is published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinnedRules {
    /// The id of the rule set.
    pub id: String,
    /// The version of the rule set.
    pub version: String,
    /// The digest of the rule set's text.
    pub digest: String,
}

impl From<&RuleSet> for PinnedRules {
    fn from(set: &RuleSet) -> Self {
        Self { id: set.id().to_owned(), version: set.version().to_owned(), digest: set.digest().to_owned() }
    }
}

/// Who throws the dice of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DiceHolder {
    /// The server throws. Its throws are computed from the seed.
    Server,
    /// The players throw, and send their throws.
    Players,
}

/// Who chose the seed of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeedBy {
    /// The server chose the seed at random.
    Server,
    /// The owner chose the seed.
    Owner,
}

/// The status of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// The game has not started. Seats can be joined and left.
    Open,
    /// The game has started and is not over.
    Playing,
    /// The game is over.
    Finished,
}

/// The time limit for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnTimer {
    /// Seconds for each decision.
    pub seconds: u32,
    /// How the server plays a late turn to its end.
    pub then: WhenLate,
    /// Number of late decisions in a row after which a seat forfeits the game; `None`: a seat never forfeits.
    #[serde(default)]
    pub forfeit_after: Option<u8>,
    /// Whether a seat that was late is in automatic mode: the server plays its next turns at once, until its player
    /// sends a command.
    #[serde(default)]
    pub automatic: bool,
}

impl TurnTimer {
    /// Returns the time for a decision, in milliseconds.
    pub fn milliseconds(self) -> u64 {
        u64::from(self.seconds) * 1000
    }
}

/// Pause before a robot plays its turn, in milliseconds. It is also the pause before the server plays for a player who
/// is absent. Without a pause a game of robots goes on as fast as the schedule allows, one turn a commit, and other
/// deadlines come in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RobotPause(pub u16);

impl Default for RobotPause {
    /// Half a second, so that people can follow a robot.
    fn default() -> Self {
        Self(500)
    }
}

impl RobotPause {
    pub(crate) fn milliseconds(self) -> u64 {
        self.0.into()
    }

    /// Returns the pause as the API shows it; `None` for the default pause.
    pub(crate) fn shown(self) -> Option<u16> {
        (self != Self::default()).then_some(self.0)
    }
}

impl From<Option<u16>> for RobotPause {
    fn from(milliseconds: Option<u16>) -> Self {
        milliseconds.map(Self).unwrap_or_default()
    }
}

/// The robot that plays for players who are absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StandIn {
    pub robot: RobotKind,
    /// The time without a connection after which the robot plays, in milliseconds.
    pub after: u64,
    /// The time in which the player may come back, counted from the first turn of the robot, in milliseconds.
    pub window: u64,
}

/// Why somebody else decides in place of the player of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Absence {
    /// The player was late. The server plays the turns of the seat at once, until the player sends a command.
    Automatic,
    /// The player has lost the connection. A robot plays until the player comes back.
    Away {
        /// The time until which the player may come back, in milliseconds since 1970.
        until: u64,
    },
    /// The player has left for good. A robot plays to the end.
    Abandoned,
}

/// Who decides for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Control {
    /// The player of the seat.
    Player,
    Robot,
    /// The server, because the player was late.
    Automatic,
    /// A robot to the end of the game, because the player has left for good.
    Abandoned,
}

/// The way in which the server plays a late turn to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WhenLate {
    /// The server plays a random legal action; a voluntary one only if no ordinary action is legal.
    Random,
    /// The server plays the first legal action.
    First,
    /// A robot of this kind plays.
    Robot(RobotKind),
}

/// The reason why a game ended, if its rules did not end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ending {
    /// The game reached the maximum number of events.
    Length,
    /// All sides but one gave up, and the last seat that gave up resigned. Or no player is left in the game, and at
    /// least one of them has given up without abandoning the seat.
    Resignation,
    /// All sides but one gave up, and the last seat that gave up was late too often.
    Forfeit,
    /// All players agreed to end the game.
    Agreement,
    /// The game was aborted, and does not count.
    Abort,
}

/// The reason why a game is over, as its table stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EndedBy {
    /// The rules ended the game. The other reasons are those of [`Ending`].
    Rules,
    Length,
    Resignation,
    Forfeit,
    Agreement,
    Abort,
}

impl From<Option<Ending>> for EndedBy {
    fn from(ending: Option<Ending>) -> Self {
        match ending {
            None => Self::Rules,
            Some(Ending::Length) => Self::Length,
            Some(Ending::Resignation) => Self::Resignation,
            Some(Ending::Forfeit) => Self::Forfeit,
            Some(Ending::Agreement) => Self::Agreement,
            Some(Ending::Abort) => Self::Abort,
        }
    }
}

impl Ending {
    /// Returns the word of the reason, as events contain it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Resignation => "resignation",
            Self::Forfeit => "forfeit",
            Self::Agreement => "agreement",
            Self::Abort => "abort",
        }
    }
}

/// The way in which a seat gave up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GaveUp {
    /// The player of the seat resigned.
    Resigned,
    /// The player of the seat was late too often.
    Forfeited,
}

/// The proposal that a player agrees to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Agreement {
    /// The player agrees to end the game. The seats are then ranked by how far their pawns have come.
    End,
    /// The player agrees to abort the game.
    Abort,
    /// The player wants to play on.
    Play,
}

impl Agreement {
    /// Returns the word of the proposal, as events contain it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Abort => "abort",
            Self::Play => "play",
        }
    }
}

/// The value of an option, as it is stored.
#[derive(Debug, Serialize, Deserialize)]
enum StoredValue {
    Truth(bool),
    Number(i64),
    Word(String),
}

/// Writes and reads the options of a stored game.
pub(crate) mod stored_options {
    use serde::{Deserializer, Serializer};

    use super::{BTreeMap, Deserialize, OptionValue, Options, Serialize, StoredValue};

    pub(crate) fn serialize<S: Serializer>(options: &Options, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = options.iter().map(|(name, value)| {
            let value = match value {
                OptionValue::Truth(truth) => StoredValue::Truth(*truth),
                OptionValue::Number(number) => StoredValue::Number(*number),
                OptionValue::Word(word) => StoredValue::Word(word.clone()),
            };
            (name, value)
        });
        stored.collect::<BTreeMap<_, _>>().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Options, D::Error> {
        let stored = BTreeMap::<String, StoredValue>::deserialize(deserializer)?;
        let options = stored.into_iter().map(|(name, value)| {
            let value = match value {
                StoredValue::Truth(truth) => OptionValue::Truth(truth),
                StoredValue::Number(number) => OptionValue::Number(number),
                StoredValue::Word(word) => OptionValue::Word(word),
            };
            (name, value)
        });
        Ok(options.collect())
    }
}
