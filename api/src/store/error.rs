//! Why a store refuses.

use super::StoredEntity;
use super::commit::StoredAnswer;

/// Why a store did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The commit named a version that is not current; the entity as it is, `None`: it does not exist.
    #[error("the current version is {}", .0.as_ref().map_or(0, |entity| entity.version))]
    Conflict(Option<Box<StoredEntity>>),
    /// A request with the idempotency key was answered.
    #[error("the idempotency key is taken")]
    KeyTaken(Box<StoredAnswer>),
    /// A text is published under the name.
    #[error("`{0}` is published")]
    NameTaken(String),
    /// The store cannot do it now.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// What it holds cannot be read.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}
