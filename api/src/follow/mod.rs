//! Followers of entities: one feed reads the events of an entity for all followers in the process; presence counts the
//! followers.

mod feed;
mod presence;

pub(crate) use feed::{EventLine, Feed, FeedState, Feeds};
pub(crate) use presence::{PresenceTracker, PresentFollower};
