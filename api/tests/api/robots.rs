//! Tests robots in seats of games: they play by themselves, on any replica, and people cannot play for them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestGame, TestStore, got, on_both_stores};
use crate::timers::await_event;

/// Creates a game of Ur in which every seat is a robot. It starts at once.
fn robots_only(server: &Server) -> Answer {
    let robots = json!({"white": "hunter", "black": "runner"});
    let body = json!({"rule_set": "royal-game-of-ur", "robots": robots, "start": true});
    let created = server.post("/v1/games", body);
    assert_eq!(created.status, 201, "{}", created.raw);
    created
}

fn path_of(created: &Answer) -> String {
    format!("/v1/games/{}", created.text("/game/id"))
}

/// Waits until the game has at least this number of throws and actions.
fn await_steps(server: &Server, path: &str, steps: u64) -> Value {
    let end = Instant::now() + Duration::from_secs(25);
    loop {
        let view = server.get(path).body;
        if view["steps"].as_u64() >= Some(steps) {
            return view;
        }
        assert!(Instant::now() < end, "the robots have stopped: {view}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

on_both_stores!(a_person_plays_against_robots);
fn a_person_plays_against_robots(data: TestStore) {
    let server = Server::start(&data);
    let robots = json!({"black": "hunter", "yellow": "runner", "green": "random"});
    let mut game = server.hot_seat(json!({"robots": robots}));
    for (index, robot) in [None, Some("hunter"), Some("runner"), Some("random")].into_iter().enumerate() {
        assert_eq!(game.view["seats"][index].get("robot").and_then(Value::as_str), robot);
        assert_eq!(game.view["seats"][index]["taken"], true);
    }
    let events = server.get(&game.path("/events")).body["events"].clone();
    let joined = events.as_array().unwrap().iter().filter(|event| event["event"] == "joined");
    let joined: Vec<_> = joined.map(|event| (event["seat"].clone(), event["robot"].clone())).collect();
    assert_eq!(joined[0], (json!("black"), json!("hunter")), "in the order of the seats");
    assert_eq!(joined.len(), 3);
    for _ in 0..2 {
        while game.view["turn"] == "red" {
            assert_eq!(game.step().status, 200);
        }
        let refused = game.step();
        assert_eq!(refused.problem(), (409, "not_your_turn"), "{}", refused.raw);
        assert!(game.view["deadline"].as_str().is_some(), "the time at which the robot plays");
        let end = Instant::now() + Duration::from_secs(12);
        while game.view["turn"] != "red" {
            assert!(Instant::now() < end, "the robots have stopped: {}", game.view);
            std::thread::sleep(Duration::from_millis(50));
            game.view = server.get(&game.path("")).body;
        }
        assert!(game.view.get("deadline").is_none(), "the person has all the time in the world");
    }
    let throws = server.get(&game.path("/events?limit=1000")).body["events"].clone();
    let throws = throws.as_array().unwrap().iter().filter(|event| event["event"] == "thrown");
    let seats: Vec<_> = throws.filter_map(|event| event["seat"].as_str().map(str::to_owned)).collect();
    for seat in ["red", "black", "yellow", "green"] {
        assert!(seats.iter().filter(|thrower| *thrower == seat).count() >= 2, "{seat}: {seats:?}");
    }
}

on_both_stores!(robots_play_on_after_a_restart);
fn robots_play_on_after_a_restart(data: TestStore) {
    let mut server = Server::start(&data);
    let path = path_of(&robots_only(&server));
    let before = await_steps(&server, &path, 2)["steps"].as_u64().unwrap();
    server.stop();
    let server = Server::start(&data);
    await_steps(&server, &path, before + 3);
}

#[test]
fn robots_play_on_at_another_replica() {
    let data = TestStore::on_redis();
    let (mut one, other) = (Server::start(&data), Server::start(&data));
    let games: Vec<String> = (0..4).map(|_| path_of(&robots_only(&one))).collect();
    games.iter().for_each(|path| drop(await_steps(&other, path, 2)));
    one.stop();
    let steps: Vec<u64> = games.iter().map(|path| other.get(path).body["steps"].as_u64().unwrap()).collect();
    // A task that the lost replica had leased is done when its lease has ended.
    for (path, steps) in games.iter().zip(steps) {
        let view = await_steps(&other, path, steps + 3);
        let numbers = other.get(&format!("{path}/events?limit=1000")).body["events"].clone();
        let numbers: Vec<u64> = numbers.as_array().unwrap().iter().filter_map(|event| event["id"].as_u64()).collect();
        assert!(numbers.iter().zip(1..).all(|(id, number)| *id == number), "no gap, nothing twice: {view}");
    }
}

on_both_stores!(many_tables_of_robots_advance_evenly);
fn many_tables_of_robots_advance_evenly(data: TestStore) {
    let server = Server::start(&data);
    let games: Vec<String> = (0..30).map(|_| path_of(&robots_only(&server))).collect();
    for path in &games {
        await_steps(&server, path, 6);
    }
    let turns = games.iter().map(|path| server.get(path).body["version"].as_u64().unwrap());
    let turns: Vec<u64> = turns.collect();
    let (least, most) = (turns.iter().min().unwrap(), turns.iter().max().unwrap());
    assert!(most - least <= 12, "{turns:?}");
}

on_both_stores!(seats_of_robots_are_named_in_the_request);
fn seats_of_robots_are_named_in_the_request(data: TestStore) {
    let server = Server::start(&data);
    let refused = |more: Value| {
        let mut body = json!({"rule_set": "pagade", "players": ["red", "yellow"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let got = server.post("/v1/games", body);
        assert_eq!(got.problem(), (422, "body_invalid"), "{}", got.raw);
        got.text("/problems/0/pointer")
    };
    assert_eq!(refused(json!({"robots": {"green": "hunter"}})), "/robots/green");
    assert_eq!(refused(json!({"robots": {"red": "chess"}})), "/robots/red");
    assert_eq!(refused(json!({"robots": {"red": "hunter"}, "seats": {"red": {}}})), "/robots/red");
    assert_eq!(refused(json!({"robots": {"red": "hunter"}, "dice": "players"})), "/robots");
    assert_eq!(refused(json!({"robots": {"red": "hunter"}, "start": true})), "/start");
}

on_both_stores!(the_owner_may_replace_a_robot_before_the_start);
fn the_owner_may_replace_a_robot_before_the_start(data: TestStore) {
    let server = Server::start(&data);
    let robots = json!({"red": "hunter", "yellow": "hunter"});
    let created =
        server.post("/v1/games", json!({"rule_set": "pagade", "players": ["red", "yellow"], "robots": robots}));
    let mut game = TestGame::of(&server, &created);
    let taken = server.post(&game.path("/seats/red"), json!({}));
    assert_eq!(taken.problem(), (409, "seat_taken"));
    let renewed = server.request("POST", &game.path("/seats/red/token")).bearer_auth(&game.token);
    assert_eq!(got(renewed.json(&json!({})).send().unwrap()).problem().0, 409, "a robot has no token");
    let freed = server.request("DELETE", &game.path("/seats/red")).bearer_auth(&game.token).send().unwrap();
    assert!(freed.status().is_success());
    let joined = server.post(&game.path("/seats/red"), json!({"name": "Asha"}));
    assert_eq!(joined.status, 201, "{}", joined.raw);
    assert!(joined.body["game"]["seats"][0].get("robot").is_none());
    game.seats.insert("red".to_owned(), joined.text("/token"));
    let started = server.request("POST", &game.path("/start")).bearer_auth(&game.token);
    assert_eq!(got(started.json(&json!({})).send().unwrap()).status, 200);
    // A robot agrees to whatever the people at the table agree to.
    let agreed = server.request("POST", &game.path("/agreements")).bearer_auth(&game.seats["red"]);
    let agreed = got(agreed.json(&json!({"to": "end"})).send().unwrap());
    assert_eq!((agreed.status, &agreed.body["ended_by"]), (200, &json!("agreement")), "{}", agreed.raw);
}

on_both_stores!(a_robot_plays_for_a_late_player);
fn a_robot_plays_for_a_late_player(data: TestStore) {
    let server = Server::start(&data);
    let timer = json!({"seconds": 1, "then": "hunter"});
    let game = server.hot_seat(json!({"turn_timer": timer}));
    assert_eq!(game.view["turn_timer"], timer);
    await_event(&server, &game.path(""), 2, "time_over");
}
