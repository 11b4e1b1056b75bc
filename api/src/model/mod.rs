//! The wire types: requests, which refuse unknown fields, and answers.
//!
//! The types belong to the API: a rename inside the engine does not change them.

pub(crate) mod dice;
pub(crate) mod ending;
pub(crate) mod event;
pub(crate) mod event_word;
pub(crate) mod game;
pub(crate) mod games_query;
pub(crate) mod operations;
pub(crate) mod presence;
pub(crate) mod rule_set;
pub(crate) mod turn;
pub(crate) mod webhook;
pub(crate) mod written;
