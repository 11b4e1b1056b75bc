//! Tables, where players sit down, choose options, and play one game after another: their stored form, the changes by
//! commands, and the views of the API.
//!
//! A table is an entity with a list of events, so streams, pages and webhooks serve it as they serve games. Its games
//! are entities of their own. A command changes the table first; then the service brings the game of the table in line
//! with it, at once or, if the process dies before, with the next check of the table.

use uuid::Uuid;

use crate::store::{EntityId, Kind};

pub(crate) mod chat;
mod deciding;
pub(crate) mod edit;
pub(crate) mod erasing;
pub(crate) mod event;
pub(crate) mod moving;
pub(crate) mod notice;
pub(crate) mod playing;
pub(crate) mod purse;
pub(crate) mod result;
pub(crate) mod seating;
pub(crate) mod settings;
pub(crate) mod stored;
pub(crate) mod tags;
pub(crate) mod view;
pub(crate) mod vote;
pub(crate) mod voting;

/// The kind of entity that tables are.
pub(crate) const TABLE: Kind = Kind::named("table");

/// The id of a table: a UUIDv7.
pub(crate) type TableId = Uuid;

/// Returns the id that a table has as an entity of the store.
pub(crate) const fn entity(id: TableId) -> EntityId {
    EntityId::new(TABLE, id)
}
