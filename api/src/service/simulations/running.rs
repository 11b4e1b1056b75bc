//! Brings each simulation of this process to its end.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, oneshot, watch};
use tokio::time::sleep;

use super::job::{Job, SimulationTask};
use crate::error::{Problem, internal};
use crate::limits::Slot;
use crate::model::simulation::SimulationEnd;
use crate::service::Service;

/// Pause between two signs of life of a simulation.
const SIGN_PAUSE: Duration = Duration::from_secs(1);
/// Number of attempts, one [`SIGN_PAUSE`] apart, to write the end of a simulation while the store is not available.
const LAST_ATTEMPTS: u32 = 20;

impl Service {
    /// Writes a new simulation to the store, and lets it run in the background. `slot` is free again at its end.
    ///
    /// # Errors
    /// The store is not available; then nothing runs.
    pub(super) async fn start_simulation(
        self,
        job: Arc<Job>,
        task: SimulationTask,
        slot: Option<Slot>,
    ) -> Result<(), Problem> {
        let kept = job.kept();
        if let Err(problem) = self.keep_simulation(&kept).await {
            self.simulations.remove(kept.view.id);
            return Err(problem);
        }
        tokio::spawn(async move {
            let _slot = slot;
            let _counted = self.metrics.count_simulation();
            let by = self.bring_to_end(&job, task).await;
            job.end(by);
            let ended = job.kept();
            self.metrics.count_simulation_end(word(by), ended.view.played);
            for attempt in 1..=LAST_ATTEMPTS {
                match self.keep_simulation(&ended).await {
                    Ok(()) => break,
                    Err(_) if *self.closing.borrow() => break,
                    Err(error) if attempt == LAST_ATTEMPTS => {
                        tracing::warn!(%error, id = %ended.view.id, "simulation results not stored");
                    }
                    Err(_) => sleep(SIGN_PAUSE).await,
                }
            }
            self.simulations.remove(ended.view.id);
        });
        Ok(())
    }

    /// Waits for a place and plays the games, with a sign of life each second. Returns the reason of the end.
    async fn bring_to_end(&self, job: &Arc<Job>, task: SimulationTask) -> SimulationEnd {
        let place = match self.wait_for_place(job).await {
            Ok(place) => place,
            Err(end) => return end,
        };
        let mut ended = match start(job, task, place) {
            Ok(ended) => ended,
            Err(error) => {
                tracing::error!(%error, "simulation failed, thread cannot be created");
                return SimulationEnd::Failure;
            }
        };
        let mut closing = self.closing.clone();
        loop {
            tokio::select! {
                // An error means that the thread has panicked.
                end = &mut ended => return end.unwrap_or(SimulationEnd::Failure),
                () = closed(&mut closing) => {
                    job.cancel();
                    return SimulationEnd::Failure;
                }
                () = sleep(SIGN_PAUSE) => self.give_sign(job).await,
            }
        }
    }

    /// Waits for a place, because only some simulations run at the same time.
    ///
    /// # Errors
    /// The simulation was cancelled, or the process is stopping.
    async fn wait_for_place(&self, job: &Job) -> Result<OwnedSemaphorePermit, SimulationEnd> {
        // The loop polls one future all the time, so that the simulation keeps its position among the waiting
        // simulations.
        let mut place = Box::pin(Arc::clone(&self.simulations.places).acquire_owned());
        let mut closing = self.closing.clone();
        loop {
            tokio::select! {
                place = &mut place => return place.map_err(|_| SimulationEnd::Failure),
                () = job.cancelled.notified() => return Err(SimulationEnd::Cancel),
                () = closed(&mut closing) => return Err(SimulationEnd::Failure),
                () = sleep(SIGN_PAUSE) => self.give_sign(job).await,
            }
        }
    }

    /// Writes the progress of the simulation to the store, and cancels the simulation if another process was asked to
    /// cancel it. If the store is not available, the simulation goes on.
    async fn give_sign(&self, job: &Job) {
        let kept = job.kept();
        let told = self.keep_simulation(&kept).await;
        match self.is_cancelled_elsewhere(kept.view.id).await {
            Ok(true) => job.cancel(),
            Ok(false) => {}
            Err(error) => {
                tracing::debug!(
                    %error, ?told,
                    "simulation status not exchanged with other processes, store unavailable"
                )
            }
        }
    }
}

/// Starts the thread that plays the games. The thread gives `place` back at its end.
fn start(
    job: &Arc<Job>,
    task: SimulationTask,
    place: OwnedSemaphorePermit,
) -> Result<oneshot::Receiver<SimulationEnd>, Problem> {
    let (tell, told) = oneshot::channel();
    let job = Arc::clone(job);
    let thread = std::thread::Builder::new().name("simulation".to_owned()).spawn(move || {
        let by = job.play(&task);
        drop(place);
        let _ = tell.send(by);
    });
    thread.map_err(internal)?;
    Ok(told)
}

/// Waits until the process is stopping.
async fn closed(closing: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, so the process is stopping, too.
    let _ = closing.wait_for(|closing| *closing).await;
}

fn word(by: SimulationEnd) -> &'static str {
    match by {
        SimulationEnd::Complete => "complete",
        SimulationEnd::Time => "time",
        SimulationEnd::Cancel => "cancel",
        SimulationEnd::Failure => "failure",
    }
}
