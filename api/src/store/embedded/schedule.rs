//! The schedule in the file, and the leases on tasks in memory. The leases need not be stored, because only one process
//! at a time can open the file.
//!
//! INVARIANT: while a task is leased, its deadline in the file stays the one that has passed, so that the task is due
//! again after a crash. New deadlines of the task are noted in the lease.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use redb::{ReadTransaction, ReadableTable};

use super::tables::{SCHEDULE, Tables, task_of, unavailable};
use crate::ground::clock;
use crate::store::schedule::TASK_BYTES;
use crate::store::{Change, LEASE, LeasedTask, StoreError, Task};

/// Gives a task this deadline, unless the task has an earlier one.
pub(super) fn set_by(tables: &mut Tables<'_>, leases: &Leases, task: Task, at: u64) -> Result<(), StoreError> {
    leases.note_deadline(task, at);
    let before = tables.deadlines.get(&task.to_bytes()).map_err(unavailable)?.map(|before| before.value());
    if before.is_some_and(|before| before <= at) { Ok(()) } else { set(tables, task, Some(at)) }
}

/// Gives a leased task this deadline, or an earlier one that it got during the lease. If the lease has ended before,
/// another caller may have the task; then the task only gets the deadline.
pub(super) fn end_lease(
    tables: &mut Tables<'_>,
    leases: &Leases,
    leased: LeasedTask,
    at: Option<u64>,
) -> Result<(), StoreError> {
    match leases.deadline_in(leased) {
        Some(noted) => set(tables, leased.task, at.into_iter().chain(noted).min()),
        None => at.map_or(Ok(()), |at| set_by(tables, leases, leased.task, at)),
    }
}

/// Gives a task this deadline; `None` removes the task from the schedule.
pub(super) fn set(tables: &mut Tables<'_>, task: Task, at: Option<u64>) -> Result<(), StoreError> {
    let key = &task.to_bytes();
    let before = match at {
        Some(at) => tables.deadlines.insert(key, at).map_err(unavailable)?,
        None => tables.deadlines.remove(key).map_err(unavailable)?,
    };
    if let Some(before) = before {
        tables.schedule.remove((before.value(), key)).map_err(unavailable)?;
    }
    if let Some(at) = at {
        tables.schedule.insert((at, key), ()).map_err(unavailable)?;
    }
    Ok(())
}

/// A lease on a task.
struct Lease {
    /// The end of the lease, as its holder knows it.
    until: u64,
    /// The end of the lease by a clock that does not jump.
    ends: Instant,
    /// The earliest deadline that the task got during the lease.
    deadline: Option<u64>,
}

#[derive(Default)]
pub(super) struct Leases(Mutex<HashMap<Task, Lease>>);

impl Leases {
    /// Takes due tasks without a lease, earliest deadline first, and leases them to the caller.
    pub(super) fn take_due(&self, read: &ReadTransaction, limit: usize) -> Result<Vec<LeasedTask>, StoreError> {
        let mut leases = self.lock();
        leases.retain(|_, lease| lease.ends > Instant::now());
        let (now, ends) = (clock::milliseconds(), Instant::now() + LEASE);
        let until = now + LEASE.as_millis() as u64;
        let schedule = read.open_table(SCHEDULE).map_err(unavailable)?;
        let mut tasks = Vec::new();
        for entry in schedule.range(..(now + 1, &[0; TASK_BYTES])).map_err(unavailable)? {
            if tasks.len() == limit {
                break;
            }
            let task = task_of(entry.map_err(unavailable)?.0.value().1)?;
            if !leases.contains_key(&task) {
                tasks.push(LeasedTask { task, until });
            }
        }
        leases.extend(tasks.iter().map(|leased| (leased.task, Lease { until, ends, deadline: None })));
        Ok(tasks)
    }

    /// Returns the earliest deadline that a task got during this lease. `Some(None)`: the task got no deadline. `None`:
    /// the lease has ended.
    fn deadline_in(&self, leased: LeasedTask) -> Option<Option<u64>> {
        self.lock().get(&leased.task).filter(|lease| lease.until == leased.until).map(|lease| lease.deadline)
    }

    /// Notes a deadline that a task gets, if the task is leased.
    fn note_deadline(&self, task: Task, at: u64) {
        if let Some(lease) = self.lock().get_mut(&task) {
            lease.deadline = lease.deadline.into_iter().chain([at]).min();
        }
    }

    /// Notes the deadlines of a committed change.
    pub(super) fn note_deadlines(&self, change: &Change) {
        match change {
            Change::Entity(change) => change.deadline.into_iter().for_each(|at| {
                self.note_deadline(Task::entity(change.id), at);
            }),
            Change::ScheduleBy(tasks) => tasks.iter().for_each(|(task, at)| self.note_deadline(*task, *at)),
            _ => {}
        }
    }

    /// Gives a lease another end, unless the lease has ended before.
    pub(super) fn extend(&self, leased: LeasedTask, until: u64) {
        let mut leases = self.lock();
        if let Some(lease) = leases.get_mut(&leased.task).filter(|lease| lease.until == leased.until) {
            let left = Duration::from_millis(until.saturating_sub(clock::milliseconds()));
            (lease.until, lease.ends) = (until, Instant::now() + left);
        }
    }

    /// Ends a lease, unless the lease has ended before.
    pub(super) fn end(&self, leased: LeasedTask) {
        let mut leases = self.lock();
        if leases.get(&leased.task).is_some_and(|lease| lease.until == leased.until) {
            leases.remove(&leased.task);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Task, Lease>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
