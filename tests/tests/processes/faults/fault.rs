//! The faults that happen to the service, its network and its Redis.

use std::fmt::Debug;

use pagade_robots::simulate::Chance;

use super::world::Redis;

/// A fault. A number of the type `usize` is the index of a replica of the service.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault<R> {
    /// The replica is killed by `kill -9` and started again.
    ReplicaKilled(usize),
    /// The replica is stopped by SIGTERM and started again.
    ReplicaRestarted(usize),
    /// The replica is started again with a clock that is wrong by this number of seconds.
    ReplicaClock(usize, i32),
    /// The replica is stopped for a while by SIGSTOP.
    ReplicaFrozen(usize),
    /// Redis and the replica are killed at the same time.
    RedisAndReplicaKilled(usize),
    /// All connections between clients and the replica are cut.
    ClientsCut(usize),
    /// Answers of the replica to clients are lost.
    AnswersLost(usize),
    /// The network between clients and the replica is slow.
    ClientsSlow(usize),
    /// A fault of the Redis that the service uses.
    Redis(R),
}

impl<F: Debug> Fault<F> {
    /// Draws a fault at random.
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
