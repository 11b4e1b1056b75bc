//! Followers: the events of a game are read once a process, however many follow; presence says who does.

mod attendance;
mod feed;

pub(crate) use attendance::{Attendance, Attends};
pub(crate) use feed::{Feed, Feeds, Line, News};
