//! Whole games, as they are carried from one store to another.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::{GameId, Remembered};

/// An idempotency key.
pub type Key = [u8; 32];

/// Everything of a game but what may be lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole {
    /// Which game.
    pub id: GameId,
    /// Its version, from 1.
    pub version: u64,
    /// Its last snapshot.
    pub snapshot: Bytes,
    /// What it is found by.
    pub tags: Vec<String>,
    /// Its events.
    pub events: Vec<Vec<u8>>,
    /// How far its webhooks are, and the version of that; 0: nothing was written yet.
    pub deliveries: (u64, Vec<u8>),
    /// When it is looked at next, and when its deliveries are, in milliseconds since 1970.
    pub looks: [Option<u64>; 2],
    /// What was answered, by key.
    pub answers: Vec<Answered>,
}

/// An answer to a request that may be sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The key.
    pub key: Key,
    /// What is to be answered.
    pub remembered: Remembered,
    /// It answered the request that created the game.
    pub is_creation: bool,
}

/// What there is in a store, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inventory {
    /// All games, by id.
    pub games: Vec<GameId>,
    /// Keys under which answers are remembered, by game.
    pub answers: BTreeMap<GameId, Vec<Key>>,
    /// Keys of answers about published rule sets.
    pub rule_set_answers: Vec<Key>,
    /// Digests of rule texts.
    pub texts: Vec<String>,
}

impl Whole {
    /// Whether this is the other game, as it was or as it has become since.
    pub fn continues(&self, other: &Self) -> bool {
        let is_same = self.version > other.version || self.snapshot == other.snapshot;
        self.id == other.id && self.version >= other.version && is_same && self.events.starts_with(&other.events)
    }
}

/// The id under which the deliveries of a game stand in the queue of games to look at: of another version than those of
/// games.
pub fn queued(game: GameId) -> GameId {
    with_version(game, 8)
}

/// The game of an id in the queue, where it stands for deliveries.
pub fn game_of(queued: GameId) -> Option<GameId> {
    (queued.get_version_num() == 8).then(|| with_version(queued, 7))
}

fn with_version(id: GameId, version: u8) -> GameId {
    let mut bytes = *id.as_bytes();
    bytes[6] = bytes[6] & 0x0f | version << 4;
    GameId::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deliveries_stand_beside_their_game_in_the_queue() {
        let id = GameId::now_v7();
        assert_ne!(queued(id), id);
        assert_eq!((game_of(queued(id)), game_of(id)), (Some(id), None));
    }

    #[test]
    fn a_game_that_went_on_is_the_same_game() {
        let game = |version: u64, events: &[&str]| Whole {
            id: GameId::nil(),
            version,
            snapshot: version.to_string().into(),
            tags: Vec::new(),
            events: events.iter().map(|event| event.as_bytes().to_vec()).collect(),
            deliveries: (0, Vec::new()),
            looks: [None; 2],
            answers: Vec::new(),
        };
        assert!(game(2, &["a", "b"]).continues(&game(2, &["a", "b"])));
        assert!(game(3, &["a", "b", "c"]).continues(&game(2, &["a", "b"])));
        assert!(!game(2, &["a", "b"]).continues(&game(3, &["a", "b", "c"])));
        assert!(!game(3, &["a", "c", "c"]).continues(&game(2, &["a", "b"])));
    }
}
