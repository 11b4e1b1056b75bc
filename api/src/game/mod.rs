//! One game: as it is kept, as a command changes it, and as the API shows it.

use uuid::Uuid;

use crate::store::{EntityId, Kind};

pub(crate) mod cache;
pub mod dice;
pub(crate) mod edit;
pub(crate) mod event;
pub(crate) mod legal;
pub(crate) mod length;
pub(crate) mod play;
pub(crate) mod refused;
pub(crate) mod setup;
pub(crate) mod steps;
pub(crate) mod stored;
pub(crate) mod terms;
pub(crate) mod view;
pub(crate) mod view_cache;
pub(crate) mod wire;

/// The kind of entity that a game is.
pub const GAME: Kind = Kind::named("game");

/// A game's id, UUIDv7: sorting by it sorts by time.
pub type GameId = Uuid;

/// The entity that a game is kept as.
pub(crate) const fn entity(id: GameId) -> EntityId {
    EntityId::new(GAME, id)
}
