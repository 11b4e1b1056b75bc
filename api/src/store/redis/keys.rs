//! Every key in Redis: its name, its value, its lifetime.
//!
//! All keys of an entity are in one hash slot of a cluster, so that one script can write them together: the slot is
//! computed from the part of a key in braces. `P` below is a prefix that separates several services on one Redis
//! (`?prefix=` of `--store`, `pagade` by default). `ID` and `KIND` name an entity, `KEY` is the hash of an idempotency
//! key.
//!
//! - `P:{ID}:KIND`: the entity, as `stored.rs` describes it: version, last commits, the end of the snapshot and more.
//! - `P:{ID}:KIND:base`: the tags of the entity, and an earlier snapshot that begins as the present one does; see
//!   `base.rs`.
//! - `P:{ID}:KIND:events`: list of events, packed as `packing.rs` describes; event N is item N-1. The channel on which
//!   the number of events is published has the same name.
//! - `P:{ID}:KIND:deliveries`: version (8 bytes) and value of the entity's deliveries.
//! - `P:{ID}:KIND:notes`: hash of the entity's notes. Each write sets the lifetime, for presence 24 hours.
//! - `P:{ID}:KIND:answer:KEY`: the stored answer to a request with this idempotency key, for 24 hours.
//! - `P:reserved:KIND:KEY`: the id of the entity that a request with this idempotency key creates, for the time
//!   [`RESERVED`]. When the entity is created, the reservation gets the lifetime of the stored answer.
//! - `P:tag:KIND:TAG`: sorted set of the ids of entities with the tag. All have score 0, so they sort by id, which
//!   means by time.
//! - `P:{board/KIND/BOARD}:scores`: sorted set of the ids of entities on a board, by score.
//! - `P:{board/KIND/BOARD}:labels`: hash from these ids to the labels of their lines.
//! - `P:unsettled`: sorted set, by time, of changes of tags that may be missing in the sets of ids; see `tags.rs`. An
//!   entry usually stays for some milliseconds.
//! - `P:schedule`: sorted set of tasks by deadline, and of leases by their end; see `schedule.rs`.
//! - `P:{spent}:NAME`: the time at which a bucket is empty, in microseconds since 1970. The key expires at that time.
//! - `P:text:DIGEST`: a text, for ever.
//! - `P:{published}:names`: hash from names of published texts to digests, each with the id of its commit, for ever.
//! - `P:{published}:answer:KEY`: the stored answer to a request that published a text, for 24 hours.
//!
//! No event is dropped while its entity exists, because a client may resume after any event. Events are in a Redis
//! list, which takes two thirds of the memory of a Redis stream.
//!
//! Memory of an entity of the largest kind, measured on Redis 7.0 (`MEMORY USAGE`): 0.8 KB without its events, about
//! 100 bytes for each event, and 0.4 KB in the lists by tag. A test checks the first two.

use uuid::Uuid;

use crate::store::{AnswerOwner, EntityId, Key, Kind};

/// Lifetime of a reservation whose entity is not created, in seconds.
pub(super) const RESERVED: u64 = 24 * 60 * 60;

/// The names of all keys under one prefix.
#[derive(Debug, Clone)]
pub(super) struct Keys(String);

impl Keys {
    /// Makes the names of keys under this prefix.
    pub(super) fn under(prefix: &str) -> Self {
        Self(prefix.to_owned())
    }

    /// Returns the name of a key that belongs to an entity and is in its hash slot.
    fn of(&self, id: EntityId, rest: &str) -> String {
        let mut buffer = Uuid::encode_buffer();
        [&self.0, ":{", id.id.hyphenated().encode_lower(&mut buffer), "}:", id.kind.word(), rest].concat()
    }

    pub(super) fn entity(&self, id: EntityId) -> String {
        self.of(id, "")
    }

    pub(super) fn base(&self, id: EntityId) -> String {
        self.of(id, ":base")
    }

    pub(super) fn events(&self, id: EntityId) -> String {
        self.of(id, ":events")
    }

    pub(super) fn deliveries(&self, id: EntityId) -> String {
        self.of(id, ":deliveries")
    }

    pub(super) fn notes(&self, id: EntityId) -> String {
        self.of(id, ":notes")
    }

    /// Returns the keys that are removed with an entity. The script `remove` requires that the keys of the entity and
    /// of its deliveries come first.
    pub(super) fn all_of(&self, id: EntityId) -> [String; 5] {
        [self.entity(id), self.deliveries(id), self.base(id), self.events(id), self.notes(id)]
    }

    /// Returns the entity to which a channel of published events belongs.
    pub(super) fn entity_of_channel(&self, channel: &[u8]) -> Option<EntityId> {
        match self.of_entity(channel)? {
            (id, "events") => Some(id),
            _ => None,
        }
    }

    pub(super) fn answer(&self, owner: AnswerOwner, key: &Key) -> String {
        let key = const_hex::encode(key);
        match owner {
            AnswerOwner::Entity(id) => self.of(id, &[":answer:", &key].concat()),
            AnswerOwner::Published => format!("{}:{{published}}:answer:{key}", self.0),
        }
    }

    pub(super) fn reserved(&self, kind: Kind, key: &Key) -> String {
        format!("{}:reserved:{kind}:{}", self.0, const_hex::encode(key))
    }

    pub(super) fn tag(&self, kind: Kind, tag: &str) -> String {
        format!("{}:tag:{kind}:{tag}", self.0)
    }

    /// Returns the two keys of a board, which are in one hash slot: ids by score, and labels.
    pub(super) fn board(&self, kind: Kind, board: &str) -> [String; 2] {
        ["scores", "labels"].map(|part| format!("{}:{{board/{kind}/{board}}}:{part}", self.0))
    }

    pub(super) fn unsettled(&self) -> String {
        format!("{}:unsettled", self.0)
    }

    pub(super) fn schedule(&self) -> String {
        format!("{}:schedule", self.0)
    }

    pub(super) fn bucket(&self, name: &str) -> String {
        format!("{}:{{spent}}:{name}", self.0)
    }

    pub(super) fn text(&self, digest: &str) -> String {
        format!("{}:text:{digest}", self.0)
    }

    pub(super) fn published(&self) -> String {
        format!("{}:{{published}}:names", self.0)
    }

    /// Returns the pattern that matches all names. A prefix has no character with a special meaning in patterns.
    pub(super) fn all(&self) -> String {
        format!("{}:*", self.0)
    }

    /// Parses the name of a key. Returns `None` for keys that an export does not need.
    pub(super) fn read(&self, name: &[u8]) -> Option<KeyName> {
        let rest = std::str::from_utf8(name).ok()?.strip_prefix(self.0.as_str())?;
        if let Some(digest) = rest.strip_prefix(":text:") {
            return Some(KeyName::Text(digest.to_owned()));
        }
        if let Some(key) = rest.strip_prefix(":{published}:answer:") {
            return Some(KeyName::Answer(AnswerOwner::Published, key_of(key)?));
        }
        match self.of_entity(name)? {
            (id, "") => Some(KeyName::Entity(id)),
            (id, part) => Some(KeyName::Answer(AnswerOwner::Entity(id), key_of(part.strip_prefix("answer:")?)?)),
        }
    }

    /// Splits a name into the entity that it belongs to, and the rest after the kind.
    fn of_entity<'n>(&self, name: &'n [u8]) -> Option<(EntityId, &'n str)> {
        let rest = std::str::from_utf8(name).ok()?.strip_prefix(self.0.as_str())?;
        let (id, rest) = rest.strip_prefix(":{")?.split_once("}:")?;
        let (kind, rest) = rest.split_once(':').unwrap_or((rest, ""));
        Some((EntityId::new(Kind::read(kind.as_bytes())?, Uuid::try_parse(id).ok()?), rest))
    }
}

/// The name of a key that an export needs, parsed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum KeyName {
    Entity(EntityId),
    Answer(AnswerOwner, Key),
    Text(String),
}

fn key_of(hex: &str) -> Option<Key> {
    const_hex::decode_to_array(hex).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entity_lies_in_one_slot() {
        let (keys, id) = (Keys::under("p"), EntityId::new(Kind::named("lamp"), Uuid::now_v7()));
        let slot = format!("{{{}}}", id.id);
        let answer = keys.answer(AnswerOwner::Entity(id), &[7; 32]);
        for name in keys.all_of(id).iter().chain([&answer]) {
            assert!(name.contains(&slot), "{name}");
        }
    }

    #[test]
    fn names_are_read() {
        let (keys, id) = (Keys::under("p"), EntityId::new(Kind::named("lamp"), Uuid::now_v7()));
        assert_eq!(keys.entity_of_channel(keys.events(id).as_bytes()), Some(id));
        assert_eq!(keys.entity_of_channel(keys.entity(id).as_bytes()), None);
        assert_eq!(keys.entity_of_channel(b"q:{x}:lamp:events"), None);
        assert_eq!(keys.read(keys.entity(id).as_bytes()), Some(KeyName::Entity(id)));
        for owner in [AnswerOwner::Published, AnswerOwner::Entity(id)] {
            let answer = keys.answer(owner, &[0xa7; 32]);
            assert_eq!(keys.read(answer.as_bytes()), Some(KeyName::Answer(owner, [0xa7; 32])));
        }
        assert_eq!(keys.read(keys.text("d1").as_bytes()), Some(KeyName::Text("d1".to_owned())));
        for other in
            [keys.base(id), keys.events(id), keys.notes(id), keys.schedule(), keys.published(), keys.tag(id.kind, "a")]
        {
            assert_eq!(keys.read(other.as_bytes()), None, "{other}");
        }
    }
}
