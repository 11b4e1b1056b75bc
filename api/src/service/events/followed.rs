//! The trait of entities whose events can be read in streams and pages.

use std::marker::PhantomData;

use bytes::Bytes;

use crate::error::Problem;
use crate::follow::{EventState, FeedKind};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::Entity;
use crate::store::StoredEntity;

/// An entity whose events can be followed.
pub(crate) trait FollowedEntity: Entity {
    /// The role of a follower. A stream ends when the role of its follower has changed.
    type Role: PartialEq + Send + Sync;

    /// Returns the role in which the caller may follow the entity.
    ///
    /// # Errors
    /// The caller may not see the entity.
    fn role(&self, call: &Call) -> Result<Self::Role, Problem>;

    /// Checks that the caller's token was given out for the entity, so that a ticket may stand for the token.
    ///
    /// # Errors
    /// The caller may not see the entity, or has a token of another entity.
    fn check_member(&self, call: &Call) -> Result<(), Problem>;

    /// Returns the names under which presence counts a follower with this role, such as the names of seats. A follower
    /// without a name counts as a watcher.
    fn present_as<'e>(&'e self, role: &'e Self::Role) -> Vec<&'e str>;

    /// Tells whether an event with this word may change the role of a follower.
    fn changes_access(event: &str) -> bool;

    /// Returns the brief view of the entity as JSON. The newest event of a stream contains it, so that followers need
    /// not read the entity. `None` if streams of this kind have events only.
    fn brief(_: &Service, _: &StoredEntity) -> impl Future<Output = Result<Option<Bytes>, Problem>> + Send {
        async { Ok(None) }
    }

    /// Returns the states that these events contain in streams and pages. The events begin with the number `after` plus
    /// 1. By default only the newest event of the entity has a state: the brief view.
    fn states(
        service: &Service,
        stored: &StoredEntity,
        after: u64,
        events: &[Vec<u8>],
    ) -> impl Future<Output = Result<Vec<EventState>, Problem>> + Send {
        async move {
            if events.is_empty() || after + events.len() as u64 != stored.events {
                return Ok(Vec::new());
            }
            let state = |state| EventState { event: stored.events, kind: Self::KIND, state };
            Ok(Self::brief(service, stored).await?.map(state).into_iter().collect())
        }
    }

    /// Returns the view of the entity as JSON. It is the snapshot with which a stream begins, and which replaces events
    /// that a follower has missed.
    fn view(service: &Service, stored: &StoredEntity) -> impl Future<Output = Result<Bytes, Problem>> + Send;
}

/// Connects a feed with the kind of its entity.
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

    async fn states(&self, entity: &StoredEntity, after: u64, events: &[Vec<u8>]) -> Result<Vec<EventState>, Problem> {
        E::states(&self.service, entity, after, events).await
    }
}
