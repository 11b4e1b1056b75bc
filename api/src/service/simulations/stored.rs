//! Simulations as they are kept in the store: as notes, which every process can read, and which expire.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::model::simulation::SimulationView;
use crate::store::{EntityId, Kind, Note};

/// How long a simulation is kept after the last write of its process, which is at the end of the simulation or earlier.
pub(crate) const LIFETIME: Duration = Duration::from_secs(60 * 60);

/// The kind under which simulations have their notes. They are no entities: they may be lost.
const SIMULATION: Kind = Kind::named("simulation");
/// The name of the note with the simulation itself.
pub(super) const STATE: &str = "state";
/// The name of the note by which another process cancels a simulation.
pub(super) const CANCELLED: &str = "cancelled";

/// A simulation as it was at one moment.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct StoredSimulation {
    /// The version of the simulation, from 1.
    pub version: u64,
    /// The time of the last sign of life of its process, in milliseconds since 1970.
    pub at: u64,
    /// The hash of the request that started the simulation, in hexadecimal.
    pub request: String,
    pub view: SimulationView,
}

/// The name under which the notes of a simulation are stored.
pub(super) fn entity(id: Uuid) -> EntityId {
    EntityId::new(SIMULATION, id)
}

/// Makes the note by which a process cancels a simulation that another process plays.
pub(super) fn cancelled() -> Note {
    (CANCELLED.to_owned(), Some(b"1".to_vec()))
}
