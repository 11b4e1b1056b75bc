//! Tests turn timers, the field `turn_timer` of a game.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Server, TestStore, on_both_stores};

/// Waits for an event of this kind that comes after the event with the number `after`, and returns it.
pub(crate) fn await_event(server: &Server, path: &str, after: u64, kind: &str) -> Value {
    let end = Instant::now() + Duration::from_secs(12);
    let mut after = after;
    while Instant::now() < end {
        let page = server.get(&format!("{path}/events?after={after}&wait=5")).body;
        let events = page["events"].as_array().unwrap();
        if let Some(event) = events.iter().find(|event| event["event"] == kind) {
            return event.clone();
        }
        after = page["next_after"].as_u64().unwrap();
    }
    panic!("no `{kind}` happens");
}

on_both_stores!(a_turn_that_takes_too_long_is_played_to_its_end_by_the_server);
fn a_turn_that_takes_too_long_is_played_to_its_end_by_the_server(data: TestStore) {
    let server = Server::start(&data);
    for then in ["random", "first"] {
        let game = server.hot_seat(json!({"turn_timer": {"seconds": 1, "then": then}}));
        assert_eq!(game.view["turn_timer"], json!({"seconds": 1, "then": then}));
        assert!(game.view["deadline"].as_str().unwrap() > game.view["updated_at"].as_str().unwrap());
        let turn = game.view["turn"].clone();
        let late = await_event(&server, &game.path(""), 2, "time_over");
        assert_eq!((&late["seat"], late["id"].as_u64()), (&turn, Some(3)));
        assert!(late["at"].as_str() > game.view["deadline"].as_str(), "not before");
        let now = server.get(&game.path("")).body;
        assert_ne!(now["turn"], turn);
        assert!(now["deadline"].as_str() > game.view["deadline"].as_str(), "the next one has as much time");
        let record = server.request("GET", &game.path("/record")).send().unwrap().text().unwrap();
        let import = server.request("POST", "/v1/records").header("Content-Type", "application/x-ndjson");
        assert_eq!(import.body(record).send().unwrap().status(), 201, "what the server played follows from the rules");
    }
}

on_both_stores!(a_player_in_time_is_not_played_for);
fn a_player_in_time_is_not_played_for(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"turn_timer": {"seconds": 3}}));
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(5) {
        let before = game.view["deadline"].clone();
        // The player takes this time for a decision. It is less than the turn timer allows.
        std::thread::sleep(Duration::from_millis(400));
        let got = game.step();
        assert_eq!(got.status, 200, "{}", got.raw);
        assert!(game.view["deadline"].as_str() > before.as_str(), "every decision has its time");
    }
    let tried = server.post(&game.path("/dry-runs"), json!({}));
    assert_eq!(tried.body["game"]["deadline"], game.view["deadline"], "trying takes no time");
}

on_both_stores!(a_deadline_outlives_the_process);
fn a_deadline_outlives_the_process(data: TestStore) {
    let mut server = Server::start(&data);
    let path = server.hot_seat(json!({"turn_timer": {"seconds": 1}})).path("");
    server.stop();
    // The deadline passes while no process of the service runs.
    std::thread::sleep(Duration::from_millis(1_200));
    let server = Server::start(&data);
    let began = Instant::now();
    await_event(&server, &path, 2, "time_over");
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
}

on_both_stores!(the_turn_timer_runs_from_the_start_of_the_game);
fn the_turn_timer_runs_from_the_start_of_the_game(data: TestStore) {
    let server = Server::start(&data);
    let body = json!({"rule_set": "pagade", "players": ["red", "yellow"], "turn_timer": {"seconds": 1}});
    let created = server.post("/v1/games", body).body;
    let path = format!("/v1/games/{}", created["game"]["id"].as_str().unwrap());
    assert!(created["game"].get("deadline").is_none());
    for seat in ["red", "yellow"] {
        assert_eq!(server.post(&format!("{path}/seats/{seat}"), json!({})).status, 201);
    }
    // The pause is longer than a turn may take, but the timer does not run before the start of the game.
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(server.get(&path).body["status"], "open");
    let start = server.request("POST", &format!("{path}/start")).bearer_auth(created["token"].as_str().unwrap());
    assert_eq!(start.json(&json!({})).send().unwrap().status(), 200);
    await_event(&server, &path, 3, "time_over");
}

on_both_stores!(a_timer_that_cannot_be_kept_is_refused);
fn a_timer_that_cannot_be_kept_is_refused(data: TestStore) {
    let server = Server::start(&data);
    let pointer = |timer: Value, dice: &str| {
        let body = json!({"rule_set": "pagade", "hot_seat": true, "dice": dice, "turn_timer": timer});
        let got = server.post("/v1/games", body);
        assert_eq!(got.problem(), (422, "body_invalid"));
        got.text("/problems/0/pointer")
    };
    assert_eq!(pointer(json!({"seconds": 0}), "server"), "/turn_timer/seconds");
    assert_eq!(pointer(json!({"seconds": 1_209_601}), "server"), "/turn_timer/seconds");
    assert_eq!(pointer(json!({"seconds": 60}), "players"), "/turn_timer");
}
