//! Rules.
pub mod document;
pub mod notation;
pub mod play;
pub mod position;
pub mod ruleset;
pub mod source;
pub mod tables;
