//! Counts the round trips to Redis that a request takes, by a proxy between the service and Redis.

use pagade::config::Rates;
use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Server, TestGame, TestStore, got};
use crate::players::TestPlayer;
use crate::wire::RedisWire;

/// Starts a service that is connected to Redis through its own counting proxy.
fn wired(data: &TestStore) -> (Server, RedisWire) {
    let wire = RedisWire::to(data.redis().port);
    let server = Server::start_on(data, wire.address());
    assert_eq!(server.get("/v1/games").status, 200);
    (server, wire)
}

/// Creates a game, and waits until the service has added it to its lists. That happens after the answer.
fn listed_game<'s>(server: &'s Server, wire: &RedisWire, more: Value) -> TestGame<'s> {
    let game = server.hot_seat(more);
    wire.trips_when_quiet();
    game
}

#[test]
fn a_read_is_one_round_trip() {
    let data = TestStore::on_redis();
    let (server, wire) = wired(&data);
    let mut game = listed_game(&server, &wire, json!({"dice": "players"}));
    assert_eq!((game.throw("3+4").status, game.play(&["6-9:3"]).status), (200, 200));
    for rest in ["", "?at=1", "/legal", "/board", "/board?at=1", "/record", "/events", "/events?after=2", "/presence"] {
        let before = wire.trips();
        assert_eq!(server.get(&game.path(rest)).status, 200, "{rest}");
        assert_eq!(wire.trips() - before, 1, "{rest}");
    }
    let before = wire.trips();
    assert_eq!(server.post(&game.path("/dry-runs"), json!({"actions": ["7-11:4"]})).status, 200);
    assert_eq!(wire.trips() - before, 1);
    // A list takes two round trips: one for the ids, and one for all games. In a Redis cluster, games lie in different
    // slots.
    let before = wire.trips();
    assert_eq!(server.get("/v1/games").body["games"].as_array().unwrap().len(), 1);
    assert_eq!(wire.trips() - before, 2);
}

#[test]
fn a_move_is_one_round_trip_or_two_without_a_fresh_cache_entry() {
    let data = TestStore::on_redis();
    let ((server, wire), (other, other_wire)) = (wired(&data), wired(&data));
    let mut game = listed_game(&server, &wire, json!({"dice": "players"}));
    let trips = |game: &mut TestGame<'_>, key: &str| {
        let before = (wire.trips(), other_wire.trips());
        let (rest, body) = match game.view["awaits"].as_str().unwrap() {
            "throw" => ("/throws", json!({"throw": "3+4"})),
            _ => ("/actions", json!({"actions": [game.view["legal"][0]]})),
        };
        let got = got(game.command(rest).header("Idempotency-Key", key).json(&body).send().unwrap());
        assert_eq!(got.status, 200, "{}", got.raw);
        game.view = got.body["game"].clone();
        wire.trips() - before.0 + other_wire.trips() - before.1
    };
    assert_eq!((trips(&mut game, "a"), trips(&mut game, "b")), (1, 1));
    // The other process has no cache entry, so it reads the game before the commit. Its second command is one trip
    // again.
    game.server = &other;
    assert_eq!((trips(&mut game, "c"), trips(&mut game, "d")), (2, 1));
    // The cache entry of the first process is now older than the version in the command, so it reads the game again.
    game.server = &server;
    assert_eq!((trips(&mut game, "e"), trips(&mut game, "f")), (2, 1));
}

#[test]
fn the_token_of_a_player_costs_a_move_one_round_trip() {
    let data = TestStore::on_redis();
    let (server, wire) = wired(&data);
    let player = TestPlayer::new(&server, "Asha");
    let wish = json!({"rule_set": "pagade", "players": ["red", "yellow"], "my_seat": "red",
        "seats": {"yellow": {}}, "start": true});
    let mut game = TestGame::of(&server, &player.send("POST", "/v1/games", wish));
    game.seats.insert("red".to_owned(), player.token.clone());
    wire.trips_when_quiet();
    let before = wire.trips();
    assert_eq!(game.view["turn"], "red");
    assert_eq!(game.send("/throws", json!({})).status, 200);
    assert_eq!(wire.trips() - before, 2, "one for the player, one for the move");
}

#[test]
fn a_turn_timer_costs_a_move_no_round_trip() {
    let data = TestStore::on_redis();
    let (server, wire) = wired(&data);
    let mut game = listed_game(&server, &wire, json!({"turn_timer": {"seconds": 60}}));
    let before = wire.trips();
    assert_eq!(game.send("/throws", json!({})).status, 200);
    assert_eq!(wire.trips() - before, 1);
}

#[test]
fn a_webhook_costs_a_move_no_round_trip() {
    let data = TestStore::on_redis();
    let wire = RedisWire::to(data.redis().port);
    let server = Server::start_with(&data, |config| {
        config.store = Some(wire.address());
        // The first delivery fails. The pause is so long that it is not tried again during the test.
        config.webhooks.pause = std::time::Duration::from_secs(3600);
    });
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let hook = game.command("/webhooks").json(&json!({"url": "https://unknown.example/"})).send().unwrap();
    assert_eq!(hook.status(), 201);
    game.view["version"] = json!(game.version() + 1);
    let (thrown, path, token) = (game.throw("3+4").status, game.path("/webhooks"), game.token.clone());
    assert_eq!(thrown, 200);
    let state = || got(server.request("GET", &path).bearer_auth(&token).send().unwrap()).text("/webhooks/0/state");
    until("the first message has failed", || state() == "retrying");
    // After the failed delivery the service still stores the time of the next try, so the test waits for that.
    let before = wire.trips_when_quiet();
    game.play_out();
    assert_eq!(game.throw("3+4").status, 200);
    let moves = game.version() - 3;
    assert_eq!(wire.trips() - before, moves, "{:#?}", wire.sent_since(before));
}

#[test]
fn counting_rates_costs_a_request_no_round_trip() {
    let data = TestStore::on_redis();
    let wire = RedisWire::to(data.redis().port);
    let server = Server::start_with(&data, |config| {
        (config.rates, config.store) = (Rates::default(), Some(wire.address()));
    });
    assert_eq!(server.get("/v1/games").status, 200);
    let game = listed_game(&server, &wire, json!({}));
    let before = wire.trips();
    for _ in 0..200 {
        assert_ne!(server.get(&game.path("")).header("ratelimit"), "");
    }
    assert_eq!(wire.trips() - before, 200);
    // The service reports spent quotas to Redis only now and then, many of them together.
    assert!(wire.quota_reports() < 30, "{}", wire.quota_reports());
}

#[test]
fn a_cut_connection_to_redis_fails_no_request() {
    let data = TestStore::on_redis();
    let (server, wire) = wired(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    for _ in 0..5 {
        wire.cut();
        assert_eq!(game.throw("3+4").status, 200);
        wire.cut();
        assert_eq!(server.get(&game.path("")).body, game.view);
        game.play_out();
    }
}
