//! Games that this process read or wrote last: decoded once, however often they are asked for.
//!
//! A cache only: an entry is used only while its snapshot bytes are equal to the stored ones.

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

/// A game at a version, decoded.
#[derive(Debug)]
pub struct CachedGame {
    /// Which game.
    pub id: GameId,
    /// The game.
    pub game: Game,
    /// Its rules.
    pub engine: Arc<Engine>,
    /// Its state and legal actions, once it was started.
    pub play: Option<Play>,
    /// What it was read from.
    snapshot: Bytes,
    /// The game on the wire, once it was asked for.
    json: OnceLock<Bytes>,
}

impl CachedGame {
    /// A game as it was just written.
    pub fn new(id: GameId, game: Game, engine: Arc<Engine>, play: Option<Play>, snapshot: Bytes) -> Self {
        Self { id, game, engine, play, snapshot, json: OnceLock::new() }
    }

    /// Decodes a stored game.
    ///
    /// # Errors
    /// It is damaged, or its rule set is lost.
    pub async fn read(stored: &StoredEntity, library: &Library) -> Result<Self, Problem> {
        let game = Game::read(&stored.snapshot)?;
        let engine = game.engine(library).await?;
        let play = game.state.as_deref().map(|text| Play::decode(&engine, text)).transpose()?;
        Ok(Self::new(stored.id.id, game, engine, play, stored.snapshot.clone()))
    }

    /// The game on the wire, as JSON.
    ///
    /// # Errors
    /// It cannot be written, which its type rules out.
    pub fn json(&self) -> Result<Bytes, Problem> {
        if let Some(json) = self.json.get() {
            return Ok(json.clone());
        }
        let view = view::game(self.id, &self.game, &self.engine, self.play.as_ref());
        let json = Bytes::from(serde_json::to_vec(&view).map_err(internal)?);
        Ok(self.json.get_or_init(|| json).clone())
    }
}

/// The cached games: some 15 MB when it is full.
#[derive(Default)]
pub struct GameCache(Recent<GameId, Arc<CachedGame>, 1024>);

impl GameCache {
    /// A stored game, decoded unless it is cached.
    ///
    /// # Errors
    /// As [`CachedGame::read`].
    pub async fn read(&self, stored: &StoredEntity, library: &Library) -> Result<Arc<CachedGame>, Problem> {
        if let Some(cached) = self.0.get(&stored.id.id).filter(|cached| is_same(&cached.snapshot, &stored.snapshot)) {
            return Ok(cached);
        }
        let cached = Arc::new(CachedGame::read(stored, library).await?);
        self.keep(Arc::clone(&cached));
        Ok(cached)
    }

    /// Keeps a game.
    pub fn keep(&self, cached: Arc<CachedGame>) {
        self.0.keep(cached.id, cached);
    }
}

/// The same bytes; nearly always the same piece of memory.
fn is_same(one: &Bytes, other: &Bytes) -> bool {
    (one.as_ptr(), one.len()) == (other.as_ptr(), other.len()) || one == other
}
