//! Players who watched a game and may no longer watch it.
//!
//! They know that the game exists, so they are told why they no longer see it. Strangers are told that there is no such
//! game. A game keeps marks of them, not their ids: hashes that differ from table to table. So nothing of a player who
//! is deleted stays here.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ground::mark::mark;

/// Maximum number of marks of a game. The oldest are forgotten first.
pub(crate) const MOST_DISMISSED: usize = 200;

/// The mark of a player at one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dismissed(u64);

impl Dismissed {
    /// Makes the mark of a player who watched at a table.
    pub(crate) fn new(player: Uuid, table: Uuid) -> Self {
        let bytes = [*table.as_bytes(), *player.as_bytes()].concat();
        Self(mark("pagade dismissed watchers v1", &bytes))
    }
}
