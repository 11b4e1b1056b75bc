//! The schedule: one sorted set of tasks. The set is in a hash slot of its own, so the script that writes an entity
//! cannot write the set.
//!
//! INVARIANT: a task with a deadline is in the set: at its deadline or earlier, or, while a worker has the task, at the
//! end of the lease. A task is added before the commit that sets its deadline. Commits that make a deadline later do
//! not change the set: the task is then due too early, and the worker that takes it adds it again. A task stays in the
//! set when its entity is removed, or when the first commit of its entity fails. The worker that takes the task then
//! removes it, unless the entity may still be created.

use redis::Value;

use super::Redis;
use crate::store::{LEASE, StoreError, Task};

/// Largest number of tasks in one command.
const PAGE: usize = 500;

impl Redis {
    /// Gives a task this deadline, unless the task has an earlier one.
    pub(super) async fn schedule_by(&self, task: Task, at: u64) -> Result<(), StoreError> {
        let (at, task) = (at.to_string(), task.to_bytes());
        let arguments = [at.as_bytes(), &task];
        let keys = [self.keys.schedule()];
        self.client.script(&self.scripts.schedule, &keys, &arguments, self.replicas).await.map(drop)
    }

    /// Gives each task its deadline, unless the task has an earlier one.
    pub(super) async fn schedule_all_by(&self, tasks: &[(Task, u64)]) -> Result<(), StoreError> {
        for page in tasks.chunks(PAGE) {
            let mut enter = redis::cmd("ZADD");
            enter.arg(self.keys.schedule()).arg("LT");
            for (task, at) in page {
                enter.arg(at).arg(&task.to_bytes()[..]);
            }
            self.client.one(&enter).await?;
        }
        Ok(())
    }

    /// Gives a task this deadline; `None` removes the task from the schedule.
    pub(super) async fn schedule(&self, task: Task, at: Option<u64>) -> Result<(), StoreError> {
        let mut command = redis::cmd(if at.is_some() { "ZADD" } else { "ZREM" });
        command.arg(self.keys.schedule());
        if let Some(at) = at {
            command.arg(at);
        }
        self.client.one(command.arg(&task.to_bytes()[..])).await.map(drop)
    }

    /// Returns the deadlines of two tasks.
    pub(super) async fn deadlines(&self, tasks: [Task; 2]) -> Result<[Option<u64>; 2], StoreError> {
        let mut command = redis::cmd("ZMSCORE");
        command.arg(self.keys.schedule());
        for task in tasks {
            command.arg(&task.to_bytes()[..]);
        }
        let times: [Option<f64>; 2] = super::read_as(self.client.one(&command).await?)?;
        // A score is a 64-bit float, which is exact for the milliseconds of this century.
        Ok(times.map(|time| time.map(|at| at as u64)))
    }

    /// Returns at most `limit` tasks that are due, and leases them. Other callers get a task only after its lease has
    /// ended.
    pub(super) async fn take_due(&self, limit: usize) -> Result<Vec<Task>, StoreError> {
        let (lease, limit) = (LEASE.as_millis().to_string(), limit.to_string());
        let arguments = [lease.as_bytes(), limit.as_bytes()];
        let due = self.client.script(&self.scripts.due, &[self.keys.schedule()], &arguments, 0).await?;
        let damaged = || StoreError::Damaged("the schedule".to_owned());
        let Value::Array(items) = due else { return Err(damaged()) };
        let Some((Value::BulkString(now), tasks)) = items.split_first() else { return Err(damaged()) };
        let now = std::str::from_utf8(now).ok().and_then(|now| now.parse().ok()).ok_or_else(damaged)?;
        self.clock.set(now);
        let task = |value: &Value| match value {
            Value::BulkString(bytes) => Task::from_bytes(bytes),
            _ => None,
        };
        Ok(tasks.iter().filter_map(task).collect())
    }
}
