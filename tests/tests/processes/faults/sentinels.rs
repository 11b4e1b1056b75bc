//! Faults of a master and its replica, which three sentinels watch. With `wait=1` both servers have an acknowledged
//! write, so it survives the loss of either. One of them is lost at a time. The next fault waits until the lost server
//! follows again and has all data.

use std::thread::sleep;
use std::time::Duration;

use pagade_robots::simulate::Chance;
use pagade_tests::redis_groups::SentinelGroup;
use pagade_tests::wait::until;

use super::world::Redis;

/// A fault of the group. A lost master comes back after the replica has taken over.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SentinelFault {
    /// The master is killed by `kill -9` and comes back as a replica.
    Killed,
    /// The master is stopped by SIGSTOP. When it goes on, it acts as the master until the sentinels inform it.
    Frozen,
    /// The disk of the master is full, which ends its process. It comes back as a replica.
    DiskFull,
    /// The replica takes over by the command of an operator. The old master takes writes until the sentinels inform it.
    FailedOver,
    /// The replica is killed by `kill -9`. No write is acknowledged until it is back.
    CopyKilled,
}

impl Redis for SentinelGroup {
    type Fault = SentinelFault;
    const KILLED: SentinelFault = SentinelFault::Killed;

    fn address(&self, _: usize) -> String {
        format!("{}?wait=1", SentinelGroup::address(self))
    }

    fn any(chance: &mut Chance) -> SentinelFault {
        match chance.below(6) {
            0 | 1 => SentinelFault::Killed,
            2 => SentinelFault::Frozen,
            3 => SentinelFault::DiskFull,
            4 => SentinelFault::FailedOver,
            _ => SentinelFault::CopyKilled,
        }
    }

    fn suffer(&mut self, fault: SentinelFault, lasts: Duration) {
        let master = self.wait_until_whole();
        let other = 1 - master;
        let taken_over = |watched: &Self| {
            until("the sentinels have made the other one master", || watched.master() == Some(other));
            sleep(lasts);
        };
        match fault {
            SentinelFault::Killed => {
                self.servers[master].kill();
                taken_over(self);
                self.servers[master].restart();
            }
            SentinelFault::Frozen => {
                self.servers[master].signal("STOP");
                taken_over(self);
                self.servers[master].signal("CONT");
            }
            SentinelFault::DiskFull => {
                self.servers[master].fill_disk();
                taken_over(self);
                self.servers[master].restart();
            }
            SentinelFault::FailedOver => {
                let begun = self.sentinels[0].command(&["SENTINEL", "FAILOVER", "games"]);
                assert_eq!(begun, "OK");
                taken_over(self);
            }
            SentinelFault::CopyKilled => {
                self.servers[other].kill();
                sleep(lasts);
                self.servers[other].restart();
            }
        }
        self.wait_until_whole();
    }
}
