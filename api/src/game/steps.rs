//! The steps of a game, its throws and actions: what is played over again they are enough for. They stand in its events.

use serde::Deserialize;

use crate::error::{Problem, internal};
use crate::game::edit::Edit;
use crate::ground::clock;

/// A throw or an action, as the engine writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// What was thrown.
    Throw(String),
    /// What was played.
    Play(String),
}

/// An event, as far as it tells of a step.
#[derive(Deserialize)]
struct Taken {
    throw: Option<String>,
    action: Option<String>,
}

/// The steps that events tell of, in order: the first event of each names it.
///
/// # Errors
/// An event cannot be read.
pub fn of(events: &[Vec<u8>]) -> Result<Vec<Step>, Problem> {
    let mut steps = Vec::new();
    for event in events {
        let Taken { throw, action } = serde_json::from_slice(event).map_err(internal)?;
        steps.extend(throw.map(Step::Throw).or(action.map(Step::Play)));
    }
    Ok(steps)
}

impl Edit {
    /// Takes a step again.
    ///
    /// # Errors
    /// It does not follow, which the engine's being pure rules out.
    pub fn repeat(&mut self, step: &Step) -> Result<(), Problem> {
        let taken = match step {
            Step::Throw(text) => self.throw_this(text),
            Step::Play(text) => self.play(text, ""),
        };
        taken.map_err(|problem| internal(format!("{step:?} at {} does not follow: {problem}", clock::now())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stand_in_events() {
        let events = [
            r#"{"id":1,"event":"started","at":"","version":1,"step":0,"seat":"red"}"#,
            r#"{"id":2,"event":"thrown","at":"","version":2,"step":1,"seat":"red","throw":"3+4"}"#,
            r#"{"id":3,"event":"moved","at":"","version":3,"step":2,"seat":"red","number":3,"action":"6-9:3"}"#,
            r#"{"id":4,"event":"cut","at":"","version":3,"step":2,"seat":"blue"}"#,
        ];
        let steps = of(&events.map(|event| event.as_bytes().to_vec())).unwrap();
        assert_eq!(steps, [Step::Throw("3+4".to_owned()), Step::Play("6-9:3".to_owned())]);
        assert!(of(&[b"{".to_vec()]).is_err());
    }
}
