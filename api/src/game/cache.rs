//! The cache of decoded games, so that a process seldom decodes a version of a game twice.
//!
//! An entry is used only while its snapshot bytes are equal to the stored ones.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use pagade_rules::play::Engine;

use crate::error::{Problem, internal};
use crate::game::GameId;
use crate::game::play::Play;
use crate::game::stored::Game;
use crate::game::view;
use crate::ground::recent::Recent;
use crate::rule_sets::library::Library;
use crate::store::StoredEntity;

/// A game at one version, decoded from its snapshot.
#[derive(Debug)]
pub(crate) struct CachedGame {
    pub id: GameId,
    pub game: Game,
    /// The engine for the rules of the game.
    pub engine: Arc<Engine>,
    /// The state and its legal actions; `None` before the start.
    pub play: Option<Play>,
    /// The snapshot that the entry was decoded from.
    snapshot: Bytes,
    /// The view of the game as JSON, written at the first request.
    json: OnceLock<Bytes>,
}

impl CachedGame {
    /// Makes the entry for a game that was just written.
    pub(crate) fn new(id: GameId, game: Game, engine: Arc<Engine>, play: Option<Play>, snapshot: Bytes) -> Self {
        Self { id, game, engine, play, snapshot, json: OnceLock::new() }
    }

    /// Decodes a stored game.
    ///
    /// # Errors
    /// The snapshot is damaged, or the rule set is missing.
    pub(crate) async fn read(stored: &StoredEntity, library: &Library) -> Result<Self, Problem> {
        let game = Game::read(&stored.snapshot)?;
        let engine = game.engine(library).await?;
        let play = game.state.as_deref().map(|state| Play::decode(&engine, state)).transpose()?;
        Ok(Self::new(stored.id.id, game, engine, play, stored.snapshot.clone()))
    }

    /// Returns the brief view of the game as JSON. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// The view cannot be written as JSON, which its type makes impossible.
    pub(crate) fn brief(&self, now: u64) -> Result<Bytes, Problem> {
        let view = view::brief(self.id, &self.game, &self.engine, self.play.as_ref(), now);
        serde_json::to_vec(&view).map(Bytes::from).map_err(internal)
    }

    /// Returns the view of the game as JSON.
    ///
    /// # Errors
    /// The view cannot be written as JSON, which its type makes impossible.
    pub(crate) fn json(&self) -> Result<Bytes, Problem> {
        if let Some(json) = self.json.get() {
            return Ok(json.clone());
        }
        let view = view::game(self.id, &self.game, &self.engine, self.play.as_ref());
        let json = Bytes::from(serde_json::to_vec(&view).map_err(internal)?);
        Ok(self.json.get_or_init(|| json).clone())
    }
}

/// A cache of at least 1,024 games: some 15 MB when it is full.
#[derive(Default)]
pub(crate) struct GameCache(Recent<GameId, Arc<CachedGame>, 1024>);

impl GameCache {
    /// Returns the entry of a stored game, from the cache or decoded now.
    ///
    /// # Errors
    /// The stored game is damaged, or its rule set is lost.
    pub(crate) async fn read(&self, stored: &StoredEntity, library: &Library) -> Result<Arc<CachedGame>, Problem> {
        if let Some(cached) = self.0.get(&stored.id.id).filter(|cached| is_same(&cached.snapshot, &stored.snapshot)) {
            return Ok(cached);
        }
        let cached = Arc::new(Box::pin(CachedGame::read(stored, library)).await?);
        self.keep(Arc::clone(&cached));
        Ok(cached)
    }

    /// Adds an entry. It replaces the entry for another version of the same game.
    pub(crate) fn keep(&self, cached: Arc<CachedGame>) {
        self.0.keep(cached.id, cached);
    }
}

/// Tells whether two snapshots are equal. They are nearly always the same piece of memory, which is compared first.
fn is_same(one: &Bytes, other: &Bytes) -> bool {
    (one.as_ptr(), one.len()) == (other.as_ptr(), other.len()) || one == other
}
