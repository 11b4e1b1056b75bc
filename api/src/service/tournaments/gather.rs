//! Stores the results of games in their tournament.
//!
//! A game and its tournament are two entities, which no commit can change together. So the process that ends a game
//! stores its result in the tournament a moment later. If the process dies before that, the regular check of the
//! tournament stores the result. Each result is stored once, even if several processes read it.

use futures_util::StreamExt;
use futures_util::stream::iter;
use pagade_pairing::EntrantId;

use crate::error::Problem;
use crate::game::{GameId, entity as entity_of_game};
use crate::service::Service;
use crate::service::reply::Reply;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::outcome::outcome;
use crate::tournament::rounds::{GameOutcome, StoredGame};
use crate::tournament::stored::{Tournament, not_found};
use crate::tournament::{TournamentId, entity};

/// Number of games that are read at the same time.
const GAMES_AT_ONCE: usize = 32;

impl Service {
    /// Stores the results of these games, as far as they are over, and then takes the next steps: creates further games
    /// of a series, pairs the next round, ends the tournament.
    ///
    /// # Errors
    /// The tournament does not exist, or the store is not available.
    pub(in crate::service) async fn gather_results(&self, id: TournamentId, games: &[GameId]) -> Result<(), Problem> {
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let tournament = self.tournaments.read(&stored)?;
        let read = iter(open_games(&tournament, games).into_iter().map(|open| self.outcome_of(open)));
        let read: Vec<Result<_, Problem>> = read.buffered(GAMES_AT_ONCE).collect().await;
        let outcomes = read.into_iter().filter_map(Result::transpose).collect::<Result<Vec<_>, _>>()?;
        if !outcomes.is_empty() {
            let engines = self.engines(&tournament).await?;
            let take = |edit: &mut TournamentEdit| edit.take(&outcomes, &engines).map(|()| Reply::default());
            self.change(None, entity(id), take).await?;
        }
        self.advance(id).await
    }

    /// Reads the outcome of a game; `None` while the game is not over.
    async fn outcome_of(
        &self,
        OpenGame { id, is_planned, seats, table }: OpenGame,
    ) -> Result<Option<(GameId, GameOutcome)>, Problem> {
        let stored = self.store.entity(entity_of_game(id)).await?;
        // If the tournament still has the plan of a missing game, the game may not be created yet. Otherwise it was
        // removed.
        let Some(stored) = stored else { return Ok((!is_planned).then_some((id, GameOutcome::Void))) };
        if !stored.is_closed {
            return Ok(None);
        }
        let cached = self.games.read(&stored, &self.library).await?;
        Ok(outcome(&cached, &seats, &table).map(|outcome| (id, outcome)))
    }
}

/// A game whose outcome the tournament does not have yet.
struct OpenGame {
    id: GameId,
    /// Whether the tournament has not yet noted that the game was created.
    is_planned: bool,
    seats: Vec<(String, EntrantId)>,
    /// The entrants in the order of the table.
    table: Vec<EntrantId>,
}

/// Lists those of these games that have no outcome in the tournament. A game may be over before the tournament has the
/// note that it was created.
fn open_games(tournament: &Tournament, games: &[GameId]) -> Vec<OpenGame> {
    let is_open = |game: &&StoredGame| game.outcome.is_none() && games.contains(&game.id);
    let mut open = Vec::new();
    for table in tournament.rounds.iter().flat_map(|round| &round.tables) {
        for game in table.games.iter().filter(is_open) {
            let (is_planned, table) = (game.plan.is_some(), table.table.seats.clone());
            open.push(OpenGame { id: game.id, is_planned, seats: game.seats.clone(), table });
        }
    }
    open
}
