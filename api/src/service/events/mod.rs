//! The events of a game: in pages, and as streams.

pub(crate) mod pages;
pub(crate) mod stream;
