//! Expiry: removes entities that have not changed during their retention.
//!
//! The deadline of an entity is never later than the time at which it can expire. The process that gets the task
//! removes the entity, or schedules the next check. A process that starts schedules the entities that were created
//! before the operator set a retention.

use crate::error::Problem;
use crate::service::Service;
use crate::service::entity::created;
use crate::service::schedule::{DueEntity, ScheduledKind, StateRetention};
use crate::service::webhooks::progress::Deliveries;
use crate::store::{Change, Commit, EntityChange, LeasedTask, StoreError, StoredEntity, Task};

/// Time, in milliseconds, for which one process schedules all entities of a kind. If it has not finished then, another
/// process starts from the beginning.
const SCAN_LEASE: u64 = 600_000;
/// Number of old entities that are scheduled for the same second.
const ENTITIES_A_SECOND: usize = 256;
/// Pause, in milliseconds, before an expired entity with pending deliveries is checked again.
const DELIVERY_PAUSE: u64 = 1_000;

impl Service {
    /// Adds one task for each kind with a retention: to schedule all entities of the kind for expiry. One process gets
    /// the task.
    pub(crate) async fn schedule_expiry(self, kinds: &'static [ScheduledKind]) {
        let now = self.store.now();
        let kept = kinds.iter().filter(|kind| (kind.shortest_retention)(&self).is_some());
        let tasks: Vec<_> = kept.map(|kind| (Task::entity(kind.all()), now)).collect();
        if !tasks.is_empty()
            && let Err(error) = self.store.commit(Commit::from(Change::ScheduleBy(tasks))).await
        {
            tracing::warn!(%error, "expiry not scheduled, expired entities may stay");
        }
    }

    /// Schedules all entities of a kind for expiry. Old entities are spread over time, some hundreds a second, because
    /// other deadlines wait in the same schedule.
    pub(in crate::service) async fn schedule_all(self, kind: &'static ScheduledKind, mut leased: LeasedTask) {
        let scheduled = async {
            let Some(shortest) = (kind.shortest_retention)(&self) else {
                return self.store.commit(Commit::from(Change::EndLease { leased, at: None })).await;
            };
            let mut at = self.store.now();
            let until = leased.until.max(at + SCAN_LEASE);
            self.store.commit(Commit::from(Change::ExtendLease { leased, until })).await?;
            leased.until = until;
            let mut entities = self.store.inventory().await?.entities;
            entities.retain(|id| id.kind == kind.kind);
            for page in entities.chunks(ENTITIES_A_SECOND) {
                let expires = |id| created(id).map_or(at, |created| at.max(created.saturating_add(shortest)));
                let tasks = page.iter().map(|id| (Task::entity(*id), expires(*id))).collect();
                self.store.commit(Commit::from(Change::ScheduleBy(tasks))).await?;
                at += 1_000;
            }
            self.store.commit(Commit::from(Change::EndLease { leased, at: None })).await
        };
        if let Err(error) = scheduled.await {
            tracing::warn!(kind = %kind.kind, %error, "expiry scheduling failed, retrying");
        }
    }

    /// Sets the deadline of a change to the time at which the entity may expire, unless the change has an earlier
    /// deadline. This is needed if the change gives the entity another state.
    pub(in crate::service) fn add_expiry(&self, change: &mut EntityChange, retention: StateRetention) {
        let now = self.store.now();
        change.deadline = change.deadline.into_iter().chain(retention.next_check(now, now)).min();
    }

    /// Removes an expired entity if no webhook message is pending. If a message is pending, returns the next deadline
    /// of the entity.
    pub(in crate::service) async fn remove<E: DueEntity>(
        &self,
        stored: &StoredEntity,
        entity: &E,
    ) -> Result<Option<u64>, Problem> {
        let now = self.store.now();
        let (_, (delivered, bytes)) = self.store.entity_and_deliveries(stored.id).await?;
        let deliveries = Deliveries::read(&bytes)?;
        let due = deliveries.next_attempt(entity.webhooks(), stored.events, now);
        if due.is_some() || deliveries.busy_until > now {
            return Ok(Some(due.unwrap_or(now).max(now + DELIVERY_PAUSE)));
        }
        let change = Change::Remove { id: stored.id, expected: stored.version, delivered };
        match self.store.commit(Commit::from(change)).await {
            Ok(()) => {
                entity.count_expired(&self.metrics);
                tracing::debug!(entity = %stored.id, "entity expired");
                Ok(None)
            }
            Err(StoreError::Conflict(_)) => Ok(Some(now)),
            Err(error) => Err(error.into()),
        }
    }
}
