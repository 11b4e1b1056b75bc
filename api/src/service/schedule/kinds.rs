//! The kinds of entity that the schedule serves.
//!
//! Streams, pages and webhooks belong to routes, and each route is compiled for one kind of entity. A task has its kind
//! as data: this table finds the code of that kind.

use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::error::Problem;
use crate::game::stored::Game;
use crate::service::Service;
use crate::service::schedule::due::DueEntity;
use crate::store::{EntityId, Kind};

/// The next deadline of an entity, in milliseconds since 1970.
type NextDeadline<'s> = BoxFuture<'s, Result<Option<u64>, Problem>>;

/// All kinds.
pub(crate) const KINDS: &[ScheduledKind] = &[ScheduledKind::of::<Game>()];

/// The code of one kind for the tasks of its entities.
pub(crate) struct ScheduledKind {
    /// The kind.
    pub kind: Kind,
    /// Does what is due for an entity, and returns when it is due next.
    pub check: for<'s> fn(&'s Service, EntityId) -> NextDeadline<'s>,
    /// Delivers the events of an entity to its webhooks.
    pub deliver: fn(Service, EntityId) -> BoxFuture<'static, ()>,
    /// The shortest retention of the kind, in milliseconds.
    pub shortest_retention: fn(&Service) -> Option<u64>,
}

impl ScheduledKind {
    /// The code of the kind of `E`.
    pub(crate) const fn of<E: DueEntity>() -> Self {
        Self {
            kind: E::KIND,
            check: |service, id| Box::pin(service.check::<E>(id)),
            deliver: |service, id| Box::pin(service.deliver::<E>(id)),
            shortest_retention: E::shortest_retention,
        }
    }

    /// The name of the task to schedule all entities of the kind for expiry.
    pub(crate) const fn all(&self) -> EntityId {
        EntityId::new(self.kind, Uuid::nil())
    }
}
