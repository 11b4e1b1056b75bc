//! Marks: short hashes that stand for data that must not be stored.

/// Hashes bytes to a mark for one purpose. The marks of the same bytes for different purposes are unrelated.
pub(crate) fn mark(purpose: &str, bytes: &[u8]) -> u64 {
    let hash = blake3::derive_key(purpose, bytes);
    hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}
