//! Webhooks: URLs that receive the events of a game.

pub(crate) mod deliver;
pub(crate) mod progress;
mod send;
mod sign;
pub(crate) mod subscriptions;
pub(crate) mod target;

pub(crate) use send::Sender;
pub use sign::Secret;
