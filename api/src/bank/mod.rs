//! The bank: the chips that belong to no player. It gets a share of every pot, the stakes of abandoned seats, and the
//! chips of deleted players.
//!
//! The bank is divided into [`SHARDS`] entities, so that many games can be settled at the same time. A *source* of
//! chips is a game or a deleted player. A shard lists the sources whose chips it has got, so that it gets them once,
//! although several processes may try at the same time: a process reads the shard, then the source, and then commits
//! the shard, which fails if the shard has changed since it was read. A source that has no more chips for the bank may
//! be removed from the list: a process that does not find it there reads the source later still, and finds no chips to
//! add.

use uuid::{Builder, Uuid};

use crate::store::{EntityId, Kind};

pub(crate) mod stored;

/// The kind of entity that the shards of the bank are.
pub(crate) const BANK: Kind = Kind::named("bank");

const SHARDS: u8 = 16;

/// Returns all shards of the bank.
pub(crate) fn shards() -> impl Iterator<Item = EntityId> {
    (0..SHARDS).map(shard)
}

/// Returns the shard of the bank that gets the chips of a game or deleted player with this id.
pub(crate) fn shard_of(id: Uuid) -> EntityId {
    shard(id.as_bytes()[15] % SHARDS)
}

fn shard(number: u8) -> EntityId {
    let mut bytes = *b"bank of pagade..";
    bytes[15] = number;
    EntityId::new(BANK, Builder::from_custom_bytes(bytes).into_uuid())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_source_has_one_of_the_shards() {
        let all: BTreeSet<_> = shards().collect();
        assert_eq!(all.len(), usize::from(SHARDS));
        let used: BTreeSet<_> = (0..1_000).map(|_| shard_of(Uuid::now_v7())).collect();
        assert_eq!(used, all);
    }
}
