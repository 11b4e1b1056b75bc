//! Faults of a cluster of three masters with one replica each. With `wait=1` an acknowledged write is at a master and
//! at its replica. One of the six servers is lost at a time. The next fault waits until the lost server follows again
//! and has all data. It also waits after slots were moved, because the replica of the new master needs time to get
//! their keys.

use std::thread::sleep;
use std::time::Duration;

use pagade_robots::simulate::Chance;
use pagade_tests::redis_groups::{Cluster, SeenNode};
use pagade_tests::wait::until;

use super::slots;
use super::world::Redis;

/// A fault of the cluster. A number is the index of a master. A lost master comes back after its replica has taken
/// over.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ClusterFault {
    /// A master is killed by `kill -9` and comes back as a replica.
    Killed(usize),
    /// A master is stopped by SIGSTOP. When it goes on, it acts as a master until another node informs it.
    Frozen(usize),
    /// The disk of a master is full, which ends its process. It comes back as a replica.
    DiskFull(usize),
    /// A replica takes over from its master by the command of an operator.
    FailedOver(usize),
    /// A replica is killed by `kill -9`. Writes to its master are not acknowledged until it is back.
    CopyKilled(usize),
    /// The slots of games that are being played, and of keys that all games share, move to another master key by key.
    SlotsMoved(usize),
    /// Slots are moved by `redis-cli --cluster reshard`.
    Resharded(usize),
}

impl Redis for Cluster {
    type Fault = ClusterFault;
    const KILLED: ClusterFault = ClusterFault::Killed(0);

    fn address(&self, _: usize) -> String {
        format!("{}?wait=1", Cluster::address(self))
    }

    fn any(chance: &mut Chance) -> ClusterFault {
        let master = chance.below(3) as usize;
        match chance.below(9) {
            0 | 1 => ClusterFault::Killed(master),
            2 => ClusterFault::Frozen(master),
            3 => ClusterFault::DiskFull(master),
            4 => ClusterFault::FailedOver(master),
            5 => ClusterFault::CopyKilled(master),
            6 | 7 => ClusterFault::SlotsMoved(master),
            _ => ClusterFault::Resharded(master),
        }
    }

    fn suffer(&mut self, fault: ClusterFault, lasts: Duration) {
        match fault {
            ClusterFault::Killed(number) => {
                let pair = Pair::of(self, number);
                self.nodes[pair.master].kill();
                pair.has_taken_over(self, lasts);
                self.nodes[pair.master].restart();
            }
            ClusterFault::Frozen(number) => {
                let pair = Pair::of(self, number);
                self.nodes[pair.master].signal("STOP");
                pair.has_taken_over(self, lasts);
                self.nodes[pair.master].signal("CONT");
            }
            ClusterFault::DiskFull(number) => {
                let pair = Pair::of(self, number);
                self.nodes[pair.master].fill_disk();
                pair.has_taken_over(self, lasts);
                self.nodes[pair.master].restart();
            }
            ClusterFault::FailedOver(number) => {
                let pair = Pair::of(self, number);
                assert_eq!(self.nodes[pair.replica].command(&["CLUSTER", "FAILOVER"]), "OK");
                pair.has_taken_over(self, lasts);
            }
            ClusterFault::CopyKilled(number) => {
                let pair = Pair::of(self, number);
                self.nodes[pair.replica].kill();
                sleep(lasts);
                self.nodes[pair.replica].restart();
            }
            ClusterFault::SlotsMoved(number) => slots::move_played(self, number, lasts / 10),
            ClusterFault::Resharded(number) => slots::reshard(self, number),
        }
        self.wait_until_whole();
    }
}

/// A master, its replica, and a third node, as indices in [`Cluster::nodes`].
struct Pair {
    master: usize,
    replica: usize,
    /// A node that this fault does not affect. It reports when the replica has become the master.
    witness: usize,
}

impl Pair {
    fn of(cluster: &Cluster, number: usize) -> Self {
        let seen = cluster.seen_by(0);
        let master = &slots::masters(cluster)[number];
        let is_its = |seen: &&SeenNode| seen.master.as_ref() == Some(&master.name);
        let replica = seen.iter().find(is_its).expect("all is well before a fault").node;
        let witness = seen.iter().map(|seen| seen.node).find(|node| ![master.node, replica].contains(node));
        Self { master: master.node, replica, witness: witness.expect("there are six") }
    }

    /// Waits until the replica has become the master, and then for the time that the fault lasts.
    fn has_taken_over(&self, cluster: &Cluster, lasts: Duration) {
        until("the replica has taken over", || {
            let seen = cluster.seen_by(self.witness);
            seen.iter().any(|seen| seen.node == self.replica && seen.master.is_none())
        });
        sleep(lasts);
    }
}
