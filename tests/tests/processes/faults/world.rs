//! Runs two replicas of the service on some kind of Redis, and causes faults. Clients reach each replica through a
//! cable: a proxy that can slow or cut connections and lose answers.

use std::fmt::Debug;
use std::thread::sleep;
use std::time::Duration;

use pagade_robots::simulate::Chance;
use pagade_tests::clock::wrong_by;
use pagade_tests::service::Service;

use super::cable::Cable;
use super::fault::Fault;

/// A kind of Redis that the service uses, with its faults.
pub(crate) trait Redis {
    /// A fault of this kind of Redis.
    type Fault: Debug + Copy;
    /// The fault by which the server that takes writes is killed with `kill -9`.
    const KILLED: Self::Fault;

    /// The address of the store for a replica of the service.
    fn address(&self, replica: usize) -> String;

    /// Draws a fault at random.
    fn any(chance: &mut Chance) -> Self::Fault;

    /// Causes a fault that lasts for a while, repairs it, and returns when everything is as before. There is therefore
    /// only one fault at a time, and one copy of the data survives it.
    fn suffer(&mut self, fault: Self::Fault, lasts: Duration);
}

/// Everything that runs during a test: Redis, the replicas of the service, and the cables to them.
pub(crate) struct World<R> {
    redis: R,
    /// For each replica, the cable between clients and the replica.
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

    /// The addresses at which clients reach the replicas, through the cables.
    pub(crate) fn addresses(&self) -> [String; 2] {
        [0, 1].map(|replica: usize| format!("http://{}", self.fronts[replica].address))
    }

    fn start_replica(&mut self, replica: usize, seconds: i32) {
        let store = self.redis.address(replica);
        let clock = if seconds == 0 { Vec::new() } else { wrong_by(seconds) };
        // The log is off, because it would show hundreds of refusals a second while Redis is full.
        let start = || Service::try_start(&["--store", &store, "--log", "off"], &clock);
        // If Redis is slow at that moment, the service does not start. It is then started again, as an operator would
        // do.
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

    /// Causes a fault that lasts for a while, and repairs it.
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

/// Loses the answers on a cable for half the time `lasts`.
pub(crate) fn lose(cable: &Cable, lasts: Duration) {
    cable.lose_answers(true);
    sleep(lasts / 2);
    cable.lose_answers(false);
}

/// Slows a cable for the time `lasts`.
pub(crate) fn slow(cable: &Cable, lasts: Duration) {
    cable.slow(Duration::from_millis(60));
    sleep(lasts);
    cable.slow(Duration::ZERO);
}
