//! Every key in Redis: its name, what it holds, how long it lives.
//!
//! Everything of a game lies in one hash slot, named by the braces, so one script can write it all together. The prefix
//! keeps several services apart on one Redis (`?prefix=` of `--store`, `pagade` unless given).
//!
//! | key | holds | lives |
//! | --- | --- | --- |
//! | `P:{ID}:game` | version, last commits, tags, snapshot: see `layout.rs` | as long as the game |
//! | `P:{ID}:events` | list of events; event N is item N-1. Also the channel on which their number is published | as long as the game |
//! | `P:{ID}:answer:KEY` | the answer to a request with this idempotency key | until it expires: 24 hours |
//! | `P:{ID}:deliveries` | how far its webhooks are: version (8 bytes), then JSON | as long as the game |
//! | `P:{ID}:presence` | hash: the streams of every process, when seats were last seen | 24 hours after the last change |
//! | `P:reserved:KEY` | the id of the game that a request with this key creates | as the answer, from the last try on |
//! | `P:tag:TAG` | sorted set of the ids of games with the tag, all of score 0: ids sort by time | as long as there are any |
//! | `P:unsettled` | sorted set of changes of tags that may not have been entered yet, by time | milliseconds; see `index.rs` |
//! | `P:looks` | sorted set of the ids of games with a turn timer, or to be removed some day, by the time to look at them: see `looks.rs` | until there is nothing to look for |
//! | `P:{spent}:NAME` | when a client's or a token's bucket is dry: see `api/src/rates` | until then: a minute, a day for what was published |
//! | `P:text:DIGEST` | the text of a rule set | for ever |
//! | `P:{rule-sets}:published` | hash of names to digests, each with its commit | for ever |
//! | `P:{rule-sets}:answer:KEY` | as for games | 24 hours |
//!
//! A client may resume from any event, and records are made of them all, so none is dropped; a game has 100,000 at most
//! (`events_per_game` in `/v1/limits`), 14 MB. A list takes two thirds of what a stream takes.
//!
//! Measured on Redis 7.0 (`MEMORY USAGE`; a test holds it): 0.6 KB for the game, 141 bytes an event. A Pagade of four to
//! the end, 703 steps and 1,005 events, takes 142 KB, and 0.4 KB in the lists.

use crate::store::{GameId, Place};

/// How long the id of a game that is never created stays reserved, in seconds. Once it is to be created, the
/// reservation expires with the answer.
pub const RESERVED: u64 = 24 * 60 * 60;

/// Names of keys under a prefix.
#[derive(Debug, Clone)]
pub struct Keys(String);

impl Keys {
    /// Names under this prefix.
    pub fn under(prefix: &str) -> Self {
        Self(prefix.to_owned())
    }

    /// A key of a game: in its hash slot.
    fn of(&self, id: GameId, part: &str) -> String {
        let mut buffer = GameId::encode_buffer();
        [&self.0, ":{", id.hyphenated().encode_lower(&mut buffer), "}:", part].concat()
    }

    pub fn game(&self, id: GameId) -> String {
        self.of(id, "game")
    }

    pub fn events(&self, id: GameId) -> String {
        self.of(id, "events")
    }

    pub fn deliveries(&self, id: GameId) -> String {
        self.of(id, "deliveries")
    }

    /// All that is kept of a game for as long as there is the game, and its presence; the game and its deliveries first.
    pub fn of_game(&self, id: GameId) -> [String; 4] {
        [self.game(id), self.deliveries(id), self.events(id), self.presence(id)]
    }

    pub fn presence(&self, id: GameId) -> String {
        self.of(id, "presence")
    }

    /// The game of a channel named as its events.
    pub fn game_of_news(&self, channel: &[u8]) -> Option<GameId> {
        let name = std::str::from_utf8(channel).ok()?.strip_prefix(self.0.as_str())?;
        GameId::try_parse(name.strip_prefix(":{")?.strip_suffix("}:events")?).ok()
    }

    pub fn answer(&self, place: Place, key: &[u8; 32]) -> String {
        match place {
            Place::Game(id) => format!("{}:{{{id}}}:answer:{}", self.0, const_hex::encode(key)),
            Place::RuleSets => format!("{}:{{rule-sets}}:answer:{}", self.0, const_hex::encode(key)),
        }
    }

    pub fn reserved(&self, key: &[u8; 32]) -> String {
        format!("{}:reserved:{}", self.0, const_hex::encode(key))
    }

    pub fn tag(&self, tag: &str) -> String {
        format!("{}:tag:{tag}", self.0)
    }

    pub fn unsettled(&self) -> String {
        format!("{}:unsettled", self.0)
    }

    pub fn looks(&self) -> String {
        format!("{}:looks", self.0)
    }

    pub fn bucket(&self, name: &str) -> String {
        format!("{}:{{spent}}:{name}", self.0)
    }

    pub fn text(&self, digest: &str) -> String {
        format!("{}:text:{digest}", self.0)
    }

    pub fn published(&self) -> String {
        format!("{}:{{rule-sets}}:published", self.0)
    }

    /// The pattern of all names. Prefixes have no letters that mean something in it.
    pub fn all(&self) -> String {
        format!("{}:*", self.0)
    }

    /// What lies under a name, where that is carried from store to store.
    pub fn read(&self, name: &[u8]) -> Option<Name> {
        let rest = std::str::from_utf8(name).ok()?.strip_prefix(self.0.as_str())?.strip_prefix(':')?;
        if let Some(digest) = rest.strip_prefix("text:") {
            return Some(Name::Text(digest.to_owned()));
        }
        let (place, part) = rest.strip_prefix('{')?.split_once("}:")?;
        match (place, part.strip_prefix("answer:")) {
            ("rule-sets", Some(key)) => Some(Name::Answer(Place::RuleSets, const_hex::decode_to_array(key).ok()?)),
            (id, Some(key)) => {
                Some(Name::Answer(Place::Game(GameId::try_parse(id).ok()?), const_hex::decode_to_array(key).ok()?))
            }
            (id, None) if part == "game" => GameId::try_parse(id).ok().map(Name::Game),
            _ => None,
        }
    }
}

/// What a name stands for.
#[derive(Debug, PartialEq, Eq)]
pub enum Name {
    Game(GameId),
    Answer(Place, [u8; 32]),
    Text(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_lies_in_one_slot() {
        let (keys, id) = (Keys::under("p"), GameId::now_v7());
        let tag = format!("{{{id}}}");
        for name in [keys.game(id), keys.deliveries(id), keys.events(id), keys.answer(Place::Game(id), &[7; 32])] {
            assert!(name.contains(&tag), "{name}");
        }
        assert_eq!(keys.game_of_news(keys.events(id).as_bytes()), Some(id));
        assert_eq!(keys.read(keys.game(id).as_bytes()), Some(Name::Game(id)));
        let answer = keys.answer(Place::RuleSets, &[0xa7; 32]);
        assert_eq!(keys.read(answer.as_bytes()), Some(Name::Answer(Place::RuleSets, [0xa7; 32])));
        assert_eq!(keys.read(keys.events(id).as_bytes()), None);
        assert_eq!(keys.game_of_news(b"q:{x}:events"), None);
    }
}
