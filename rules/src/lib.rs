//! Rules.
pub mod play;
pub mod tables;
