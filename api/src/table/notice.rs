//! Notices: messages of a table for the inboxes of single players.
//!
//! A table and a player are two entities, which no commit can change together. So the notice is committed with the
//! table, and copied into the inbox a moment later. Notices have numbers. Beside the table stands the number up to which
//! they were copied, so that each is copied once. A process may die between copy and note; so the player stores the
//! number of the last notice of each of many tables, too, and a notice that is copied again has no effect.

use serde::{Deserialize, Serialize};

use crate::player::PlayerId;

/// Number of notices that a table stores. Older notices have been copied into inboxes already.
pub(super) const MOST: usize = 64;

/// A notice for one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notice {
    /// The number of the notice at its table, from 1.
    pub number: u64,
    /// The player who gets the notice.
    pub player: PlayerId,
    pub kind: NoticeKind,
    /// The time of the notice, in milliseconds since 1970.
    pub at: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum NoticeKind {
    /// The player was invited to the table.
    Invited,
    /// A vote was opened in which the player can vote.
    VoteOpened,
}
