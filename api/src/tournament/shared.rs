//! Parts of a stored tournament that are encoded by themselves: the list of entrants, and each round.
//!
//! A large tournament has thousands of tables, of which a command changes one or two. Copies of a part share its value
//! and its encoded bytes, so the parts that a command leaves alone are neither decoded nor encoded again.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Problem, internal};

/// The number of bytes before a part in a snapshot, which tell its length.
const LENGTH: usize = size_of::<u32>();

/// A part of a stored tournament. It is read like its value, and changed by [`Shared::edit`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Shared<T> {
    value: Arc<T>,
    /// The value as MessagePack, with the names of its fields. Empty after a change, until the value is encoded.
    encoded: OnceLock<Bytes>,
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self { value: Arc::new(value), encoded: OnceLock::new() }
    }
}

impl<T: Clone> Shared<T> {
    /// Returns the value to change it. Other copies keep the old value.
    pub(crate) fn edit(&mut self) -> &mut T {
        self.encoded = OnceLock::new();
        Arc::make_mut(&mut self.value)
    }
}

impl<T: Serialize> Shared<T> {
    /// Appends the part to a snapshot.
    ///
    /// # Errors
    /// The value cannot be encoded, which its type makes impossible.
    pub(super) fn write(&self, snapshot: &mut Vec<u8>) -> Result<(), Problem> {
        let bytes = match self.encoded.get() {
            Some(bytes) => bytes.clone(),
            None => {
                let bytes = Bytes::from(rmp_serde::to_vec_named(&*self.value).map_err(internal)?);
                self.encoded.get_or_init(|| bytes).clone()
            }
        };
        snapshot.extend_from_slice(&u32::try_from(bytes.len()).map_err(internal)?.to_be_bytes());
        snapshot.extend_from_slice(&bytes);
        Ok(())
    }
}

impl<T: DeserializeOwned> Shared<T> {
    /// Reads a part of a snapshot. If `known` has the same bytes, its value is used.
    ///
    /// # Errors
    /// The bytes are damaged.
    pub(super) fn read(bytes: &[u8], known: Option<&Self>) -> Result<Self, Problem> {
        if let Some(known) = known.filter(|known| known.encoded.get().is_some_and(|encoded| *encoded == *bytes)) {
            return Ok(Self { value: Arc::clone(&known.value), encoded: known.encoded.clone() });
        }
        let value = Arc::new(rmp_serde::from_slice(bytes).map_err(internal)?);
        Ok(Self { value, encoded: OnceLock::from(Bytes::copy_from_slice(bytes)) })
    }
}

/// Splits a snapshot into its first part and the rest.
///
/// # Errors
/// The bytes are damaged.
pub(super) fn split(snapshot: &[u8]) -> Result<(&[u8], &[u8]), Problem> {
    let cut = || internal("the snapshot of a tournament is cut short");
    let (length, rest) = snapshot.split_first_chunk::<LENGTH>().ok_or_else(cut)?;
    rest.split_at_checked(u32::from_be_bytes(*length) as usize).ok_or_else(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(part: &Shared<Vec<u32>>) -> Vec<u8> {
        let mut snapshot = Vec::new();
        part.write(&mut snapshot).unwrap();
        snapshot
    }

    #[test]
    fn a_part_that_has_not_changed_is_not_decoded_again() {
        let part = Shared::from(vec![1, 2, 3]);
        let snapshot = written(&part);
        let (bytes, rest) = split(&snapshot).unwrap();
        assert!(rest.is_empty());
        let again = Shared::read(bytes, Some(&part)).unwrap();
        assert!(Arc::ptr_eq(&part.value, &again.value));
        let mut changed = again.clone();
        changed.edit().push(4);
        assert_eq!((&**again, &**changed), (&[1, 2, 3][..], &[1, 2, 3, 4][..]), "other copies keep the old value");
        let snapshot = written(&changed);
        let read = Shared::read(split(&snapshot).unwrap().0, Some(&part)).unwrap();
        assert_eq!(**read, [1, 2, 3, 4]);
        assert!(!Arc::ptr_eq(&part.value, &read.value));
    }

    #[test]
    fn a_snapshot_that_is_cut_short_is_refused() {
        let snapshot = written(&Shared::from(vec![1, 2, 3]));
        for length in 0..snapshot.len() {
            assert!(split(&snapshot[..length]).is_err(), "{length} bytes");
        }
    }
}
