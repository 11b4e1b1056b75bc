//! The robots of a simulation, which take all decisions: random robots, robots that seek a goal, or the robots that the
//! service offers to its players.

use std::fmt;
use std::sync::Arc;

use pagade_rules::nearest::nearest;
use pagade_rules::play::{Engine, Game, Happening, HappeningKind, Watch};
use pagade_rules::tables::LineId;

use super::chance::Chance;
use super::lines::lines_that_can_fire;
use super::lineup::Lineup;
use super::named::NameError;
use crate::RobotKind;
use crate::solving::Solution;

/// Takes the decisions of a game.
pub trait Robot {
    /// Whether the robot chooses at random. If it does, the engine may play a whole turn in one call.
    const IS_RANDOM: bool = false;

    /// Tells the robot the number of the game that begins.
    fn begin(&mut self, number: u64) {
        let _ = number;
    }

    /// Chooses one of the legal actions and returns its index. There is at least one legal action.
    fn choose(&mut self, game: &Game<'_>, chance: &mut Chance) -> usize;
}

/// A robot that chooses at random.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl Robot for Random {
    const IS_RANDOM: bool = true;

    #[inline(always)]
    fn choose(&mut self, game: &Game<'_>, chance: &mut Chance) -> usize {
        game.pick(&mut |n| chance.below(n))
    }
}

/// A robot that prefers actions that reach one of its goals before the next decision. If no action does, it chooses at
/// random.
///
/// Goals that come earlier in the list are preferred.
#[derive(Debug)]
pub struct Seeker<'s> {
    goals: &'s [SeekerGoal],
    /// The legal actions that reach the best goal. The list is a field, and not a local variable, to save allocations.
    best_actions: Vec<usize>,
}

impl<'s> Seeker<'s> {
    /// Makes a robot that seeks these goals.
    pub fn new(goals: &'s [SeekerGoal]) -> Self {
        Seeker { goals, best_actions: Vec::new() }
    }
}

impl Robot for Seeker<'_> {
    fn choose(&mut self, game: &Game<'_>, chance: &mut Chance) -> usize {
        self.best_actions.clear();
        let count = game.open();
        let mut best = self.goals.len();
        for index in (0..count).filter(|_| count > 1) {
            let mut trial = game.clone();
            let mut watch = GoalWatch { goals: self.goals, rank: self.goals.len() };
            trial.play_nth(index, &mut watch);
            if watch.rank < best {
                best = watch.rank;
                self.best_actions.clear();
            }
            if best < self.goals.len() && watch.rank == best {
                self.best_actions.push(index);
            }
        }
        match self.best_actions.len() {
            0 => Random.choose(game, chance),
            all if all == count => Random.choose(game, chance),
            some => self.best_actions[chance.below(some as u32) as usize],
        }
    }
}

/// Notes the best goal that an action reaches while the robot tries it on a copy of the game.
struct GoalWatch<'s> {
    goals: &'s [SeekerGoal],
    /// Index of the best goal reached so far; the number of goals if none is reached.
    rank: usize,
}

impl GoalWatch<'_> {
    fn note(&mut self, reached: SeekerGoal) {
        let rank = self.goals.iter().position(|goal| *goal == reached);
        self.rank = self.rank.min(rank.unwrap_or(self.goals.len()));
    }
}

impl Watch for GoalWatch<'_> {
    fn event(&mut self, happening: Happening) {
        self.note(SeekerGoal::Event(happening.kind));
    }

    fn fired(&mut self, line: LineId) {
        self.note(SeekerGoal::Line(line));
    }

    fn hears_refusals(&self) -> bool {
        self.goals.iter().any(|goal| matches!(goal, SeekerGoal::Line(_)))
    }
}

/// A goal of a robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeekerGoal {
    /// An event of this kind happens.
    Event(HappeningKind),
    /// This rule line fires.
    Line(LineId),
}

/// The robots of a simulation: random robots or seekers at all seats, or a lineup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Robots {
    /// Names of the goals; empty if the robots seek none.
    names: Vec<String>,
    /// The goals, in the order of their names.
    pub goals: Vec<SeekerGoal>,
    /// The robots of every seat; empty if all robots are random or seek goals.
    pub lineup: Lineup,
}

impl Robots {
    /// Reads `random`, names of robots for the seats, or `seek:` and a list of events and rule lines. Names are
    /// separated by commas.
    ///
    /// # Errors
    /// A robot, event or rule line does not exist at this table, or the robots do not fit its seats.
    pub fn parse(text: &str, engine: &Engine) -> Result<Robots, RobotsError> {
        Self::parse_with(text, engine, None)
    }

    /// Reads the text as [`Robots::parse`] does. The robot `perfect` plays by `solution`.
    ///
    /// # Errors
    /// As for [`Robots::parse`]; `perfect` needs a solution.
    pub fn parse_with(text: &str, engine: &Engine, solution: Option<Arc<Solution>>) -> Result<Robots, RobotsError> {
        if text == "random" {
            return Ok(Robots::default());
        }
        let Some(names) = text.strip_prefix("seek:") else {
            return Ok(Robots { lineup: Lineup::parse(text, engine, solution)?, ..Robots::default() });
        };
        let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        let goals = names.iter().map(|name| parse_goal(name, engine)).collect::<Result<_, _>>()?;
        Ok(Robots { names, goals, lineup: Lineup::default() })
    }
}

impl fmt::Display for Robots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.names.is_empty() {
            return write!(f, "seek:{}", self.names.join(","));
        }
        match self.lineup.is_empty() {
            true => f.write_str("random"),
            false => self.lineup.fmt(f),
        }
    }
}

/// A mistake in the text that describes robots.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RobotsError {
    /// The text is neither the name of a robot nor `seek:..`.
    #[error("there are no robots `{0}`\n  help: {known}, `expectimax-3`, `perfect`, or `seek:` and goals, such as `seek:cut,home`", known = robot_names())]
    Unknown(String),
    /// The name of a robot has a budget that does not fit.
    #[error(transparent)]
    Name(NameError),
    /// The perfect robot has no solved table.
    #[error(
        "`perfect` plays by a solved table\n  help: name the file that `pagade solve` has written: `--solution FILE`"
    )]
    NotSolved,
    /// The list of robots cannot be repeated so that it fills the seats.
    #[error("{seats} seats cannot be shared evenly by {robots} robots\n  help: name one robot for each seat")]
    Uneven {
        /// Number of robots that were named.
        robots: usize,
        /// Number of seats that play.
        seats: usize,
    },
    /// Partners would be robots of different kinds.
    #[error(
        "partners must be robots of one kind\n  help: opposite seats are partners: name two robots, as in `runner,hunter`"
    )]
    MixedTeam,
    /// A goal is neither an event nor a rule line.
    #[error("`{name}` is neither an event nor a rule line of this rule set\n  help: {help}")]
    NoSuchName {
        /// The unknown name.
        name: String,
        /// The nearest name, or the names of all events.
        help: String,
    },
    /// A goal is a rule line that cannot fire with these options and players.
    #[error(
        "the rule line `{0}` never fires at this table\n  help: its condition does not hold with these options and players"
    )]
    NotHere(String),
}

/// The names of all robots, for a message.
fn robot_names() -> String {
    RobotKind::ALL.map(|kind| format!("`{kind}`")).join(", ")
}

fn parse_goal(name: &str, engine: &Engine) -> Result<SeekerGoal, RobotsError> {
    if let Some(&kind) = HappeningKind::ALL.iter().find(|kind| kind.word() == name) {
        return Ok(SeekerGoal::Event(kind));
    }
    let possible = lines_that_can_fire(engine);
    let named = |line: &LineId| engine.lines[line.index()].name == name;
    if let Some(&line) = possible.iter().find(|line| named(line)) {
        return Ok(SeekerGoal::Line(line));
    }
    if engine.lines.iter().any(|info| info.name == name) {
        return Err(RobotsError::NotHere(name.to_owned()));
    }
    let events: Vec<&str> = HappeningKind::ALL.iter().map(|kind| kind.word()).collect();
    let lines = possible.iter().map(|line| engine.lines[line.index()].name.as_str());
    let help = match nearest(name, events.iter().copied().chain(lines)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("`--lines` prints the names of rule lines; events are {}", events.join(", ")),
    };
    Err(RobotsError::NoSuchName { name: name.to_owned(), help })
}
