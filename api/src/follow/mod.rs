//! Followers of entities: one feed reads the events of an entity for all followers in the process; presence counts the
//! followers; webhooks are followers that the service sends messages to.

mod event;
mod feed;
mod line;
mod presence;
mod webhook;

pub(crate) use event::{EventHead, as_written};
pub(crate) use feed::{Feed, FeedState, Feeds};
pub(crate) use line::{EventState, FeedKind, StreamEvent, write_lines};
#[cfg(test)]
pub(crate) use presence::StreamCounts;
pub(crate) use presence::{CombinedPresence, PresenceTracker, PresentFollower};
pub(crate) use webhook::Webhook;
