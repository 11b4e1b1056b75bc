//! The schedule in the file, and the leases on tasks in memory. The leases need not be stored, because only one process
//! at a time can open the file.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use redb::{ReadTransaction, ReadableTable};

use super::tables::{SCHEDULE, Tables, task_of, unavailable};
use crate::ground::clock;
use crate::store::schedule::TASK_BYTES;
use crate::store::{LEASE, StoreError, Task};

/// Gives a task this deadline, unless the task has an earlier one.
pub(super) fn set_by(tables: &mut Tables<'_>, task: Task, at: u64) -> Result<(), StoreError> {
    let before = tables.deadlines.get(&task.to_bytes()).map_err(unavailable)?.map(|before| before.value());
    if before.is_some_and(|before| before <= at) { Ok(()) } else { set(tables, task, Some(at)) }
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

/// The leased tasks, each with the time at which its lease ends.
#[derive(Default)]
pub(super) struct Leases(Mutex<HashMap<Task, Instant>>);

impl Leases {
    /// Takes due tasks without a lease, earliest deadline first, and leases them to the caller.
    pub(super) fn take_due(&self, read: &ReadTransaction, limit: usize) -> Result<Vec<Task>, StoreError> {
        let mut leases = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        leases.retain(|_, until| *until > Instant::now());
        let schedule = read.open_table(SCHEDULE).map_err(unavailable)?;
        let mut tasks = Vec::new();
        for entry in schedule.range(..(clock::milliseconds() + 1, &[0; TASK_BYTES])).map_err(unavailable)? {
            if tasks.len() == limit {
                break;
            }
            let task = task_of(entry.map_err(unavailable)?.0.value().1)?;
            if !leases.contains_key(&task) {
                tasks.push(task);
            }
        }
        leases.extend(tasks.iter().map(|task| (*task, Instant::now() + LEASE)));
        Ok(tasks)
    }

    /// Ends the lease on a task.
    pub(super) fn end(&self, task: Task) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&task);
    }
}
