//! Two replicas of the service on some kind of Redis, the cables to them, and their faults.

use std::fmt::Debug;
use std::thread::sleep;
use std::time::Duration;

use pagade::simulate::Chance;
use pagade_tests::clock::wrong_by;
use pagade_tests::service::Service;

use crate::cable::Cable;
use crate::fault::Fault;

/// A kind of Redis, and its faults.
pub(crate) trait Redis {
    /// A fault of this kind of Redis.
    type Fault: Debug + Copy;
    /// `kill -9` of the server that takes writes.
    const KILLED: Self::Fault;

    /// The address of the store for a replica of the service.
    fn address(&self, replica: usize) -> String;

    /// A random fault.
    fn any(chance: &mut Chance) -> Self::Fault;

    /// Causes a fault, repairs it after a while and returns when all is as before. So there is one fault at a
    /// time, and one copy of the data survives it. Sleeping is the length of the fault.
    fn suffer(&mut self, fault: Self::Fault, lasts: Duration);
}

/// Everything that runs.
pub(crate) struct World<R> {
    redis: R,
    /// Between clients and a replica.
    fronts: [Cable; 2],
    replicas: [Option<Service>; 2],
}

impl<R: Redis> World<R> {
    pub(crate) fn start(redis: R) -> Self {
        let mut world = Self { redis, fronts: [Cable::to(None), Cable::to(None)], replicas: [None, None] };
        world.start_replica(0, 0);
        world.start_replica(1, 0);
        world
    }

    /// The addresses of the replicas for clients.
    pub(crate) fn addresses(&self) -> [String; 2] {
        [0, 1].map(|replica: usize| format!("http://{}", self.fronts[replica].address))
    }

    fn start_replica(&mut self, replica: usize, seconds: i32) {
        let store = self.redis.address(replica);
        let clock = if seconds == 0 { Vec::new() } else { wrong_by(seconds) };
        // Without a log: while Redis is full it would have hundreds of refusals a second.
        let start = || Service::try_start(&["--store", &store, "--log", "off"], &clock);
        // Redis may be slow at that moment: an operator would start the service again.
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

    /// Causes a fault and repairs it after a while. Sleeping is the length of the fault.
    pub(crate) fn suffer(&mut self, fault: Fault<R::Fault>, lasts: Duration) {
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
            Fault::RedisAndReplicaKilled(replica) => {
                self.kill_replica(replica);
                self.redis.suffer(R::KILLED, lasts);
                self.start_replica(replica, 0);
            }
            Fault::ClientsCut(replica) => self.fronts[replica].cut(),
            Fault::AnswersLost(replica) => lose(&self.fronts[replica], lasts),
            Fault::ClientsSlow(replica) => slow(&self.fronts[replica], lasts),
            Fault::Redis(fault) => self.redis.suffer(fault, lasts),
        }
    }
}

/// Loses the answers on a cable for a while.
pub(crate) fn lose(cable: &Cable, lasts: Duration) {
    cable.lose_answers(true);
    sleep(lasts / 2);
    cable.lose_answers(false);
}

/// Slows a cable for a while.
pub(crate) fn slow(cable: &Cable, lasts: Duration) {
    cable.slow(Duration::from_millis(60));
    sleep(lasts);
    cable.slow(Duration::ZERO);
}
