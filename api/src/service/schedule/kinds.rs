//! The kinds of entities that the schedule serves.
//!
//! Routes are compiled for one kind of entity each, but a task has its kind as data. This table finds the code for the
//! kind of a task.

use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::error::Problem;
use crate::game::stored::Game;
use crate::group::stored::Group;
use crate::player::stored::Player;
use crate::service::Service;
use crate::service::schedule::due::DueEntity;
use crate::service::tickets::TICKET;
use crate::store::{EntityId, Kind, LeasedTask};
use crate::table::stored::Table;
use crate::tournament::stored::Tournament;

/// The next deadline of an entity, in milliseconds since 1970.
type NextDeadline<'s> = BoxFuture<'s, Result<Option<u64>, Problem>>;

/// All kinds of entities that this program serves.
pub(crate) const KINDS: &[ScheduledKind] = &[
    ScheduledKind { check: |service, id| Box::pin(service.check_game(id)), ..ScheduledKind::of::<Game>() },
    ScheduledKind { check: |service, id| Box::pin(service.check_group(id)), ..ScheduledKind::of::<Group>() },
    ScheduledKind { check: |service, id| Box::pin(service.check_player(id)), ..ScheduledKind::of::<Player>() },
    ScheduledKind { check: |service, id| Box::pin(service.check_table(id)), ..ScheduledKind::of::<Table>() },
    ScheduledKind { check: |service, id| Box::pin(service.check_tournament(id)), ..ScheduledKind::of::<Tournament>() },
    ScheduledKind {
        kind: TICKET,
        check: |service, id| Box::pin(service.check_ticket(id)),
        deliver: |_, _| Box::pin(async {}),
        shortest_retention: |_| None,
    },
];

/// The functions that run the tasks of one kind of entities.
pub(crate) struct ScheduledKind {
    /// The kind of the entities.
    pub kind: Kind,
    /// Does the work that is due for an entity, and returns its next deadline.
    pub check: for<'s> fn(&'s Service, EntityId) -> NextDeadline<'s>,
    /// Delivers the events of an entity to its webhooks, and ends the lease on the task.
    pub deliver: fn(Service, LeasedTask) -> BoxFuture<'static, ()>,
    /// Returns the shortest retention of the kind, in milliseconds.
    pub shortest_retention: fn(&Service) -> Option<u64>,
}

impl ScheduledKind {
    /// Returns the functions for the kind of `E`.
    pub(crate) const fn of<E: DueEntity>() -> Self {
        Self {
            kind: E::KIND,
            check: |service, id| Box::pin(service.check::<E>(id)),
            deliver: |service, leased| Box::pin(service.deliver::<E>(leased)),
            shortest_retention: E::shortest_retention,
        }
    }

    /// Returns the name of the task that schedules all entities of the kind for expiry.
    pub(crate) const fn all(&self) -> EntityId {
        EntityId::new(self.kind, Uuid::nil())
    }
}
