//! The worker pool: threads for long work, such as compiling rule texts or replaying records, so that other requests do
//! not wait for it.
//!
//! Few workers run at a time, and every caller gets an answer in bounded time. Work that takes longer is not stopped:
//! it runs to its end and occupies its worker. It delays other work, but no game.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::error::{Code, Detail, Problem, detail, internal};
use crate::ground::cores::cores;

/// Longest time that a caller waits for a free worker.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Longest time that a caller waits for the end of its work.
pub(crate) const BUDGET: Duration = Duration::from_secs(10);

/// The worker pool.
#[derive(Debug, Clone)]
pub(crate) struct Workers {
    places: Arc<Semaphore>,
    turn: Duration,
    budget: Duration,
}

impl Default for Workers {
    /// Makes one worker for every two cores, but at least two, so that one long task does not block all others.
    fn default() -> Self {
        Self::new((cores() / 2).max(2), LONGEST_WAIT, BUDGET)
    }
}

impl Workers {
    fn new(places: usize, turn: Duration, budget: Duration) -> Self {
        Self { places: Arc::new(Semaphore::new(places)), turn, budget }
    }

    /// Does work on a worker.
    ///
    /// # Errors
    /// 503 if no worker becomes free, 422 if the work takes too long.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let place = timeout(self.turn, Arc::clone(&self.places).acquire_owned()).await;
        let busy = || Problem::new(Code::TooBusy, "the service checks other rule texts and records").after(self.turn);
        let place = place.map_err(|_| busy())?.map_err(internal)?;
        let working = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        });
        match timeout(self.budget, working).await {
            Ok(done) => done.map_err(internal),
            Err(_) => Err(too_much(detail!("it takes longer than {seconds} seconds", seconds = self.budget.as_secs()))),
        }
    }
}

/// Makes the problem of work that takes too long.
pub(crate) fn too_much(why: impl Into<Detail>) -> Problem {
    Problem::new(Code::TooMuchWork, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(50);

    fn run<T>(test: impl AsyncFnOnce() -> T) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(test())
    }

    #[test]
    fn work_that_takes_too_long_is_refused_in_time_and_keeps_its_place() {
        let (end, ended) = std::sync::mpsc::channel::<()>();
        run(async || {
            let workers = Workers::new(1, SHORT, SHORT);
            assert_eq!(workers.work(|| 7).await, Ok(7));
            let held_up = workers.work(move || ended.recv().is_ok()).await;
            assert_eq!(held_up.unwrap_err().code, Code::TooMuchWork);
            let refused = workers.work(|| 7).await.unwrap_err();
            assert_eq!((refused.code, refused.retry_after), (Code::TooBusy, Some(SHORT)));
            end.send(()).unwrap();
            while workers.work(|| 7).await != Ok(7) {}
        });
    }

    #[test]
    fn work_that_breaks_gives_its_place_back() {
        run(async || {
            let workers = Workers::new(1, BUDGET, BUDGET);
            let broken = workers.work(|| std::panic::resume_unwind(Box::new("as if there were a bug"))).await;
            assert_eq!(broken.unwrap_err().code, Code::Internal);
            assert_eq!(workers.work(|| 7).await, Ok(7));
        });
    }
}
