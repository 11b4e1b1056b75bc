//! Every key in Redis: its name, its value, its lifetime.
//!
//! All keys of an entity are in one hash slot, which the braces name, so one script can write them together. The prefix
//! separates several services on one Redis (`?prefix=` of `--store`, `pagade` by default).
//!
//! | key | value | lifetime |
//! | --- | --- | --- |
//! | `P:{ID}:KIND` | the entity: version, last commits, envelope, tags, snapshot: see `record.rs` | that of the entity |
//! | `P:{ID}:KIND:events` | list of events; event N is item N-1. Also the channel on which their number is published | that of the entity |
//! | `P:{ID}:KIND:answer:KEY` | the stored answer to a request with this idempotency key | until it expires: 24 hours |
//! | `P:{ID}:KIND:deliveries` | version (8 bytes) and value of its deliveries | that of the entity |
//! | `P:{ID}:KIND:notes` | hash of its notes | given with each write: for presence 24 hours |
//! | `P:reserved:KIND:KEY` | the id of the entity that a request with this key creates | [`RESERVED`]; that of the answer, once it is created |
//! | `P:tag:KIND:TAG` | sorted set of the ids of entities with the tag, all of score 0: ids sort by time | as long as there are any |
//! | `P:unsettled` | sorted set of changes of tags that the lists may not have yet, by time | milliseconds; see `tags.rs` |
//! | `P:schedule` | sorted set of tasks by deadline: see `schedule.rs` | as long as there are any |
//! | `P:{spent}:NAME` | when a bucket is dry, in microseconds since 1970 | until then |
//! | `P:text:DIGEST` | a text | for ever |
//! | `P:{published}:names` | hash of names of published texts to digests, each with its commit | for ever |
//! | `P:{published}:answer:KEY` | as for entities | 24 hours |
//!
//! A client may resume after any event, so no event is dropped. The events are in a Redis list, which takes two thirds
//! of the memory of a Redis stream.
//!
//! Measured on Redis 7.0 (`MEMORY USAGE`; a test compares) with the largest kind: 0.6 KB for an entity without its
//! events, 141 bytes an event, 0.4 KB in the lists.

use uuid::Uuid;

use crate::store::{AnswerOwner, EntityId, Key, Kind};

/// Lifetime of a reservation whose entity is not created, in seconds.
pub(super) const RESERVED: u64 = 24 * 60 * 60;

/// Names of keys under a prefix.
#[derive(Debug, Clone)]
pub(super) struct Keys(String);

impl Keys {
    /// Names under this prefix.
    pub(super) fn under(prefix: &str) -> Self {
        Self(prefix.to_owned())
    }

    /// A key of an entity, in its hash slot.
    fn of(&self, id: EntityId, rest: &str) -> String {
        let mut buffer = Uuid::encode_buffer();
        [&self.0, ":{", id.id.hyphenated().encode_lower(&mut buffer), "}:", id.kind.word(), rest].concat()
    }

    pub(super) fn entity(&self, id: EntityId) -> String {
        self.of(id, "")
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

    /// The keys that are removed with an entity. Those of the entity and its deliveries come first.
    pub(super) fn all_of(&self, id: EntityId) -> [String; 4] {
        [self.entity(id), self.deliveries(id), self.events(id), self.notes(id)]
    }

    /// The entity whose events are announced on a channel.
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

    /// The pattern that fits all names. A prefix has no character with a special meaning in patterns.
    pub(super) fn all(&self) -> String {
        format!("{}:*", self.0)
    }

    /// Parses the name of a key. `None` if an export does not need the key.
    pub(super) fn read(&self, name: &[u8]) -> Option<Name> {
        let rest = std::str::from_utf8(name).ok()?.strip_prefix(self.0.as_str())?;
        if let Some(digest) = rest.strip_prefix(":text:") {
            return Some(Name::Text(digest.to_owned()));
        }
        if let Some(key) = rest.strip_prefix(":{published}:answer:") {
            return Some(Name::Answer(AnswerOwner::Published, key_of(key)?));
        }
        match self.of_entity(name)? {
            (id, "") => Some(Name::Entity(id)),
            (id, part) => Some(Name::Answer(AnswerOwner::Entity(id), key_of(part.strip_prefix("answer:")?)?)),
        }
    }

    /// The entity that a name belongs to, and the rest of the name.
    fn of_entity<'n>(&self, name: &'n [u8]) -> Option<(EntityId, &'n str)> {
        let rest = std::str::from_utf8(name).ok()?.strip_prefix(self.0.as_str())?;
        let (id, rest) = rest.strip_prefix(":{")?.split_once("}:")?;
        let (kind, rest) = rest.split_once(':').unwrap_or((rest, ""));
        Some((EntityId::new(Kind::read(kind.as_bytes())?, Uuid::try_parse(id).ok()?), rest))
    }
}

/// The parsed name of a key.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Name {
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
        assert_eq!(keys.read(keys.entity(id).as_bytes()), Some(Name::Entity(id)));
        for owner in [AnswerOwner::Published, AnswerOwner::Entity(id)] {
            let answer = keys.answer(owner, &[0xa7; 32]);
            assert_eq!(keys.read(answer.as_bytes()), Some(Name::Answer(owner, [0xa7; 32])));
        }
        assert_eq!(keys.read(keys.text("d1").as_bytes()), Some(Name::Text("d1".to_owned())));
        for other in [keys.events(id), keys.notes(id), keys.schedule(), keys.published(), keys.tag(id.kind, "a")] {
            assert_eq!(keys.read(other.as_bytes()), None, "{other}");
        }
    }
}
