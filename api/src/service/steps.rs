//! The steps of a game, its throws and actions: what is played over again they are enough for. They stand in its events.

use std::sync::Arc;

use pagade_rules::tables::Rules;
use serde::Deserialize;

use super::edit::Edit;
use super::game::Game;
use super::reading::game_id;
use super::{Service, access};
use crate::conventions::call::Call;
use crate::conventions::clock;
use crate::error::{Problem, internal};
use crate::store::GameId;

/// With more events than this, to play a game again takes more than a moment.
const MANY: usize = 2_000;

/// A throw or an action, as the engine writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// What was thrown.
    Throw(String),
    /// What was played.
    Play(String),
}

/// A game with all that was thrown and played.
pub struct Steps {
    /// Which game.
    pub id: GameId,
    /// The game.
    pub game: Game,
    /// Its rules.
    pub rules: Arc<Rules>,
    /// Its steps, in order.
    pub steps: Vec<Step>,
}

impl Service {
    /// Makes something of a game that the caller may see and all its steps: aside, where they are many.
    ///
    /// # Errors
    /// The game is unknown; the steps are many, and there is no place or too little time for them; `make` refuses.
    pub(super) async fn of_steps<T: Send + 'static>(
        &self,
        call: &Call,
        id: &str,
        make: impl FnOnce(Steps) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let id = game_id(id)?;
        let (stored, events) = self.store.game_and_events(id, 0, usize::MAX).await?;
        let game = Game::read(&stored.ok_or_else(access::not_found)?.snapshot)?;
        access::may_see(&game, call)?;
        let rules = self.library.table_of(&game).await?;
        let are_many = events.len() > MANY;
        let work = move || {
            let mut steps = of(&events)?;
            // Events that came between the two are of a later version.
            steps.truncate(usize::try_from(game.steps).unwrap_or(usize::MAX));
            make(Steps { id, game, rules, steps })
        };
        if are_many { self.bench.work(work).await? } else { work() }
    }
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
fn of(events: &[Vec<u8>]) -> Result<Vec<Step>, Problem> {
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
