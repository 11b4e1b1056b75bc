//! Two replicas of the service on some Redis, cables to them, and what happens to them.

use std::fmt::Debug;
use std::thread::sleep;
use std::time::Duration;

use pagade::simulate::Chance;
use pagade_tests::clock::wrong_by;
use pagade_tests::service::Service;

use crate::cable::Cable;
use crate::fault::Fault;

/// A Redis of some kind, and what happens to it.
pub trait Redis {
    /// What can happen to this kind.
    type Fault: Debug + Copy;
    /// `kill -9` of the server that takes what is written.
    const KILLED: Self::Fault;

    /// The store as a replica of the service reaches it.
    fn address(&self, replica: usize) -> String;

    /// Something that can happen.
    fn any(chance: &mut Chance) -> Self::Fault;

    /// Lets a fault last for a while and mends it; returns when all is as it was before. So there is one fault at a
    /// time, which one copy more than the first survives. Where it sleeps, the length of the fault is what is tested.
    fn suffer(&mut self, fault: Self::Fault, lasts: Duration);
}

/// All that runs.
pub struct World<R> {
    redis: R,
    /// Between clients and a replica.
    fronts: [Cable; 2],
    replicas: [Option<Service>; 2],
}

impl<R: Redis> World<R> {
    /// Starts the replicas.
    pub fn start(redis: R) -> Self {
        let mut world = Self { redis, fronts: [Cable::to(None), Cable::to(None)], replicas: [None, None] };
        world.start_replica(0, 0);
        world.start_replica(1, 0);
        world
    }

    /// Where clients find the replicas.
    pub fn addresses(&self) -> [String; 2] {
        [0, 1].map(|replica: usize| format!("http://{}", self.fronts[replica].address))
    }

    fn start_replica(&mut self, replica: usize, seconds: i32) {
        let store = self.redis.address(replica);
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

    /// Lets something happen for a while, and mends it. Where it sleeps, the length of the fault is what is tested.
    pub fn suffer(&mut self, fault: Fault<R::Fault>, lasts: Duration) {
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

/// What comes back over a cable is lost for a while.
pub fn lose(cable: &Cable, lasts: Duration) {
    cable.lose_answers(true);
    sleep(lasts / 2);
    cable.lose_answers(false);
}

/// What goes over a cable takes long for a while.
pub fn slow(cable: &Cable, lasts: Duration) {
    cable.slow(Duration::from_millis(60));
    sleep(lasts);
    cable.slow(Duration::ZERO);
}
