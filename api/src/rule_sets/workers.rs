//! Work that takes more than a moment, off the threads that answer: rule texts compiled and tried, records replayed.
//!
//! A few at a time, and whoever asked is answered in time. What goes on all the same keeps its place until it ends: it
//! holds up others of its kind, and no game.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::error::{Code, Problem, internal};

/// How long work waits for a place.
const TURN: Duration = Duration::from_secs(5);
/// How long it may take.
pub const BUDGET: Duration = Duration::from_secs(10);

/// Where work is done.
#[derive(Debug, Clone)]
pub struct Workers {
    places: Arc<Semaphore>,
    turn: Duration,
    budget: Duration,
}

impl Default for Workers {
    /// With a place for every other core, two at least: one that is held up is not all.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::new((cores / 2).max(2), TURN, BUDGET)
    }
}

impl Workers {
    fn new(places: usize, turn: Duration, budget: Duration) -> Self {
        Self { places: Arc::new(Semaphore::new(places)), turn, budget }
    }

    /// Does some work.
    ///
    /// # Errors
    /// 503 where all places are taken for long, 422 where it takes too long.
    pub async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
        let place = timeout(self.turn, Arc::clone(&self.places).acquire_owned()).await;
        let busy = || Problem::new(Code::TooBusy, "other rule texts and records are worked on").after(self.turn);
        let place = place.map_err(|_| busy())?.map_err(internal)?;
        let working = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        });
        match timeout(self.budget, working).await {
            Ok(done) => done.map_err(internal),
            Err(_) => Err(too_much(&format!("it takes longer than {} seconds", self.budget.as_secs()))),
        }
    }
}

/// Work that is refused because it would take too long.
pub fn too_much(why: &str) -> Problem {
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
