//! Webhooks: URLs that receive the events of an entity.

pub(crate) mod deliver;
mod hooked;
pub(crate) mod progress;
mod send;
mod sign;
pub(crate) mod subscriptions;
pub(crate) mod target;

pub(crate) use hooked::HookedEntity;
pub(crate) use send::Sender;
pub use sign::Secret;
pub(crate) use subscriptions::views;
