//! The trait of entities with deadlines and a retention.

use crate::error::Problem;
use crate::metrics::Metrics;
use crate::service::Service;
use crate::service::webhooks::HookedEntity;

/// An entity with deadlines, which expires if nothing changes it.
pub(crate) trait DueEntity: HookedEntity {
    /// When the entity has work for a worker, in milliseconds since 1970; `None`: never.
    ///
    /// A commit may be on its way that brings a deadline, while the task is scheduled for the time given here. So a
    /// state that such a commit can follow gives no later time than the earliest deadline that the commit can bring.
    fn due_at(&self, now: u64) -> Option<u64>;

    /// Does the work that is due. The commit loop commits it, unless somebody was faster.
    fn run_due(service: &Service, edit: &mut Self::Edit) -> impl Future<Output = Result<(), Problem>> + Send;

    /// The retention of the entity in its present state.
    fn retention(&self, service: &Service) -> StateRetention;

    /// The shortest retention of all states, in milliseconds: no entity of the kind expires at a younger age.
    fn shortest_retention(service: &Service) -> Option<u64>;

    /// Counts an entity that has expired.
    fn count_expired(&self, metrics: &Metrics);
}

/// How long an entity is kept after its last change, in milliseconds; `None` keeps it for ever.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StateRetention {
    /// In its present state.
    pub present: Option<u64>,
    /// The shortest retention among the states that can follow.
    pub later: Option<u64>,
}

impl StateRetention {
    /// When an entity expires that last changed at `changed`, both in milliseconds since 1970.
    pub(crate) fn expires(self, changed: u64) -> Option<u64> {
        self.present.map(|kept| changed.saturating_add(kept))
    }

    /// When to check an entity for expiry, in milliseconds since 1970: at the earliest time that its present state or a
    /// later one allows. A state that changes during the check cannot bring an earlier one.
    pub(crate) fn next_check(self, changed: u64, now: u64) -> Option<u64> {
        let later = self.later.map(|later| now.saturating_add(later));
        self.expires(changed).into_iter().chain(later).min()
    }
}
