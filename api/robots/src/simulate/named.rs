//! The robots that a simulation seats by name: those of the service, and two that are for comparison only.

use std::fmt;
use std::str::FromStr;

use pagade_rules::play::Engine;

use crate::deep::MOST_DEPTH;
use crate::{Brain, Deep, RobotKind, UnknownRobot};

/// How the name of an expectimax robot begins; its depth follows.
const EXPECTIMAX: &str = "expectimax-";
const PERFECT: &str = "perfect";

/// A robot of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedRobot {
    /// A robot that the service offers, too.
    Kind(RobotKind),
    /// Looks this number of throws ahead, and compares the steps of all pawns.
    Expectimax(u8),
    /// Plays by a solved table.
    Perfect,
}

impl NamedRobot {
    /// Prepares the robot for a table. `None` for the perfect robot, which plays by a solved table.
    pub(super) fn brain(self, engine: &Engine) -> Option<Brain> {
        match self {
            Self::Kind(kind) => Some(Brain::new(kind, engine)),
            Self::Expectimax(depth) => Some(Brain::Deep(Deep::new(engine, depth))),
            Self::Perfect => None,
        }
    }
}

impl fmt::Display for NamedRobot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => kind.fmt(f),
            Self::Expectimax(depth) => write!(f, "{EXPECTIMAX}{depth}"),
            Self::Perfect => f.write_str(PERFECT),
        }
    }
}

impl FromStr for NamedRobot {
    type Err = UnknownRobot;

    fn from_str(name: &str) -> Result<Self, UnknownRobot> {
        let depth = || name.strip_prefix(EXPECTIMAX)?.parse().ok().filter(|depth| (1..=MOST_DEPTH).contains(depth));
        match (name, depth()) {
            (PERFECT, _) => Ok(Self::Perfect),
            (_, Some(depth)) => Ok(Self::Expectimax(depth)),
            _ => name.parse().map(Self::Kind),
        }
    }
}
