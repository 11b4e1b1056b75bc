//! Two hundred clients send the same move at the same moment. Only one of them may make it.

use std::sync::{Barrier, Mutex};

use pagade_rules::bundled::SETS;
use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::service::{NO_VARIABLES, Service};
use reqwest::blocking::Client;
use serde_json::{Value, json};

const CLIENTS: usize = 200;

/// Lets all clients send the same command at once. Each has its own idempotency key, or all have the same one. Returns
/// the answers.
fn race(replicas: &[Service], game: &Value, token: &str, own_keys: bool) -> Vec<(u16, Value)> {
    let (answers, ready) = (Mutex::new(Vec::new()), Barrier::new(CLIENTS));
    let id = game["id"].as_str().expect("an id");
    let version = format!("\"{}\"", game["version"]);
    let (step, body) = match game["legal"].get(0) {
        None => ("throws", json!({})),
        Some(action) => ("actions", json!({"actions": [action]})),
    };
    std::thread::scope(|scope| {
        for number in 0..CLIENTS {
            let url = format!("{}/v1/games/{id}/{step}", replicas[number % replicas.len()].address);
            let key = format!("{}-{}", game["version"], if own_keys { number } else { 0 });
            let (answers, ready, version, body) = (&answers, &ready, &version, &body);
            scope.spawn(move || {
                let client = Client::new();
                let request = client.post(url).bearer_auth(token).header("If-Match", version);
                let request = request.header("Idempotency-Key", key).json(body);
                ready.wait();
                let answer = request.send().expect("an answer");
                let answer = (answer.status().as_u16(), answer.json().expect("JSON"));
                answers.lock().expect("no client has failed").push(answer);
            });
        }
    });
    answers.into_inner().expect("no client has failed")
}

#[test]
fn of_two_hundred_clients_one_makes_the_move() {
    let redis = RedisServer::start(DURABLE);
    let address = redis.address();
    let replicas = [(); 2].map(|()| Service::start(&["--store", &address], NO_VARIABLES));
    let create = json!({"rule_set": SETS[0].0, "hot_seat": true});
    let created = Client::new().post(format!("{}/v1/games", replicas[0].address)).json(&create).send();
    let created: Value = created.and_then(|game| game.json()).expect("a game");
    let token = created["token"].as_str().expect("a token");
    let mut game = created["game"].clone();
    for round in 0..6 {
        let own_keys = round % 2 == 0;
        let answers = race(&replicas, &game, token, own_keys);
        let (made, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|(status, _)| *status == 200);
        // Requests with the same key count as one request that is repeated, so all of them get the answer.
        assert_eq!(made.len(), if own_keys { 1 } else { CLIENTS }, "{refused:?}");
        assert!(refused.iter().all(|(status, _)| *status == 412), "{refused:?}");
        assert!(made.iter().all(|(_, answer)| answer == &made[0].1), "all are told the same");
        let now = &made[0].1["game"];
        assert_eq!(now["steps"], game["steps"].as_u64().expect("a number") + 1, "one effect");
        game = now.clone();
    }
}
