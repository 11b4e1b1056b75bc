//! Who decides in a simulation: chance, or robots that look for something.

use std::fmt;

use pagade_rules::nearest::nearest;
use pagade_rules::play::{Engine, Game, Happening, HappeningKind, Watch};
use pagade_rules::tables::LineId;

use super::chance::Chance;
use super::lines::deciding;

/// Takes the decisions of a game.
pub trait Robot {
    /// It asks chance alone: whole turns may be played at once.
    const BY_CHANCE: bool = false;

    /// Chooses one of the open actions, of which there is one at least: its index.
    fn choose(&mut self, game: &Game<'_>, chance: &mut Chance) -> usize;
}

/// Takes what chance says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl Robot for Random {
    const BY_CHANCE: bool = true;

    #[inline(always)]
    fn choose(&mut self, game: &Game<'_>, chance: &mut Chance) -> usize {
        game.pick(&mut |n| chance.below(n))
    }
}

/// Prefers actions after which something happens, before anybody decides again; else takes what chance says.
///
/// Of several things the one named first counts most.
#[derive(Debug)]
pub struct Seeker<'s> {
    sought: &'s [Sought],
    /// The actions that lead there at the decision at hand.
    fitting: Vec<usize>,
}

impl<'s> Seeker<'s> {
    /// Looks for these.
    pub fn new(sought: &'s [Sought]) -> Self {
        Seeker { sought, fitting: Vec::new() }
    }
}

impl Robot for Seeker<'_> {
    fn choose(&mut self, game: &Game<'_>, chance: &mut Chance) -> usize {
        self.fitting.clear();
        let open = game.open();
        let mut best = self.sought.len();
        for index in (0..open).filter(|_| open > 1) {
            let mut tried = game.clone();
            let mut found = Found { sought: self.sought, rank: self.sought.len() };
            tried.play_nth(index, &mut found);
            if found.rank < best {
                best = found.rank;
                self.fitting.clear();
            }
            if best < self.sought.len() && found.rank == best {
                self.fitting.push(index);
            }
        }
        match self.fitting.len() {
            0 => Random.choose(game, chance),
            all if all == open => Random.choose(game, chance),
            some => self.fitting[chance.below(some as u32) as usize],
        }
    }
}

/// What of the things that are looked for happened.
struct Found<'s> {
    sought: &'s [Sought],
    /// The index of the first of them; their number where none did.
    rank: usize,
}

impl Found<'_> {
    fn note(&mut self, met: Sought) {
        let rank = self.sought.iter().position(|sought| *sought == met);
        self.rank = self.rank.min(rank.unwrap_or(self.sought.len()));
    }
}

impl Watch for Found<'_> {
    fn event(&mut self, happening: Happening) {
        self.note(Sought::Event(happening.kind));
    }

    fn fired(&mut self, line: LineId) {
        self.note(Sought::Line(line));
    }

    fn hears_refusals(&self) -> bool {
        self.sought.iter().any(|sought| matches!(sought, Sought::Line(_)))
    }
}

/// Something that a robot looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sought {
    /// An event of this kind.
    Event(HappeningKind),
    /// This rule line does its work.
    Line(LineId),
}

/// How the robots of a simulation play; all seats alike.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Robots {
    /// The names of what they look for, none for chance alone.
    names: Vec<String>,
    /// What these names stand for.
    pub sought: Vec<Sought>,
}

impl Robots {
    /// Reads `random`, or `seek:` and names of events and rule lines apart by commas.
    ///
    /// # Errors
    /// It is neither, or this table has no such event or line.
    pub fn parse(text: &str, rules: &Engine) -> Result<Robots, BadRobots> {
        if text == "random" {
            return Ok(Robots::default());
        }
        let names = text.strip_prefix("seek:").ok_or_else(|| BadRobots::Unknown(text.to_owned()))?;
        let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        let sought = names.iter().map(|name| seek(name, rules)).collect::<Result<_, _>>()?;
        Ok(Robots { names, sought })
    }
}

impl fmt::Display for Robots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.names.is_empty() { f.write_str("random") } else { write!(f, "seek:{}", self.names.join(",")) }
    }
}

/// Why robots cannot play like that.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRobots {
    /// No way to play.
    #[error("robots do not play `{0}`\n  help: `random`, or `seek:` and what to look for, such as `seek:cut,home`")]
    Unknown(String),
    /// Neither an event nor a line.
    #[error("`{name}` is no event, and no rule line of this rule set\n  help: {help}")]
    NoSuchName {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        help: String,
    },
    /// A line that the table does without.
    #[error(
        "the rule line `{0}` never fires at this table\n  help: its condition does not hold with these options and players"
    )]
    NotHere(String),
}

fn seek(name: &str, rules: &Engine) -> Result<Sought, BadRobots> {
    if let Some(&kind) = HappeningKind::ALL.iter().find(|kind| kind.word() == name) {
        return Ok(Sought::Event(kind));
    }
    let here = deciding(rules);
    let named = |line: &LineId| rules.lines.get(usize::from(*line)).is_some_and(|info| info.name == name);
    if let Some(&line) = here.iter().find(|line| named(line)) {
        return Ok(Sought::Line(line));
    }
    if rules.lines.iter().any(|info| info.name == name) {
        return Err(BadRobots::NotHere(name.to_owned()));
    }
    let events: Vec<&str> = HappeningKind::ALL.iter().map(|kind| kind.word()).collect();
    let lines = here.iter().filter_map(|&line| rules.lines.get(usize::from(line))).map(|info| info.name.as_str());
    let help = match nearest(name, events.iter().copied().chain(lines)) {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!("a line is named as `--lines` does; events are {}", events.join(", ")),
    };
    Err(BadRobots::NoSuchName { name: name.to_owned(), help })
}
