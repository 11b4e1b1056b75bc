//! The kinds of events of each kind of entity, each with its word and its meaning. The words must not change: clients
//! register webhooks for them, and client code is generated from them.

pub(crate) mod game;
mod group;
mod player;
mod table;
mod tournament;
mod words;

pub(crate) use game::EventKind;
pub(crate) use group::GroupEventKind;
pub(crate) use player::PlayerEventKind;
pub(crate) use table::TableEventKind;
pub use tournament::TournamentEventKind;
