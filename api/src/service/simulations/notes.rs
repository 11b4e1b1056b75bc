//! Reads and writes simulations as notes of the store.

use uuid::Uuid;

use super::stored::{CANCELLED, LIFETIME, STATE, StoredSimulation, entity};
use crate::error::{Problem, internal};
use crate::model::simulation::{SimulationEnd, SimulationStatus};
use crate::service::Service;

/// Time without a sign of life after which the process of a simulation counts as ended, in milliseconds. The process
/// gives a sign each second.
const SILENCE: u64 = 15_000;

impl Service {
    /// Returns a simulation: its present state if it is at this process, otherwise the state that its process has
    /// written last.
    ///
    /// # Errors
    /// The store is not available.
    pub(super) async fn simulation(&self, id: Uuid) -> Result<Option<StoredSimulation>, Problem> {
        if let Some(job) = self.simulations.job(id) {
            return Ok(Some(job.kept()));
        }
        let (_, notes) = self.store.entity_and_notes(entity(id)).await?;
        let Some((_, state)) = notes.into_iter().find(|(name, _)| name == STATE) else { return Ok(None) };
        let mut kept = serde_json::from_slice::<StoredSimulation>(&state).map_err(internal)?;
        if kept.view.status != SimulationStatus::Ended && self.store.now().saturating_sub(kept.at) > SILENCE {
            kept.version += 1;
            kept.view.status = SimulationStatus::Ended;
            kept.view.ended_by = Some(SimulationEnd::Failure);
        }
        Ok(Some(kept))
    }

    /// Writes the state of a simulation to the store.
    ///
    /// # Errors
    /// The store is not available.
    pub(super) async fn keep_simulation(&self, kept: &StoredSimulation) -> Result<(), Problem> {
        let state = serde_json::to_vec(&StoredSimulation { at: self.store.now(), ..kept.clone() }).map_err(internal)?;
        Ok(self.store.note(entity(kept.view.id), vec![(STATE.to_owned(), Some(state))], LIFETIME).await?)
    }

    /// Tells whether another process was asked to cancel a simulation.
    ///
    /// # Errors
    /// The store is not available.
    pub(super) async fn is_cancelled_elsewhere(&self, id: Uuid) -> Result<bool, Problem> {
        let (_, notes) = self.store.entity_and_notes(entity(id)).await?;
        Ok(notes.iter().any(|(name, _)| name == CANCELLED))
    }
}
