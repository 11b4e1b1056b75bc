//! Kills processes and Redis while registered players stake chips on games, resign, leave tables, vote, are deleted,
//! and play on for the places after the first win. At the end no chip is lost or made, and no game was settled twice.

use std::collections::BTreeSet;
use std::env;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pagade_tests::issuer::{TestIssuer, TestKey};
use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::service::Service;
use pagade_tests::wait::{find_within, until};
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
/// Number of players at a time.
const PLAYERS: usize = 4;
/// The game of the third table. A side wins after a few throws, and the others play on for the places.
const SHORT: &str = "rules: short-race
version: 1.0.0
title: A short race
extends: snakes-and-ladders
sources: [A test]
board: {tags: [{tag: goal, squares: 5..100, for: everyone}]}
";
/// Longest time until other processes have done the work of killed processes.
const SETTLED_WITHIN: Duration = Duration::from_secs(120);

/// Returns the number in an environment variable.
fn variable(name: &str, default: u64) -> u64 {
    env::var(name).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// Locks a value, even if a thread has panicked with the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Two processes on one Redis, their players and tables.
struct World {
    client: Client,
    /// The addresses of the processes that run at present.
    addresses: [Mutex<String>; 2],
    issuer: TestIssuer,
    key: TestKey,
    /// The players who are not deleted. When one is deleted, a new player takes the place in this list.
    players: Vec<Mutex<Arc<Player>>>,
    /// All players, including the deleted ones.
    ever: Mutex<Vec<Arc<Player>>>,
    /// The paths of the tables that are open. When one is closed, a new table takes its place in this list.
    tables: Vec<Mutex<String>>,
    /// Number of answers with a status below 300. It shows the test that commands succeed.
    done: AtomicU64,
    /// Three counts: seats that were left during a game, players who were deleted while chips were staked, and steps
    /// that were played after the first win of a game.
    seen: [AtomicU64; 3],
}

/// A registered player.
#[derive(Debug)]
struct Player {
    token: String,
    address: String,
    id: String,
}

impl World {
    /// Sends a request to one of the processes. Returns status and body; `None` if there is no answer.
    fn ask(&self, process: usize, player: &Player, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let address = lock(&self.addresses[process]).clone();
        let method = method.parse().expect("a method");
        let request = self.client.request(method, format!("{address}{path}")).bearer_auth(&player.token);
        let request = request.header("X-Forwarded-For", &player.address).header("If-Match", "*");
        let answer = if body.is_null() { request } else { request.json(body) }.send().ok()?;
        let (status, body) = (answer.status().as_u16(), answer.json().unwrap_or(Value::Null));
        self.done.fetch_add(u64::from(status < 300), Ordering::Relaxed);
        Some((status, body))
    }

    /// Reads a path with a player's token, again and again until the status is 200.
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

    /// Registers a new player.
    fn player(&self) -> Arc<Player> {
        let mut ever = lock(&self.ever);
        let number = ever.len() + 1;
        let name = format!("Player {number}");
        let token = self.key.sign(&self.issuer.claims_with(json!({"sub": name, "name": name})));
        let mut player =
            Player { token, address: format!("10.0.{}.{}", number / 250, number % 250 + 1), id: String::new() };
        player.id = self.read(&player, "/v1/me")["player"]["id"].as_str().expect("an id").to_owned();
        ever.push(Arc::new(player));
        ever[number - 1].clone()
    }

    fn present(&self) -> Vec<Arc<Player>> {
        self.players.iter().map(|slot| lock(slot).clone()).collect()
    }

    /// Creates a table and returns its path. `None` if there is no answer, or no table was created.
    fn table(&self, number: usize, master: &Player) -> Option<String> {
        let wish = match number {
            0 => json!({"rule_set": "parcheesi", "options": {"bet": 20, "time_per_turn": 0}}),
            1 => json!({"rule_set": "parcheesi", "options": {"bet": 20, "time_per_turn": 0, "stand_in": "none"}}),
            _ => json!({"rule_set": "short-race", "options": {"bet": 20, "time_per_turn": 0, "play_on": true}}),
        };
        let (status, table) = self.ask(number % 2, master, "POST", "/v1/tables", &wish)?;
        (status == 201).then(|| format!("/v1/tables/{}", table["id"].as_str().expect("an id")))
    }

    /// Sends random commands until the end.
    fn play(&self, seed: u64, ends: &AtomicBool) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        while !ends.load(Ordering::Relaxed) {
            let slot = random.random_range(0..PLAYERS);
            let (player, number) = (lock(&self.players[slot]).clone(), random.random_range(0..self.tables.len()));
            let (table, process) = (lock(&self.tables[number]).clone(), random.random_range(0..2));
            let post = |path: &str, body: Value| self.ask(process, &player, "POST", path, &body);
            let read = |path: &str| self.ask(process, &player, "GET", path, &Value::Null).map(|(_, body)| body);
            match random.random_range(0..40) {
                0..10 => drop(post(&format!("{table}/seats/{}", SEATS[random.random_range(0..4)]), json!({}))),
                10..20 => {
                    // Only one of the players is the master of the table, so all of them try to start the game.
                    let start = |by: &Arc<Player>| self.ask(process, by, "POST", &format!("{table}/games"), &json!({}));
                    self.present().iter().any(|by| start(by).is_some_and(|(status, _)| status == 201));
                }
                20..24 => {
                    if let Some(game) = read(&table).as_ref().and_then(|body| body["game"]["id"].as_str()) {
                        post(&format!("/v1/games/{game}/resignations"), json!({}));
                    }
                }
                24..28 => {
                    post(&format!("{table}/votes"), json!({"on": "end"}));
                    for other in self.present() {
                        let vote = format!("{table}/votes/current");
                        self.ask(process, &other, "POST", &vote, &json!({"agree": true}));
                    }
                }
                28..31 => {
                    let options = json!({"options": {"bet": random.random_range(0..60)}});
                    self.ask(process, &player, "PATCH", &format!("{table}/options"), &options);
                }
                31..34 => self.leave(process, &player, number, &table),
                34 if random.random_bool(0.5) => self.delete(process, &player, slot),
                _ => self.race(process, &lock(&self.tables[2]).clone()),
            }
        }
    }

    /// Leaves a table. A table that was closed, because everybody has left it, is replaced.
    fn leave(&self, process: usize, player: &Player, number: usize, table: &str) {
        let Some((200, read)) = self.ask(process, player, "GET", table, &Value::Null) else { return };
        let mut seats = read["seats"].as_array().expect("seats").iter();
        if let Some(seat) = seats.find(|seat| seat["player"] == player.id.as_str()) {
            let path = format!("{table}/seats/{}", seat["seat"].as_str().expect("a seat"));
            let left = self.ask(process, player, "DELETE", &path, &Value::Null);
            let is_counted = read["game"]["stakes"].is_object() && left.is_some_and(|(status, _)| status == 204);
            self.seen[0].fetch_add(u64::from(is_counted), Ordering::Relaxed);
        }
        let Some((200, read)) = self.ask(process, player, "GET", table, &Value::Null) else { return };
        if read["status"] == "closed"
            && let Some(new) = self.table(number, player)
        {
            *lock(&self.tables[number]) = new;
        }
    }

    /// Deletes a player who has chips staked, and registers a new player in that place.
    fn delete(&self, process: usize, player: &Player, slot: usize) {
        let Some((200, me)) = self.ask(process, player, "GET", "/v1/me", &Value::Null) else { return };
        if me["player"]["staked"] == 0 {
            return;
        }
        self.seen[1].fetch_add(1, Ordering::Relaxed);
        until("the player is deleted", || {
            let deleted = self.ask(process, player, "DELETE", &format!("/v1/players/{}", player.id), &Value::Null);
            // If the process was killed after it deleted the player and before it answered, the token is unknown.
            deleted.is_some_and(|(status, _)| status == 204 || status == 401)
        });
        *lock(&self.players[slot]) = self.player();
    }

    /// Plays twelve steps of the game at a table. Each step is sent by every player in turn until one player may make
    /// it.
    fn race(&self, process: usize, table: &str) {
        let present = self.present();
        for _ in 0..12 {
            let Some((200, read)) = self.ask(process, &present[0], "GET", table, &Value::Null) else { return };
            let is_won = u64::from(read["game"]["stakes"]["paid"] == true);
            let Some(id) = read["game"]["id"].as_str() else { return };
            let path = format!("/v1/games/{id}");
            let Some((200, game)) = self.ask(process, &present[0], "GET", &path, &Value::Null) else { return };
            let (step, body) = match game["awaits"].as_str() {
                Some("throw") => ("throws", json!({})),
                Some(_) => ("actions", json!({"actions": [game["legal"][0]]})),
                None => return,
            };
            for player in &present {
                let played = self.ask(process, player, "POST", &format!("{path}/{step}"), &body);
                if played.is_some_and(|(status, _)| status == 200) {
                    self.seen[2].fetch_add(is_won, Ordering::Relaxed);
                    break;
                }
            }
        }
    }

    /// Ends the games of all tables by resignations, and waits until the games are settled.
    fn settle(&self) {
        let players = self.present();
        for table in &self.tables {
            let table = lock(table).clone();
            let mut left = Value::Null;
            let is_settled = find_within(SETTLED_WITHIN, || {
                let read = self.read(&players[0], &table);
                let Some(game) = read["game"]["id"].as_str() else { return Some(()) };
                for player in &players {
                    self.ask(0, player, "POST", &format!("/v1/games/{game}/resignations"), &json!({}));
                }
                left = json!([read, self.ask(0, &players[0], "GET", &format!("/v1/games/{game}"), &Value::Null)]);
                None
            });
            assert!(is_settled.is_some(), "not settled: {left}");
        }
    }

    /// Returns the chips of the bank, less those that were issued to players who are deleted.
    fn bank(&self) -> i64 {
        let operator = Player { token: ADMIN.to_owned(), address: "10.1.0.9".to_owned(), id: String::new() };
        let bank = self.read(&operator, "/v1/bank");
        number(&bank["chips"]) - number(&bank["issued_to_deleted_players"])
    }

    /// Returns the balance of a player less the chips that were issued to the player, and the number of this player's
    /// games that were settled. `None` if the player is deleted. Checks that the inbox has every change of the balance,
    /// and no game twice.
    fn balance(&self, player: &Player) -> Option<(i64, usize)> {
        let mut me = Value::Null;
        until("there is an answer", || {
            let answer = self.ask(0, player, "GET", "/v1/me", &Value::Null);
            me = answer.map(|(_, body)| body).unwrap_or_default();
            me["player"].is_object() || me["code"] == "token_unknown"
        });
        let me = me.get("player")?;
        assert_eq!(me["staked"], 0, "{me}");
        let (mut games, mut after, mut told) = (BTreeSet::new(), 0, 0_i64);
        loop {
            let page = self.read(player, &format!("/v1/players/{}/events?after={after}", player.id));
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
        assert_eq!(number(&me["balance"]) - signed(CHIPS), told, "the inbox tells every change");
        Some((told, games.len()))
    }
}

fn number(value: &Value) -> i64 {
    value.as_i64().expect("a number")
}

fn signed(chips: u64) -> i64 {
    i64::try_from(chips).expect("few chips")
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
    let mut world = World {
        client,
        addresses,
        issuer,
        key,
        players: Vec::new(),
        ever: Mutex::default(),
        tables: Vec::new(),
        done: AtomicU64::new(0),
        seen: Default::default(),
    };
    world.players = (0..PLAYERS).map(|_| Mutex::new(world.player())).collect();
    let master = world.present()[0].clone();
    let (status, published) =
        world.ask(0, &master, "POST", "/v1/rule-sets", &json!({"text": SHORT})).expect("an answer");
    assert_eq!(status, 201, "{published}");
    world.tables = (0..3).map(|number| Mutex::new(world.table(number, &master).expect("a table"))).collect();
    let (mut random, ends) = (ChaCha8Rng::seed_from_u64(seed), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for number in 1..=3 {
            let (world, ends) = (&world, &ends);
            scope.spawn(move || world.play(seed + number, ends));
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
            *lock(&world.addresses[index]) = now.address.clone();
        }
        ends.store(true, Ordering::Relaxed);
    });
    world.settle();
    let (ever, mut settled, mut sums) = (lock(&world.ever).clone(), 0, Vec::new());
    // The chips of players who were deleted a moment ago are on the way to the bank.
    let is_even = find_within(SETTLED_WITHIN, || {
        let found: Vec<_> = ever.iter().filter_map(|player| world.balance(player)).collect();
        settled = found.iter().map(|(_, settled)| settled).sum();
        sums = vec![world.bank(), found.iter().map(|(gained, _)| gained).sum()];
        (sums.iter().sum::<i64>() == 0).then_some(())
    });
    let [left, deleted, played_on] = world.seen.each_ref().map(|seen| seen.load(Ordering::Relaxed));
    println!(
        "{faults} faults, {settled} settlements, {left} seats left, {deleted} players deleted, {played_on} steps played \
         after the first win, {} answers",
        world.done.load(Ordering::Relaxed)
    );
    assert!(is_even.is_some(), "chips of the bank, and gains of all players: {sums:?}");
    assert!(settled > 0);
    assert!(faults < 200 || left > 0 && deleted > 0 && played_on > 0, "{left} {deleted} {played_on}");
}
