//! The wire types: requests, which refuse unknown fields, and answers.
//!
//! The types belong to the API: a rename inside the engine does not change them.

pub mod dice;
pub mod event;
pub mod game;
pub mod operations;
pub mod presence;
pub mod rule_set;
pub mod turn;
pub mod webhook;
pub mod written;
