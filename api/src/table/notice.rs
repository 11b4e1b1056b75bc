//! Notices: messages of a table for the inboxes of single players.
//!
//! A table and a player are two entities, which no commit can change together. So a notice is committed with the table,
//! and copied into the inbox a moment later. Notices have numbers. The number of the last notice that was copied is
//! stored beside the table, so that each notice is copied once. A process may die after it has copied a notice and
//! before it has stored this number. So the player, too, stores the number of the last notice from each table (from a
//! limited number of tables), and a notice that is copied again has no effect.

use serde::{Deserialize, Serialize};

use crate::player::PlayerId;

/// Number of notices that a table stores. Older notices have been copied into inboxes already.
pub(super) const MOST_NOTICES: usize = 64;

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
