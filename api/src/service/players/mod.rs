//! The use cases of players.

pub(crate) mod access;
mod change;
mod claiming;
mod deleting;
mod due;
mod erasing;
mod export;
mod exported_places;
mod following;
mod friends;
mod games;
mod gather;
mod hooks;
mod moving;
mod registered;
mod registering;
