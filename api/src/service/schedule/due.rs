//! The trait of entities with deadlines and a retention.

use crate::error::Problem;
use crate::metrics::Metrics;
use crate::service::Service;
use crate::service::webhooks::HookedEntity;

/// Pause before the first check of an entity for which there is something to do, in milliseconds.
pub(in crate::service) const FIRST_CHECK: u64 = 10_000;

/// An entity with deadlines, which expires if it does not change for some time.
pub(crate) trait DueEntity: HookedEntity {
    /// Returns the time at which a worker has to do something for the entity, in milliseconds since 1970; `None` if
    /// there is nothing to do.
    ///
    /// A commit that gives the entity a deadline also schedules its task. A store of several processes can lose the
    /// deadline if a worker held the task during the commit and the committing process died after it. Where such a
    /// commit can follow the present state, return a time not much later than the earliest deadline that it can set.
    fn due_at(&self, now: u64) -> Option<u64>;

    /// Does the work that is due. It is committed unless a command is committed first.
    fn run_due(service: &Service, edit: &mut Self::Edit) -> impl Future<Output = Result<(), Problem>> + Send;

    /// Returns how long the entity is kept in its present state.
    fn retention(&self, service: &Service) -> StateRetention;

    /// Returns the shortest retention of all states, in milliseconds. No entity of the kind expires earlier.
    fn shortest_retention(service: &Service) -> Option<u64>;

    fn count_expired(&self, metrics: &Metrics);
}

/// The time for which an entity is kept after its last change, in milliseconds; `None` keeps it for ever.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StateRetention {
    /// The time in the present state.
    pub present: Option<u64>,
    /// The shortest time in any state that can follow the present one.
    pub later: Option<u64>,
}

impl StateRetention {
    /// Returns the time at which an entity expires that last changed at `changed`, both in milliseconds since 1970.
    pub(crate) fn expires(self, changed: u64) -> Option<u64> {
        self.present.map(|kept| changed.saturating_add(kept))
    }

    /// Returns the time at which to check whether an entity has expired, in milliseconds since 1970. It is the earliest
    /// time that the present state or a later one allows, so a change of state during the check cannot make the check
    /// too late.
    pub(crate) fn next_check(self, changed: u64, now: u64) -> Option<u64> {
        let later = self.later.map(|later| now.saturating_add(later));
        self.expires(changed).into_iter().chain(later).min()
    }
}
