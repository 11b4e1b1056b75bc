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

/// The number of bytes of a length, and of the number of parts, at the end of a snapshot.
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
    /// Returns the part as it is stored.
    ///
    /// # Errors
    /// The value cannot be encoded, which its type makes impossible.
    pub(super) fn encoded(&self) -> Result<Bytes, Problem> {
        if let Some(bytes) = self.encoded.get() {
            return Ok(bytes.clone());
        }
        let bytes = Bytes::from(rmp_serde::to_vec_named(&*self.value).map_err(internal)?);
        Ok(self.encoded.get_or_init(|| bytes).clone())
    }
}

impl<T: DeserializeOwned> Shared<T> {
    /// Reads a part of a snapshot. If `other` has the same bytes, its value is used.
    ///
    /// # Errors
    /// The bytes are damaged.
    pub(super) fn read(bytes: &[u8], other: Option<&Self>) -> Result<Self, Problem> {
        if let Some(other) = other.filter(|other| other.encoded.get().is_some_and(|encoded| *encoded == *bytes)) {
            return Ok(Self { value: Arc::clone(&other.value), encoded: other.encoded.clone() });
        }
        let value = Arc::new(rmp_serde::from_slice(bytes).map_err(internal)?);
        Ok(Self { value, encoded: OnceLock::from(Bytes::copy_from_slice(bytes)) })
    }
}

/// Joins parts: first the number of the layout, then the parts, their lengths, and their number. The store writes only
/// what follows the bytes that did not change, so parts that seldom change come first, and lengths last.
///
/// # Errors
/// There are 4 GB or more, which the limits of a tournament make impossible.
pub(super) fn join(layout: u8, parts: &[Bytes]) -> Result<Vec<u8>, Problem> {
    let mut joined = vec![layout];
    parts.iter().for_each(|part| joined.extend_from_slice(part));
    for length in parts.iter().map(Bytes::len).chain([parts.len()]) {
        joined.extend_from_slice(&u32::try_from(length).map_err(internal)?.to_be_bytes());
    }
    Ok(joined)
}

/// Splits the bytes after the number of the layout into the parts that were joined.
///
/// # Errors
/// The bytes are damaged.
pub(super) fn split(joined: &[u8]) -> Result<Vec<&[u8]>, Problem> {
    let parts = || {
        let number = |bytes: &[u8]| Some(u32::from_be_bytes(bytes.try_into().ok()?) as usize);
        let (rest, count) = joined.split_last_chunk::<LENGTH>()?;
        let lengths = number(count)?.checked_mul(LENGTH)?;
        let (mut rest, lengths) = rest.split_at_checked(rest.len().checked_sub(lengths)?)?;
        let mut parts = Vec::new();
        for length in lengths.chunks_exact(LENGTH) {
            let (part, next) = rest.split_at_checked(number(length)?)?;
            parts.push(part);
            rest = next;
        }
        rest.is_empty().then_some(parts)
    };
    parts().ok_or_else(|| internal("the snapshot of a tournament is cut short"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_has_not_changed_is_not_decoded_again() {
        let part = Shared::from(vec![1_u32, 2, 3]);
        let again = Shared::read(&part.encoded().unwrap(), Some(&part)).unwrap();
        assert!(Arc::ptr_eq(&part.value, &again.value));
        let mut changed = again.clone();
        changed.edit().push(4);
        assert_eq!((&**again, &**changed), (&[1, 2, 3][..], &[1, 2, 3, 4][..]), "other copies keep the old value");
        let read = Shared::read(&changed.encoded().unwrap(), Some(&part)).unwrap();
        assert_eq!(**read, [1, 2, 3, 4]);
        assert!(!Arc::ptr_eq(&part.value, &read.value));
    }

    #[test]
    fn parts_that_were_joined_are_split_again_and_nothing_else_is() {
        let parts = ["one", "", "three"].map(Bytes::from);
        let joined = join(4, &parts).unwrap().split_off(1);
        assert_eq!(split(&joined).unwrap(), parts);
        for length in 0..joined.len() {
            assert!(split(&joined[..length]).is_err(), "{length} bytes");
        }
        assert!(split(&[&[0], &joined[..]].concat()).is_err());
        assert!(split(&[0xff; 8]).is_err());
    }
}
