//! Restarts the replicas one after another while clients play.

use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::service::{NO_VARIABLES, Service};
use pagade_tests::wait::{PATIENCE, find_within};
use reqwest::blocking::{Client, RequestBuilder};
use serde_json::{Value, json};

/// The replicas, and a client that sends a failed request once more to the other replica.
struct Replicas {
    addresses: Mutex<Vec<String>>,
    client: Client,
    asked: AtomicU64,
    retried: AtomicU64,
    /// Number of events that the follower has seen.
    followed: AtomicU64,
    ends: AtomicBool,
}

impl Replicas {
    fn address(&self, number: usize) -> String {
        let addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        addresses[number % addresses.len()].clone()
    }

    fn send(&self, number: usize, path: &str, with: impl Fn(RequestBuilder) -> RequestBuilder) -> Value {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let mut failed = String::new();
        for number in [number, number + 1] {
            let request = with(self.client.post(format!("{}{path}", self.address(number))));
            match request.send().map(|answer| (answer.status().as_u16(), answer.json::<Value>())) {
                Ok((200 | 201, Ok(answer))) => return answer,
                other => failed = format!("{failed} {other:?}"),
            }
            self.retried.fetch_add(1, Ordering::Relaxed);
        }
        panic!("{path}: a client with one retry notices:{failed}");
    }

    /// Waits until the clients have sent this number of further requests, or for half a minute.
    fn wait_for_requests(&self, requests: u64) {
        let (begin, goal) = (Instant::now(), self.asked.load(Ordering::Relaxed) + requests);
        while self.asked.load(Ordering::Relaxed) < goal && begin.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Plays games, and sends the commands to both replicas in turn. Returns the last game.
    fn play(&self, player: usize) -> Value {
        let mut game = Value::Null;
        let mut token = String::new();
        let mut number = player;
        while !self.ends.load(Ordering::Relaxed) {
            number += 1;
            let key = format!("player-{player:04}-command-{number:08}");
            if game["status"] != "playing" {
                let create = json!({"rule_set": pagade_rules::bundled::SETS[0].0, "hot_seat": true});
                let created =
                    self.send(number, "/v1/games", |request| request.header("Idempotency-Key", &key).json(&create));
                token = created["token"].as_str().expect("a token").to_owned();
                game = created["game"].clone();
                continue;
            }
            let (step, body) = match game["awaits"].as_str() {
                Some("throw") => ("throws", json!({})),
                _ => ("actions", json!({"actions": [game["legal"][0]]})),
            };
            let path = format!("/v1/games/{}/{step}", game["id"].as_str().expect("an id"));
            let etag = format!("\"{}\"", game["version"]);
            let answer = self.send(number, &path, |request| {
                request.bearer_auth(&token).header("If-Match", &etag).header("Idempotency-Key", &key).json(&body)
            });
            assert_eq!(answer["game"]["steps"], game["steps"].as_u64().expect("a number") + 1, "one effect");
            game = answer["game"].clone();
        }
        game
    }

    /// Follows a game by streams of alternate replicas. Checks that each event comes once, and returns their number.
    fn follow(&self, game: &str) -> u64 {
        let mut seen = 0;
        for number in 0.. {
            let request = self.client.get(format!("{}/v1/games/{game}/events", self.address(number)));
            let request = request.header("Accept", "text/event-stream").header("Last-Event-ID", seen);
            // If this replica is being stopped, the next iteration connects to the other one.
            let Ok(stream) = request.send() else { continue };
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                if let Some(id) = line.strip_prefix("id: ") {
                    assert_eq!(id.parse(), Ok(seen + 1), "neither lost nor told twice");
                    seen += 1;
                    self.followed.store(seen, Ordering::Relaxed);
                }
                if self.ends.load(Ordering::Relaxed) {
                    return seen;
                }
            }
        }
        seen
    }
}

#[test]
fn a_rolling_restart_is_not_noticed_by_clients_with_one_retry() {
    let redis = RedisServer::start(DURABLE);
    let address = redis.address();
    let start = || Service::start(&["--store", address.as_str()], NO_VARIABLES);
    let mut services = vec![start(), start()];
    let replicas = Replicas {
        addresses: Mutex::new(services.iter().map(|service| service.address.clone()).collect()),
        client: Client::builder().timeout(Duration::from_secs(20)).build().expect("a client"),
        asked: AtomicU64::new(0),
        retried: AtomicU64::new(0),
        followed: AtomicU64::new(0),
        ends: AtomicBool::new(false),
    };
    let timed = json!({"rule_set": pagade_rules::bundled::SETS[0].0, "hot_seat": true, "turn_timer": {"seconds": 1}});
    let followed = replicas.send(0, "/v1/games", |request| request.json(&timed))["game"]["id"].clone();
    let followed = followed.as_str().expect("an id");
    let mut longest = Duration::ZERO;
    std::thread::scope(|scope| {
        let players: Vec<_> = (0..4)
            .map(|player| {
                scope.spawn({
                    let replicas = &replicas;
                    move || replicas.play(player)
                })
            })
            .collect();
        let follower = scope.spawn(|| replicas.follow(followed));
        for round in 0..6 {
            replicas.wait_for_requests(100);
            let number = round % services.len();
            let stopping = Instant::now();
            services.remove(number).stop();
            longest = longest.max(stopping.elapsed());
            services.insert(number, start());
            let now = services[number].address.clone();
            replicas.addresses.lock().unwrap_or_else(PoisonError::into_inner)[number] = now;
        }
        let seen = replicas.followed.load(Ordering::Relaxed);
        let goes_on = || (replicas.followed.load(Ordering::Relaxed) > seen).then_some(());
        let follows = find_within(PATIENCE, goes_on);
        // The other threads end only by this flag, so it is set before any panic.
        replicas.ends.store(true, Ordering::Relaxed);
        assert!(follows.is_some(), "the turn timer of the followed game runs out after the last restart, too");
        for player in players {
            let game = player.join().expect("a player who noticed nothing");
            let path = format!("{}/v1/games/{}", replicas.address(0), game["id"].as_str().expect("an id"));
            let read: Value = replicas.client.get(path).send().and_then(|game| game.json()).expect("a game");
            assert_eq!(read["steps"], game["steps"], "nothing is lost");
        }
        assert!(follower.join().expect("a follower who missed nothing") > 6);
    });
    let (asked, retried) = (replicas.asked.into_inner(), replicas.retried.into_inner());
    println!("{asked} requests, {retried} sent again, the longest stop took {longest:?}");
    assert!(asked > 600 && longest < Duration::from_secs(10), "{asked} requests, {longest:?}");
}
