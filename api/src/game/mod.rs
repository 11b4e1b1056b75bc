//! One game: as it is stored, changed by a command, and shown by the API.

use uuid::Uuid;

use crate::store::{EntityId, Kind};

pub(crate) mod cache;
pub(crate) mod dice;
pub(crate) mod edit;
pub(crate) mod ending;
pub(crate) mod event;
mod late;
pub(crate) mod legal;
pub(crate) mod length;
pub(crate) mod play;
mod ranking;
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

/// The id of a game, a UUIDv7: sorting by id sorts by time of creation.
pub(crate) type GameId = Uuid;

/// The entity of a game.
pub(crate) const fn entity(id: GameId) -> EntityId {
    EntityId::new(GAME, id)
}
