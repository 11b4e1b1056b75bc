//! `Prefer: wait` on /v1/games/{id}

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestGame, TestStore, got, on_both_stores};

/// Reads a game under a preference. `seen` is the version that the client has.
fn read(game: &TestGame<'_>, query: &str, prefer: &str, seen: Option<u64>) -> (Answer, Duration) {
    let began = Instant::now();
    let request = game.server.request("GET", &game.path(query)).header("Prefer", prefer);
    let request = match seen {
        Some(version) => request.header("If-None-Match", format!("\"{version}\"")),
        None => request,
    };
    let answer = got(request.send().unwrap());
    (answer, began.elapsed())
}

/// Long enough for a request to arrive and wait.
const MOMENT: Duration = Duration::from_millis(300);

on_both_stores!(a_game_is_read_when_it_has_changed);
fn a_game_is_read_when_it_has_changed(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let seen = game.version();
    let waiting =
        TestGame { server: &server, token: game.token.clone(), seats: game.seats.clone(), view: game.view.clone() };
    std::thread::scope(|scope| {
        let wait = scope.spawn(|| read(&waiting, "", "respond-async, wait=20", Some(seen)));
        std::thread::sleep(MOMENT);
        game.throw("3+4");
        let (answer, took) = wait.join().unwrap();
        assert_eq!((answer.status, answer.body["throw"].as_str()), (200, Some("3+4")));
        assert!(took >= MOMENT && took < Duration::from_secs(5), "{took:?}");
    });
    let (other, took) = read(&waiting, "", "wait=20", Some(seen));
    assert!(other.status == 200 && took < Duration::from_secs(5), "the client has an old version: {took:?}");
    let (same, took) = read(&waiting, "", "wait=1", Some(game.version()));
    assert!(same.status == 304 && took >= Duration::from_secs(1) && took < Duration::from_secs(5), "{took:?}");
}

on_both_stores!(a_game_is_read_when_it_is_the_turn_of_a_seat);
fn a_game_is_read_when_it_is_the_turn_of_a_seat(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"players": ["red", "yellow"], "dice": "players", "seed": "turn"}));
    let turn = game.view["turn"].as_str().unwrap().to_owned();
    let other = if turn == "red" { "yellow" } else { "red" };
    let waiting =
        TestGame { server: &server, token: game.token.clone(), seats: game.seats.clone(), view: game.view.clone() };
    let (now, took) = read(&waiting, &format!("?turn={turn}"), "wait=20", None);
    assert!(now.status == 200 && took < Duration::from_secs(5), "{took:?}");
    let query = format!("?turn={other}");
    std::thread::scope(|scope| {
        let wait = scope.spawn(|| read(&waiting, &query, "wait=\"20\"", None));
        std::thread::sleep(MOMENT);
        game.throw("3+4");
        while game.view["turn"] == turn.as_str() {
            assert_eq!(game.step().status, 200);
        }
        let (answer, _) = wait.join().unwrap();
        assert_eq!((answer.status, answer.body["turn"].as_str()), (200, Some(other)));
        assert!(answer.body["version"].as_u64() > waiting.view["version"].as_u64());
    });
    let (both, took) = read(&waiting, &query, "wait=1", Some(game.version()));
    assert!(
        both.status == 304 && took >= Duration::from_secs(1),
        "its turn at a version that the client has: {took:?}"
    );
    let unknown = read(&waiting, "?turn=mauve", "wait=20", None).0;
    assert_eq!((unknown.problem(), unknown.text("/problems/0/parameter").as_str()), ((400, "bad_query"), "turn"));
    assert!(unknown.text("/detail").contains("the seats are red, yellow"), "{}", unknown.raw);
}

on_both_stores!(nothing_is_awaited_from_a_finished_game_or_without_a_number);
fn nothing_is_awaited_from_a_finished_game_or_without_a_number(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"players": ["red", "yellow"], "seed": "end"}));
    for prefer in ["wait", "wait=", "wait=soon", "wait=-1", "return=minimal", ""] {
        let (answer, took) = read(&game, "", prefer, Some(game.version()));
        assert!(answer.status == 304 && took < Duration::from_secs(5), "{prefer}: {took:?}");
    }
    game.finish();
    game.view = server.get(&game.path("")).body;
    let (same, took) = read(&game, "", "wait=20", Some(game.version()));
    assert!(same.status == 304 && took < Duration::from_secs(5), "{took:?}");
    let (over, took) = read(&game, "?turn=red", "wait=20", None);
    assert!(over.body["turn"] == Value::Null && took < Duration::from_secs(5), "{took:?}");
}

on_both_stores!(a_waiting_client_is_answered_when_the_service_stops_or_its_token_is_revoked);
fn a_waiting_client_is_answered_when_the_service_stops_or_its_token_is_revoked(data: TestStore) {
    let mut server = Server::start(&data);
    let made = server.post("/v1/games", json!({"rule_set": "pagade", "private": true, "players": ["red", "yellow"]}));
    let path = format!("/v1/games/{}", made.text("/game/id"));
    let owner = made.text("/token");
    let join = |seat: &str| {
        let request = server.request("POST", &format!("{path}/seats/{seat}")).bearer_auth(&owner);
        got(request.json(&json!({})).send().unwrap()).text("/token")
    };
    let seat = join("red");
    let wait = |token: &str| {
        let request = server.request("GET", &format!("{path}?turn=red")).bearer_auth(token).header("Prefer", "wait=25");
        std::thread::spawn(move || got(request.send().unwrap()))
    };
    let (revoked, stays) = (wait(&seat), wait(&owner));
    std::thread::sleep(MOMENT);
    let revoke = server.request("DELETE", &format!("{path}/seats/red/token")).bearer_auth(&owner);
    assert_eq!(revoke.send().unwrap().status(), 204);
    assert_eq!(revoked.join().unwrap().problem(), (401, "token_revoked"));
    let began = Instant::now();
    server.stop();
    assert_eq!(stays.join().unwrap().status, 200);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}
