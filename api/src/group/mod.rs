//! Groups of games: how a group is stored, changed by commands, and shown by the API.
//!
//! A group is an entity with a list of events, into which the service copies the events of its games. So one stream,
//! one webhook or one page covers all games of the group, and the code that serves every kind of entity serves groups,
//! too.

use uuid::Uuid;

use crate::store::{EntityId, Kind};

pub(crate) mod edit;
pub(crate) mod event;
pub(crate) mod stored;
pub(crate) mod view;

/// The kind of entity that groups are.
pub(crate) const GROUP: Kind = Kind::named("group");

/// The id of a group: a UUIDv7.
pub(crate) type GroupId = Uuid;

/// Returns the id that a group has as an entity of the store.
pub(crate) const fn entity(id: GroupId) -> EntityId {
    EntityId::new(GROUP, id)
}
