//! Tests /v1/games/{id}/tickets and /v1/groups/{id}/tickets.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use reqwest::blocking::Response;
use serde_json::json;

use crate::harness::{Server, TestStore, got, on_both_stores};

/// Opens a stream as `EventSource` in a browser does: it takes only an address and cannot send a token.
fn open(server: &Server, url: &str) -> Response {
    let request = server.request("GET", url).header("Accept", "text/event-stream");
    request.timeout(Duration::from_secs(20)).send().unwrap()
}

fn words(stream: Response) -> impl Iterator<Item = String> {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    lines.filter_map(|line| line.strip_prefix("event: ").map(str::to_owned))
}

on_both_stores!(a_ticket_opens_one_stream_once);
fn a_ticket_opens_one_stream_once(data: TestStore) {
    let server = Server::start(&data);
    let created = server.post("/v1/games", json!({"rule_set": "pagade", "private": true}));
    let path = format!("/v1/games/{}", created.text("/game/id"));
    let issue =
        || got(server.request("POST", &format!("{path}/tickets")).bearer_auth(created.text("/token")).send().unwrap());
    let ticket = issue();
    assert_eq!(ticket.status, 201, "{}", ticket.raw);
    let url = ticket.text("/url");
    assert_eq!(url, format!("{path}/events?ticket={}", ticket.text("/ticket")));
    assert_eq!(got(open(&server, &format!("{path}/events"))).problem(), (404, "game_not_found"), "the game is private");
    let stream = open(&server, &url);
    assert_eq!(stream.status(), 200);
    let mut words = words(stream);
    assert_eq!(words.next().unwrap(), "snapshot");
    assert_eq!(got(open(&server, &url)).problem(), (401, "ticket_unknown"), "it was used");
    // When the token is renewed, the stream that was opened with its ticket ends, too.
    let renew = server.request("POST", &format!("{path}/token")).bearer_auth(created.text("/token"));
    let renewed = got(renew.send().unwrap());
    assert_eq!(renewed.status, 201);
    assert_eq!(words.next(), None, "the token was renewed");
    assert_eq!(issue().problem(), (401, "token_revoked"));
    let issue = |path: &str| {
        got(server.request("POST", &format!("{path}/tickets")).bearer_auth(renewed.text("/token")).send().unwrap())
    };
    // A ticket is valid for its own game only, and a guessed ticket is refused.
    let other = server.post("/v1/games", json!({"rule_set": "pagade"}));
    let other = format!("/v1/games/{}/events?ticket={}", other.text("/game/id"), issue(&path).text("/ticket"));
    assert_eq!(got(open(&server, &other)).problem(), (401, "ticket_unknown"));
    let good = issue(&path).text("/url");
    let forged = format!("{}{}", &good[..good.len() - 64], "0".repeat(64));
    assert_eq!(got(open(&server, &forged)).problem(), (401, "ticket_unknown"));
    assert_eq!(open(&server, &good).status(), 200, "a forged ticket does not use up the real one");
    assert_eq!(got(open(&server, &format!("{path}/events?ticket=x"))).problem(), (400, "bad_query"));
}

on_both_stores!(requests_at_once_open_one_stream);
fn requests_at_once_open_one_stream(data: TestStore) {
    let server = Server::start(&data);
    let group = server.post("/v1/groups", json!({"private": true}));
    let path = format!("/v1/groups/{}/tickets", group.text("/group/id"));
    let ticket = got(server.request("POST", &path).bearer_auth(group.text("/invitation")).send().unwrap());
    let url = ticket.text("/url");
    let statuses: Vec<_> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(|| open(&server, &url).status().as_u16())).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 401].contains(status)), "{statuses:?}");
}

#[test]
fn any_process_takes_a_ticket() {
    let data = TestStore::on_redis();
    let (one, other) = (Server::start(&data), Server::start(&data));
    let game = one.hot_seat(json!({"private": true}));
    let ticket = got(one.request("POST", &game.path("/tickets")).bearer_auth(&game.token).send().unwrap());
    assert_eq!(open(&other, &ticket.text("/url")).status(), 200);
    assert_eq!(open(&one, &ticket.text("/url")).status(), 401);
}
