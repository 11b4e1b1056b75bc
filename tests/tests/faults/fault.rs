//! What can happen.

use std::fmt::Debug;

use pagade::simulate::Chance;

use crate::world::Redis;

/// What can happen to a world; a number is that of a replica of the service.
#[derive(Debug, Clone, Copy)]
pub enum Fault<R> {
    /// `kill -9`, and started again.
    ReplicaKilled(usize),
    /// Ended as an operator does it, and started again.
    ReplicaRestarted(usize),
    /// Started again with a clock that is wrong by so many seconds.
    ReplicaClock(usize, i32),
    /// Stopped for a while, and then it goes on as if nothing had been.
    ReplicaFrozen(usize),
    /// Both at the same time.
    RedisAndReplicaKilled(usize),
    /// All connections of clients end.
    ClientsCut(usize),
    /// What the replica answers is lost.
    AnswersLost(usize),
    /// The way to the replica takes long.
    ClientsSlow(usize),
    /// What happens to a Redis of this kind.
    Redis(R),
}

impl<F: Debug> Fault<F> {
    /// Some fault.
    pub fn any<R: Redis<Fault = F>>(chance: &mut Chance) -> Self {
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

    /// What it is called, whichever replica it meets.
    pub fn name(&self) -> String {
        let name = match self {
            Self::Redis(fault) => format!("Redis{fault:?}"),
            fault => format!("{fault:?}"),
        };
        name.split('(').next().unwrap_or_default().to_owned()
    }
}
