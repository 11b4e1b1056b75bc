//! Followers: the events of a game are read once a process, however many follow; presence says who does.

mod feed;
mod presence;

pub(crate) use feed::{EventLine, Feed, FeedState, Feeds};
pub(crate) use presence::{PresenceTracker, PresentFollower};
