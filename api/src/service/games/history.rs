//! Games with all that was thrown and played: for records, proofs, pictures and states of before.

use std::sync::Arc;

use pagade_rules::play::Engine;

use crate::error::Problem;
use crate::game::steps::{self, Step};
use crate::game::stored::Game;
use crate::game::{GameId, entity};
use crate::service::call::Call;
use crate::service::games::reading::game_id;
use crate::service::{Service, access};

/// With more events than this, to play a game again takes more than a moment.
const MANY: usize = 2_000;

/// A game with all its steps.
pub struct History {
    /// Which game.
    pub id: GameId,
    /// The game.
    pub game: Game,
    /// Its rules.
    pub engine: Arc<Engine>,
    /// Its steps, in order.
    pub steps: Vec<Step>,
}

impl Service {
    /// Makes something of a game that the caller may see and all its steps: aside, where they are many.
    ///
    /// # Errors
    /// The game is unknown; the steps are many, and there is no place or too little time for them; `make` refuses.
    pub(crate) async fn with_history<T: Send + 'static>(
        &self,
        call: &Call,
        id: &str,
        make: impl FnOnce(History) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let id = game_id(id)?;
        let (stored, events) = self.store.entity_and_events(entity(id), 0, usize::MAX).await?;
        let game = Game::read(&stored.ok_or_else(access::not_found)?.snapshot)?;
        access::may_see(&game, call)?;
        let engine = game.engine(&self.library).await?;
        let are_many = events.len() > MANY;
        let work = move || {
            let mut steps = steps::of(&events, &engine)?;
            // Events that came between the two are of a later version.
            steps.truncate(usize::try_from(game.steps).unwrap_or(usize::MAX));
            make(History { id, game, engine, steps })
        };
        if are_many { self.workers.work(work).await? } else { work() }
    }
}
