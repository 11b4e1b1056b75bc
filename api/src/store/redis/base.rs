//! The base of an entity: an earlier snapshot of the entity and its tags, under a key of their own.
//!
//! A snapshot usually begins with the same bytes as the base, and only its remaining bytes are stored in the value of
//! the entity. Most commits do not change the beginning of a snapshot (players, options and rules of a game), so they
//! write only a quarter of its bytes. The base is replaced when the tags change, or when too few bytes are the same.

use std::sync::Arc;

use bytes::Bytes;

use super::stored::{COMMIT, CommitId, LAYOUT};
use crate::store::{EntityId, StoreError};

/// A commit that writes at most this many bytes of the snapshot keeps the base, however few bytes the snapshot and the
/// base share.
const SMALL: usize = 256;

/// The base of an entity: an earlier snapshot and the tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Base {
    /// The commit that wrote the base. The value of an entity names its base by the id of this commit.
    pub commit: CommitId,
    /// The tags by which the entity is listed.
    pub tags: Arc<[String]>,
    snapshot: Bytes,
}

impl Base {
    /// Makes a base of this snapshot, which this commit writes.
    pub(super) fn new(commit: CommitId, tags: Arc<[String]>, snapshot: Bytes) -> Self {
        Self { commit, tags, snapshot }
    }

    /// Returns the number of bytes that are the same at the beginning of a snapshot and of the base.
    pub(super) fn shared_with(&self, snapshot: &[u8]) -> usize {
        // Pieces of a fixed size are compared first, because the processor compares many of their bytes at a time.
        const PIECE: usize = 32;
        let pieces = self.snapshot.chunks_exact(PIECE).zip(snapshot.chunks_exact(PIECE));
        let same = PIECE * pieces.take_while(|(one, other)| one == other).count();
        let rest = self.snapshot[same..].iter().zip(&snapshot[same..]);
        same + rest.take_while(|(one, other)| one == other).count()
    }

    /// Tells whether a snapshot shares enough bytes with the base. If not, the snapshot should be written as a new
    /// base.
    pub(super) fn is_good_for(&self, snapshot: &[u8]) -> bool {
        let shared = self.shared_with(snapshot);
        snapshot.len() - shared <= shared.max(SMALL)
    }

    /// Joins the first `shared` bytes of the base and `rest` to a snapshot. `None` if the base has fewer bytes.
    pub(super) fn followed_by(&self, shared: usize, rest: &Bytes) -> Option<Bytes> {
        let shared = self.snapshot.get(..shared)?;
        Some(if rest.is_empty() && shared.len() == self.snapshot.len() {
            self.snapshot.clone()
        } else {
            [shared, rest].concat().into()
        })
    }

    /// Encodes the base: layout (1 byte), commit, length of the tags (4, big endian), tags joined by line feeds,
    /// snapshot.
    pub(super) fn write(&self) -> Vec<u8> {
        let tags = self.tags.join("\n");
        let length = u32::try_from(tags.len()).unwrap_or(u32::MAX).to_be_bytes();
        [&[LAYOUT], &self.commit[..], &length, tags.as_bytes(), &self.snapshot].concat()
    }

    /// Decodes a base.
    ///
    /// # Errors
    /// The bytes are damaged.
    pub(super) fn read(id: EntityId, bytes: Vec<u8>) -> Result<Self, StoreError> {
        Self::split(&Bytes::from(bytes)).ok_or_else(|| StoreError::Damaged(format!("base of entity {id}")))
    }

    fn split(bytes: &Bytes) -> Option<Self> {
        let rest = bytes.strip_prefix(&[LAYOUT])?;
        let (commit, rest) = rest.split_first_chunk::<COMMIT>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (tags, snapshot) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        let tags = std::str::from_utf8(tags).ok()?.split('\n').filter(|tag| !tag.is_empty()).map(str::to_owned);
        Some(Self { commit: *commit, tags: tags.collect(), snapshot: bytes.slice_ref(snapshot) })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::store::Kind;

    fn base(snapshot: &[u8]) -> Base {
        let tags = ["any".to_owned(), "open".to_owned()];
        Base::new([7; COMMIT], Arc::from(tags), Bytes::copy_from_slice(snapshot))
    }

    #[test]
    fn a_base_is_read_as_it_was_written() {
        let id = EntityId::new(Kind::named("lamp"), Uuid::now_v7());
        let base = base(b"snapshot");
        assert_eq!(Base::read(id, base.write()).unwrap(), base);
        for cut in [0, 1, 8, 12, 20] {
            assert!(Base::read(id, base.write()[..cut].to_vec()).is_err(), "{cut} bytes");
        }
    }

    #[test]
    fn a_snapshot_is_put_together_from_the_base_and_what_follows() {
        let long = (0..=255).cycle().take(1000).collect::<Vec<u8>>();
        let base = base(&long);
        for differs_at in [0, 1, 31, 32, 33, 500, 991, 999, 1000] {
            for more in [0, 1, 700] {
                let mut snapshot = [&long[..differs_at], &vec![b'-'; more]].concat();
                if let Some(byte) = snapshot.get_mut(differs_at) {
                    *byte = !long.get(differs_at).unwrap_or(&0);
                }
                let shared = base.shared_with(&snapshot);
                assert_eq!(shared, differs_at);
                let rest = Bytes::copy_from_slice(&snapshot[shared..]);
                assert_eq!(base.followed_by(shared, &rest).unwrap(), snapshot);
            }
        }
        assert_eq!(base.followed_by(1001, &Bytes::new()), None);
    }

    #[test]
    fn a_base_is_kept_while_little_has_changed() {
        let base = base(&[1; 600]);
        assert!(base.is_good_for(&[[1; 400], [2; 400]].concat()));
        assert!(!base.is_good_for(&[[1; 400], [2; 400]].concat().repeat(2)));
        assert!(!base.is_good_for(&[2; 600]));
        assert!(base.is_good_for(&[2; 200]), "a small snapshot has no need of a base");
    }
}
