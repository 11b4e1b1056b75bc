//! The robots of a simulation, which take all decisions: random robots, and robots that seek a goal.

use std::fmt;

use pagade_rules::nearest::nearest;
use pagade_rules::play::{Engine, Game, Happening, HappeningKind, Watch};
use pagade_rules::tables::LineId;

use super::chance::Chance;
use super::lines::lines_that_can_fire;

/// Takes the decisions of a game.
pub trait Robot {
    /// Whether the robot chooses at random. If it does, the engine may play a whole turn in one call.
    const IS_RANDOM: bool = false;

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
    goals: &'s [Goal],
    /// The legal actions that reach the best goal. The list is a field, and not a local variable, to save allocations.
    best_actions: Vec<usize>,
}

impl<'s> Seeker<'s> {
    /// Makes a robot that seeks these goals.
    pub fn new(goals: &'s [Goal]) -> Self {
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
    goals: &'s [Goal],
    /// Index of the best goal reached so far; the number of goals if none is reached.
    rank: usize,
}

impl GoalWatch<'_> {
    fn note(&mut self, reached: Goal) {
        let rank = self.goals.iter().position(|goal| *goal == reached);
        self.rank = self.rank.min(rank.unwrap_or(self.goals.len()));
    }
}

impl Watch for GoalWatch<'_> {
    fn event(&mut self, happening: Happening) {
        self.note(Goal::Event(happening.kind));
    }

    fn fired(&mut self, line: LineId) {
        self.note(Goal::Line(line));
    }

    fn hears_refusals(&self) -> bool {
        self.goals.iter().any(|goal| matches!(goal, Goal::Line(_)))
    }
}

/// A goal of a robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// An event of this kind happens.
    Event(HappeningKind),
    /// This rule line fires.
    Line(LineId),
}

/// The kind of robot in a simulation. All seats have the same kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Robots {
    /// Names of the goals; empty for random robots.
    names: Vec<String>,
    /// The goals, in the order of their names.
    pub goals: Vec<Goal>,
}

impl Robots {
    /// Reads `random`, or `seek:` and a list of events and rule lines, separated by commas.
    ///
    /// # Errors
    /// The text is neither, or there is no such event or rule line at this table.
    pub fn parse(text: &str, engine: &Engine) -> Result<Robots, RobotsError> {
        if text == "random" {
            return Ok(Robots::default());
        }
        let names = text.strip_prefix("seek:").ok_or_else(|| RobotsError::Unknown(text.to_owned()))?;
        let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        let goals = names.iter().map(|name| parse_goal(name, engine)).collect::<Result<_, _>>()?;
        Ok(Robots { names, goals })
    }
}

impl fmt::Display for Robots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.names.is_empty() { f.write_str("random") } else { write!(f, "seek:{}", self.names.join(",")) }
    }
}

/// A mistake in the text that describes robots.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RobotsError {
    /// The text is neither `random` nor `seek:..`.
    #[error("there are no robots `{0}`\n  help: `random`, or `seek:` and goals, such as `seek:cut,home`")]
    Unknown(String),
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

fn parse_goal(name: &str, engine: &Engine) -> Result<Goal, RobotsError> {
    if let Some(&kind) = HappeningKind::ALL.iter().find(|kind| kind.word() == name) {
        return Ok(Goal::Event(kind));
    }
    let possible = lines_that_can_fire(engine);
    let named = |line: &LineId| engine.lines.get(usize::from(*line)).is_some_and(|info| info.name == name);
    if let Some(&line) = possible.iter().find(|line| named(line)) {
        return Ok(Goal::Line(line));
    }
    if engine.lines.iter().any(|info| info.name == name) {
        return Err(RobotsError::NotHere(name.to_owned()));
    }
    let events: Vec<&str> = HappeningKind::ALL.iter().map(|kind| kind.word()).collect();
    let lines = possible.iter().filter_map(|&line| engine.lines.get(usize::from(line))).map(|info| info.name.as_str());
    let help = match nearest(name, events.iter().copied().chain(lines)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("`--lines` prints the names of rule lines; events are {}", events.join(", ")),
    };
    Err(RobotsError::NoSuchName { name: name.to_owned(), help })
}
