//! Simulations as they are kept in the store: notes, which any process reads, and which expire.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::KEPT;
use crate::error::{Problem, internal};
use crate::model::simulation::{SimulationEnd, SimulationStatus, SimulationView};
use crate::service::Service;
use crate::store::{EntityId, Kind, Note};

/// The kind under which simulations have their notes. They are no entities: nothing of them has to survive.
const SIMULATION: Kind = Kind::named("simulation");
/// The name of the note with the simulation itself.
const STATE: &str = "state";
/// The name of the note by which another process cancels a simulation.
const CANCELLED: &str = "cancelled";
/// Time without a sign of life after which the process of a simulation counts as ended, in milliseconds. The process
/// gives one each second.
const SILENCE: u64 = 15_000;

/// A simulation as it was at one moment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The version of the simulation, from 1.
    pub version: u64,
    /// The time of the last sign of life of its process, in milliseconds since 1970.
    pub at: u64,
    /// The hash of the request that started it, in hexadecimal.
    pub request: String,
    pub view: SimulationView,
}

/// The name under which the notes of a simulation are stored.
pub(super) fn entity(id: Uuid) -> EntityId {
    EntityId::new(SIMULATION, id)
}

/// Makes the note by which a process cancels a simulation of another.
pub(super) fn cancelled() -> Note {
    (CANCELLED.to_owned(), Some(b"1".to_vec()))
}

impl Service {
    /// Returns a simulation as it is at this process, or as its process has written it last.
    ///
    /// # Errors
    /// The store is not available.
    pub(super) async fn simulation(&self, id: Uuid) -> Result<Option<Kept>, Problem> {
        if let Some(job) = self.simulations.job(id) {
            return Ok(Some(job.kept()));
        }
        let (_, notes) = self.store.entity_and_notes(entity(id)).await?;
        let Some((_, state)) = notes.into_iter().find(|(name, _)| name == STATE) else { return Ok(None) };
        let mut kept = serde_json::from_slice::<Kept>(&state).map_err(internal)?;
        if kept.view.status != SimulationStatus::Ended && self.store.now().saturating_sub(kept.at) > SILENCE {
            kept.version += 1;
            kept.view.status = SimulationStatus::Ended;
            kept.view.ended_by = Some(SimulationEnd::Failure);
        }
        Ok(Some(kept))
    }

    /// Writes how far a simulation is.
    ///
    /// # Errors
    /// The store is not available.
    pub(super) async fn keep_simulation(&self, kept: &Kept) -> Result<(), Problem> {
        let state = serde_json::to_vec(&Kept { at: self.store.now(), ..kept.clone() }).map_err(internal)?;
        Ok(self.store.note(entity(kept.view.id), vec![(STATE.to_owned(), Some(state))], KEPT).await?)
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
