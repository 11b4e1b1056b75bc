//! Tests robots in seats of games: they play by themselves, on any replica, and people cannot play for them.

use std::time::{Duration, Instant};

use pagade_tests::wait::until_some;
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
    until_some(Duration::from_secs(25), &format!("{path} has {steps} steps"), || {
        Some(server.get(path).body).filter(|view| view["steps"].as_u64() >= Some(steps))
    })
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
        game.view = until_some(Duration::from_secs(12), "the robots have played", || {
            Some(server.get(&game.path("")).body).filter(|view| view["turn"] == "red")
        });
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
    // The stopped replica may have leased a task (a robot's turn). The other replica takes the task when the lease has
    // ended.
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

/// Creates a game of Ur in which every seat is a robot without a pause.
fn without_pause(server: &Server) -> Answer {
    let robots = json!({"white": "hunter", "black": "runner"});
    let body = json!({"rule_set": "royal-game-of-ur", "robots": robots, "start": true, "robot_pause_milliseconds": 0});
    let created = server.post("/v1/games", body);
    assert_eq!(
        (created.status, &created.body["game"]["robot_pause_milliseconds"]),
        (201, &json!(0)),
        "{}",
        created.raw
    );
    created
}

fn await_end(server: &Server, path: &str) -> Value {
    until_some(Duration::from_secs(60), &format!("the robots finish {path}"), || {
        Some(server.get(path).body).filter(|view| view["status"] == "finished")
    })
}

on_both_stores!(robots_without_a_pause_play_one_turn_after_the_other);
fn robots_without_a_pause_play_one_turn_after_the_other(data: TestStore) {
    let server = Server::start(&data);
    let began = Instant::now();
    let games: Vec<String> = (0..4).map(|_| path_of(&without_pause(&server))).collect();
    let turns: u64 = games.iter().map(|path| await_end(&server, path)["version"].as_u64().unwrap()).sum();
    let each = began.elapsed().as_secs_f64() / turns as f64;
    println!("{turns} turns, {:.1} milliseconds each", each * 1000.0);
    // With the usual pause of half a second, four games at a time would take 0.125 seconds a turn.
    assert!(each < 0.1, "{each} seconds a turn");
    for path in &games {
        let events = server.get(&format!("{path}/events?limit=1000")).body["events"].clone();
        let events = events.as_array().unwrap();
        assert!(events.iter().zip(1..).all(|(event, number)| event["id"] == number), "no gap, nothing twice");
        let turns_at = |version: &Value| {
            let thrown = events.iter().filter(|event| event["event"] == "thrown" && event["version"] == *version);
            thrown.map(|event| event["seat"].as_str().unwrap()).collect::<std::collections::BTreeSet<_>>().len()
        };
        assert!(events.iter().all(|event| turns_at(&event["version"]) <= 1), "one turn a commit");
    }
}

on_both_stores!(others_are_served_while_robots_play_without_a_pause);
fn others_are_served_while_robots_play_without_a_pause(data: TestStore) {
    let server = Server::start(&data);
    // A late decision of a person is played, and the robots with a pause play on, among many games without one.
    let late = server.post(
        "/v1/games",
        json!({"rule_set": "pagade", "hot_seat": true, "turn_timer": {"seconds": 1, "then": "first"}}),
    );
    let (late, paused) = (path_of(&late), path_of(&robots_only(&server)));
    let games: Vec<String> = (0..12).map(|_| path_of(&without_pause(&server))).collect();
    let began = Instant::now();
    await_steps(&server, &late, 2);
    await_steps(&server, &paused, 4);
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    for path in &games {
        await_end(&server, path);
    }
}

on_both_stores!(a_robot_without_a_pause_answers_a_person_at_once);
fn a_robot_without_a_pause_answers_a_person_at_once(data: TestStore) {
    let server = Server::start(&data);
    let (robots, mut waited) = (json!({"yellow": "runner"}), Vec::new());
    let mut game =
        server.hot_seat(json!({"players": ["red", "yellow"], "robots": robots, "robot_pause_milliseconds": 0}));
    while waited.len() < 9 {
        while game.view["turn"] == "red" {
            assert_eq!(game.step().status, 200);
        }
        let began = Instant::now();
        while game.view["turn"] != "red" {
            assert!(began.elapsed() < Duration::from_secs(10), "the robot has stopped: {}", game.view);
            game.view = server.get(&game.path("")).body;
        }
        waited.push(began.elapsed());
    }
    waited.sort_unstable();
    assert!(waited[4] < Duration::from_millis(300), "{waited:?}");
}

on_both_stores!(a_short_pause_is_kept);
fn a_short_pause_is_kept(data: TestStore) {
    let server = Server::start(&data);
    let robots = json!({"white": "hunter", "black": "runner"});
    let body =
        json!({"rule_set": "royal-game-of-ur", "robots": robots, "start": true, "robot_pause_milliseconds": 150});
    let path = path_of(&server.post("/v1/games", body));
    let began = Instant::now();
    await_steps(&server, &path, 40);
    let turns = server.get(&path).body["version"].as_u64().unwrap() - 1;
    let each = began.elapsed().as_secs_f64() / turns as f64;
    println!("{:.0} milliseconds a turn", each * 1000.0);
    assert!((0.145..0.4).contains(&each), "{each} seconds a turn");
}

on_both_stores!(the_pause_of_robots_has_bounds);
fn the_pause_of_robots_has_bounds(data: TestStore) {
    let server = Server::start(&data);
    let body = |pause: Value| json!({"rule_set": "royal-game-of-ur", "robot_pause_milliseconds": pause});
    for pause in [json!(-1), json!(10_001), json!(0.5), json!("0"), json!(100_000)] {
        let refused = server.post("/v1/games", body(pause));
        assert_eq!(refused.status / 100, 4, "{}", refused.raw);
        assert_eq!(refused.body["problems"][0]["pointer"], "/robot_pause_milliseconds", "{}", refused.raw);
    }
    let shown = |pause: Value| server.post("/v1/games", body(pause)).body["game"]["robot_pause_milliseconds"].clone();
    assert_eq!([json!(10_000), json!(500), Value::Null].map(shown), [json!(10_000), Value::Null, Value::Null]);
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
    // A robot agrees to every proposal to which the people at the table agree.
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
