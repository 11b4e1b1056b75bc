//! Kills the service while it creates the games of a group. The repeated request gets the tokens of all games, and each
//! game exists once.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::service::{NO_VARIABLES, Service};
use pagade_tests::wait::{PATIENCE, until_some};
use reqwest::blocking::{Client, Response};
use serde_json::{Value, json};

/// The number of games in a request.
const GAMES: usize = 100;

/// The number of kills. Each hits another moment of the request, from its beginning to its end.
const KILLS: u32 = 8;

/// The body of a request that creates games.
fn games() -> Value {
    let game = |number| json!({"rule_set": pagade_rules::bundled::SETS[0].0, "title": format!("Table {number}")});
    json!({"games": (1..=GAMES).map(game).collect::<Vec<_>>()})
}

/// A group, and the key of the request that creates its games.
struct Group {
    id: String,
    token: String,
    key: String,
}

impl Group {
    fn new(client: &Client, address: &str, number: u32) -> Self {
        let key = format!("group-with-games-{number:010}");
        let request = client.post(format!("{address}/v1/groups")).header("Idempotency-Key", &key).json(&json!({}));
        let created: Value = request.send().and_then(Response::json).expect("a group");
        let text = |pointer: &str| created.pointer(pointer).and_then(Value::as_str).expect("text").to_owned();
        Self { id: text("/group/id"), token: text("/token"), key: format!("games-of-the-group-{number:010}") }
    }

    /// Sends the request for the games. Returns `None` if its answer does not come.
    fn add(&self, client: &Client, address: &str) -> Option<Value> {
        let request = client.post(format!("{address}/v1/groups/{}/games", self.id)).bearer_auth(&self.token);
        let answer = request.header("Idempotency-Key", &self.key).json(&games()).send().ok()?;
        let status = answer.status().as_u16();
        let body: Value = answer.json().ok()?;
        assert!(matches!(status, 201 | 503), "{status} {body}");
        (status == 201).then_some(body)
    }

    /// Checks that the group has exactly the games of the answer, and that their tokens are valid.
    fn check(&self, client: &Client, address: &str, answer: &Value, context: &str) {
        let ids = |games: &Value| {
            let games = games.as_array().unwrap_or_else(|| panic!("{context}: {games}"));
            games.iter().map(|game| game["id"].as_str().expect("an id").to_owned()).collect::<Vec<_>>()
        };
        let read = |path: &str, token: &str| {
            let answer = client.get(format!("{address}{path}")).bearer_auth(token).send().expect("an answer");
            assert_eq!(answer.status().as_u16(), 200, "{context}: {path}");
            answer.json::<Value>().expect("JSON")
        };
        let path = format!("/v1/groups/{}", self.id);
        let created = ids(&answer["games"]);
        assert_eq!(created.iter().collect::<BTreeSet<_>>().len(), GAMES, "{context}");
        // The limit is one above the number of games, so a game that was created twice would be listed.
        let listed = read(&format!("{path}/games?limit={}", GAMES + 1), &self.token);
        assert_eq!(ids(&listed["games"]), created, "{context}");
        assert_eq!(read(&path, &self.token)["games"]["open"], GAMES, "{context}");
        for game in answer["games"].as_array().into_iter().flatten() {
            let id = game["id"].as_str().expect("an id");
            let me = read("/v1/me", game["token"].as_str().expect("a token"));
            assert!(me.to_string().contains(id), "{context}: {me}");
        }
    }
}

/// Kills the service at many moments of the request. `store` are the arguments for the store.
fn games_are_created_once(store: &[&str]) {
    let mut server = Service::start(store, NO_VARIABLES);
    let client = Client::builder().timeout(Duration::from_secs(20)).build().expect("a client");
    let whole = Group::new(&client, &server.address, 0);
    let began = Instant::now();
    let answer = whole.add(&client, &server.address).expect("games");
    let time = began.elapsed();
    whole.check(&client, &server.address, &answer, "without a kill");
    let mut lost = 0;
    for kill in 0..KILLS {
        let group = Group::new(&client, &server.address, kill + 1);
        let address = server.address.clone();
        let first = std::thread::scope(|scope| {
            let request = scope.spawn(|| group.add(&client, &address));
            std::thread::sleep(time * kill / KILLS);
            server.kill();
            request.join().expect("it does not panic")
        });
        lost += u32::from(first.is_none());
        server = Service::start(store, NO_VARIABLES);
        let context = format!("killed after {:?}", time * kill / KILLS);
        let again = until_some(PATIENCE, "the answer comes", || group.add(&client, &server.address));
        assert!(first.is_none_or(|first| first == again), "{context}: another answer");
        group.check(&client, &server.address, &again, &context);
    }
    assert!(lost >= KILLS / 4, "{lost} of {KILLS} kills came before the answer, which takes {time:?}");
}

#[test]
fn games_of_a_group_are_created_once_although_the_service_is_killed() {
    let data = std::env::temp_dir().join(format!("pagade-group-games-{}", std::process::id()));
    games_are_created_once(&["--data", &data.display().to_string()]);
    std::fs::remove_dir_all(&data).expect("the data can be removed");
}

#[test]
fn games_of_a_group_are_created_once_although_the_service_with_redis_is_killed() {
    let redis = RedisServer::start(DURABLE);
    games_are_created_once(&["--store", &redis.address()]);
}
