//! Tests /v1/games/{id}/seats and the start of a game.

use serde_json::{Value, json};

use crate::harness::{Server, TestStore, got, on_both_stores};
use crate::players::TestPlayer;

on_both_stores!(players_join_the_owner_starts_and_each_plays_in_turn);
fn players_join_the_owner_starts_and_each_plays_in_turn(data: TestStore) {
    let server = Server::start(&data);
    let created = server.post("/v1/games", json!({"rule_set": "pagade", "players": ["red", "yellow"]}));
    let (path, owner) = (format!("/v1/games/{}", created.text("/game/id")), created.text("/token"));
    let start = |token: &str| got(server.request("POST", &format!("{path}/start")).bearer_auth(token).send().unwrap());
    assert_eq!(start(&owner).problem(), (409, "seats_free"));
    let red = server.post(&format!("{path}/seats/red"), json!({"name": "Asha"}));
    assert_eq!(red.status, 201);
    assert_eq!(red.body["game"]["seats"][0]["name"], "Asha");
    assert_eq!(server.post(&format!("{path}/seats/red"), json!({})).problem(), (409, "seat_taken"));
    assert_eq!(server.post(&format!("{path}/seats/black"), json!({})).problem(), (404, "seat_not_found"));
    let yellow = got(server.request("POST", &format!("{path}/seats/yellow")).send().unwrap());
    let (red, yellow) = (red.text("/token"), yellow.text("/token"));
    assert_eq!(start(&red).problem(), (403, "not_allowed"));
    let started = start(&owner);
    assert_eq!((started.status, started.body["turn"].as_str()), (200, Some("red")));
    assert_eq!(start(&owner).problem(), (409, "game_started"));

    let throw = |token: Option<&str>| {
        let request = server.request("POST", &format!("{path}/throws")).header("If-Match", started.header("etag"));
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        got(request.send().unwrap())
    };
    assert_eq!(throw(None).problem(), (401, "token_missing"));
    assert_eq!(throw(Some("pagade_guess")).problem(), (401, "token_unknown"));
    assert_eq!(throw(Some(&owner)).problem(), (403, "not_allowed"));
    assert_eq!(throw(Some(&yellow)).problem(), (409, "not_your_turn"));
    assert_eq!(throw(Some(&red)).status, 200);
}

on_both_stores!(a_seat_that_was_left_is_free_and_its_token_is_invalid);
fn a_seat_that_was_left_is_free_and_its_token_is_invalid(data: TestStore) {
    let server = Server::start(&data);
    let created = server.post("/v1/games", json!({"rule_set": "pagade"}));
    let path = format!("/v1/games/{}/seats/red", created.text("/game/id"));
    let leave = |token: &str| got(server.request("DELETE", &path).bearer_auth(token).send().unwrap());
    let first = server.post(&path, json!({})).text("/token");
    let other = server.post(&path.replace("red", "black"), json!({})).text("/token");
    assert_eq!(leave(&other).problem(), (403, "not_allowed"));
    assert_eq!(leave(&first).status, 204);
    assert_eq!(leave(&first).problem(), (401, "token_revoked"));
    let second = server.post(&path, json!({}));
    assert_eq!(second.status, 201);
    assert_eq!(leave(&created.text("/token")).status, 204);
}

on_both_stores!(of_two_players_who_join_one_seat_at_once_exactly_one_gets_it);
fn of_two_players_who_join_one_seat_at_once_exactly_one_gets_it(data: TestStore) {
    let server = Server::start(&data);
    let created = server.post("/v1/games", json!({"rule_set": "pagade"}));
    let path = format!("/v1/games/{}/seats/red", created.text("/game/id"));
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let joins: Vec<_> = (0..8).map(|_| scope.spawn(|| server.post(&path, json!({})).status)).collect();
        joins.into_iter().map(|join| join.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|&&status| status == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|&&status| status == 409).count(), 7, "{statuses:?}");
}

on_both_stores!(the_token_of_a_player_who_is_gone_takes_no_seat);
fn the_token_of_a_player_who_is_gone_takes_no_seat(data: TestStore) {
    let server = Server::start(&data);
    let created = server.post("/v1/games", json!({"rule_set": "pagade", "players": ["red", "yellow"]}));
    let (path, owner) = (format!("/v1/games/{}", created.text("/game/id")), created.text("/token"));
    let gone = TestPlayer::new(&server, "Asha");
    assert_eq!(gone.ask("DELETE", "", Value::Null).status, 204);
    let sit = |seat: &str, token: &str| {
        let request = server.request("POST", &format!("{path}/seats/{seat}")).bearer_auth(token);
        got(request.json(&json!({"name": "Asha"})).send().unwrap())
    };
    assert_eq!(sit("red", &gone.token).problem(), (401, "token_unknown"));
    let own = server.request("POST", "/v1/games").bearer_auth(&gone.token).json(&json!({"rule_set": "pagade"}));
    assert_eq!(got(own.send().unwrap()).problem(), (401, "token_unknown"));
    assert!(!server.get(&path).raw.contains("Asha"));
    assert_eq!(sit("red", &owner).status, 201, "the owner may take a seat");
}
