//! The kinds of robots, and their names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A kind of robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RobotKind {
    /// Plays a random legal action; a voluntary one only if no ordinary action is legal.
    Random,
    /// Moves the pawn that is nearest home.
    Runner,
    /// Captures the pawn that loses the most steps. Without a capture, wins a throw, else brings a pawn home, else
    /// plays as the runner.
    Hunter,
    /// Tries every way to spend the hand, and values the positions that are left: steps, pawns in danger, the gate.
    Thinker,
    /// Plays as the thinker, with weights that self-play has found for the rule set and the number of players.
    Learned,
}

impl RobotKind {
    /// All kinds, the weakest first.
    pub const ALL: [Self; 5] = [Self::Random, Self::Runner, Self::Hunter, Self::Thinker, Self::Learned];

    /// Whether a robot of this kind searches, so that it plays better with a greater [`Budget`](crate::Budget).
    pub const fn searches(self) -> bool {
        matches!(self, Self::Thinker | Self::Learned)
    }

    /// Returns the name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Runner => "runner",
            Self::Hunter => "hunter",
            Self::Thinker => "thinker",
            Self::Learned => "learned",
        }
    }
}

impl fmt::Display for RobotKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RobotKind {
    type Err = UnknownRobot;

    fn from_str(name: &str) -> Result<Self, UnknownRobot> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownRobot(name.to_owned()))
    }
}

/// No kind of robot has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no robot is named `{0}`")]
pub struct UnknownRobot(pub String);
