//! Kills processes in the middle of play. Acknowledged moves must be there after a restart, and no move is made twice.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pagade_tests::clock::wrong_by;
use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::service::{NO_VARIABLES, Service};
use pagade_tests::wait::{PATIENCE, find_within, until_some, until_within};
use reqwest::blocking::Client;
use serde_json::{Value, json};

/// Longest time until a game is listed if the process that created it was killed. Another process lists it after 20 to
/// 25 seconds.
const LISTED_WITHIN: Duration = Duration::from_secs(40);

/// A client that sends a command again until it is answered.
struct Caller<'c> {
    client: Client,
    /// The address of the service that runs at present.
    address: &'c Mutex<String>,
}

impl Caller<'_> {
    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.address.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sends a command again and again until its answer is 200 or 201.
    fn insist(&self, path: &str, headers: &[(&str, String)], body: &Value) -> Value {
        until_some(PATIENCE, path, || {
            let request = self.client.post(self.at(path)).json(body);
            let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, value));
            match request.send().map(|answer| (answer.status().as_u16(), answer.json::<Value>())) {
                Ok((200 | 201, Ok(answer))) => Some(answer),
                Ok((503 | 200 | 201, _)) | Err(_) => None,
                Ok((status, answer)) => panic!("{path}: {status} {answer:?}"),
            }
        })
    }
}

/// A game that one client plays while processes are killed.
struct Play {
    token: String,
    path: String,
    /// The state of the game in the last answer.
    game: Value,
    /// The number of commands that were answered.
    answered: u64,
}

impl Play {
    fn begin(caller: &Caller<'_>, number: u32) -> Self {
        let create =
            json!({"rule_set": pagade_rules::bundled::SETS[0].0, "hot_seat": true, "seed": number.to_string()});
        let created =
            caller.insist("/v1/games", &[("Idempotency-Key", format!("create-game-number-{number:08}"))], &create);
        let text = |pointer: &str| created.pointer(pointer).and_then(Value::as_str).expect("text").to_owned();
        let (token, path) = (format!("Bearer {}", text("/token")), format!("/v1/games/{}", text("/game/id")));
        Self { token, path, game: created["game"].clone(), answered: 0 }
    }

    /// Throws, or plays the first legal action.
    fn command(&mut self, caller: &Caller<'_>) {
        let (step, body) = match self.game["awaits"].as_str() {
            Some("throw") => ("throws", json!({})),
            _ => ("actions", json!({"actions": [self.game["legal"][0]]})),
        };
        let headers = [
            ("Authorization", self.token.clone()),
            ("If-Match", format!("\"{}\"", self.game["version"])),
            ("Idempotency-Key", format!("command-{}", self.answered)),
        ];
        self.game = caller.insist(&format!("{}/{step}", self.path), &headers, &body)["game"].clone();
        self.answered += 1;
    }

    /// Checks that the service has stored the game as it was in the last answer.
    fn check(&self, caller: &Caller<'_>) {
        let read = caller.client.get(caller.at(&self.path)).send();
        let again: Value = read.and_then(|answer| answer.json()).expect("the game is there");
        for part in ["version", "position", "turn", "hand", "legal", "counters", "steps", "status"] {
            assert_eq!(again[part], self.game[part], "{part} after {} commands", self.answered);
        }
        assert_eq!(again["steps"], self.answered, "each command has one effect");
    }
}

/// Plays games while `kill` is called again and again. `kill` returns the new address of the service if it changes.
fn plays_on(first: String, rounds: u32, mut kill: impl FnMut(u32) -> Option<String>) {
    let (address, ends, answers) = (Mutex::new(first), AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let client = Client::builder().timeout(Duration::from_secs(10)).build().expect("a client");
            let caller = Caller { client, address: &address };
            let mut plays: Vec<Play> = Vec::new();
            while !ends.load(Ordering::Relaxed) {
                match plays.last_mut() {
                    Some(play) if play.game["status"] == "playing" => play.command(&caller),
                    _ => plays.push(Play::begin(&caller, plays.len() as u32)),
                }
                answers.fetch_add(1, Ordering::Relaxed);
            }
            plays.iter().for_each(|play| play.check(&caller));
            let listed = || {
                let list: Value =
                    caller.client.get(caller.at("/v1/games")).send().and_then(|list| list.json()).expect("a list");
                list["games"].as_array().map(Vec::len)
            };
            until_within(LISTED_WITHIN, "all games are listed", || listed() >= Some(plays.len()));
            assert_eq!(listed(), Some(plays.len()), "each game was created once");
        });
        for round in 0..rounds {
            // Each round waits a little longer, so that the kill hits another moment of a command, which takes
            // milliseconds.
            std::thread::sleep(Duration::from_micros(150_000 + 1_700 * u64::from(round)));
            if let Some(now) = kill(round) {
                *address.lock().unwrap_or_else(PoisonError::into_inner) = now;
            }
        }
        // The next answer may be one from before the last kill.
        let goal = answers.load(Ordering::Relaxed) + 2;
        let plays_on = find_within(PATIENCE, || (answers.load(Ordering::Relaxed) >= goal).then_some(()));
        // The other thread ends only by this flag, so it is set before any panic.
        ends.store(true, Ordering::Relaxed);
        assert!(plays_on.is_some(), "the games go on after the last kill");
    });
}

#[test]
fn acknowledged_moves_survive_a_kill() {
    let data = std::env::temp_dir().join(format!("pagade-killed-{}", std::process::id()));
    let data_text = data.display().to_string();
    let store = ["--data", data_text.as_str()];
    let mut server = Some(Service::start(&store, NO_VARIABLES));
    let first = server.as_ref().expect("it runs").address.clone();
    plays_on(first, 8, |_| {
        server.take().expect("it runs").kill();
        let now = server.insert(Service::start(&store, NO_VARIABLES));
        Some(now.address.clone())
    });
    drop(server);
    std::fs::remove_dir_all(&data).expect("the data can be removed");
}

#[test]
fn acknowledged_moves_survive_kills_of_redis_and_of_the_service() {
    let mut redis = RedisServer::start(DURABLE);
    let address = redis.address();
    let store = ["--store", address.as_str()];
    let mut server = Some(Service::start(&store, NO_VARIABLES));
    let first = server.as_ref().expect("it runs").address.clone();
    plays_on(first, 12, |round| {
        let (kills_redis, kills_service) = (round % 3 != 0, round % 3 != 1);
        if kills_redis {
            redis.kill();
        }
        if kills_service {
            server.take().expect("it runs").kill();
        }
        if kills_redis {
            redis.restart();
        }
        kills_service.then(|| server.insert(Service::start(&store, NO_VARIABLES)).address.clone())
    });
}

#[test]
fn a_deadline_is_kept_although_the_clock_of_the_process_that_set_it_was_wrong() {
    let redis = RedisServer::start(DURABLE);
    let address = redis.address();
    let store = ["--store", address.as_str()];
    let right = Service::start(&store, NO_VARIABLES);
    for seconds in [3_600, -86_400] {
        let wrong = Service::start(&store, &wrong_by(seconds));
        let client = Client::new();
        let create =
            json!({"rule_set": pagade_rules::bundled::SETS[0].0, "hot_seat": true, "turn_timer": {"seconds": 1}});
        let created = || {
            let request = client
                .post(format!("{}/v1/games", wrong.address))
                .header("Idempotency-Key", "the-same-key-for-both-requests");
            let created: Value = request.json(&create).send().and_then(|answer| answer.json()).expect("a game");
            created
        };
        let first = created();
        let game = &first["game"];
        assert_eq!(created()["game"]["id"], game["id"], "the key is still known");
        wrong.kill();
        let id = game["id"].as_str().unwrap_or_else(|| panic!("{seconds}: no game in {first}"));
        let events = format!("{}/v1/games/{id}/events?after={}&wait=10", right.address, game["events"]);
        let events: Value = client.get(events).send().and_then(|answer| answer.json()).expect("events");
        assert_eq!(events["events"][0]["event"], "time_over", "{seconds}: {events}");
        redis.command(&["FLUSHALL"]);
    }
}

#[test]
fn a_deadline_is_kept_although_the_process_that_set_it_was_killed() {
    let redis = RedisServer::start(DURABLE);
    let address = redis.address();
    let store = ["--store", address.as_str()];
    let (first, other) = (Service::start(&store, NO_VARIABLES), Service::start(&store, NO_VARIABLES));
    let client = Client::new();
    let create = json!({"rule_set": pagade_rules::bundled::SETS[0].0, "hot_seat": true, "turn_timer": {"seconds": 1}});
    let created = client.post(format!("{}/v1/games", first.address)).json(&create).send();
    let created: Value = created.and_then(|answer| answer.json()).expect("a game");
    first.kill();
    let id = created["game"]["id"].as_str().expect("its id");
    let events = format!("{}/v1/games/{id}/events?after={}&wait=10", other.address, created["game"]["events"]);
    let events: Value = client.get(events).send().and_then(|answer| answer.json()).expect("events");
    assert_eq!(events["events"][0]["event"], "time_over", "{events}");
}
