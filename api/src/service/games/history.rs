//! Games with all their steps. Records, proofs, pictures and earlier states of games need them.

use std::sync::Arc;

use pagade_rules::play::Engine;

use crate::error::Problem;
use crate::game::steps::{self, Step};
use crate::game::stored::Game;
use crate::game::{GameId, entity};
use crate::service::call::Call;
use crate::service::games::queries::game_id;
use crate::service::{Service, access};

/// Number of events above which a game is replayed in the worker pool, so that other requests need not wait.
const MANY: usize = 2_000;

/// A game with all its steps.
pub(crate) struct GameHistory {
    pub id: GameId,
    pub game: Game,
    /// The engine for the rules of the game.
    pub engine: Arc<Engine>,
    /// All steps of the game, in order.
    pub steps: Vec<Step>,
}

impl Service {
    /// Reads a game that the caller may see, with all its steps, and passes it to `make`. For a long game, `make` runs
    /// in the worker pool.
    ///
    /// # Errors
    /// The game does not exist, the worker pool is full, the replay takes too long, or `make` fails.
    pub(crate) async fn with_history<T: Send + 'static>(
        &self,
        call: &Call,
        id: &str,
        make: impl FnOnce(GameHistory) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let id = game_id(id)?;
        let (stored, events) = self.store.entity_and_events(entity(id), 0, usize::MAX).await?;
        let game = Game::read(&stored.ok_or_else(access::not_found)?.snapshot)?;
        access::may_see(&game, call)?;
        let engine = game.engine(&self.library).await?;
        let are_many = events.len() > MANY;
        let work = move || {
            let mut steps = steps::of(&events, &engine)?;
            // The events may be newer than the version of the game that was read with them. Steps after this version
            // are cut off.
            steps.truncate(usize::try_from(game.steps).unwrap_or(usize::MAX));
            make(GameHistory { id, game, engine, steps })
        };
        if are_many { self.workers.work(work).await? } else { work() }
    }
}
