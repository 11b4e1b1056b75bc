//! Brings the game of a table in line with the table, and the table in line with the game.
//!
//! A table and its game are two entities, which no commit can change together. A command changes the table first: it
//! plans a game, notes who watches or who has left, or that the game is to end. Then the game is created, changed, or
//! read for its result. Each of these steps may be done several times and by several processes, with one effect.

use std::sync::Arc;

use crate::error::{Code, Problem};
use crate::game::cache::CachedGame;
use crate::game::edit::Edit;
use crate::game::entity as entity_of_game;
use crate::game::play::Play;
use crate::game::stored::Game;
use crate::game::table_terms::TableTerms;
use crate::game::terms::Status;
use crate::game::view as view_of_game;
use crate::service::Service;
use crate::service::commit::CommitFailure;
use crate::service::entity::EntityEdit;
use crate::service::reply::Reply;
use crate::store::Change;
use crate::table::edit::TableEdit;
use crate::table::playing::GameResult;
use crate::table::stored::{CurrentGame, Table};
use crate::table::{TableId, entity};

/// Steps after which the table is left to the next check. A table needs three at most: to plan a game, to create it,
/// and to change it.
const MOST_STEPS: usize = 8;
/// Age, in milliseconds, at which a planned game that does not exist is no longer created: it was removed.
const NEVER: u64 = 600_000;

impl Service {
    /// Does the same as [`Service::settle_table`]. A failure is logged, and left to the next check of the table.
    pub(in crate::service) async fn settle_or_leave(&self, id: TableId) {
        if let Err(problem) = self.settle_table(id).await {
            tracing::warn!(table = %id, %problem, "table and game not settled, left to the next check");
        }
    }

    /// Brings a table and its game in line: plans the game that the players have voted for, creates the planned game,
    /// gives it the terms of the table, and tells the table that the game is over.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn settle_table(&self, id: TableId) -> Result<(), Problem> {
        for _ in 0..MOST_STEPS {
            let Some(stored) = self.store.entity(entity(id)).await? else { return Ok(()) };
            let table = Table::read(&stored.snapshot)?;
            let is_settled = match &table.current {
                Some(current) => self.settle_game(id, &table, current).await?,
                None if table.wants_game => self.begin_wanted_game(id, &table).await.map(|()| false)?,
                None => true,
            };
            if is_settled {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Does one step with the game in play. Returns whether nothing was left to do.
    async fn settle_game(&self, id: TableId, table: &Table, current: &CurrentGame) -> Result<bool, Problem> {
        let game = entity_of_game(current.id);
        let Some(stored) = self.store.entity(game).await? else {
            if self.store.now() < current.started_at + NEVER {
                return self.create_game_of_table(current).await.map(|()| false);
            }
            return self.end_game_of_table(id, current, &GameResult::default()).await.map(|()| false);
        };
        let cached = self.games.read(&stored, &self.library).await?;
        if cached.game.status == Status::Finished {
            return self.end_game_of_table(id, current, &result_of(&cached)).await.map(|()| false);
        }
        let terms = terms_of(table, current);
        if terms.hold_in(&cached.game) {
            return Ok(true);
        }
        let set = |edit: &mut Edit| edit.set_table_terms(&terms).map(|()| Reply::default());
        match self.change(None, game, set).await {
            Err(problem) if problem.code != Code::GameNotFound => Err(problem),
            _ => Ok(false),
        }
    }

    /// Creates the planned game of a table, unless another process has created it.
    async fn create_game_of_table(&self, current: &CurrentGame) -> Result<(), Problem> {
        for player in current.players.iter().filter_map(|player| player.player) {
            match self.note_game(player, current.id).await {
                // A player who was deleted gets no news; one with too many games finds this one at the table.
                Err(problem) if ![Code::PlayerNotFound, Code::GamesFull].contains(&problem.code) => return Err(problem),
                _ => {}
            }
        }
        let planned = current.planned.as_ref().clone();
        let engine = Game::of(planned.setup.clone()).engine(&self.library).await?;
        let edit = planned.begin(current.id, Arc::clone(&engine), self.store.now())?;
        let (change, effects) = edit.finish(self, None)?;
        match self.commit(Change::Entity(change), None, &Reply::default()).await {
            Ok(()) => {
                Edit::apply(self, effects);
                Ok(())
            }
            Err(CommitFailure::Problem(problem)) => Err(problem),
            Err(_) => Ok(()),
        }
    }

    async fn end_game_of_table(&self, id: TableId, current: &CurrentGame, result: &GameResult) -> Result<(), Problem> {
        let end = |edit: &mut TableEdit| edit.end_game(current.id, result).map(|()| Reply::default());
        self.change(None, entity(id), end).await.map(drop)
    }
}

/// Returns what a table decides for its game in play.
fn terms_of(table: &Table, current: &CurrentGame) -> TableTerms {
    let left = current.players.iter().filter(|player| player.has_left || player.player.is_none());
    TableTerms {
        watchers: table.watchers.iter().map(|watcher| watcher.player).collect(),
        timer: table.settings.timer(),
        left: left.map(|player| player.seat.clone()).collect(),
        is_cancelled: current.is_cancelled,
    }
}

/// Returns the result of a game that is over.
fn result_of(cached: &CachedGame) -> GameResult {
    let CachedGame { game, engine, play, .. } = cached;
    let ranked = play.as_ref().map(|play| view_of_game::ranking(engine, Play::state(play), game)).unwrap_or_default();
    GameResult {
        ended_by: view_of_game::ended_by(game),
        places: ranked.into_iter().map(|rank| (rank.seat.to_owned(), rank.place)).collect(),
    }
}
