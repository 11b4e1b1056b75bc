//! Players who watched a game and may not any longer.
//!
//! They know that the game exists, so they are told why they no longer see it, while to strangers there is no such game.
//! A game keeps marks of them, not their ids: hashes that differ from table to table. So nothing of a player who is
//! deleted stays here.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::game::setup::Setup;

/// Maximum number of marks of a game. The oldest are forgotten first.
pub(crate) const MOST_DISMISSED: usize = 200;

/// The mark of a player at one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dismissed(u64);

impl Dismissed {
    fn new(player: Uuid, table: Uuid) -> Self {
        let known = [*table.as_bytes(), *player.as_bytes()].concat();
        let hash = blake3::derive_key("pagade dismissed watchers v1", &known);
        Self(hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}

impl Setup {
    /// Replaces the players who may watch the game at its table. Notes those who may not any longer.
    pub(crate) fn set_watchers(&mut self, watchers: Vec<Uuid>) {
        let before = std::mem::replace(&mut self.watchers, watchers);
        let Some(table) = self.table else { return };
        let gone: Vec<_> = before.into_iter().filter(|player| !self.watchers.contains(player)).collect();
        self.dismissed.extend(gone.into_iter().map(|player| Dismissed::new(player, table)));
        self.dismissed.drain(..self.dismissed.len().saturating_sub(MOST_DISMISSED));
    }

    /// Tells whether a player watched the game and may not any longer.
    pub(crate) fn is_dismissed(&self, player: Uuid) -> bool {
        self.table.is_some_and(|table| self.dismissed.contains(&Dismissed::new(player, table)))
    }
}
