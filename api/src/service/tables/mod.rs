//! The use cases of tables.

pub(crate) mod access;
mod change;
mod chatting;
mod creating;
mod due;
mod following;
mod hooks;
mod inviting;
mod listing;
mod noticing;
mod options;
mod playing;
mod quick;
pub(in crate::service) mod quick_locks;
mod seating;
mod settling;
mod visitors;
mod voting;
