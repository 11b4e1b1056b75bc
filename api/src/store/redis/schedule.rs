//! The schedule: one sorted set of tasks. The set is in a hash slot of its own, so the script that writes an entity
//! cannot write the set.
//!
//! While a worker has a task, the set has a lease: an entry with another name, at the time at which the lease ends. A
//! deadline that the task gets meanwhile is thus kept beside the lease.
//!
//! INVARIANT: a task with a deadline is in the set: at its deadline or earlier, or as a lease. A task is added before
//! the commit that sets its deadline, so that no deadline is lost if the process dies after the commit. A worker may
//! take the task before the commit is made, and find nothing to do. So if the task can have been due before the commit
//! was made, it is added once more after the commit. If the process dies between the two, the worker that took the task
//! has scheduled the next check, as `DueEntity::due_at` describes.
//!
//! Commits that make a deadline later do not change the set: the task is then due too early, and the worker that takes
//! it adds it again. A task stays in the set when its entity is removed, or when the first commit of its entity fails.
//! The worker that takes the task then removes it, unless the entity may still be created.

use std::time::{Duration, Instant};

use redis::Value;

use super::Redis;
use crate::store::schedule::TASK_BYTES;
use crate::store::{LEASE, LeasedTask, StoreError, Task};

/// Largest number of tasks in one command.
const PAGE: usize = 500;
/// The end of the name of a lease, after the name of its task.
const LEASED: &[u8] = b"*";

/// A task that was added to the schedule before a commit.
pub(super) struct Added {
    task: Task,
    at: u64,
    /// A moment before the task was added.
    since: Instant,
    /// Time from `since` until the task is due. Before that, no worker takes the task.
    rests: Duration,
}

impl Redis {
    /// Gives a task this deadline, unless the task has an earlier one.
    pub(super) async fn schedule_by(&self, task: Task, at: u64) -> Result<Added, StoreError> {
        let since = Instant::now();
        let (due, name) = (at.to_string(), task.to_bytes());
        let arguments = [due.as_bytes(), &name];
        let keys = [self.keys.schedule()];
        let left = self.client.script(&self.scripts.schedule, &keys, &arguments, self.replicas).await?;
        let Value::Int(left) = left else { return Err(damaged()) };
        Ok(Added { task, at, since, rests: Duration::from_millis(u64::try_from(left).unwrap_or(0)) })
    }

    /// Adds a task again after a commit, if a worker can have taken it before the commit was made.
    pub(super) async fn schedule_again(&self, Added { task, at, since, rests }: Added) -> Result<(), StoreError> {
        if since.elapsed() < rests { Ok(()) } else { self.schedule_by(task, at).await.map(drop) }
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

    /// Ends a lease, unless the lease has ended before. Gives the task this deadline, unless the task has an earlier
    /// deadline.
    pub(super) async fn end_lease(&self, leased: LeasedTask, at: Option<u64>) -> Result<(), StoreError> {
        let (until, at) = (leased.until.to_string(), at.map(|at| at.to_string()).unwrap_or_default());
        let arguments = [&leased.task.to_bytes()[..], until.as_bytes(), at.as_bytes()];
        self.client.script(&self.scripts.end_lease, &[self.keys.schedule()], &arguments, 0).await.map(drop)
    }

    /// Gives a lease a later end, unless the lease has ended before.
    pub(super) async fn extend_lease(&self, leased: LeasedTask, until: u64) -> Result<(), StoreError> {
        let mut command = redis::cmd("ZADD");
        command.arg(self.keys.schedule()).arg("XX").arg("GT").arg(until);
        self.client.one(command.arg([&leased.task.to_bytes()[..], LEASED].concat())).await.map(drop)
    }

    /// Returns the deadlines of two tasks. The deadline of a leased task is the end of its lease.
    pub(super) async fn deadlines(&self, tasks: [Task; 2]) -> Result<[Option<u64>; 2], StoreError> {
        let mut command = redis::cmd("ZMSCORE");
        command.arg(self.keys.schedule());
        for task in tasks {
            let name = task.to_bytes();
            command.arg(&name[..]).arg([&name[..], LEASED].concat());
        }
        let times: [Option<f64>; 4] = super::read_as(self.client.one(&command).await?)?;
        // A score is a 64-bit float, which is exact for the milliseconds of this century.
        let [one, one_leased, other, other_leased] = times.map(|time| time.map(|at| at as u64));
        Ok([one.into_iter().chain(one_leased).min(), other.into_iter().chain(other_leased).min()])
    }

    /// Returns at most `limit` tasks that are due, and leases them. Other callers get a task only after its lease has
    /// ended, or when a deadline has come that the task got during the lease.
    pub(super) async fn take_due(&self, limit: usize) -> Result<Vec<LeasedTask>, StoreError> {
        let [lease, limit, length] = [LEASE.as_millis().to_string(), limit.to_string(), TASK_BYTES.to_string()];
        let arguments = [lease.as_bytes(), limit.as_bytes(), length.as_bytes()];
        let due = self.client.script(&self.scripts.due, &[self.keys.schedule()], &arguments, 0).await?;
        let Value::Array(items) = due else { return Err(damaged()) };
        let Some((now, tasks)) = items.split_first() else { return Err(damaged()) };
        self.clock.set(number(now)?);
        let mut leased = Vec::with_capacity(tasks.len() / 2);
        for pair in tasks.chunks_exact(2) {
            let until = number(&pair[1])?;
            // Another process on this Redis may have a newer program, with tasks that this one does not know.
            if let Value::BulkString(name) = &pair[0]
                && let Some(task) = Task::from_bytes(name)
            {
                leased.push(LeasedTask { task, until });
            }
        }
        Ok(leased)
    }
}

fn number(value: &Value) -> Result<u64, StoreError> {
    match value {
        Value::BulkString(digits) => std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()),
        _ => None,
    }
    .ok_or_else(damaged)
}

fn damaged() -> StoreError {
    StoreError::Damaged("the schedule".to_owned())
}
