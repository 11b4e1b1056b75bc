//! Expiry: removes games that have not changed during their retention.
//!
//! The deadline of a game is at the latest the earliest time at which it can expire. The process that gets the task
//! removes the game, or schedules the next check. Games that were created before the operator set a retention are
//! scheduled when a process starts.

use std::time::Duration;

use crate::config::Retention;
use crate::error::Problem;
use crate::game::GAME;
use crate::game::edit::Milestones;
use crate::game::stored::Game;
use crate::game::terms::Status;
use crate::service::Service;
use crate::service::schedule::deadlines::created;
use crate::service::webhooks::progress::Deliveries;
use crate::store::{Change, Commit, EntityId, StoreError, StoredEntity, Task};
use uuid::Uuid;

/// The id of a task that belongs to no game: to schedule all games for expiry.
pub(crate) const ALL: EntityId = EntityId::new(GAME, Uuid::nil());

/// Time for one process to schedule all games, in milliseconds; then another process starts over.
const SCAN_LEASE: u64 = 600_000;
/// Games scheduled for the same second.
const GAMES_A_SECOND: usize = 256;
/// Pause before the expiry of a game with pending deliveries is tried again, in milliseconds.
const DELIVERY_PAUSE: u64 = 1_000;

impl Retention {
    /// The retention of a game of this status, in milliseconds.
    fn of(&self, status: Status) -> Option<u64> {
        let kept = match status {
            Status::Open => self.open,
            Status::Playing => self.playing,
            Status::Finished => self.finished,
        };
        kept.map(milliseconds)
    }

    /// The shortest retention, in milliseconds, of the statuses that can follow this one.
    fn later(&self, status: Status) -> Option<u64> {
        let later = match status {
            Status::Open => [self.playing, self.finished],
            Status::Playing => [self.finished, None],
            Status::Finished => [None, None],
        };
        later.into_iter().flatten().min().map(milliseconds)
    }

    /// The shortest retention of all, in milliseconds: no game expires at a younger age.
    fn shortest(&self) -> Option<u64> {
        [self.open, self.playing, self.finished].into_iter().flatten().min().map(milliseconds)
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Service {
    /// Adds the task to schedule all games for expiry, if the operator has set a retention. One process gets it.
    pub(crate) async fn schedule_expiry_of_all_games(self) {
        let change = Change::ScheduleBy(vec![(Task::entity(ALL), self.store.now())]);
        if self.keep.shortest().is_some()
            && let Err(error) = self.store.commit(Commit::from(change)).await
        {
            tracing::warn!(%error, "expiry not scheduled, expired games may stay");
        }
    }

    /// Schedules all games for expiry. Old games are spread over time, some hundreds a second, because turn deadlines
    /// wait in the same schedule.
    pub(crate) async fn schedule_all_games(self) {
        let scheduled = async {
            let reschedule = |at| Commit::from(Change::Schedule { task: Task::entity(ALL), at });
            let Some(shortest) = self.keep.shortest() else { return self.store.commit(reschedule(None)).await };
            let mut at = self.store.now();
            self.store.commit(reschedule(Some(at + SCAN_LEASE))).await?;
            let mut games = self.store.inventory().await?.entities;
            games.retain(|id| id.kind == GAME);
            for page in games.chunks(GAMES_A_SECOND) {
                let tasks =
                    page.iter().map(|id| (Task::entity(*id), at.max(created(*id).saturating_add(shortest)))).collect();
                self.store.commit(Commit::from(Change::ScheduleBy(tasks))).await?;
                at += 1_000;
            }
            self.store.commit(reschedule(None)).await
        };
        if let Err(error) = scheduled.await {
            tracing::warn!(%error, "scheduling games for expiry failed, retrying");
        }
    }

    /// Adds the time of expiry to the deadline of a change, if the change gives the game a new status.
    pub(crate) fn schedule_expiry(&self, change: &mut Change, milestones: &Milestones) {
        if let Change::Entity(change) = change
            && let Some(status) = milestones.status
        {
            let now = self.store.now();
            change.deadline = change.deadline.into_iter().chain(self.may_expire(status, now, now)).min();
        }
    }

    /// When a game of this status expires that last changed at `changed`, both in milliseconds since 1970.
    pub(crate) fn expires(&self, status: Status, changed: u64) -> Option<u64> {
        self.keep.of(status).map(|kept| changed.saturating_add(kept))
    }

    /// When to check the game for expiry, in milliseconds since 1970: at the earliest time that its present status or a
    /// later one allows. A status that changes during the check cannot bring an earlier one.
    pub(crate) fn may_expire(&self, status: Status, changed: u64, now: u64) -> Option<u64> {
        let later = self.keep.later(status).map(|later| now.saturating_add(later));
        self.expires(status, changed).into_iter().chain(later).min()
    }

    /// Removes an expired game as soon as no webhook message is pending. Returns the next deadline otherwise.
    pub(crate) async fn remove(&self, stored: &StoredEntity, game: &Game) -> Result<Option<u64>, Problem> {
        let now = self.store.now();
        let (_, (delivered, bytes)) = self.store.entity_and_deliveries(stored.id).await?;
        let deliveries = Deliveries::read(&bytes)?;
        let due =
            game.setup.webhooks.iter().filter_map(|hook| deliveries.of(hook).next_attempt(stored.events, now)).min();
        if due.is_some() || deliveries.busy_until > now {
            return Ok(Some(due.unwrap_or(now).max(now + DELIVERY_PAUSE)));
        }
        let change = Change::Remove { id: stored.id, expected: stored.version, delivered };
        match self.store.commit(Commit::from(change)).await {
            Ok(()) => {
                let became = if game.status == Status::Playing { "abandoned" } else { "removed" };
                self.metrics.count_game(&game.setup.rule_set_label(), became);
                tracing::debug!(entity = %stored.id, "game expired");
                Ok(None)
            }
            Err(StoreError::Conflict(_)) => Ok(Some(now)),
            Err(error) => Err(error.into()),
        }
    }
}
