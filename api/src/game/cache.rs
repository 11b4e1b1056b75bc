//! Games as this process has read them last: taken apart once, however often they are asked for.
//!
//! Nothing rests on them: what is kept is found again by the very bytes that it was read from.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use pagade_rules::play::Engine;
use pagade_rules::play::State;

use crate::error::{Problem, internal};
use crate::game::GameId;
use crate::game::stored::Game;
use crate::game::{engine, view};
use crate::ground::recent::Recent;
use crate::rule_sets::library::Library;
use crate::store::StoredEntity;

/// A game at a version.
#[derive(Debug)]
pub struct Known {
    /// Which game.
    pub id: GameId,
    /// The game.
    pub game: Game,
    /// Its rules.
    pub rules: Arc<Engine>,
    /// Its state, once it was started.
    pub state: Option<State>,
    /// What it was read from.
    snapshot: Bytes,
    /// The game on the wire, once it was asked for.
    shown: OnceLock<Bytes>,
}

impl Known {
    /// A game as it was just written.
    pub fn new(id: GameId, game: Game, rules: Arc<Engine>, state: Option<State>, snapshot: Bytes) -> Self {
        Self { id, game, rules, state, snapshot, shown: OnceLock::new() }
    }

    /// Takes a stored game apart.
    ///
    /// # Errors
    /// It is damaged, or its rule set is lost.
    pub async fn read(stored: &StoredEntity, library: &Library) -> Result<Self, Problem> {
        let game = Game::read(&stored.snapshot)?;
        let rules = game.rules(library).await?;
        let state = game.state.as_deref().map(|text| engine::decode(&rules, text)).transpose()?;
        Ok(Self::new(stored.id.id, game, rules, state, stored.snapshot.clone()))
    }

    /// The game on the wire, as JSON.
    ///
    /// # Errors
    /// It cannot be written, which its type rules out.
    pub fn shown(&self) -> Result<Bytes, Problem> {
        if let Some(shown) = self.shown.get() {
            return Ok(shown.clone());
        }
        let view = view::game(self.id, &self.game, &self.rules, self.state.as_ref());
        let shown = Bytes::from(serde_json::to_vec(&view).map_err(internal)?);
        Ok(self.shown.get_or_init(|| shown).clone())
    }
}

/// The games known last: some 15 MB when it is full.
#[derive(Default)]
pub struct KnownGames(Recent<GameId, Arc<Known>, 1024>);

impl KnownGames {
    /// A stored game, taken apart unless it is known.
    ///
    /// # Errors
    /// As [`Known::read`].
    pub async fn read(&self, stored: &StoredEntity, library: &Library) -> Result<Arc<Known>, Problem> {
        if let Some(known) = self.0.get(&stored.id.id).filter(|known| is_same(&known.snapshot, &stored.snapshot)) {
            return Ok(known);
        }
        let known = Arc::new(Known::read(stored, library).await?);
        self.keep(Arc::clone(&known));
        Ok(known)
    }

    /// Keeps a game.
    pub fn keep(&self, known: Arc<Known>) {
        self.0.keep(known.id, known);
    }
}

/// The same bytes; nearly always the same piece of memory.
fn is_same(one: &Bytes, other: &Bytes) -> bool {
    (one.as_ptr(), one.len()) == (other.as_ptr(), other.len()) || one == other
}
