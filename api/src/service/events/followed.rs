//! The trait of entities whose events are sent in streams and listed in pages.

use std::marker::PhantomData;

use bytes::Bytes;

use crate::error::Problem;
use crate::follow::FeedKind;
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

    /// The brief view of the present entity, as JSON. The newest event of a stream contains it, so that followers need
    /// not read the entity. `None`: streams of this kind have events only.
    fn brief(service: &Service, stored: &StoredEntity) -> impl Future<Output = Result<Option<Bytes>, Problem>> + Send;

    /// The entity as JSON: the snapshot that begins a stream, or replaces the events that a follower has missed.
    fn view(service: &Service, stored: &StoredEntity) -> impl Future<Output = Result<Bytes, Problem>> + Send;
}

/// The kind of a feed's entity.
pub(super) struct FeedOf<E> {
    service: Service,
    kind: PhantomData<E>,
}

impl<E: FollowedEntity> FeedOf<E> {
    pub(super) fn new(service: &Service) -> Self {
        Self { service: service.clone(), kind: PhantomData }
    }
}

impl<E: FollowedEntity> FeedKind for FeedOf<E> {
    fn changes_access(&self, word: &str) -> bool {
        E::changes_access(word)
    }

    async fn state(&self, entity: &StoredEntity) -> Result<Option<Bytes>, Problem> {
        E::brief(&self.service, entity).await
    }
}
