//! Tournaments: how a tournament is stored, changed by commands, and shown by the API.
//!
//! The crate `pagade-pairing` decides who meets whom, and computes the standings. This folder stores the entrants,
//! rounds and results from which the crate computes them. The games of a round are planned in the commit that pairs the
//! round, which also fixes their ids; any process may create them afterwards.

use uuid::Uuid;

use crate::store::{EntityId, Kind};

pub(crate) mod cache;
pub(crate) mod csv;
pub(crate) mod edit;
pub(crate) mod entering;
pub(crate) mod event;
pub(crate) mod form;
pub(crate) mod names;
mod no_shows;
pub(crate) mod outcome;
pub(crate) mod own_rounds;
pub(crate) mod planning;
pub(crate) mod results;
mod returning;
pub(crate) mod rounds;
mod shared;
pub(crate) mod stored;
pub(crate) mod suiting;
mod taking_back;
pub(crate) mod teams;
pub(crate) mod terms;
pub(crate) mod view;

/// The kind of entity that tournaments are.
pub(crate) const TOURNAMENT: Kind = Kind::named("tournament");

/// The id of a tournament: a UUIDv7.
pub(crate) type TournamentId = Uuid;

/// Returns the id that a tournament has as an entity of the store.
pub(crate) const fn entity(id: TournamentId) -> EntityId {
    EntityId::new(TOURNAMENT, id)
}
