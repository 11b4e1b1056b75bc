#![doc = include_str!("../README.md")]
#![doc = include_str!("../CRATE.md")]

mod build;
pub mod bundled;
pub mod check;
pub mod compare;
pub mod document;
pub mod encoding;
mod expr;
mod language;
pub mod layout;
pub mod nearest;
pub mod notation;
mod option_value;
pub mod perft;
pub mod picture;
pub mod play;
pub mod position;
pub mod read;
pub mod record;
pub mod ruleset;
pub mod scenario;
pub mod schema;
pub mod source;
pub mod table;
pub mod tables;
pub mod texts;
pub mod units;
mod word;
pub mod written;
mod yaml;
