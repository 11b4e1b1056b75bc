//! Rules.
mod build;
pub mod document;
pub mod play;
pub mod ruleset;
pub mod source;
pub mod tables;
