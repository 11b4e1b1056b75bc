//! Faults of the whole world.

use std::fmt::Debug;

use pagade::simulate::Chance;

use crate::world::Redis;

/// A fault. A number names a replica of the service.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault<R> {
    /// Killed by `kill -9` and restarted.
    ReplicaKilled(usize),
    /// Stopped by SIGTERM and restarted.
    ReplicaRestarted(usize),
    /// Restarted with a clock that is wrong by so many seconds.
    ReplicaClock(usize, i32),
    /// Stopped for a while by SIGSTOP.
    ReplicaFrozen(usize),
    /// Redis and a replica are killed at the same time.
    RedisAndReplicaKilled(usize),
    /// All connections of clients are cut.
    ClientsCut(usize),
    /// Answers of the replica are lost.
    AnswersLost(usize),
    /// The network between clients and the replica is slow.
    ClientsSlow(usize),
    /// A fault of this kind of Redis.
    Redis(R),
}

impl<F: Debug> Fault<F> {
    /// A random fault.
    pub(crate) fn any<R: Redis<Fault = F>>(chance: &mut Chance) -> Self {
        let replica = chance.below(2) as usize;
        match chance.below(18) {
            0 | 1 => Self::ReplicaKilled(replica),
            2 => Self::ReplicaRestarted(replica),
            3 => Self::ReplicaClock(replica, [-86_400, -3_600, -5, 5, 3_600, 86_400][chance.below(6) as usize]),
            4 => Self::ReplicaFrozen(replica),
            5 => Self::RedisAndReplicaKilled(replica),
            6 => Self::ClientsCut(replica),
            7 | 8 => Self::AnswersLost(replica),
            9 => Self::ClientsSlow(replica),
            _ => Self::Redis(R::any(chance)),
        }
    }

    /// The name of the fault, without the number of its replica.
    pub(crate) fn name(&self) -> String {
        let name = match self {
            Self::Redis(fault) => format!("Redis{fault:?}"),
            fault => format!("{fault:?}"),
        };
        name.split('(').next().unwrap_or_default().to_owned()
    }
}
