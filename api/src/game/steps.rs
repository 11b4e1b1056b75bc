//! The steps of a game: its throws and actions, read from its events. With the steps alone, the game can be replayed.

use pagade_rules::play::{Engine, Throw};

use crate::error::{Problem, internal};
use crate::game::edit::Edit;
use crate::game::event_text::StoredEvent;

/// A throw or an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Throw(Throw),
    /// An action, as text in the form that the engine writes.
    Act(String),
}

/// Reads the steps from stored events, in order. The first event of each step contains the throw or the action.
///
/// # Errors
/// An event cannot be read.
pub(crate) fn of(events: &[Vec<u8>], engine: &Engine) -> Result<Vec<Step>, Problem> {
    let mut steps = Vec::new();
    for event in events {
        let StoredEvent { throw, action, .. } = StoredEvent::read(event)?;
        match (throw, action) {
            (Some(throw), _) => steps.push(Step::Throw(engine.parse_throw(&throw).map_err(internal)?)),
            (None, Some(action)) => steps.push(Step::Act(action.into_owned())),
            (None, None) => {}
        }
    }
    Ok(steps)
}

/// Plays a recorded step again.
///
/// # Errors
/// The step is not legal, which cannot happen as long as the rules of the game are the same.
pub(crate) fn repeat(edit: &mut Edit, step: &Step) -> Result<(), Problem> {
    let taken = match step {
        Step::Throw(throw) => edit.throw(throw),
        Step::Act(text) => edit.act(text, ""),
    };
    taken.map_err(|problem| internal(format!("step {} does not follow: {problem}", edit.game.steps + 1)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pagade_rules::bundled;

    use super::*;

    #[test]
    fn steps_stand_in_events() {
        let events = [
            r#"{"id":1,"event":"started","at":"","version":1,"step":0,"seat":"red"}"#,
            r#"{"id":2,"event":"thrown","at":"","version":2,"step":1,"seat":"red","throw":"3+4"}"#,
            r#"{"id":3,"event":"moved","at":"","version":3,"step":2,"seat":"red","number":3,"action":"6-9:3"}"#,
            r#"{"id":4,"event":"cut","at":"","version":3,"step":2,"seat":"blue"}"#,
        ];
        let engine = bundled::ruleset("pagade").unwrap().table(&BTreeMap::new(), None).unwrap();
        let steps = of(&events.map(|event| event.as_bytes().to_vec()), &engine).unwrap();
        assert_eq!(steps, [Step::Throw(engine.parse_throw("3+4").unwrap()), Step::Act("6-9:3".to_owned())]);
        assert!(of(&[b"{".to_vec()], &engine).is_err());
    }
}
