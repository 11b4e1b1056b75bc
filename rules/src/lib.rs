//! Rules.
pub mod check;
pub mod document;
mod expr;
pub mod language;
pub mod nearest;
pub mod play;
pub mod read;
pub mod ruleset;
pub mod source;
pub mod tables;
