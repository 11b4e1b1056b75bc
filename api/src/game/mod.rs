//! One game: as it is kept, as a command changes it, and as the API shows it.

pub(crate) mod cache;
pub mod dice;
pub(crate) mod edit;
pub(crate) mod engine;
pub(crate) mod length;
pub(crate) mod setup;
pub(crate) mod steps;
pub(crate) mod stored;
pub(crate) mod view;
pub(crate) mod view_cache;
