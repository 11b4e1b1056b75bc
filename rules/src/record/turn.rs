//! A game record for people: one turn a line, `north 3+6: 6-9:3, 7-13:6`.

use std::fmt;
use std::str::FromStr;

use super::line::Line;
use super::recorder::Recorder;
use crate::notation::ActionError;
use crate::play::{Phase, Quiet};

/// What one seat did in its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Whose turn.
    pub seat: String,
    /// What was thrown and what was played of it, in order.
    pub rolls: Vec<Roll>,
}

/// Throws, and what was played before the next throw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roll {
    /// The throws; empty for a choice before any.
    pub throws: Vec<String>,
    /// The actions.
    pub played: Vec<String>,
}

/// A line of a game record that cannot be read, or not be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// It is no turn.
    #[error("`{0}` is not a turn; write `SEAT 3+6: ACTION, ACTION`")]
    Malformed(String),
    /// It is another seat's turn.
    #[error("it is the turn of {due}, not of {written}")]
    Seat {
        /// The seat of the line.
        written: String,
        /// The seat whose turn it is.
        due: String,
    },
    /// It cannot be thrown now.
    #[error("`{throw}` cannot be thrown: {why}")]
    Throw {
        /// The throw.
        throw: String,
        /// Why not.
        why: String,
    },
    /// It cannot be played now.
    #[error(transparent)]
    Action(#[from] ActionError),
}

impl Turn {
    /// The turns of a game, from its decisions.
    #[must_use]
    pub fn all(lines: &[Line]) -> Vec<Turn> {
        let mut turns: Vec<Turn> = Vec::new();
        let mut last: Option<&Line> = None;
        for line in lines {
            let before = last.filter(|last| last.turn == line.turn && !last.has("turn"));
            if before.is_none() {
                turns.push(Turn { seat: line.turn.clone(), rolls: Vec::new() });
            }
            let turn = turns.last_mut().expect("a turn was just begun");
            let kept = before.filter(|before| is_kept(before));
            match (kept, turn.rolls.last_mut()) {
                (Some(kept), Some(roll)) if kept.throw == line.throw => roll.played.push(line.played.clone()),
                _ => {
                    // With something left to spend, the list of throws goes on; else it begins anew.
                    let known = kept.map_or(0, |kept| kept.throw.split_whitespace().count());
                    let throws = line.throw.split_whitespace().skip(known).map(str::to_string).collect();
                    turn.rolls.push(Roll { throws, played: vec![line.played.clone()] });
                }
            }
            last = Some(line);
        }
        turns
    }

    /// Plays the turn, or as much of it as the line holds, and answers with its decisions.
    ///
    /// # Errors
    /// The first throw or action that does not fit; what came before it is played.
    pub fn play(&self, recorder: &mut Recorder<'_>) -> Result<Vec<Line>, TurnError> {
        let rules = recorder.rules();
        let due = rules.seat_name(recorder.state().turn);
        if due != self.seat {
            return Err(TurnError::Seat { written: self.seat.clone(), due: due.to_string() });
        }
        let mut lines = Vec::new();
        for roll in &self.rolls {
            let mut passed = None;
            for text in &roll.throws {
                let refused = |why: String| TurnError::Throw { throw: text.clone(), why };
                let throw = rules.parse_throw(text).map_err(|error| refused(error.to_string()))?;
                passed = recorder.throw(&throw, &mut Quiet).map_err(|refusal| refused(refusal.to_string()))?;
                lines.extend(passed.clone());
            }
            for text in &roll.played {
                let waits = matches!(recorder.state().phase, Phase::Throw | Phase::Over);
                if text == "pass" && passed.is_some() && waits {
                    continue;
                }
                lines.push(recorder.play_text(text, &mut Quiet)?);
            }
        }
        Ok(lines)
    }
}

impl Line {
    fn has(&self, event: &str) -> bool {
        self.events.iter().any(|word| word == event)
    }
}

/// Whether something of the hand is left after a decision, or none was spent by it.
fn is_kept(line: &Line) -> bool {
    let held = line.hand.as_ref().map_or(0, Vec::len);
    let spent = line.played.split_once(':').map_or(0, |(_, with)| with.split('+').count());
    (held > spent || spent == 0) && !line.has("dice_dropped") && !line.has("passed")
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.seat)?;
        for (i, roll) in self.rolls.iter().enumerate() {
            let before = if i == 0 { "" } else { " /" };
            let space = if roll.throws.is_empty() { "" } else { " " };
            write!(f, "{before}{space}{}: {}", roll.throws.join(" "), roll.played.join(", "))?;
        }
        Ok(())
    }
}

impl FromStr for Turn {
    type Err = TurnError;

    fn from_str(text: &str) -> Result<Turn, TurnError> {
        let malformed = || TurnError::Malformed(text.to_string());
        let end = text.trim_start().find([' ', ':']).ok_or_else(malformed)?;
        let (seat, rest) = text.trim_start().split_at(end);
        let rolls = rest.split('/').map(|part| {
            let (throws, played) =
                part.split_once(": ").or_else(|| part.trim_end().strip_suffix(':').map(|throws| (throws, "")))?;
            let list = |text: &str| {
                text.split(',').map(|action| action.trim().to_string()).filter(|action| !action.is_empty()).collect()
            };
            Some(Roll { throws: throws.split_whitespace().map(str::to_string).collect(), played: list(played) })
        });
        let rolls: Option<Vec<Roll>> = rolls.collect();
        if seat.is_empty() {
            return Err(malformed());
        }
        Ok(Turn { seat: seat.to_string(), rolls: rolls.ok_or_else(malformed)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_read_as_they_were_printed() {
        for text in [
            "north 3+6: 6-9:3, 7-13:6",
            "south: word, next",
            "north 3+3 1+4: 2-5:3 / 6+1: pass",
            "west: word 12 / 3+4: 1-4:3",
        ] {
            let turn: Turn = text.parse().unwrap();
            assert_eq!(turn.to_string(), text);
        }
        for text in ["", "north", ":", "north 3+6"] {
            assert!(text.parse::<Turn>().is_err(), "{text}");
        }
    }
}
