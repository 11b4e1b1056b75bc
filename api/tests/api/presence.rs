//! Tests /v1/games/{id}/presence.

use std::time::Duration;

use pagade_tests::wait::until_some;
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::harness::{Server, TestStore, got, on_both_stores};

/// Creates a game and joins its two seats. Returns the path of the game and the tokens of the seats.
fn game_of_two(server: &Server) -> (String, [String; 2]) {
    let created = server.post("/v1/games", json!({"rule_set": "pagade", "players": ["red", "yellow"]}));
    let path = format!("/v1/games/{}", created.text("/game/id"));
    let tokens = ["red", "yellow"].map(|seat| server.post(&format!("{path}/seats/{seat}"), json!({})).text("/token"));
    (path, tokens)
}

fn follow(server: &Server, path: &str, token: Option<&str>) -> Response {
    let request = server.request("GET", &format!("{path}/events")).header("Accept", "text/event-stream");
    let request = token.into_iter().fold(request, |request, token| request.bearer_auth(token));
    let response = request.send().unwrap();
    assert_eq!(response.status(), 200);
    response
}

/// Waits until the presence is as expected: whether red is connected, whether yellow is, and the number of watchers.
pub(crate) fn becomes(server: &Server, path: &str, expected: (bool, bool, u64)) -> Value {
    until_some(Duration::from_secs(20), &format!("presence is {expected:?}"), || {
        let now = server.get(&format!("{path}/presence")).body;
        let connected = |seat: usize| now["seats"][seat]["connected"].as_bool().unwrap();
        ((connected(0), connected(1), now["watchers"].as_u64().unwrap()) == expected).then_some(now)
    })
}

on_both_stores!(a_seat_is_present_as_long_as_it_follows);
fn a_seat_is_present_as_long_as_it_follows(data: TestStore) {
    let server = Server::start(&data);
    let (path, [red, yellow]) = game_of_two(&server);
    let before = becomes(&server, &path, (false, false, 0));
    assert!(before["seats"][0]["last_seen"].is_string(), "it was seen when it was joined");
    let (stream, other, watcher) =
        (follow(&server, &path, Some(&red)), follow(&server, &path, Some(&yellow)), follow(&server, &path, None));
    let again = follow(&server, &path, Some(&red));
    becomes(&server, &path, (true, true, 1));
    drop((stream, watcher));
    becomes(&server, &path, (true, true, 0));
    drop((again, other));
    let after = becomes(&server, &path, (false, false, 0));
    assert!(after["seats"][0]["last_seen"].as_str() > before["seats"][0]["last_seen"].as_str());
}

on_both_stores!(presence_of_a_private_game_is_hidden_from_strangers);
fn presence_of_a_private_game_is_hidden_from_strangers(data: TestStore) {
    let server = Server::start(&data);
    let game = server.hot_seat(json!({"private": true}));
    assert_eq!(server.get(&game.path("/presence")).problem(), (404, "game_not_found"));
    let seen = got(server.request("GET", &game.path("/presence")).bearer_auth(&game.token).send().unwrap());
    assert_eq!((seen.status, seen.body["seats"].as_array().unwrap().len()), (200, 4));
}
