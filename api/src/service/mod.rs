//! The use cases, one folder for each resource. A use case reads from the store, decides, and hands the store one
//! commit.

pub(crate) mod access;
pub mod call;
mod commit;
mod core;
pub(crate) mod events;
pub(crate) mod games;
pub mod idempotency;
pub mod page;
pub(crate) mod records;
pub mod reply;
pub(crate) mod rule_sets;
pub(crate) mod schedule;
mod uncancelled;
pub mod webhooks;

pub use core::Service;
pub use events::stream::{EventStream, StreamMessage, StreamSnapshot};
pub use records::{Unproven, Verified, verify};

/// The limits of the use cases, as `/v1/limits` shows them.
pub mod limits {
    pub use super::events::pages::{LONGEST_WAIT as EVENT_WAIT, MOST as EVENT_PAGE};
    pub use super::events::stream::BEHIND as EVENTS_BEHIND;
    pub use super::games::lobby::LONGEST_TIMER as TURN_TIMER;
    pub use super::games::turns::MOST_ACTIONS as ACTIONS;
    pub use super::rule_sets::LONGEST_TEXT as RULE_TEXT;
    pub use crate::game::length::MOST_EVENTS as EVENTS;
    pub use crate::rule_sets::workers::BUDGET as WORK;
}
