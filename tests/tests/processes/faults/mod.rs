//! The fault suite. Clients play at two replicas of the service while processes are killed and frozen, connections cut
//! and slowed, answers lost and clocks set wrong. Then the answers that the clients received are compared with the
//! stored games. There is a test for each kind of Redis: one server, a master and a replica with sentinels, and a
//! cluster.
//!
//! `PAGADE_FAULTS` is the number of faults in each test. `PAGADE_SEED` decides the faults and the games. The same seed
//! brings the same faults and games in the same order, though not at the same microsecond.
//!
//! No acknowledged write may be lost, for these reasons. A single Redis has the write on disk before it answers, so it
//! may be killed at any moment. In a group, a master and a replica have the write (`wait=1`), so one of the two may be
//! lost; the next fault waits until the lost server follows again and has all data. If both were lost at once, writes
//! could be lost without any mistake of the service.

mod cable;
mod cluster;
mod fault;
mod history;
mod player;
mod race;
mod sentinels;
mod single;
mod slots;
mod world;

use std::collections::BTreeMap;
use std::env;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use fault::Fault;
use pagade_robots::simulate::Chance;
use pagade_tests::redis_groups::{Cluster, SentinelGroup};
use pagade_tests::service::program;
use pagade_tests::wait::until;
use player::{Finished, Player};
use single::SingleServer;
use world::{Redis, World};

/// The number of faults on a single Redis if `PAGADE_FAULTS` is not set.
const FEW_FAULTS: u64 = 20;
/// The number of faults on a group if `PAGADE_FAULTS` is not set. It is smaller, because a failover takes seconds.
const FEWER_FAULTS: u64 = 8;
/// The number of the stream of random numbers that decides the faults. The streams of games have lower numbers.
const FAULTS: u64 = u64::MAX;
/// The number of games that are played at the same time.
const PLAYERS: u64 = 6;
/// Number of faults for which at least one game is played: 50 faults need ten games.
const FAULTS_A_GAME: u64 = 5;

/// Reads a number from a variable of the environment.
fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: `{text}` is not a number")))
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_happens_twice() {
    play_over(SingleServer::start(), FEW_FAULTS);
}

#[test]
fn nothing_acknowledged_is_lost_where_sentinels_replace_a_master() {
    play_over(SentinelGroup::start(), FEWER_FAULTS);
}

#[test]
fn nothing_acknowledged_is_lost_where_a_cluster_loses_masters_and_moves_slots() {
    play_over(Cluster::start(), FEWER_FAULTS);
}

/// Plays games while faults happen, and then compares the histories of the clients with the stored games.
fn play_over<R: Redis>(redis: R, faults: u64) {
    let faults = number("PAGADE_FAULTS", faults);
    let seed = number("PAGADE_SEED", u64::from(std::process::id()));
    let kind = redis.address(0).split(':').next().unwrap_or_default().to_owned();
    println!("{kind}: PAGADE_FAULTS={faults} PAGADE_SEED={seed}");
    let mut world = World::start(redis);
    let addresses = world.addresses();
    let (begun, enough, failed) = (AtomicU64::new(0), AtomicBool::new(false), AtomicBool::new(false));
    let finished: Mutex<Vec<Finished>> = Mutex::default();
    let mut suffered: BTreeMap<String, u32> = BTreeMap::new();
    std::thread::scope(|scope| {
        for _ in 0..PLAYERS {
            scope.spawn(|| {
                let _told = Failing(&failed);
                while !failed.load(Ordering::Relaxed) {
                    let number = begun.fetch_add(1, Ordering::Relaxed);
                    if number * FAULTS_A_GAME >= faults && enough.load(Ordering::Relaxed) {
                        break;
                    }
                    let game = Player::new(addresses.clone(), seed, number).play();
                    finished.lock().expect("no player has failed").push(game);
                }
            });
        }
        let _told = Failing(&failed);
        let mut chance = Chance::of_game(seed, FAULTS);
        for _ in 0..faults {
            if failed.load(Ordering::Relaxed) {
                break;
            }
            // For a random time the games go on without a fault.
            sleep(Duration::from_millis(u64::from(100 + chance.below(300))));
            let fault = Fault::any::<R>(&mut chance);
            *suffered.entry(fault.name()).or_default() += 1;
            world.suffer(fault, Duration::from_millis(u64::from(100 + chance.below(900))));
        }
        enough.store(true, Ordering::Relaxed);
    });
    let finished = finished.into_inner().expect("no player has failed");
    let mut reader = Player::new(addresses, seed, FAULTS);
    let (mut records, mut commands, mut again) = (String::new(), 0, 0);
    for game in &finished {
        let (state, events, record) = reader.kept(&game.id);
        let found = game.history.contradictions(&events, state["steps"].as_u64().expect("a number"));
        assert_eq!(found, Vec::<String>::new(), "game {}, PAGADE_SEED={seed}", game.id);
        assert_eq!(state["status"], "finished", "{state}");
        records += &record;
        commands += game.history.acknowledged.len();
        again += game.again;
    }
    replay(&kind, &records);
    all_are_listed(&finished, &mut reader);
    println!("{kind}: {faults} faults, {suffered:?}");
    let (games, least) = (finished.len() as u64, faults.div_ceil(FAULTS_A_GAME));
    println!("{kind}: {games} games ({least} at least), {commands} commands, {again} requests sent again");
    assert!(games >= least && again > 0);
}

/// Waits until lists show every game. If the process that created a game was killed before it listed the game, another
/// process lists it after twenty seconds.
fn all_are_listed(finished: &[Finished], reader: &mut Player) {
    until("all games are listed", || {
        let listed = reader.listed();
        finished.iter().all(|game| listed.contains(&game.id))
    });
}

/// Sets the flag if its thread panics, so that the other threads end, too.
struct Failing<'a>(&'a AtomicBool);

impl Drop for Failing<'_> {
    fn drop(&mut self) {
        self.0.fetch_or(std::thread::panicking(), Ordering::Relaxed);
    }
}

/// Checks with `pagade replay` that every record follows the rules.
fn replay(kind: &str, records: &str) {
    let file = env::temp_dir().join(format!("pagade-faults-{}-{kind}.ndjson", std::process::id()));
    std::fs::write(&file, records).expect("a file can be written");
    let replayed = Command::new(program()).arg("replay").arg(&file).output().expect("the program is built");
    std::fs::remove_file(&file).expect("it is there");
    assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stdout));
}
