//! The robots that a simulation seats by name: those of the service, also with greater budgets, and two that are for
//! comparison only.

use std::fmt;
use std::str::FromStr;

use pagade_rules::play::Engine;

use crate::deep::MOST_DEPTH;
use crate::{Brain, Budget, Deep, NoBudget, RobotKind, UnknownRobot};

/// How the name of an expectimax robot begins; its depth follows.
const EXPECTIMAX: &str = "expectimax-";
const PERFECT: &str = "perfect";

/// A robot of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedRobot {
    /// A robot that the service offers, too.
    Kind(RobotKind),
    /// A robot that searches, with a budget greater than that of the playing level.
    Budgeted(RobotKind, Budget),
    /// Looks this number of throws ahead, and compares the steps of all pawns.
    Expectimax(u8),
    /// Plays by a solved table.
    Perfect,
}

impl NamedRobot {
    /// Prepares the robot for a table. `None` for the perfect robot, which plays by a solved table.
    pub(super) fn brain(self, engine: &Engine) -> Option<Brain> {
        match self {
            Self::Kind(kind) | Self::Budgeted(kind, _) => Some(Brain::new(kind, engine)),
            Self::Expectimax(depth) => Some(Brain::Deep(Deep::new(engine, depth))),
            Self::Perfect => None,
        }
    }

    /// The budget of each of the robot's decisions.
    pub(super) fn budget(self) -> Budget {
        match self {
            Self::Budgeted(_, budget) => budget,
            Self::Kind(_) | Self::Expectimax(_) | Self::Perfect => Budget::PLAYING,
        }
    }
}

impl fmt::Display for NamedRobot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => kind.fmt(f),
            Self::Budgeted(kind, budget) => write!(f, "{kind}-{budget}"),
            Self::Expectimax(depth) => write!(f, "{EXPECTIMAX}{depth}"),
            Self::Perfect => f.write_str(PERFECT),
        }
    }
}

impl FromStr for NamedRobot {
    type Err = NameError;

    /// Reads the name of a kind, `expectimax-` with a depth, `perfect`, or the name of a kind that searches with a
    /// budget, such as `thinker-8`. A budget of 1 is the playing level, as without a budget.
    fn from_str(name: &str) -> Result<Self, NameError> {
        let depth = || name.strip_prefix(EXPECTIMAX)?.parse().ok().filter(|depth| (1..=MOST_DEPTH).contains(depth));
        let budgeted = || name.split_once('-').and_then(|(kind, budget)| Some((kind.parse().ok()?, budget)));
        match (name, depth(), budgeted()) {
            (PERFECT, ..) => Ok(Self::Perfect),
            (_, Some(depth), _) => Ok(Self::Expectimax(depth)),
            (_, _, Some((kind, budget))) => Self::budgeted(kind, budget),
            _ => Ok(Self::Kind(name.parse()?)),
        }
    }
}

impl NamedRobot {
    fn budgeted(kind: RobotKind, budget: &str) -> Result<Self, NameError> {
        let budget = budget.parse();
        if !kind.searches() {
            return Err(NameError::SearchesNot(kind));
        }
        Ok(match budget? {
            Budget::PLAYING => Self::Kind(kind),
            budget => Self::Budgeted(kind, budget),
        })
    }
}

/// A text names no robot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No robot has this name.
    #[error(transparent)]
    Unknown(#[from] UnknownRobot),
    /// The number after the name is no budget.
    #[error("{0}\n  help: `thinker-8` has 8 times the work of `thinker` for each decision")]
    Budget(#[from] NoBudget),
    /// A robot that does not search has no use for a budget.
    #[error("`{0}` takes no budget, because it does not search\n  help: `thinker` and `learned` do, as in `thinker-8`")]
    SearchesNot(RobotKind),
}
