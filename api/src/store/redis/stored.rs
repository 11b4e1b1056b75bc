//! The layout of an entity's value in Redis. It is binary; numbers are big endian.
//!
//! A value has these parts, in this order:
//! - layout (1 byte);
//! - version (8 bytes);
//! - ids of the last [`COMMITS`] commits, newest first ([`COMMIT`] bytes each);
//! - number of events (8 bytes);
//! - time of the last change, in milliseconds since 1970 (8 bytes);
//! - whether the entity is closed (1 byte);
//! - id of the commit that wrote the base ([`COMMIT`] bytes);
//! - number of bytes that are the same at the beginning of the snapshot and of the base (4 bytes);
//! - the remaining bytes of the snapshot.
//!
//! A base is an earlier snapshot under a key of its own, see [`Base`]. The scripts compare version and last commit, and
//! rely on the position of these two in the value.

use std::sync::Arc;

use bytes::Bytes;

use super::base::Base;
use crate::store::{EntityChange, EntityId, StoreError, StoredEntity};

/// Version of the layout of all values in Redis. The program refuses a value of another layout.
pub(super) const LAYOUT: u8 = 5;
/// Number of bytes in the id of a commit.
pub(super) const COMMIT: usize = 8;
/// Number of commit ids that an entity contains. A process that lost the answer to its commit sends the commit again.
/// If the commit was made, the stored value contains its id. After this many later commits, the id is gone.
pub(super) const COMMITS: usize = 8;

/// The id of a commit: random bytes.
pub(super) type CommitId = [u8; COMMIT];

/// The ids of an entity's last commits, newest first. Unused elements are zeros.
pub(super) type Commits = [CommitId; COMMITS];

/// An entity as it is stored in Redis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RedisEntity {
    pub entity: StoredEntity,
    base: Arc<Base>,
    commits: Commits,
    /// Whether it is certain that enough Redis replicas have this version.
    pub is_confirmed: bool,
}

/// Whether a commit was made, as the commit ids in the value of its entity show.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Done {
    Yes,
    No,
    /// Unknown, because so many later commits followed that the value no longer contains the id.
    Unknown,
}

impl RedisEntity {
    /// Makes the entity after a commit from the entity before it.
    pub(super) fn next(before: Option<&Self>, change: &EntityChange, version: u64, commit: CommitId) -> Self {
        let EntityChange { id, changed_at, is_closed, .. } = *change;
        let events = before.map_or(0, |before| before.entity.events) + change.events.len() as u64;
        let snapshot = change.snapshot.clone();
        let base = Self::base_of(before, change, commit);
        let mut commits = before.map_or([CommitId::default(); COMMITS], |before| before.commits);
        commits.rotate_right(1);
        commits[0] = commit;
        let entity = StoredEntity { id, version, events, changed_at, is_closed, snapshot };
        Self { entity, base, commits, is_confirmed: false }
    }

    /// Returns the base of the entity before the commit, if the tags stay the same and the new snapshot shares enough
    /// bytes with this base; otherwise a new base.
    fn base_of(before: Option<&Self>, change: &EntityChange, commit: CommitId) -> Arc<Base> {
        let there = before.map(|before| &before.base);
        let has_tags = |base: &Base| change.tags.as_ref().is_none_or(|tags| base.tags[..] == tags[..]);
        if let Some(base) = there.filter(|base| has_tags(base) && base.is_good_for(&change.snapshot)) {
            return Arc::clone(base);
        }
        let tags = change.tags.as_deref().map(Arc::from);
        let tags = tags.or_else(|| there.map(|base| Arc::clone(&base.tags))).unwrap_or_default();
        Arc::new(Base::new(commit, tags, change.snapshot.clone()))
    }

    /// Returns the tags by which the entity is listed.
    pub(super) fn tags(&self) -> &[String] {
        &self.base.tags
    }

    pub(super) fn base(&self) -> &Arc<Base> {
        &self.base
    }

    /// Returns the encoded base if the commit of this version has to write it, because it is new.
    pub(super) fn new_base(&self) -> Option<Vec<u8>> {
        (self.base.commit == self.made_by()).then(|| self.base.write())
    }

    /// Marks the entity as present on enough Redis replicas.
    pub(super) fn confirmed(self) -> Self {
        Self { is_confirmed: true, ..self }
    }

    /// Returns the id of the commit that made this version.
    pub(super) fn made_by(&self) -> CommitId {
        self.commits[0]
    }

    /// Returns version and last commit as bytes, in the order in which they follow the layout byte of the value.
    pub(super) fn mark(&self) -> [u8; 8 + COMMIT] {
        mark(self.entity.version, &self.commits[0])
    }

    /// Encodes the entity as a value.
    pub(super) fn write(&self) -> Vec<u8> {
        let StoredEntity { version, events, changed_at, is_closed, snapshot, .. } = &self.entity;
        let shared = self.base.shared_with(snapshot);
        [
            &[LAYOUT],
            &version.to_be_bytes()[..],
            self.commits.as_flattened(),
            &events.to_be_bytes(),
            &changed_at.to_be_bytes(),
            &[u8::from(*is_closed)],
            &self.base.commit,
            &u32::try_from(shared).unwrap_or(u32::MAX).to_be_bytes(),
            &snapshot[shared..],
        ]
        .concat()
    }

    /// Tells whether an encoded value has the version of this entity, made by the same commit.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        bytes.split_first().is_some_and(|(&layout, rest)| layout == LAYOUT && rest.starts_with(&self.mark()))
    }
}

/// The decoded value of an entity. Its snapshot is not complete without the base.
#[derive(Debug)]
pub(super) struct EntityValue {
    version: u64,
    commits: Commits,
    events: u64,
    changed_at: u64,
    is_closed: bool,
    /// The base of the entity, named by the id of the commit that wrote the base. The snapshot is the first `shared`
    /// bytes of the base, followed by `rest`.
    pub base: CommitId,
    shared: usize,
    rest: Bytes,
}

impl EntityValue {
    /// Decodes the value of an entity.
    ///
    /// # Errors
    /// The bytes are damaged, or have another layout.
    pub(super) fn read(id: EntityId, bytes: Vec<u8>) -> Result<Self, StoreError> {
        match bytes.first() {
            Some(&LAYOUT) => {}
            Some(layout) => {
                let reason = format!("entity {id} has layout {layout}, this program reads {LAYOUT}");
                return Err(StoreError::Damaged(reason));
            }
            None => return Err(damaged(id)),
        }
        Self::split(&Bytes::from(bytes)).ok_or_else(|| damaged(id))
    }

    fn split(bytes: &Bytes) -> Option<Self> {
        let (version, rest) = bytes.get(1..)?.split_first_chunk::<8>()?;
        let (stored, rest) = rest.split_at_checked(COMMIT * COMMITS)?;
        let mut commits = Commits::default();
        commits.as_flattened_mut().copy_from_slice(stored);
        let (events, rest) = rest.split_first_chunk::<8>()?;
        let (changed_at, rest) = rest.split_first_chunk::<8>()?;
        let (is_closed, rest) = rest.split_first()?;
        let (base, rest) = rest.split_first_chunk::<COMMIT>()?;
        let (shared, rest) = rest.split_first_chunk::<4>()?;
        Some(Self {
            version: u64::from_be_bytes(*version),
            commits,
            events: u64::from_be_bytes(*events),
            changed_at: u64::from_be_bytes(*changed_at),
            is_closed: *is_closed != 0,
            base: *base,
            shared: u32::from_be_bytes(*shared) as usize,
            rest: bytes.slice_ref(rest),
        })
    }

    /// Makes an entity of the value and its base.
    ///
    /// # Errors
    /// The base is not the one that the value names, or has too few bytes.
    pub(super) fn on(self, id: EntityId, base: Arc<Base>) -> Result<RedisEntity, StoreError> {
        let Self { version, commits, events, changed_at, is_closed, shared, rest, .. } = self;
        let snapshot = if base.commit == self.base { base.followed_by(shared, &rest) } else { None };
        let snapshot = snapshot.ok_or_else(|| damaged(id))?;
        let entity = StoredEntity { id, version, events, changed_at, is_closed, snapshot };
        Ok(RedisEntity { entity, base, commits, is_confirmed: false })
    }

    /// Tells whether this commit made version `version` of the entity.
    pub(super) fn has(&self, commit: &CommitId, version: u64) -> Done {
        let Some(since) = self.version.checked_sub(version) else { return Done::No };
        match usize::try_from(since).ok().and_then(|since| self.commits.get(since)) {
            Some(there) if there == commit => Done::Yes,
            Some(_) => Done::No,
            None => Done::Unknown,
        }
    }
}

fn damaged(id: EntityId) -> StoreError {
    StoreError::Damaged(format!("entity {id}"))
}

/// Returns version and commit as bytes, in the order in which they follow the layout byte of a value.
pub(super) fn mark(version: u64, commit: &CommitId) -> [u8; 8 + COMMIT] {
    let mut bytes = [0; 8 + COMMIT];
    bytes[..8].copy_from_slice(&version.to_be_bytes());
    bytes[8..].copy_from_slice(commit);
    bytes
}

/// Draws a random id for a new commit.
pub(super) fn commit_id() -> CommitId {
    rand::random()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::store::Kind;

    #[test]
    fn an_entity_knows_its_last_commits() {
        let id = EntityId::new(Kind::named("lamp"), Uuid::now_v7());
        let change = EntityChange {
            id,
            expected: 0,
            snapshot: Bytes::from_static(b"snapshot"),
            changed_at: 7,
            is_closed: true,
            tags: Some(vec!["any".to_owned(), "open".to_owned()]),
            events: vec![b"event".to_vec()],
            text: None,
            deadline: None,
        };
        let mut stored: Option<RedisEntity> = None;
        for version in 1..=20_u8 {
            let change = EntityChange { snapshot: format!("snapshot {version}").into(), ..change.clone() };
            stored = Some(RedisEntity::next(stored.as_ref(), &change, version.into(), [20 - version; COMMIT]));
        }
        let stored = stored.unwrap();
        let written = stored.write();
        let read = || EntityValue::read(id, written.clone()).unwrap();
        assert_eq!(read().on(id, Arc::clone(stored.base())).unwrap(), stored);
        assert!(stored.is_in(&written) && written[1..].starts_with(&mark(20, &[0; COMMIT])));
        let StoredEntity { version, events, snapshot, .. } = &stored.entity;
        assert_eq!((*version, *events, &snapshot[..]), (20, 20, &b"snapshot 20"[..]));
        assert_eq!(stored.tags(), ["any", "open"]);
        assert_eq!(read().has(&[3; COMMIT], 17), Done::Yes);
        assert_eq!(read().has(&[3; COMMIT], 18), Done::No);
        assert_eq!(read().has(&[3; COMMIT], 21), Done::No);
        assert_eq!(read().has(&[3; COMMIT], 9), Done::Unknown);
        let old = EntityValue::read(id, vec![2, 0, 0]).unwrap_err().to_string();
        assert!(old.contains("has layout 2, this program reads 5"), "{old}");
        assert!(EntityValue::read(id, written[..90].to_vec()).is_err());
    }

    #[test]
    fn a_commit_writes_what_differs_from_the_base() {
        let id = EntityId::new(Kind::named("lamp"), Uuid::now_v7());
        let change = |rest: &str, tag: &str| EntityChange {
            id,
            expected: 0,
            snapshot: [&[b'-'; 600], rest.as_bytes()].concat().into(),
            changed_at: 7,
            is_closed: false,
            tags: Some(vec![tag.to_owned()]),
            events: Vec::new(),
            text: None,
            deadline: None,
        };
        let first = RedisEntity::next(None, &change("one", "open"), 1, [1; COMMIT]);
        assert!(first.new_base().is_some_and(|base| base.len() > 600) && first.write().len() < 120);
        let second = RedisEntity::next(Some(&first), &change("two", "open"), 2, [2; COMMIT]);
        assert!(second.new_base().is_none() && second.write().len() < 120);
        assert_eq!(EntityValue::read(id, second.write()).unwrap().base, [1; COMMIT]);
        let other_base = Arc::new(Base::new([9; COMMIT], Arc::default(), second.entity.snapshot.clone()));
        assert!(EntityValue::read(id, second.write()).unwrap().on(id, other_base).is_err());
        let third = RedisEntity::next(Some(&second), &change("two", "closed"), 3, [3; COMMIT]);
        assert!(third.new_base().is_some(), "the base has the tags");
    }
}
