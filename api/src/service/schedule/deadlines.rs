//! The scheduler: takes due tasks from the store, and does their work.
//!
//! The store leases each task to one process at a time. The work is an ordinary commit: it happens only once even if
//! two processes do it, and not at all if a command was committed first.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::stream::{FuturesUnordered, iter};
use futures_util::{FutureExt, StreamExt};
use tokio::time::timeout;

use crate::error::Problem;
use crate::service::Service;
use crate::service::entity::{EntityEdit, may_yet_exist};
use crate::service::schedule::near::earlier;
use crate::service::schedule::{DueEntity, ScheduledKind};
use crate::store::{Change, Commit, EntityId, LEASE, LeasedTask, StoreError, StoredEntity, Task, TaskKind};
use crate::telemetry;

/// Longest pause between two requests for due tasks. There is no pause if one request could not take all of them.
const TICK: Duration = Duration::from_millis(500);
/// A deadline that is nearer than this, in milliseconds, ends the pause. Later deadlines wait for the next tick, so
/// that the many games whose robots have the default pause are served together.
const SOON: u64 = 400;
/// Maximum number of tasks that one request takes from the store.
const TASK_BATCH: usize = 64;
/// Number of tasks of one request that run at the same time.
const CONCURRENT_TASKS: usize = 8;
/// Longest time for which the next request waits for the tasks of the last one. Slow tasks then go on beside others.
const PATIENCE: Duration = Duration::from_millis(200);
/// Maximum number of earlier requests whose slow tasks still run. If there are more, the scheduler waits for one of
/// them.
const MOST_SLOW: usize = 8;
/// Time for which a task goes on if its entity is due again at once, as a game of robots without a pause is. This saves
/// the commit that schedules the task; the game still has a commit for each turn. After this time the task goes to the
/// end of the schedule, so that other tasks get their turn.
const AT_A_STRETCH: Duration = Duration::from_millis(50);
/// Maximum number of attempts to do the work for an entity. An attempt fails if a command changes the entity at the
/// same moment.
const TASK_TRIES: usize = 8;

impl Service {
    /// Runs the due tasks of these kinds of entities until the service closes.
    pub(crate) async fn run_schedule(self, kinds: &'static [ScheduledKind]) {
        let (mut closing, mut was_available, mut next) = (self.closing.clone(), true, None::<u64>);
        let (mut slow, at_work) = (FuturesUnordered::new(), AtWork::default());
        while !*closing.borrow() {
            // If the time `next` has come, its task is among the due tasks.
            let known_deadline = next.filter(|next| *next > self.store.now());
            let due = self.store.due(TASK_BATCH).await;
            if let (Err(error), true) = (&due, was_available) {
                tracing::warn!(%error, "schedule not read, deadlines delayed until the store is available");
            }
            was_available = due.is_ok();
            let due = due.unwrap_or_default();
            telemetry::log_repeated_failures();
            let is_all = due.len() < TASK_BATCH;
            // The tasks run in an asynchronous task of their own, so that a panic ends only their work.
            let mut running = tokio::spawn(self.clone().run_tasks(kinds, due, at_work.clone()));
            let mut done = timeout(PATIENCE, &mut running).await.ok();
            if done.is_none() {
                slow.push(running);
            }
            if slow.len() > MOST_SLOW {
                done = tokio::select! {
                    _ = closing.wait_for(|closing| *closing) => return,
                    done = slow.next() => done,
                };
            }
            next = known_deadline;
            while let Some(at) = done {
                next = earlier(next, at.ok().flatten());
                done = slow.next().now_or_never().flatten();
            }
            // There is no pause if more tasks are due, or if a task is due again at once. Such a task comes after all
            // tasks that have been due for longer.
            let left = next.map(|next| next.saturating_sub(self.store.now()));
            if is_all && left != Some(0) {
                let pause = left.filter(|left| *left < SOON).map_or(TICK, Duration::from_millis);
                tokio::select! {
                    // An error means that the sender was dropped together with the server, which is the same as
                    // closing.
                    _ = closing.wait_for(|closing| *closing) => return,
                    at = self.near_deadline.heard() => next = earlier(next, at),
                    () = tokio::time::sleep(pause) => {}
                }
            }
        }
    }

    /// Runs tasks, some at the same time. Returns the earliest time at which a task is due again.
    async fn run_tasks(self, kinds: &'static [ScheduledKind], due: Vec<LeasedTask>, at_work: AtWork) -> Option<u64> {
        let running = iter(due).map(|leased| self.run_task(kinds, leased, &at_work)).buffer_unordered(CONCURRENT_TASKS);
        running.fold(None, async |first, at| earlier(first, at)).await
    }

    /// Ends the pause of the schedule if a deadline that was just committed, in milliseconds since 1970, comes soon.
    pub(in crate::service) fn wake_schedule(&self, deadline: u64) {
        if deadline < self.store.now() + SOON {
            self.near_deadline.report_deadline(deadline);
        }
    }

    /// Runs a task, and returns the time at which it is due again. A task that fails stays in the schedule, and runs
    /// again when its lease has ended.
    async fn run_task(&self, kinds: &'static [ScheduledKind], mut leased: LeasedTask, at_work: &AtWork) -> Option<u64> {
        let (id, duty) = (leased.task.id, leased.task.duty);
        let Some(kind) = kinds.iter().find(|kind| kind.kind == id.kind) else {
            // Another process on the same store may have a newer program, which serves this kind.
            tracing::warn!(entity = %id, ?duty, "task of an unknown kind of entity, left in the schedule");
            return None;
        };
        match duty {
            // Deliveries and the scan of all entities may take long, so they run in tasks of their own.
            TaskKind::Deliveries => drop(tokio::spawn((kind.deliver)(self.clone(), leased))),
            TaskKind::Entity if id == kind.all() => drop(tokio::spawn(self.clone().schedule_all(kind, leased))),
            TaskKind::Entity => {
                let checked = async {
                    let Some(_working) = at_work.begin(leased.task) else {
                        // The task got a new deadline while this process still works on it. That work may not see the
                        // deadline, so the task is checked again later.
                        let at = Some(self.store.now() + TICK.as_millis() as u64);
                        self.store.commit(Commit::from(Change::EndLease { leased, at })).await?;
                        return Ok(at);
                    };
                    let began = Instant::now();
                    let mut at = self.check_leased(kind, &mut leased).await?;
                    while began.elapsed() < AT_A_STRETCH && at.is_some_and(|at| at <= self.store.now()) {
                        at = self.check_leased(kind, &mut leased).await?;
                    }
                    self.store.commit(Commit::from(Change::EndLease { leased, at })).await?;
                    Ok::<_, Problem>(at)
                };
                return checked.await.unwrap_or_else(|problem| {
                    tracing::warn!(entity = %id, %problem, "scheduled check failed, retrying");
                    None
                });
            }
        }
        None
    }

    /// Checks the entity of a leased task. If the check takes long, the lease is extended.
    async fn check_leased(&self, kind: &ScheduledKind, leased: &mut LeasedTask) -> Result<Option<u64>, Problem> {
        let mut check = (kind.check)(self, leased.task.id);
        loop {
            if let Ok(at) = timeout(LEASE / 2, &mut check).await {
                return at;
            }
            let until = self.store.now() + LEASE.as_millis() as u64;
            // If the extension fails, another process may take the task, too. The work is done only once even then.
            if self.store.commit(Commit::from(Change::ExtendLease { leased: *leased, until })).await.is_ok() {
                leased.until = until;
            }
        }
    }

    /// Removes the entity if it has expired, or does the work that is due. Returns the next deadline of the entity.
    pub(in crate::service) async fn check<E: DueEntity>(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        for _ in 0..TASK_TRIES {
            let now = self.store.now();
            let Some(stored) = self.store.entity(id).await? else { return Ok(may_yet_exist(id, now)) };
            let entity = E::read(&stored.snapshot)?;
            let retention = entity.retention(self);
            if retention.expires(stored.changed_at).is_some_and(|expires| expires <= now) {
                return self.remove(&stored, &entity).await;
            }
            let at = match entity.due_at(now) {
                Some(deadline) if deadline <= now => match self.do_work::<E>(&stored).await? {
                    Some(then) => {
                        self.metrics.record_delay(Duration::from_millis(now - deadline));
                        return Ok(then.due_at(now).into_iter().chain(then.retention(self).next_check(now, now)).min());
                    }
                    None => continue,
                },
                at => at,
            };
            return Ok(at.into_iter().chain(retention.next_check(stored.changed_at, now)).min());
        }
        // A command came first in every attempt, so the entity is checked again at once.
        Ok(Some(self.store.now()))
    }

    /// Does the work that is due for an entity. Returns the changed entity; `None` if a command was committed first.
    async fn do_work<E: DueEntity>(&self, stored: &StoredEntity) -> Result<Option<E>, Problem> {
        let mut edit = E::Edit::open(self, stored).await?;
        E::run_due(self, &mut edit).await?;
        let (change, effects) = edit.finish(self, None)?;
        let then = E::read(&change.snapshot)?;
        match self.store.commit(Commit::from(Change::Entity(change))).await {
            Ok(()) => {
                E::Edit::apply(self, effects);
                tracing::debug!(
                    entity = %stored.id, version = stored.version + 1,
                    "deadline passed, entity changed by the server"
                );
                Ok(Some(then))
            }
            Err(StoreError::Conflict(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// The tasks of entities on which this process works at the moment.
#[derive(Clone, Default)]
struct AtWork(Arc<Mutex<BTreeSet<Task>>>);

/// The work on a task. It ends when this value is dropped, also by a panic.
struct Working {
    tasks: AtWork,
    task: Task,
}

impl AtWork {
    /// Begins the work on a task. Returns `None` if this process works on the task already.
    fn begin(&self, task: Task) -> Option<Working> {
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(task);
        is_new.then(|| Working { tasks: self.clone(), task })
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.tasks.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.task);
    }
}
