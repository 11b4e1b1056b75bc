//! The simulations that wait or run at this process, and the limits of their number.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use uuid::Uuid;

use super::job::Job;
use crate::error::{Code, Problem};
use crate::ground::cores::cores;

/// Largest number of simulations that wait or run at a process.
const MOST_JOBS: usize = 64;
/// Value of `Retry-After` when there are [`MOST_JOBS`] simulations.
const RETRY: Duration = Duration::from_secs(10);

/// The simulations that wait or run at this process.
#[derive(Debug)]
pub(in crate::service) struct Simulations {
    jobs: Mutex<HashMap<Uuid, Arc<Job>>>,
    /// A place for each simulation that may run at a time: half of the cores, at least one.
    pub(super) places: Arc<Semaphore>,
}

impl Default for Simulations {
    fn default() -> Self {
        Self { jobs: Mutex::default(), places: Arc::new(Semaphore::new((cores() / 2).max(1))) }
    }
}

impl Simulations {
    /// Returns the simulation with this id, if it waits or runs at this process.
    pub(super) fn job(&self, id: Uuid) -> Option<Arc<Job>> {
        self.jobs().get(&id).cloned()
    }

    /// Adds a simulation. If a simulation with this id exists already, returns that simulation, and adds nothing.
    ///
    /// # Errors
    /// 503 if too many wait.
    pub(super) fn add(&self, job: &Arc<Job>) -> Result<Option<Arc<Job>>, Problem> {
        let (mut jobs, id) = (self.jobs(), job.kept().state.id);
        if let Some(earlier) = jobs.get(&id) {
            return Ok(Some(Arc::clone(earlier)));
        }
        if jobs.len() >= MOST_JOBS {
            return Err(Problem::new(Code::TooBusy, "too many simulations wait already").after(RETRY));
        }
        jobs.insert(id, Arc::clone(job));
        Ok(None)
    }

    pub(super) fn remove(&self, id: Uuid) {
        self.jobs().remove(&id);
    }

    fn jobs(&self) -> MutexGuard<'_, HashMap<Uuid, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
