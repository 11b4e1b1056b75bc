//! Rules.
pub mod document;
pub mod notation;
pub mod perft;
pub mod play;
pub mod position;
pub mod record;
pub mod ruleset;
pub mod scenario;
pub mod source;
pub mod tables;
