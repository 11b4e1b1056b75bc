//! Tests retention: games expire after the time that the operator has set.

use std::time::{Duration, Instant};

use pagade::config::Retention;
use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Server, TestGame, TestStore, on_both_stores};

/// The retention in these tests. An operator would set a day or more.
const DAY: Duration = Duration::from_millis(1_500);

fn keeping(data: &TestStore, retention: Retention) -> Server {
    Server::start_with(data, |config| {
        config.retention = retention;
        config.webhooks.allows_private = true;
        (config.webhooks.pause, config.webhooks.attempts) = (Duration::from_millis(1_200), 3);
    })
}

fn until_gone(server: &Server, path: &str) -> Duration {
    let began = Instant::now();
    until(&format!("{path} is removed"), || server.get(path).status != 200);
    began.elapsed()
}

fn quick(server: &Server) -> TestGame<'_> {
    server.hot_seat(json!({"players": ["red", "yellow"], "seed": "expiry"}))
}

fn listed(server: &Server) -> Vec<Value> {
    let list = server.get("/v1/games").body["games"].as_array().unwrap().clone();
    list.iter().map(|view| view["id"].clone()).collect()
}

on_both_stores!(a_finished_game_expires_with_all_its_data);
fn a_finished_game_expires_with_all_its_data(data: TestStore) {
    let server = keeping(&data, Retention { finished: Some(DAY), ..Retention::default() });
    let limits = server.get("/v1/limits").body;
    assert_eq!((&limits["finished_game_seconds"], &limits["open_game_seconds"]), (&json!(2), &json!(0)));
    let lasting = quick(&server);
    let mut game = quick(&server);
    game.finish();
    let path = game.path("");
    assert_eq!(listed(&server).len(), 2);
    until_gone(&server, &path);
    for rest in ["", "/record", "/events", "/dice", "/presence", "/board"] {
        assert_eq!(server.get(&format!("{path}{rest}")).problem(), (404, "game_not_found"), "{rest}");
    }
    assert_eq!(game.send("/throws", json!({})).problem(), (404, "game_not_found"));
    assert_eq!(listed(&server), [lasting.view["id"].clone()], "one that is not over stays");
    // The game is counted after it has expired.
    let counted = "pagade_games_total{rule_set=\"pagade\",became=\"expired\"} 1";
    until("the expired game is counted", || server.get("/metrics").raw.contains(counted));
}

on_both_stores!(games_older_than_the_retention_policy_expire_too);
fn games_older_than_the_retention_policy_expire_too(data: TestStore) {
    let mut server = Server::start(&data);
    let private = server.post("/v1/games", json!({"rule_set": "pagade", "private": true}));
    let open = server.post("/v1/games", json!({"rule_set": "pagade"})).body["game"].clone();
    let playing = quick(&server).view.clone();
    server.stop();
    // The games become older than the retention before the service starts with this setting.
    std::thread::sleep(DAY);
    let server = keeping(&data, Retention { open: Some(DAY), finished: Some(100 * DAY), ..Retention::default() });
    until_gone(&server, &format!("/v1/games/{}", open["id"].as_str().unwrap()));
    let path = format!("/v1/games/{}", private.text("/game/id"));
    until("a private game, which is in no list, is removed too", || {
        server.request("GET", &path).bearer_auth(private.text("/token")).send().unwrap().status() != 200
    });
    assert_eq!(listed(&server), [playing["id"].clone()]);
}

on_both_stores!(a_game_that_is_being_played_does_not_expire);
fn a_game_that_is_being_played_does_not_expire(data: TestStore) {
    let server = keeping(&data, Retention { playing: Some(DAY), ..Retention::default() });
    let mut game = server.hot_seat(json!({"turn_timer": {"seconds": 60}}));
    let began = Instant::now();
    while began.elapsed() < 3 * DAY {
        let got = game.step();
        assert_eq!(got.status, 200, "{}", got.raw);
        // The pause between two moves is much shorter than the retention.
        std::thread::sleep(DAY / 5);
    }
    let waited = until_gone(&server, &game.path(""));
    assert!(waited > DAY / 2, "{waited:?}");
}

on_both_stores!(a_game_expires_only_after_its_webhooks_are_settled);
fn a_game_expires_only_after_its_webhooks_are_settled(data: TestStore) {
    let server = keeping(&data, Retention { playing: Some(DAY), ..Retention::default() });
    let game = quick(&server);
    // Nothing listens at this address: the delivery is tried again after 1.2 and after 4.8 more seconds, and then given
    // up.
    let hook = json!({"url": "http://127.0.0.1:1/hook"});
    assert_eq!(game.command("/webhooks").json(&hook).send().unwrap().status(), 201);
    let mut game = TestGame { view: server.get(&game.path("")).body, ..game };
    assert_eq!(game.send("/throws", json!({})).status, 200);
    let waited = until_gone(&server, &game.path(""));
    assert!(waited > Duration::from_millis(4_500), "{waited:?}");
}
