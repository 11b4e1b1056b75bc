//! The layout of an entity's value in Redis: binary, numbers big endian, the version of the layout first.
//!
//! Layout (1 byte), version (8), the last [`COMMITS`] commits, newest first ([`COMMIT`] bytes each), number of events
//! (8), time of the last change (8), whether it is closed (1), length of the tags (4), tags joined by line feeds,
//! snapshot. The scripts compare version and last commit, and rely on their position.

use std::sync::Arc;

use bytes::Bytes;

use crate::store::{EntityChange, EntityId, StoreError, StoredEntity};

/// Version of the layout of all values. A value of another layout is refused.
pub(super) const LAYOUT: u8 = 3;
/// Bytes of a commit's own id.
pub(super) const COMMIT: usize = 8;
/// Number of commit ids that an entity contains. A process that lost the answer to its commit can find out whether the
/// commit was made, unless this many other commits followed within seconds.
pub(super) const COMMITS: usize = 8;

/// A commit's own id, at random.
pub(super) type CommitId = [u8; COMMIT];

/// The last commits of an entity, newest first; zeros before its first.
pub(super) type Commits = [CommitId; COMMITS];

/// An entity as it is kept in Redis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    /// The entity.
    pub entity: StoredEntity,
    /// The tags by which the entity is listed.
    pub tags: Arc<[String]>,
    commits: Commits,
    /// Whether enough Redis replicas are known to have this version.
    pub is_confirmed: bool,
}

/// Whether a commit is in an entity.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Done {
    Yes,
    No,
    /// Too many later commits followed.
    Unknown,
}

impl Record {
    /// The record after a commit, from the record before it.
    pub(super) fn next(before: Option<&Self>, change: &EntityChange, version: u64, commit: CommitId) -> Self {
        let EntityChange { id, changed_at, is_closed, .. } = *change;
        let events = before.map_or(0, |before| before.entity.events) + change.events.len() as u64;
        let snapshot = change.snapshot.clone();
        let tags = change.tags.as_deref().map(Arc::from);
        let tags = tags.or_else(|| before.map(|before| Arc::clone(&before.tags))).unwrap_or_default();
        let mut commits = before.map_or([CommitId::default(); COMMITS], |before| before.commits);
        commits.rotate_right(1);
        commits[0] = commit;
        let entity = StoredEntity { id, version, events, changed_at, is_closed, snapshot };
        Self { entity, tags, commits, is_confirmed: false }
    }

    /// The same record, known to be on enough replicas.
    pub(super) fn confirmed(self) -> Self {
        Self { is_confirmed: true, ..self }
    }

    /// The commit that made this version.
    pub(super) fn made_by(&self) -> CommitId {
        self.commits[0]
    }

    /// Version and last commit, as they stand in the value behind the layout.
    pub(super) fn mark(&self) -> [u8; 8 + COMMIT] {
        mark(self.entity.version, &self.commits[0])
    }

    /// Writes the value.
    pub(super) fn write(&self) -> Vec<u8> {
        let StoredEntity { version, events, changed_at, is_closed, snapshot, .. } = &self.entity;
        let tags = self.tags.join("\n");
        let length = u32::try_from(tags.len()).unwrap_or(u32::MAX);
        [
            &[LAYOUT],
            &version.to_be_bytes()[..],
            self.commits.as_flattened(),
            &events.to_be_bytes(),
            &changed_at.to_be_bytes(),
            &[u8::from(*is_closed)],
            &length.to_be_bytes(),
            tags.as_bytes(),
            snapshot,
        ]
        .concat()
    }

    /// Reads a value.
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
            None => return Err(StoreError::Damaged(format!("entity {id}"))),
        }
        Self::split(id, &Bytes::from(bytes)).ok_or_else(|| StoreError::Damaged(format!("entity {id}")))
    }

    fn split(id: EntityId, bytes: &Bytes) -> Option<Self> {
        let (version, rest) = bytes.get(1..)?.split_first_chunk::<8>()?;
        let (stored, rest) = rest.split_at_checked(COMMIT * COMMITS)?;
        let mut commits = Commits::default();
        commits.as_flattened_mut().copy_from_slice(stored);
        let (events, rest) = rest.split_first_chunk::<8>()?;
        let (changed_at, rest) = rest.split_first_chunk::<8>()?;
        let (is_closed, rest) = rest.split_first()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (tags, snapshot) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        let tags = std::str::from_utf8(tags).ok()?;
        let entity = StoredEntity {
            id,
            version: u64::from_be_bytes(*version),
            events: u64::from_be_bytes(*events),
            changed_at: u64::from_be_bytes(*changed_at),
            is_closed: *is_closed != 0,
            snapshot: bytes.slice_ref(snapshot),
        };
        let tags = tags.split('\n').filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
        Some(Self { entity, tags, commits, is_confirmed: false })
    }

    /// Whether a value has this version, made by the same commit.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        bytes.split_first().is_some_and(|(&layout, rest)| layout == LAYOUT && rest.starts_with(&self.mark()))
    }

    /// Whether the entity contains the commit that made version `version`.
    pub(super) fn has(&self, commit: &CommitId, version: u64) -> Done {
        let Some(since) = self.entity.version.checked_sub(version) else { return Done::No };
        match usize::try_from(since).ok().and_then(|since| self.commits.get(since)) {
            Some(there) if there == commit => Done::Yes,
            Some(_) => Done::No,
            None => Done::Unknown,
        }
    }
}

/// Version and commit as they stand in a value behind the layout.
pub(super) fn mark(version: u64, commit: &CommitId) -> [u8; 8 + COMMIT] {
    let mut bytes = [0; 8 + COMMIT];
    bytes[..8].copy_from_slice(&version.to_be_bytes());
    bytes[8..].copy_from_slice(commit);
    bytes
}

/// A new commit's own id.
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
        let mut record = None;
        for version in 1..=20_u8 {
            record = Some(Record::next(record.as_ref(), &change, version.into(), [20 - version; COMMIT]));
        }
        let written = record.clone().unwrap().write();
        let read = Record::read(id, written.clone()).unwrap();
        assert_eq!(Some(&read), record.as_ref());
        assert!(read.is_in(&written) && written[1..].starts_with(&mark(20, &[0; COMMIT])));
        assert_eq!((read.entity.version, read.entity.events, &read.entity.snapshot[..]), (20, 20, &b"snapshot"[..]));
        assert_eq!(read.tags[..], ["any", "open"]);
        assert_eq!(read.has(&[3; COMMIT], 17), Done::Yes);
        assert_eq!(read.has(&[3; COMMIT], 18), Done::No);
        assert_eq!(read.has(&[3; COMMIT], 21), Done::No);
        assert_eq!(read.has(&[3; COMMIT], 9), Done::Unknown);
        let old = Record::read(id, vec![2, 0, 0]).unwrap_err().to_string();
        assert!(old.contains("has layout 2, this program reads 3"), "{old}");
        assert!(Record::read(id, written[..90].to_vec()).is_err());
    }
}
