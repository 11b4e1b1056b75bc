//! A client that plays on through all faults. If a request is not answered, it sends the request again, to either
//! replica.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use pagade_robots::simulate::Chance;
use pagade_rules::bundled::SETS;
use reqwest::blocking::{Client, RequestBuilder};
use serde_json::{Value, json};

use super::history::{Acknowledged, History};

/// Longest time that the client waits for an answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// The time after which the client gives up sending a request again, and the test fails.
const PERSISTENCE: Duration = Duration::from_secs(60);

/// The number of commands of a game that are random. After them the first legal action is played.
const BY_CHANCE: usize = 150;
/// The number of commands after which a game is taken as endless, and the test fails.
const MOST_COMMANDS: usize = 20_000;

/// A game that was played to its end.
pub(crate) struct Finished {
    pub id: String,
    /// The data about the game in the answers to the client.
    pub history: History,
    /// The number of requests that were sent again.
    pub again: u64,
}

/// A client that plays one game at both replicas.
pub(crate) struct Player {
    client: Client,
    addresses: [String; 2],
    number: u64,
    /// Random numbers that choose the actions of the game. One number is drawn for each decision, so repeated requests
    /// do not change the game.
    chance: Chance,
    /// Random numbers that choose the replica for each request, and the pauses.
    way: Chance,
    again: u64,
}

impl Player {
    /// Makes the player of the game with this number.
    pub(crate) fn new(addresses: [String; 2], seed: u64, number: u64) -> Self {
        let client = Client::builder().timeout(PATIENCE).build().expect("a client");
        let [chance, way] = [seed, !seed].map(|seed| Chance::of_game(seed, number));
        Self { client, addresses, number, chance, way, again: 0 }
    }

    /// Sends a request until it is answered. An error status other than 503 ends the test.
    fn insist(&mut self, what: &str, ask: impl Fn(&Client, &str) -> RequestBuilder) -> Value {
        let until = Instant::now() + PERSISTENCE;
        let mut failed = String::new();
        while Instant::now() < until {
            let address = &self.addresses[self.way.below(2) as usize];
            match ask(&self.client, address).send().map(|answer| (answer.status().as_u16(), answer.json::<Value>())) {
                Ok((200 | 201, Ok(answer))) => return answer,
                Ok((503, _)) => failed = "503".to_owned(),
                Ok((200 | 201, Err(error))) | Err(error) => failed = error.to_string(),
                Ok((status, answer)) => panic!("{what}: {status} {answer:?}, after {failed}"),
            }
            self.again += 1;
            // Clients make a pause before they send a request again.
            sleep(Duration::from_millis(u64::from(self.way.below(40))));
        }
        panic!("{what}: not answered in {PERSISTENCE:?}: {failed}");
    }

    /// Plays a game of a random rule set to its end.
    pub(crate) fn play(mut self) -> Finished {
        let set = SETS[self.chance.below(SETS.len() as u32) as usize].0;
        let seed = self.chance.below(u32::MAX);
        let create = json!({"rule_set": set, "hot_seat": true, "seed": seed.to_string()});
        let key = format!("create-game-number-{:08}", self.number);
        let created = self.insist("creating", |client, address| {
            client.post(format!("{address}/v1/games")).header("Idempotency-Key", &key).json(&create)
        });
        let token = created["token"].as_str().expect("a token").to_owned();
        let id = created["game"]["id"].as_str().expect("an id").to_owned();
        let path = format!("/v1/games/{id}");
        let over = AtomicBool::new(false);
        let addresses = self.addresses.clone();
        let mut history = History::default();
        thread::scope(|scope| {
            let follower = scope.spawn(|| follow(&addresses, &path, &over));
            let over = Over(&over);
            let mut game = created["game"].clone();
            while game["status"] == "playing" {
                assert!(history.acknowledged.len() < MOST_COMMANDS, "{set} does not end");
                game = self.command(&path, &token, &game, &mut history);
                if self.way.below(16) == 0 {
                    let read = self.insist("reading", |client, address| client.get(format!("{address}{path}")));
                    let version = read["version"].as_u64().expect("a version");
                    history.read.push((history.acknowledged.len(), version));
                }
            }
            drop(over);
            history.followed = follower.join().expect("a follower");
        });
        Finished { id, history, again: self.again }
    }

    /// Throws, or plays a legal action. Returns the game after it.
    fn command(&mut self, path: &str, token: &str, game: &Value, history: &mut History) -> Value {
        let (step, body) = match game["legal"].as_array().filter(|legal| !legal.is_empty()) {
            None => ("throws", json!({})),
            Some(legal) => {
                // Later the first legal action is played, because some games hardly ever end by random play alone.
                let is_early = history.acknowledged.len() < BY_CHANCE;
                let index = if is_early { self.chance.below(legal.len() as u32) as usize } else { 0 };
                let action = &legal[index];
                ("actions", json!({"actions": [action]}))
            }
        };
        let key = format!("command-{}", history.acknowledged.len());
        let version = format!("\"{}\"", game["version"]);
        let answer = self.insist(&format!("{path}/{step} at {version}"), |client, address| {
            let request = client.post(format!("{address}{path}/{step}")).bearer_auth(token).json(&body);
            request.header("If-Match", &version).header("Idempotency-Key", &key)
        });
        let events = answer["events"].as_array().cloned().unwrap_or_default();
        let number = |name: &str| answer["game"][name].as_u64().expect("a number");
        history.acknowledged.push(Acknowledged { version: number("version"), steps: number("steps"), events });
        answer["game"].clone()
    }

    /// The ids of all games that the list shows as finished.
    pub(crate) fn listed(&mut self) -> BTreeSet<String> {
        let (mut listed, mut cursor) = (BTreeSet::new(), String::new());
        loop {
            let page = self.insist("listing", |client, address| {
                client.get(format!("{address}/v1/games?status=finished&limit=100{cursor}"))
            });
            let games = page["games"].as_array().expect("a list").iter();
            listed.extend(games.filter_map(|game| game["id"].as_str().map(str::to_owned)));
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return listed,
            }
        }
    }

    /// Reads the stored game: its state, all its events, and its record.
    pub(crate) fn kept(&mut self, id: &str) -> (Value, Vec<Value>, String) {
        let game = self.insist("reading", |client, address| client.get(format!("{address}/v1/games/{id}")));
        let mut events: Vec<Value> = Vec::new();
        while (events.len() as u64) < game["events"].as_u64().expect("a number") {
            let after = events.len();
            let page = self.insist("events", |client, address| {
                client.get(format!("{address}/v1/games/{id}/events?after={after}"))
            });
            events.extend(page["events"].as_array().into_iter().flatten().cloned().map(without_state));
        }
        let address = &self.addresses[0];
        let record = self.client.get(format!("{address}/v1/games/{id}/record")).send();
        (game, events, record.and_then(|record| record.text()).expect("a record"))
    }
}

/// Sets the flag when the game is over or its player has panicked, so that the follower ends.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// An event as it is stored. The newest event of a stream or page comes with the state of the game in addition.
fn without_state(mut event: Value) -> Value {
    event.as_object_mut().map(|fields| fields.remove("game"));
    event
}

/// Follows a game by streams of alternate replicas. Returns its events in the order in which they came.
fn follow(addresses: &[String; 2], path: &str, over: &AtomicBool) -> Vec<Value> {
    let client = Client::builder().timeout(PATIENCE);
    let client = client.build().expect("a client");
    let mut told: Vec<Value> = Vec::new();
    for number in 0.. {
        let last = told.last().map_or(0, |event| event["id"].as_u64().unwrap_or_default());
        let request = client.get(format!("{}{path}/events", addresses[number % 2]));
        let request = request.header("Accept", "text/event-stream").header("Last-Event-ID", last);
        if let Ok(stream) = request.send() {
            let lines = BufReader::new(stream).lines().map_while(Result::ok);
            let data = lines.filter_map(|line| line.strip_prefix("data: ").map(str::to_owned));
            let events = data.filter_map(|data| serde_json::from_str::<Value>(&data).ok());
            told.extend(events.filter(|event| event.get("id").is_some()).map(without_state));
        }
        if over.load(Ordering::Relaxed) {
            break;
        }
        // Clients make a pause before they connect again.
        sleep(Duration::from_millis(20));
    }
    told
}
