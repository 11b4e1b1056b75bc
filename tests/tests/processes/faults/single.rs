//! Faults of a single Redis that writes every command to disk before it answers. Each replica of the service reaches
//! Redis through a cable: a proxy that can slow or cut connections and lose answers.

use std::net::SocketAddr;
use std::thread::sleep;
use std::time::Duration;

use pagade_robots::simulate::Chance;
use pagade_tests::redis_server::{DURABLE, RedisServer};

use super::cable::Cable;
use super::world::{Redis, lose, slow};

/// A fault of this Redis. A number is the index of a replica of the service.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SingleFault {
    /// Redis is killed by `kill -9` and started again.
    Killed,
    /// Redis is stopped for a while by SIGSTOP.
    Frozen,
    /// The disk of Redis is full, which ends its process. It is started again when there is room.
    DiskFull,
    /// The memory of Redis is full.
    Full,
    /// The connections between a replica and Redis are cut.
    Cut(usize),
    /// Answers of Redis to a replica are lost.
    AnswersLost(usize),
    /// The network between a replica and Redis is slow.
    Slow(usize),
}

pub(crate) struct SingleServer {
    server: RedisServer,
    /// The cables from the replicas of the service to Redis.
    cables: [Cable; 2],
}

impl SingleServer {
    pub(crate) fn start() -> Self {
        let server = RedisServer::start(DURABLE);
        let port = SocketAddr::from(([127, 0, 0, 1], server.port));
        Self { server, cables: [Cable::to(Some(port)), Cable::to(Some(port))] }
    }
}

impl Redis for SingleServer {
    type Fault = SingleFault;
    const KILLED: SingleFault = SingleFault::Killed;

    fn address(&self, replica: usize) -> String {
        format!("redis://{}", self.cables[replica].address)
    }

    fn any(chance: &mut Chance) -> SingleFault {
        let replica = chance.below(2) as usize;
        match chance.below(8) {
            0 | 1 => SingleFault::Killed,
            2 => SingleFault::Frozen,
            3 => SingleFault::DiskFull,
            4 => SingleFault::Full,
            5 => SingleFault::Cut(replica),
            6 => SingleFault::AnswersLost(replica),
            _ => SingleFault::Slow(replica),
        }
    }

    fn suffer(&mut self, fault: SingleFault, lasts: Duration) {
        match fault {
            SingleFault::Killed => {
                self.server.kill();
                sleep(lasts / 4);
                self.server.restart();
            }
            SingleFault::Frozen => {
                self.server.signal("STOP");
                sleep(lasts);
                self.server.signal("CONT");
            }
            SingleFault::DiskFull => {
                self.server.fill_disk();
                sleep(lasts);
                self.server.restart();
            }
            SingleFault::Full => {
                self.server.command(&["CONFIG", "SET", "maxmemory", "1mb"]);
                sleep(lasts);
                self.server.command(&["CONFIG", "SET", "maxmemory", "0"]);
            }
            SingleFault::Cut(replica) => self.cables[replica].cut(),
            SingleFault::AnswersLost(replica) => lose(&self.cables[replica], lasts),
            SingleFault::Slow(replica) => slow(&self.cables[replica], lasts),
        }
    }
}
