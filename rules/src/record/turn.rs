//! A turn as one line of text: `1. north: throw 3+4; 6-9:3; 7-11:4`.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// The turn of one seat, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnLine {
    /// The number of the turn in the game, counted from 1. It helps readers and is not checked.
    pub number: String,
    /// The seat whose turn it is.
    pub seat: String,
    /// Throws and actions, in order. After a throw without a legal action comes a pass.
    pub steps: Vec<TurnStep>,
}

/// A throw or an action of a turn, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnStep {
    /// A throw: `3+4`.
    Throw(String),
    /// An action: `6-9:3`, `pass`.
    Play(String),
}

/// A text that is not a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a turn is written `1. seat: throw 3+4; ACTION; ACTION`")]
pub struct MalformedTurn;

impl TurnLine {
    /// Adds a step to the last turn if that turn belongs to the same seat and `begins` is false. Otherwise begins a new
    /// turn.
    pub fn add(lines: &mut Vec<TurnLine>, seat: &str, begins: bool, step: TurnStep) {
        let number = (lines.len() + 1).to_string();
        match lines.last_mut().filter(|last| last.seat == seat && !begins) {
            Some(turn) => turn.steps.push(step),
            None => lines.push(TurnLine { number, seat: seat.to_owned(), steps: vec![step] }),
        }
    }
}

impl fmt::Display for TurnLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. {}: ", self.number, self.seat)?;
        for (index, step) in self.steps.iter().enumerate() {
            write!(f, "{}{step}", if index > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for TurnLine {
    type Err = MalformedTurn;

    fn from_str(text: &str) -> Result<TurnLine, MalformedTurn> {
        let (number, rest) = text.split_once(". ").ok_or(MalformedTurn)?;
        let (seat, steps) = rest.split_once(": ").ok_or(MalformedTurn)?;
        let Ok(steps) = steps.split(';').map(str::parse).collect::<Result<Vec<TurnStep>, Infallible>>();
        Ok(TurnLine { number: number.to_owned(), seat: seat.to_owned(), steps })
    }
}

impl fmt::Display for TurnStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnStep::Throw(throw) => write!(f, "throw {throw}"),
            TurnStep::Play(action) => f.write_str(action),
        }
    }
}

impl FromStr for TurnStep {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<TurnStep, Infallible> {
        let text = text.trim();
        Ok(match text.strip_prefix("throw ") {
            Some(throw) => TurnStep::Throw(throw.trim().to_owned()),
            None => TurnStep::Play(text.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{MalformedTurn, TurnLine, TurnStep};

    #[test]
    fn turns_read_as_they_were_printed() {
        for text in ["1. north: throw 3+6; 6-9:3; 7-13:6", "12. south: word; next", "3. west: word 12; throw 3+4; pass"]
        {
            let turn: TurnLine = text.parse().unwrap();
            assert_eq!(turn.to_string(), text);
        }
        for text in ["", "north", "1. north", "north: throw 3+6", "1. north:"] {
            assert_eq!(text.parse::<TurnLine>(), Err(MalformedTurn), "{text}");
        }
    }

    #[test]
    fn a_turn_goes_on_until_another_one_begins() {
        let mut lines = Vec::new();
        for (seat, begins, step) in [
            ("north", true, "throw 6"),
            ("north", false, "1-7:6"),
            ("north", true, "throw 2"),
            ("south", false, "word"),
        ] {
            let Ok(step): Result<TurnStep, _> = step.parse();
            TurnLine::add(&mut lines, seat, begins, step);
        }
        let lines: Vec<String> = lines.iter().map(TurnLine::to_string).collect();
        assert_eq!(lines, ["1. north: throw 6; 1-7:6", "2. north: throw 2", "3. south: word"]);
    }
}
