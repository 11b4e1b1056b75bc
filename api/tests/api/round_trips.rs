//! How many round trips to Redis a request takes, counted between the service and Redis.

use pagade::config::Rates;
use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Server, TestGame, TestStore, got};
use crate::wire::RedisWire;

/// A service whose connection to Redis goes over a wire of its own and is already made.
fn wired(data: &TestStore) -> (Server, RedisWire) {
    let wire = RedisWire::to(data.redis().port);
    let server = Server::start_on(data, wire.address());
    assert_eq!(server.get("/v1/games").status, 200);
    (server, wire)
}

/// A new game, when the service has entered it into its lists: that happens after the answer.
fn listed_game<'s>(server: &'s Server, wire: &RedisWire, more: Value) -> TestGame<'s> {
    let table = server.hot_seat(more);
    wire.trips_when_quiet();
    table
}

#[test]
fn a_read_is_one_round_trip() {
    let data = TestStore::on_redis();
    let (server, wire) = wired(&data);
    let mut table = listed_game(&server, &wire, json!({"dice": "players"}));
    assert_eq!((table.throw("3+4").status, table.play(&["6-9:3"]).status), (200, 200));
    for rest in ["", "?at=1", "/legal", "/board", "/board?at=1", "/record", "/events", "/events?after=2", "/presence"] {
        let before = wire.trips();
        assert_eq!(server.get(&table.path(rest)).status, 200, "{rest}");
        assert_eq!(wire.trips() - before, 1, "{rest}");
    }
    let before = wire.trips();
    assert_eq!(server.post(&table.path("/dry-runs"), json!({"actions": ["7-11:4"]})).status, 200);
    assert_eq!(wire.trips() - before, 1);
    // A list reads the ids first, then all games at once: games of a cluster lie in different slots.
    let before = wire.trips();
    assert_eq!(server.get("/v1/games").body["games"].as_array().unwrap().len(), 1);
    assert_eq!(wire.trips() - before, 2);
}

#[test]
fn a_move_is_one_round_trip_or_two_without_a_fresh_cache_entry() {
    let data = TestStore::on_redis();
    let ((server, wire), (other, other_wire)) = (wired(&data), wired(&data));
    let mut table = listed_game(&server, &wire, json!({"dice": "players"}));
    let trips = |table: &mut TestGame<'_>, key: &str| {
        let before = (wire.trips(), other_wire.trips());
        let (rest, body) = match table.game["awaits"].as_str().unwrap() {
            "throw" => ("/throws", json!({"throw": "3+4"})),
            _ => ("/actions", json!({"actions": [table.game["legal"][0]]})),
        };
        let got = got(table.command(rest).header("Idempotency-Key", key).json(&body).send().unwrap());
        assert_eq!(got.status, 200, "{}", got.raw);
        table.game = got.body["game"].clone();
        wire.trips() - before.0 + other_wire.trips() - before.1
    };
    assert_eq!((trips(&mut table, "a"), trips(&mut table, "b")), (1, 1));
    // The other process has no cache entry: it reads, then commits. Its second command is one trip again.
    table.server = &other;
    assert_eq!((trips(&mut table, "c"), trips(&mut table, "d")), (2, 1));
    // This cache entry is now older than the version in the command: it reads, then commits.
    table.server = &server;
    assert_eq!((trips(&mut table, "e"), trips(&mut table, "f")), (2, 1));
}

#[test]
fn a_turn_timer_costs_a_move_no_round_trip() {
    let data = TestStore::on_redis();
    let (server, wire) = wired(&data);
    let mut table = listed_game(&server, &wire, json!({"turn_timer": {"seconds": 60}}));
    let before = wire.trips();
    assert_eq!(table.send("/throws", json!({})).status, 200);
    assert_eq!(wire.trips() - before, 1);
}

#[test]
fn a_webhook_costs_a_move_no_round_trip() {
    let data = TestStore::on_redis();
    let wire = RedisWire::to(data.redis().port);
    let server = Server::start_with(&data, |config| {
        config.store = Some(wire.address());
        // The first delivery fails and is not retried during the test.
        config.webhooks.pause = std::time::Duration::from_secs(3600);
    });
    let mut table = server.hot_seat(json!({"dice": "players"}));
    let hook = table.command("/webhooks").json(&json!({"url": "https://localhost:9/"})).send().unwrap();
    assert_eq!(hook.status(), 201);
    table.game["version"] = json!(table.version() + 1);
    let (thrown, path, token) = (table.throw("3+4").status, table.path("/webhooks"), table.token.clone());
    assert_eq!(thrown, 200);
    let state = || got(server.request("GET", &path).bearer_auth(&token).send().unwrap()).text("/webhooks/0/state");
    until("the first message has failed", || state() == "retrying");
    // The service stores the time of the next try after that.
    let before = wire.trips_when_quiet();
    table.play_out();
    assert_eq!(table.throw("3+4").status, 200);
    let moves = table.version() - 3;
    assert_eq!(wire.trips() - before, moves);
}

#[test]
fn counting_rates_costs_a_request_no_round_trip() {
    let data = TestStore::on_redis();
    let wire = RedisWire::to(data.redis().port);
    let server = Server::start_with(&data, |config| {
        (config.rates, config.store) = (Rates::default(), Some(wire.address()));
    });
    assert_eq!(server.get("/v1/games").status, 200);
    let table = listed_game(&server, &wire, json!({}));
    let before = wire.trips();
    for _ in 0..200 {
        assert_ne!(server.get(&table.path("")).header("ratelimit"), "");
    }
    assert_eq!(wire.trips() - before, 200);
    // The service reports all spent quotas to Redis together, now and then.
    assert!(wire.told() < 30, "{}", wire.told());
}

#[test]
fn a_cut_connection_to_redis_fails_no_request() {
    let data = TestStore::on_redis();
    let (server, wire) = wired(&data);
    let mut table = server.hot_seat(json!({"dice": "players"}));
    for _ in 0..5 {
        wire.cut();
        assert_eq!(table.throw("3+4").status, 200);
        wire.cut();
        assert_eq!(server.get(&table.path("")).body, table.game);
        table.play_out();
    }
}
