//! Players: how a player is stored, changed by commands, and shown by the API.
//!
//! A player is a person with one token for many games. A player is an entity whose list of events is the inbox of this
//! person, so streams, pages and webhooks serve it as they serve games and groups.

use uuid::Uuid;

use crate::store::{EntityId, Kind};

pub(crate) mod circle;
pub(crate) mod claiming;
pub(crate) mod edit;
pub(crate) mod event;
pub(crate) mod friends;
pub(crate) mod inbox;
pub(crate) mod ledger;
pub(crate) mod settling;
pub(crate) mod stored;
pub(crate) mod view;

/// The kind of entity that players are.
pub(crate) const PLAYER: Kind = Kind::named("player");

/// The id of a player: a UUIDv7. For a registered player, a UUIDv8 that is computed from issuer and subject.
pub(crate) type PlayerId = Uuid;

/// Tells whether an id is that of a registered player, whom an identity provider names. Guests have other ids.
pub(crate) fn is_registered(id: PlayerId) -> bool {
    id.get_version() == Some(uuid::Version::Custom)
}

/// Returns the name of a player as an entity of the store.
pub(crate) const fn entity(id: PlayerId) -> EntityId {
    EntityId::new(PLAYER, id)
}
