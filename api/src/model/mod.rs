//! What goes over the wire: requests, which refuse fields they do not know, and answers.
//!
//! These types are the API's own: a rename inside the engine does not move them.

pub mod dice;
pub mod event;
pub mod game;
pub mod operations;
pub mod presence;
pub mod rule_set;
pub mod turn;
pub mod webhook;
pub mod written;
