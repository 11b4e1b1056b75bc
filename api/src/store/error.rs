//! The errors of a store.

use super::StoredEntity;
use super::commit::StoredAnswer;

/// The reason why a store could not carry out a call.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The commit expected a version that is not current. The value is the current entity; `None` if there is none, or
    /// if the conflict is not about the entity itself.
    #[error("the current version is {}", .0.as_ref().map_or(0, |entity| entity.version))]
    Conflict(Option<Box<StoredEntity>>),
    /// A commit with this idempotency key was made before. The value is the stored answer.
    #[error("the idempotency key is taken")]
    KeyTaken(Box<StoredAnswer>),
    /// A text was published under this name before.
    #[error("`{0}` is published")]
    NameTaken(String),
    /// The store does not work at present; the same call may succeed later.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// Stored data cannot be read.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}
