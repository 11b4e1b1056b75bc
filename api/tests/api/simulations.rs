//! Tests /v1/simulations.

use std::time::{Duration, Instant};

use pagade::config::Rates;
use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};

/// A variant of a short game. It is not published.
const TEXT: &str = "rules: lane-ur\nversion: 1.0.0\ntitle: Ur of the lane\nextends: royal-game-of-ur\npawns: {each: 3, start: [out, out, out]}\n";

fn start(server: &Server, wish: Value) -> Answer {
    let created = server.post("/v1/simulations", wish);
    assert_eq!(created.status, 201, "{}", created.raw);
    created
}

fn path(created: &Answer) -> String {
    created.header("location").to_owned()
}

/// Reads a simulation until it has ended, by long polls.
fn ended(server: &Server, path: &str) -> Value {
    let mut seen = String::new();
    let began = Instant::now();
    loop {
        let request = server.request("GET", path).header("Prefer", "wait=5").header("If-None-Match", &seen);
        let read = got(request.send().unwrap());
        if read.status == 200 {
            seen = read.header("etag").to_owned();
            if read.body["status"] == "ended" {
                return read.body;
            }
        }
        assert!([200, 304].contains(&read.status) && began.elapsed() < Duration::from_secs(120), "{}", read.raw);
    }
}

on_both_stores!(a_simulation_plays_all_its_games_and_tells_their_statistics);
fn a_simulation_plays_all_its_games_and_tells_their_statistics(data: TestStore) {
    let server = Server::start(&data);
    let wish = json!({"rule_set": "royal-game-of-ur", "games": 200, "seed": 7, "robots": ["hunter", "random"]});
    let created = start(&server, wish.clone());
    assert_eq!((&created.body["games"], &created.body["seed"]), (&json!(200), &json!(7)));
    assert!(created.header("etag").starts_with('"'));
    let first = ended(&server, &path(&created));
    assert_eq!((&first["ended_by"], &first["played"]), (&json!("complete"), &json!(200)));
    let results = &first["results"];
    let bars = results["turns"]["bars"].as_array().unwrap();
    assert_eq!(bars.iter().map(|bar| bar["games"].as_u64().unwrap()).sum::<u64>(), 200);
    let wins =
        |list: &str| -> u64 { results[list].as_array().unwrap().iter().map(|won| won["wins"].as_u64().unwrap()).sum() };
    assert_eq!((wins("wins"), wins("robot_wins")), (200, 200));
    let interval = &results["wins"][0]["interval"];
    let rate = results["wins"][0]["rate"].as_f64().unwrap();
    assert!(interval[0].as_f64().unwrap() < rate && rate < interval[1].as_f64().unwrap(), "{interval}");
    assert!(results["lines"].as_array().unwrap().iter().any(|line| line["fired"].as_u64().unwrap() > 200));
    let again = ended(&server, &path(&start(&server, wish)));
    assert_eq!(again["results"], *results, "the same seed gives the same games");
}

on_both_stores!(rules_that_are_not_published_can_be_simulated);
fn rules_that_are_not_published_can_be_simulated(data: TestStore) {
    let server = Server::start(&data);
    let created = start(&server, json!({"text": TEXT, "games": 20}));
    let simulated = ended(&server, &path(&created));
    assert_eq!((simulated["title"].as_str(), &simulated["played"]), (Some("Ur of the lane"), &json!(20)));
    assert_eq!(simulated["rule_set"]["id"], "lane-ur");
    assert_eq!(server.get("/v1/rule-sets/lane-ur").problem(), (404, "rule_set_not_found"));
}

on_both_stores!(a_mistake_in_a_request_has_its_position);
fn a_mistake_in_a_request_has_its_position(data: TestStore) {
    let server = Server::start(&data);
    for (wish, pointer) in [
        (json!({}), "/rule_set"),
        (json!({"rule_set": "pagade", "text": TEXT}), "/rule_set"),
        (json!({"rule_set": "chess"}), "/rule_set"),
        (json!({"text": TEXT, "version": "1.0.0"}), "/version"),
        (json!({"rule_set": "pagade", "games": 20_001}), "/games"),
        (json!({"rule_set": "pagade", "games": 0}), "/games"),
        (json!({"rule_set": "pagade", "players": ["red", "pink"]}), "/players"),
        (json!({"rule_set": "pagade", "options": {"min_cuts": 99}}), "/options/min_cuts"),
        (json!({"rule_set": "pagade", "robots": ["hunter", "hunter", "hunter"]}), "/robots"),
        (json!({"rule_set": "pagade", "robots": ["wizard"]}), "/robots/0"),
    ] {
        let refused = server.post("/v1/simulations", wish.clone());
        assert_eq!((refused.status, refused.text("/problems/0/pointer").as_str()), (422, pointer), "{wish}");
    }
    let wrong = TEXT.replace("start: [out, out, out]", "start: [out, out, nowhere]");
    let refused = server.post("/v1/simulations", json!({"text": wrong}));
    assert_eq!(refused.problem(), (422, "rule_text_invalid"));
    assert_eq!(
        (refused.text("/problems/0/pointer").as_str(), &refused.body["problems"][0]["line"]),
        ("/text", &json!(5)),
        "{}",
        refused.raw
    );
    for id in ["none", "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"] {
        for method in ["GET", "DELETE"] {
            let missing = got(server.request(method, &format!("/v1/simulations/{id}")).send().unwrap());
            assert_eq!(missing.problem(), (404, "simulation_not_found"));
        }
    }
}

on_both_stores!(a_cancelled_simulation_ends_at_once_and_keeps_what_it_has);
fn a_cancelled_simulation_ends_at_once_and_keeps_what_it_has(data: TestStore) {
    let server = Server::start_one(&data, |_| ());
    let running = path(&start(&server, json!({"rule_set": "pagade", "games": 20_000, "robots": ["hunter"]})));
    let waiting = path(&start(&server, json!({"rule_set": "pagade", "games": 20_000, "robots": ["hunter"]})));
    until("some games are played", || server.get(&running).body["played"].as_u64() > Some(0));
    for simulation in [&waiting, &running] {
        let began = Instant::now();
        assert_eq!(got(server.request("DELETE", simulation).send().unwrap()).status, 204);
        let told = ended(&server, simulation);
        assert_eq!(told["ended_by"], "cancel");
        assert!(began.elapsed() < Duration::from_secs(5));
        assert_eq!(got(server.request("DELETE", simulation).send().unwrap()).status, 204, "a second time");
        assert_eq!(server.get(simulation).body, told);
    }
    assert!(server.get(&running).body["results"]["turns"]["mean"].as_f64() > Some(0.0));
    let metrics = server.get("/metrics").raw;
    assert!(metrics.contains("pagade_simulations_ended_total{by=\"cancel\"} 2"), "{metrics}");
    until("none runs", || server.get("/metrics").raw.contains("\npagade_simulations 0\n"));
}

on_both_stores!(a_repeated_request_starts_nothing);
fn a_repeated_request_starts_nothing(data: TestStore) {
    let server = Server::start(&data);
    let send = |games: u32, key: &str| {
        let request = server.request("POST", "/v1/simulations").header("Idempotency-Key", key);
        got(request.json(&json!({"rule_set": "royal-game-of-ur", "games": games})).send().unwrap())
    };
    let key = "5f0a1c8e-3a52-4d0c-9a3e-6b1f0c9d7e42";
    let first = send(10, key);
    assert_eq!((first.status, first.header("idempotency-replayed")), (201, ""));
    ended(&server, &path(&first));
    let again = send(10, key);
    assert_eq!((again.status, again.header("idempotency-replayed")), (201, "true"));
    assert_eq!(path(&again), path(&first));
    assert_eq!(send(11, key).problem(), (422, "idempotency_key_reused"));
    assert_eq!(send(10, "easy").problem(), (422, "idempotency_key_weak"));
}

#[test]
fn a_client_has_few_simulations_at_a_time_and_they_count_as_heavy() {
    let data = TestStore::new();
    let server = Server::start_with(&data, |config| {
        config.rates = Rates { simulations: Some(2), heavy: Some(10), ..Rates::unlimited() };
    });
    let wish = json!({"rule_set": "pagade", "games": 20_000, "robots": ["hunter"]});
    let paths = [0, 1].map(|_| path(&start(&server, wish.clone())));
    let refused = server.post("/v1/simulations", wish.clone());
    assert_eq!(refused.problem(), (429, "too_many_requests"));
    assert!(refused.header("ratelimit").contains("\"heavy\";r=7"), "{}", refused.header("ratelimit"));
    assert!(server.get("/metrics").raw.contains("pagade_refused_total{limit=\"simulations\"} 1"));
    assert_eq!(server.get("/v1/limits").body["simulations_per_client"], 2);
    for path in &paths {
        server.request("DELETE", path).send().unwrap();
        ended(&server, path);
    }
    until("there is room again", || server.post("/v1/simulations", wish.clone()).status == 201);
}

#[test]
fn a_simulation_of_one_replica_is_read_and_cancelled_at_another() {
    let data = TestStore::on_redis();
    let [one, other] = [(); 2].map(|()| Server::start(&data));
    let simulation = path(&start(&one, json!({"rule_set": "pagade", "games": 20_000, "robots": ["hunter"]})));
    until("the other sees games", || other.get(&simulation).body["played"].as_u64() > Some(0));
    assert_eq!(got(other.request("DELETE", &simulation).send().unwrap()).status, 204);
    assert_eq!(ended(&other, &simulation)["ended_by"], "cancel");
    assert_eq!(ended(&one, &simulation)["ended_by"], "cancel");
}

#[test]
fn a_simulation_ends_with_its_process_and_says_so() {
    let data = TestStore::on_redis();
    let [mut one, other] = [(); 2].map(|()| Server::start(&data));
    let simulation = path(&start(&one, json!({"rule_set": "pagade", "games": 20_000, "robots": ["hunter"]})));
    until("it runs", || one.get(&simulation).body["status"] == "running");
    one.stop();
    assert_eq!(ended(&other, &simulation)["ended_by"], "failure");
}

#[test]
fn games_go_on_beside_simulations() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let wish = json!({"rule_set": "pagade", "games": 20_000, "robots": ["hunter"]});
    let paths: Vec<String> = (0..4).map(|_| path(&start(&server, wish.clone()))).collect();
    until("one runs", || paths.iter().any(|path| server.get(path).body["status"] == "running"));
    let mut game = server.hot_seat(json!({"rule_set": "royal-game-of-ur", "seed": "beside"}));
    let began = Instant::now();
    game.finish();
    let took = began.elapsed();
    assert!(took < Duration::from_secs(60), "{took:?}");
    for path in &paths {
        server.request("DELETE", path).send().unwrap();
    }
}
