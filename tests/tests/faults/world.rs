//! Two replicas, one Redis, cables between all of them, and what can happen to them.

use std::net::SocketAddr;
use std::thread::sleep;
use std::time::Duration;

use pagade::simulate::Chance;
use pagade_tests::clock::wrong_by;
use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::service::Service;

use crate::cable::Cable;

/// What can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// `kill -9`, and started again.
    ReplicaKilled(usize),
    /// Ended as an operator does it, and started again.
    ReplicaRestarted(usize),
    /// Started again with a clock that is wrong by so many seconds.
    ReplicaClock(usize, i32),
    /// Stopped for a while, and then it goes on as if nothing had been.
    ReplicaFrozen(usize),
    /// `kill -9`, and started again.
    RedisKilled,
    /// Stopped for a while, and then it goes on as if nothing had been.
    RedisFrozen,
    /// Both at the same time.
    RedisAndReplicaKilled(usize),
    /// All connections of clients end.
    ClientsCut(usize),
    /// All connections to Redis end.
    StoreCut(usize),
    /// What the replica answers is lost.
    AnswersLost(usize),
    /// What Redis answers a replica is lost.
    StoreAnswersLost(usize),
    /// The way to the replica takes long.
    ClientsSlow(usize),
    /// The way to Redis takes long.
    StoreSlow(usize),
    /// Redis has no memory left for what is written.
    RedisFull,
    /// The disk of Redis takes nothing, which ends it; it is started again when there is room.
    RedisDiskFull,
}

impl Fault {
    /// Some fault.
    pub fn any(chance: &mut Chance) -> Self {
        let replica = chance.below(2) as usize;
        match chance.below(18) {
            0 | 1 => Self::ReplicaKilled(replica),
            2 => Self::ReplicaRestarted(replica),
            3 => Self::ReplicaClock(replica, [-86_400, -3_600, -5, 5, 3_600, 86_400][chance.below(6) as usize]),
            4 => Self::ReplicaFrozen(replica),
            5 | 6 => Self::RedisKilled,
            7 => Self::RedisFrozen,
            8 => Self::RedisAndReplicaKilled(replica),
            9 => Self::ClientsCut(replica),
            10 => Self::StoreCut(replica),
            11 | 12 => Self::AnswersLost(replica),
            13 => Self::StoreAnswersLost(replica),
            14 => Self::ClientsSlow(replica),
            15 => Self::StoreSlow(replica),
            16 => Self::RedisFull,
            _ => Self::RedisDiskFull,
        }
    }
}

/// All that runs.
pub struct World {
    redis: RedisServer,
    /// Between a replica and Redis.
    backs: [Cable; 2],
    /// Between clients and a replica.
    fronts: [Cable; 2],
    replicas: [Option<Service>; 2],
}

impl World {
    /// Starts it.
    pub fn start() -> Self {
        let redis = RedisServer::start(DURABLE);
        let port = SocketAddr::from(([127, 0, 0, 1], redis.port));
        let mut world = Self {
            redis,
            backs: [Cable::to(Some(port)), Cable::to(Some(port))],
            fronts: [Cable::to(None), Cable::to(None)],
            replicas: [None, None],
        };
        world.start_replica(0, 0);
        world.start_replica(1, 0);
        world
    }

    /// Where clients find the replicas.
    pub fn addresses(&self) -> [String; 2] {
        [0, 1].map(|replica: usize| format!("http://{}", self.fronts[replica].address))
    }

    fn start_replica(&mut self, replica: usize, seconds: i32) {
        let store = format!("redis://{}", self.backs[replica].address);
        let clock = if seconds == 0 { Vec::new() } else { wrong_by(seconds) };
        // Hundreds of refusals a second while Redis is full say nothing.
        let start = || Service::try_start(&["--store", &store, "--log", "off"], &clock);
        // Redis may be slow at that moment: whoever watches processes starts it again.
        let service = (0..10).find_map(|_| start()).expect("it starts in the end");
        let address = service.address.trim_start_matches("http://").parse().expect("an address and a port");
        self.fronts[replica].lead_to(address);
        self.replicas[replica] = Some(service);
    }

    fn kill_replica(&mut self, replica: usize) {
        if let Some(service) = self.replicas[replica].take() {
            service.kill();
        }
    }

    fn signal(&self, replica: usize, name: &str) {
        if let Some(service) = &self.replicas[replica] {
            service.signal(name);
        }
    }

    /// Lets something happen for a while, and mends it.
    pub fn suffer(&mut self, fault: Fault, lasts: Duration) {
        match fault {
            Fault::ReplicaKilled(replica) => {
                self.kill_replica(replica);
                sleep(lasts);
                self.start_replica(replica, 0);
            }
            Fault::ReplicaRestarted(replica) => {
                if let Some(service) = self.replicas[replica].take() {
                    service.stop();
                }
                self.start_replica(replica, 0);
            }
            Fault::ReplicaClock(replica, seconds) => {
                self.kill_replica(replica);
                self.start_replica(replica, seconds);
                sleep(lasts * 3);
                self.kill_replica(replica);
                self.start_replica(replica, 0);
            }
            Fault::ReplicaFrozen(replica) => {
                self.signal(replica, "STOP");
                sleep(lasts);
                self.signal(replica, "CONT");
            }
            Fault::RedisKilled => {
                self.redis.kill();
                sleep(lasts / 4);
                self.redis.restart();
            }
            Fault::RedisFrozen => {
                self.redis.signal("STOP");
                sleep(lasts);
                self.redis.signal("CONT");
            }
            Fault::RedisAndReplicaKilled(replica) => {
                self.redis.kill();
                self.kill_replica(replica);
                sleep(lasts / 4);
                self.redis.restart();
                self.start_replica(replica, 0);
            }
            Fault::ClientsCut(replica) => self.fronts[replica].cut(),
            Fault::StoreCut(replica) => self.backs[replica].cut(),
            Fault::AnswersLost(replica) => lose(&self.fronts[replica], lasts),
            Fault::StoreAnswersLost(replica) => lose(&self.backs[replica], lasts),
            Fault::ClientsSlow(replica) => slow(&self.fronts[replica], lasts),
            Fault::StoreSlow(replica) => slow(&self.backs[replica], lasts),
            Fault::RedisDiskFull => {
                self.redis.fill_disk();
                sleep(lasts);
                self.redis.restart();
            }
            Fault::RedisFull => {
                self.redis.command(&["CONFIG", "SET", "maxmemory", "1mb"]);
                sleep(lasts);
                self.redis.command(&["CONFIG", "SET", "maxmemory", "0"]);
            }
        }
    }
}

fn lose(cable: &Cable, lasts: Duration) {
    cable.lose_answers(true);
    sleep(lasts / 2);
    cable.lose_answers(false);
}

fn slow(cable: &Cable, lasts: Duration) {
    cable.slow(Duration::from_millis(60));
    sleep(lasts);
    cable.slow(Duration::ZERO);
}
