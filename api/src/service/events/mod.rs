//! The events of entities of any kind: in pages, and as streams.

mod followed;
pub(crate) mod pages;
mod presence;
pub(crate) mod stream;
pub(crate) mod waiting;

pub(crate) use followed::FollowedEntity;
