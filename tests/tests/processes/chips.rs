//! Kills processes and Redis while registered players stake chips on games. At the end no chip is lost or made, and no
//! game was settled twice.

use std::collections::BTreeSet;
use std::env;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pagade_tests::issuer::{TestIssuer, TestKey};
use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::service::Service;
use pagade_tests::wait::{until, until_within};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reqwest::blocking::Client;
use serde_json::{Value, json};

/// The admin token of the service.
const ADMIN: &str = "the-word-of-whoever-runs-this-service";
/// Chips of a new player.
const CHIPS: u64 = 500;
/// The seats of the tables.
const SEATS: [&str; 4] = ["yellow", "blue", "red", "green"];
/// Longest time until other processes have done the work of killed processes.
const SETTLED_WITHIN: Duration = Duration::from_secs(120);

/// Returns the number in an environment variable.
fn variable(name: &str, default: u64) -> u64 {
    env::var(name).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// Two processes on one Redis, their players and tables.
struct World {
    client: Client,
    /// The addresses of the processes that run at present.
    addresses: [Mutex<String>; 2],
    issuer: TestIssuer,
    key: TestKey,
    /// Number of answers with a status below 300, by which the test knows that something has happened.
    done: AtomicU64,
}

/// A registered player.
struct Player {
    token: String,
    address: String,
}

impl World {
    /// Sends a request to one of the processes. Returns status and body; `None` if there is no answer.
    fn ask(&self, process: usize, player: &Player, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let address = self.addresses[process].lock().unwrap_or_else(PoisonError::into_inner).clone();
        let method = method.parse().expect("a method");
        let request = self.client.request(method, format!("{address}{path}")).bearer_auth(&player.token);
        let request = request.header("X-Forwarded-For", &player.address).header("If-Match", "*");
        let answer = if body.is_null() { request } else { request.json(body) }.send().ok()?;
        let (status, body) = (answer.status().as_u16(), answer.json().unwrap_or(Value::Null));
        self.done.fetch_add(u64::from(status < 300), Ordering::Relaxed);
        Some((status, body))
    }

    /// Reads with a token until there is an answer.
    fn read(&self, player: &Player, path: &str) -> Value {
        let mut read = Value::Null;
        until("there is an answer", || {
            let answer = self.ask(0, player, "GET", path, &Value::Null);
            answer.is_some_and(|(status, body)| {
                read = body;
                status == 200
            })
        });
        read
    }

    fn player(&self, number: usize) -> Player {
        let name = format!("Player {number}");
        let token = self.key.sign(&self.issuer.claims_with(json!({"sub": name, "name": name})));
        let player = Player { token, address: format!("10.0.0.{number}") };
        self.read(&player, "/v1/me");
        player
    }

    /// Sends random commands until the end.
    fn play(&self, players: &[Player], tables: &[String], seed: u64, ends: &AtomicBool) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        while !ends.load(Ordering::Relaxed) {
            let player = &players[random.random_range(0..players.len())];
            let table = &tables[random.random_range(0..tables.len())];
            let process = random.random_range(0..2);
            let post = |path: &str, body: Value| self.ask(process, player, "POST", path, &body);
            match random.random_range(0..10) {
                0..2 => drop(post(&format!("{table}/seats/{}", SEATS[random.random_range(0..4)]), json!({}))),
                2..6 => drop(post(&format!("{table}/games"), json!({}))),
                6..8 => {
                    let read = self.ask(process, player, "GET", table, &Value::Null);
                    if let Some(game) = read.as_ref().and_then(|(_, body)| body["game"]["id"].as_str()) {
                        post(&format!("/v1/games/{game}/resignations"), json!({}));
                    }
                }
                8 => {
                    post(&format!("{table}/votes"), json!({"on": "end"}));
                    for other in players {
                        let vote = format!("{table}/votes/current");
                        self.ask(process, other, "POST", &vote, &json!({"agree": true}));
                    }
                }
                _ => {
                    let options = json!({"options": {"bet": random.random_range(0..60)}});
                    self.ask(process, player, "PATCH", &format!("{table}/options"), &options);
                }
            }
        }
    }

    /// Ends the games of all tables, and waits until they are settled.
    fn settle(&self, players: &[Player], tables: &[String]) {
        for table in tables {
            until_within(SETTLED_WITHIN, "the games are settled", || {
                let read = self.read(&players[0], table);
                let Some(game) = read["game"]["id"].as_str() else { return true };
                for player in &players[1..] {
                    self.ask(0, player, "POST", &format!("/v1/games/{game}/resignations"), &json!({}));
                }
                false
            });
        }
    }
}

/// Starts a process with the identity provider of the world.
fn service(redis: &str, issuer: &str) -> Service {
    let chips = CHIPS.to_string();
    let arguments = ["--store", redis, "--oidc-issuer", issuer, "--oidc-audience", "pagade"];
    let arguments = [&arguments[..], &["--trust-proxy", "1", "--chips", &chips]].concat();
    Service::start(&arguments, &[("PAGADE_ADMIN_TOKEN", ADMIN)])
}

#[test]
fn no_chip_is_lost_when_processes_and_redis_are_killed() {
    let (faults, seed) = (variable("PAGADE_FAULTS", 6), variable("PAGADE_SEED", rand::random::<u32>().into()));
    println!("PAGADE_FAULTS={faults} PAGADE_SEED={seed}");
    let (issuer, key) = (TestIssuer::start(), TestKey::ed("one"));
    issuer.has(&[&key]);
    let mut redis = RedisServer::start(DURABLE);
    let (store, url) = (redis.address(), issuer.url.clone());
    let mut processes = [0, 1].map(|_| Some(service(&store, &url)));
    let address = |process: &Option<Service>| Mutex::new(process.as_ref().expect("it runs").address.clone());
    let addresses = [address(&processes[0]), address(&processes[1])];
    let client = Client::builder().timeout(Duration::from_secs(10)).build().expect("a client");
    let world = World { client, addresses, issuer, key, done: AtomicU64::new(0) };
    let players: Vec<_> = (1..=4).map(|number| world.player(number)).collect();
    let table = |master: &Player| {
        let wish = json!({"rule_set": "parcheesi", "options": {"bet": 20, "time_per_turn": 0}});
        let (status, table) = world.ask(0, master, "POST", "/v1/tables", &wish).expect("an answer");
        assert_eq!(status, 201, "{table}");
        format!("/v1/tables/{}", table["id"].as_str().expect("an id"))
    };
    let tables: Vec<_> = players[..2].iter().map(table).collect();
    let (mut random, ends) = (ChaCha8Rng::seed_from_u64(seed), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for number in 1..=3 {
            let (world, players, tables, ends) = (&world, &players, &tables, &ends);
            scope.spawn(move || world.play(players, tables, seed + number, ends));
        }
        for _ in 0..faults {
            let before = world.done.load(Ordering::Relaxed);
            until("something happens", || world.done.load(Ordering::Relaxed) > before + 8);
            std::thread::sleep(Duration::from_micros(random.random_range(0..40_000)));
            if random.random_bool(0.25) {
                redis.kill();
                redis.restart();
                continue;
            }
            let index = random.random_range(0..2);
            processes[index].take().expect("it runs").kill();
            let now = processes[index].insert(service(&store, &url));
            *world.addresses[index].lock().unwrap_or_else(PoisonError::into_inner) = now.address.clone();
        }
        ends.store(true, Ordering::Relaxed);
    });
    world.settle(&players, &tables);
    let operator = Player { token: ADMIN.to_owned(), address: "10.0.0.9".to_owned() };
    let number = |value: &Value| value.as_u64().expect("a number");
    let (mut all, mut settled) = (number(&world.read(&operator, "/v1/bank")["chips"]), 0);
    for player in &players {
        let me = &world.read(player, "/v1/me")["player"];
        assert_eq!(me["staked"], 0, "{me}");
        all += number(&me["balance"]);
        let (mut games, mut after, mut told) = (BTreeSet::new(), 0, 0_i64);
        loop {
            let path = format!("/v1/players/{}/events?after={after}", me["id"].as_str().expect("an id"));
            let page = world.read(player, &path);
            let events = page["events"].as_array().expect("events");
            for event in events {
                told += event["chips"].as_i64().unwrap_or(0);
                let is_new = event["event"] != "game_settled" || games.insert(event["game_id"].to_string());
                assert!(is_new, "settled twice: {event}");
            }
            after = number(&page["next_after"]);
            if events.is_empty() {
                break;
            }
        }
        assert_eq!(number(&me["balance"]), CHIPS.saturating_add_signed(told), "the inbox tells every change");
        settled += games.len();
    }
    println!("{faults} faults, {settled} settlements, {} answers", world.done.load(Ordering::Relaxed));
    assert_eq!(all, CHIPS * players.len() as u64);
    assert!(settled > 0);
}
