//! Rules.
pub mod bundled;
pub mod check;
pub mod document;
mod expr;
pub mod language;
pub mod nearest;
pub mod notation;
pub mod perft;
pub mod play;
pub mod position;
pub mod read;
pub mod record;
pub mod ruleset;
pub mod scenario;
pub mod source;
pub mod tables;
