//! A shard of the bank as it is stored.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::error::{Problem, internal};
use crate::game::GameId;
use crate::player::PlayerId;
use crate::store::{EntityChange, EntityId, StoredEntity};

/// The first byte of a snapshot: the number of its layout. The program refuses other layouts. After this byte comes
/// [`Shard`] as MessagePack, with the fields in order and without names.
const LAYOUT: u8 = 1;

/// A shard of the bank.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shard {
    pub chips: u64,
    /// The chips that the service had given to players who were deleted.
    pub issued: u64,
    /// The sources whose chips the shard has got, oldest first. Sources that have no more chips for the bank may be
    /// missing.
    pub credited: Vec<ChipSource>,
}

/// A game or deleted player whose chips go to the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum ChipSource {
    /// The pot of a game of a table.
    Game { table: uuid::Uuid, game: GameId },
    /// The balance of a deleted player.
    Player {
        /// The id of the player. A registered player who is deleted and signs in again has the same id, and another
        /// time of creation.
        player: PlayerId,
        /// The time at which the player was created, in milliseconds since 1970.
        created_at: u64,
    },
}

/// Chips for the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Credit {
    pub chips: u64,
    /// For a deleted player, the chips that the service had given to this player; for a pot, 0.
    pub issued: u64,
}

impl ChipSource {
    /// Returns the shard of the bank that gets the chips of this source, always the same one.
    pub(crate) fn shard(self) -> EntityId {
        match self {
            Self::Game { game, .. } => super::shard_of(game),
            Self::Player { player, .. } => super::shard_of(player),
        }
    }
}

impl Shard {
    /// Decodes a stored shard; a shard that is not stored yet is empty.
    ///
    /// # Errors
    /// The bytes are damaged, or have another layout.
    pub(crate) fn read(stored: Option<&StoredEntity>) -> Result<Self, Problem> {
        let Some(stored) = stored else { return Ok(Self::default()) };
        match stored.snapshot.split_first() {
            Some((&LAYOUT, rest)) => rmp_serde::from_slice(rest).map_err(internal),
            Some((layout, _)) => {
                Err(internal(format!("a shard of the bank has layout {layout}, this program reads {LAYOUT}")))
            }
            None => Err(internal("the snapshot of a shard of the bank is empty")),
        }
    }

    /// Adds chips from a source.
    pub(crate) fn credit(&mut self, source: ChipSource, credit: Credit) {
        self.chips += credit.chips;
        self.issued += credit.issued;
        self.credited.push(source);
    }

    /// Makes the change to commit after `before` was read. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// The shard cannot be encoded, which its type makes impossible.
    pub(crate) fn into_change(
        self,
        id: EntityId,
        before: Option<&StoredEntity>,
        now: u64,
    ) -> Result<EntityChange, Problem> {
        let mut snapshot = vec![LAYOUT];
        rmp_serde::encode::write(&mut snapshot, &self).map_err(internal)?;
        Ok(EntityChange {
            id,
            expected: before.map_or(0, |before| before.version),
            snapshot: Bytes::from(snapshot),
            changed_at: now,
            is_closed: false,
            tags: None,
            events: Vec::new(),
            text: None,
            deadline: None,
        })
    }
}
