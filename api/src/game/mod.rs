//! Games: how a game is stored, changed by commands, and shown by the API.

use uuid::Uuid;

use crate::store::{EntityId, Kind};

pub(crate) mod absence;
pub(crate) mod address;
mod addresses;
pub(crate) mod cache;
mod control;
mod deadline;
pub(crate) mod dice;
mod dismissed;
pub(crate) mod edit;
mod ending;
pub(crate) mod erasing;
pub(crate) mod event;
mod event_text;
mod late;
#[cfg(test)]
mod laws;
pub(crate) mod legal;
pub(crate) mod length;
pub(crate) mod moving;
mod pawn_ids;
pub(crate) mod phrases;
pub(crate) mod planned;
pub(crate) mod play;
mod players;
pub(crate) mod ranking;
pub(crate) mod refused;
pub(crate) mod setup;
mod step_events;
pub(crate) mod steps;
pub(crate) mod stored;
pub(crate) mod table_terms;
pub(crate) mod terms;
pub(crate) mod tournament_terms;
pub(crate) mod view;
pub(crate) mod view_cache;
pub(crate) mod why;
pub(crate) mod wire;

/// The kind of entity that games are.
pub const GAME: Kind = Kind::named("game");

/// The id of a game: a UUIDv7, so that games sorted by id are sorted by time of creation.
pub(crate) type GameId = Uuid;

/// Returns the id that a game has as an entity of the store.
pub(crate) const fn entity(id: GameId) -> EntityId {
    EntityId::new(GAME, id)
}
