//! The use cases of players.

pub(crate) mod access;
mod change;
mod due;
mod erasing;
mod export;
mod following;
mod games;
mod gather;
mod hooks;
mod registered;
mod registering;
