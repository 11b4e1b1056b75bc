//! The use cases, one folder for each resource. A use case reads from the store, changes an entity, and commits once.

pub(crate) mod access;
pub(crate) mod call;
mod commit;
mod core;
pub(crate) mod entity;
pub(crate) mod events;
pub(crate) mod games;
mod gatherers;
pub(crate) mod groups;
pub(crate) mod idempotency;
#[cfg(test)]
mod lamp;
mod me;
pub(crate) mod page;
pub(crate) mod players;
pub(crate) mod records;
pub(crate) mod reply;
pub(crate) mod rule_sets;
pub(crate) mod schedule;
mod scoring;
pub(crate) mod simulations;
pub(crate) mod tables;
mod tickets;
pub(crate) mod tournaments;
mod uncancelled;
pub(crate) mod webhooks;

pub(crate) use core::Service;
pub(crate) use events::FollowedEntity;
pub(crate) use events::stream::{EventStream, StreamMessage, StreamSnapshot};
pub use records::{RecordHeader, Unproven, VerifiedRecord, verify};
pub(crate) use schedule::KINDS;

/// The limits of the use cases, as `/v1/limits` shows them.
pub(crate) mod limits {
    pub(crate) use super::events::pages::MOST as EVENT_PAGE;
    pub(crate) use super::events::stream::BEHIND as EVENTS_BEHIND;
    pub(crate) use super::events::waiting::LONGEST_WAIT as EVENT_WAIT;
    pub(crate) use super::games::lobby::LONGEST_TIMER as TURN_TIMER;
    pub(crate) use super::games::turns::MOST_ACTIONS as ACTIONS;
    pub(crate) use super::groups::members::MOST_AT_ONCE as GAMES_AT_ONCE;
    pub(crate) use super::groups::members::MOST_GAMES as GAMES_OF_GROUP;
    pub(crate) use super::rule_sets::LONGEST_TEXT as RULE_TEXT;
    pub(crate) use super::simulations::job::PROCESSOR_TIME as SIMULATION_TIME;
    pub(crate) use super::simulations::stored::LIFETIME as SIMULATION_KEPT;
    pub(crate) use crate::game::length::MOST_EVENTS as EVENTS;
    pub(crate) use crate::player::edit::MOST_GAMES as GAMES_OF_PLAYER;
    pub(crate) use crate::rule_sets::workers::BUDGET as WORK;
}
