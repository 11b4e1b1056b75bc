//! One Redis server that writes every command to disk before it answers, with a cable to each replica of the service.

use std::net::SocketAddr;
use std::thread::sleep;
use std::time::Duration;

use pagade::simulate::Chance;
use pagade_tests::redis_server::{DURABLE, RedisServer};

use crate::cable::Cable;
use crate::world::{Redis, lose, slow};

/// What can happen to it; a number is that of a replica of the service.
#[derive(Debug, Clone, Copy)]
pub enum SingleFault {
    /// `kill -9`, and started again.
    Killed,
    /// Stopped for a while, and then it goes on as if nothing had been.
    Frozen,
    /// Its disk takes nothing, which ends it; it is started again when there is room.
    DiskFull,
    /// It has no memory left for what is written.
    Full,
    /// All connections of a replica to it end.
    Cut(usize),
    /// What it answers a replica is lost.
    AnswersLost(usize),
    /// The way to it takes long.
    Slow(usize),
}

/// See the module.
pub struct SingleServer {
    server: RedisServer,
    /// To the replicas of the service.
    cables: [Cable; 2],
}

impl SingleServer {
    /// Starts it.
    pub fn start() -> Self {
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
