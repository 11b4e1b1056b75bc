//! What the values in Redis look like: binary, with a version of the layout in front.
//!
//! A game: layout (1 byte), version (8, big endian), the last [`COMMITS`] commits, newest first ([`COMMIT`] bytes each),
//! length of the tags (4, big endian), tags joined by line feeds, snapshot. The script that commits compares version and
//! last commit; it knows their place.

use std::sync::Arc;

use bytes::Bytes;

use crate::store::{GameChange, GameId, Remembered, StoreError, StoredGame};

/// Version of this layout; a value of another one is refused, never guessed at.
const LAYOUT: u8 = 2;
/// Bytes of a commit's own id.
pub const COMMIT: usize = 8;
/// How many commits a game remembers. Whoever lost the answer to a commit finds out whether it was done, unless more
/// than these were done on top within seconds.
pub const COMMITS: usize = 8;

/// A commit's own id, at random.
pub type CommitId = [u8; COMMIT];

/// The last commits of a game, newest first; zeros before its first.
pub type Commits = [CommitId; COMMITS];

/// A game as it is kept in Redis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Version and snapshot.
    pub game: StoredGame,
    /// What it is found by.
    pub tags: Arc<[String]>,
    commits: Commits,
    /// The replicas that were asked for have it.
    pub is_confirmed: bool,
}

/// Whether a commit is in a game.
#[derive(Debug, PartialEq, Eq)]
pub enum Done {
    Yes,
    No,
    /// Too many others were done since.
    Unknown,
}

impl Record {
    /// A game as a commit makes it of what it was before.
    pub fn next(before: Option<&Self>, change: &GameChange, version: u64, commit: CommitId) -> Self {
        let game = StoredGame { id: change.id, version, snapshot: change.snapshot.clone() };
        let tags = change.tags.as_deref().map(Arc::from);
        let tags = tags.or_else(|| before.map(|before| Arc::clone(&before.tags))).unwrap_or_default();
        let mut commits = before.map_or([CommitId::default(); COMMITS], |before| before.commits);
        commits.rotate_right(1);
        commits[0] = commit;
        Self { game, tags, commits, is_confirmed: false }
    }

    /// The same, known to be at the replicas that were asked for.
    pub fn confirmed(self) -> Self {
        Self { is_confirmed: true, ..self }
    }

    /// The commit that made this version.
    pub fn made_by(&self) -> CommitId {
        self.commits[0]
    }

    /// Version and commit that made it, as they stand in the value behind the layout.
    pub fn mark(&self) -> [u8; 8 + COMMIT] {
        mark(self.game.version, &self.commits[0])
    }

    /// The value.
    pub fn write(&self) -> Vec<u8> {
        let tags = self.tags.join("\n");
        let length = u32::try_from(tags.len()).unwrap_or(u32::MAX);
        let (version, commits) = (self.game.version.to_be_bytes(), self.commits.as_flattened());
        [&[LAYOUT], &version[..], commits, &length.to_be_bytes(), tags.as_bytes(), &self.game.snapshot].concat()
    }

    /// Reads a value.
    ///
    /// # Errors
    /// It is none, or of another layout.
    pub fn read(id: GameId, bytes: Vec<u8>) -> Result<Self, StoreError> {
        let bytes = Bytes::from(bytes);
        let damaged = || StoreError::Damaged(format!("game {id}"));
        let (&layout, rest) = bytes.split_first().ok_or_else(damaged)?;
        if layout != LAYOUT {
            return Err(StoreError::Damaged(format!("game {id} has layout {layout}, this program reads {LAYOUT}")));
        }
        let (version, rest) = rest.split_first_chunk::<8>().ok_or_else(damaged)?;
        let (held, rest) = rest.split_at_checked(COMMIT * COMMITS).ok_or_else(damaged)?;
        let mut commits = Commits::default();
        commits.as_flattened_mut().copy_from_slice(held);
        let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(damaged)?;
        let (tags, snapshot) = rest.split_at_checked(u32::from_be_bytes(*length) as usize).ok_or_else(damaged)?;
        let tags = std::str::from_utf8(tags).map_err(|_| damaged())?;
        Ok(Self {
            game: StoredGame { id, version: u64::from_be_bytes(*version), snapshot: bytes.slice_ref(snapshot) },
            tags: tags.split('\n').filter(|tag| !tag.is_empty()).map(str::to_owned).collect(),
            commits,
            is_confirmed: false,
        })
    }

    /// Whether a value holds this very version: made by the same commit.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        bytes.split_first().is_some_and(|(&layout, rest)| layout == LAYOUT && rest.starts_with(&self.mark()))
    }

    /// Whether the commit that made this version is in the game.
    pub fn has(&self, commit: &CommitId, version: u64) -> Done {
        let Some(since) = self.game.version.checked_sub(version) else { return Done::No };
        match usize::try_from(since).ok().and_then(|since| self.commits.get(since)) {
            Some(there) if there == commit => Done::Yes,
            Some(_) => Done::No,
            None => Done::Unknown,
        }
    }
}

/// Version and commit as they stand in a value behind the layout.
pub fn mark(version: u64, commit: &CommitId) -> [u8; 8 + COMMIT] {
    let mut bytes = [0; 8 + COMMIT];
    bytes[..8].copy_from_slice(&version.to_be_bytes());
    bytes[8..].copy_from_slice(commit);
    bytes
}

/// An answer as it is kept: layout, the commit that it answered, hash of the request, expiry (8, big endian), answer.
pub fn pack_answer(commit: &CommitId, answer: &Remembered) -> Vec<u8> {
    [&[LAYOUT][..], commit, &answer.request, &answer.expires.to_be_bytes(), &answer.answer].concat()
}

/// The reverse of [`pack_answer`].
pub fn unpack_answer(bytes: &[u8]) -> Result<Remembered, StoreError> {
    let damaged = || StoreError::Damaged("an idempotency key".to_owned());
    let rest = bytes.strip_prefix(&[LAYOUT]).and_then(|rest| rest.get(COMMIT..)).ok_or_else(damaged)?;
    let (request, rest) = rest.split_first_chunk::<32>().ok_or_else(damaged)?;
    let (expires, answer) = rest.split_first_chunk::<8>().ok_or_else(damaged)?;
    Ok(Remembered { request: *request, expires: u64::from_be_bytes(*expires), answer: answer.to_vec() })
}

/// Version and value of how far webhooks are.
pub fn unpack_deliveries(bytes: &[u8]) -> Result<(u64, Vec<u8>), StoreError> {
    let packed = bytes.split_first_chunk::<8>().map(|(version, value)| (u64::from_be_bytes(*version), value.to_vec()));
    packed.ok_or_else(|| StoreError::Damaged("how far webhooks are".to_owned()))
}

/// A published rule set as it is kept: its digest, and the commit that published it.
pub fn pack_published(commit: &CommitId, digest: &str) -> String {
    format!("{digest} {}", const_hex::encode(commit))
}

/// The digest of [`pack_published`].
pub fn digest_of_published(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_knows_its_last_commits() {
        let id = GameId::now_v7();
        let change = GameChange {
            id,
            expected: 0,
            snapshot: Bytes::from_static(b"snapshot"),
            tags: Some(vec!["any".to_owned(), "open".to_owned()]),
            events: Vec::new(),
            rules: None,
            look: None,
        };
        let mut record = None;
        for version in 1..=20_u8 {
            record = Some(Record::next(record.as_ref(), &change, version.into(), [20 - version; COMMIT]));
        }
        let written = record.unwrap().write();
        let record = Record::read(id, written.clone()).unwrap();
        assert!(record.is_in(&written) && written[1..].starts_with(&mark(20, &[0; COMMIT])));
        assert_eq!((record.game.version, &record.game.snapshot[..]), (20, &b"snapshot"[..]));
        assert_eq!(record.tags[..], ["any", "open"]);
        assert_eq!(record.has(&[3; COMMIT], 17), Done::Yes);
        assert_eq!(record.has(&[3; COMMIT], 18), Done::No);
        assert_eq!(record.has(&[3; COMMIT], 21), Done::No);
        assert_eq!(record.has(&[3; COMMIT], 9), Done::Unknown);
        assert!(Record::read(id, vec![1, 0, 0]).is_err());
    }
}
