//! What streams and pages of events ask of a kind of entity.

use bytes::Bytes;

use crate::error::Problem;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::Entity;
use crate::store::StoredEntity;

/// An entity whose events are followed.
pub(crate) trait FollowedEntity: Entity {
    /// The role of a follower. A stream ends when its follower's role has changed.
    type Role: PartialEq + Send + Sync;

    /// The role in which the caller may follow.
    ///
    /// # Errors
    /// The caller may not see the entity.
    fn role(&self, call: &Call) -> Result<Self::Role, Problem>;

    /// The names under which presence counts a follower of this role, such as seats; none: it counts as a watcher.
    fn present_as<'e>(&'e self, role: &'e Self::Role) -> Vec<&'e str>;

    /// Whether an event with this word may change the role of a follower.
    fn changes_access(event: &str) -> bool;

    /// The entity as JSON: the snapshot that begins a stream, or replaces the events that a follower has missed.
    fn view(service: &Service, stored: &StoredEntity) -> impl Future<Output = Result<Bytes, Problem>> + Send;
}
