//! The schedule: the times at which a worker has to do something for an entity.

use std::time::Duration;

use super::id::{EntityId, ID_BYTES};

/// Length of a lease: the time that a caller has for a task before another caller gets it.
pub const LEASE: Duration = Duration::from_secs(15);

/// Number of bytes in the name of a task.
pub(crate) const TASK_BYTES: usize = ID_BYTES + 1;

/// A task: work of one kind that has to be done for one entity. Each task has one deadline at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Task {
    /// The entity that the work is for.
    pub id: EntityId,
    /// The kind of the work.
    pub duty: TaskKind,
}

/// A task that a caller has until its lease ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeasedTask {
    /// The task.
    pub task: Task,
    /// The end of the lease, in milliseconds since 1970. It differs between all leases of the same task.
    pub until: u64,
}

/// A kind of background work for an entity, also called duty. Each duty of an entity has a deadline of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskKind {
    /// Work for the entity itself, such as its expiry.
    Entity,
    /// Delivery of the entity's events to webhooks.
    Deliveries,
}

impl TaskKind {
    /// All duties that an entity can have.
    pub const ALL: [Self; 2] = [Self::Entity, Self::Deliveries];
}

impl Task {
    /// Makes the task of the duty [`TaskKind::Entity`].
    pub const fn entity(id: EntityId) -> Self {
        Self { id, duty: TaskKind::Entity }
    }

    /// Makes the task of the duty [`TaskKind::Deliveries`].
    pub const fn deliveries(id: EntityId) -> Self {
        Self { id, duty: TaskKind::Deliveries }
    }

    /// Makes both tasks of an entity, in the order of [`TaskKind::ALL`].
    pub fn both(id: EntityId) -> [Self; 2] {
        TaskKind::ALL.map(|duty| Self { id, duty })
    }

    /// Encodes the name of the task: the name of its entity, and the number of its duty.
    pub(crate) fn to_bytes(self) -> [u8; TASK_BYTES] {
        let mut bytes = [0; TASK_BYTES];
        bytes[..ID_BYTES].copy_from_slice(&self.id.to_bytes());
        bytes[ID_BYTES] = self.duty as u8;
        bytes
    }

    /// Decodes bytes that [`Task::to_bytes`] has made.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (id, duty) = bytes.split_first_chunk::<ID_BYTES>()?;
        let duty = TaskKind::ALL.into_iter().find(|known| duty == [*known as u8])?;
        Some(Self { id: EntityId::from_bytes(id)?, duty })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::store::Kind;

    #[test]
    fn tasks_are_written_and_read() {
        let id = EntityId::new(Kind::named("lamp"), Uuid::now_v7());
        for task in Task::both(id) {
            assert_eq!(Task::from_bytes(&task.to_bytes()), Some(task));
        }
        assert_eq!(Task::from_bytes(&[0; TASK_BYTES]), None);
        assert_eq!(Task::from_bytes(id.id.as_bytes()), None);
    }
}
