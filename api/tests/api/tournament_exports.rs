//! Tests the data of tournaments for other programs: exports as JSON and CSV, the records of all games, stream tickets,
//! webhooks.

use pagade_tests::receiver::Receiver;
use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::tournaments::{TestTournament, swiss};

fn export(cup: &TestTournament<'_>, rest: &str, media: &str) -> Answer {
    got(cup.server.request("GET", &cup.path(rest)).header("Accept", media).send().unwrap())
}

on_both_stores!(the_records_of_all_games_come_in_one_answer);
fn the_records_of_all_games_come_in_one_answer(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, swiss(2), json!({}));
    cup.enter(&["Asha", "Bina", "Chitra", "Devi"]);
    assert_eq!(export(&cup, "/export", "application/x-ndjson").raw, "", "no game has begun");
    assert_eq!(cup.post("/start", json!({})).status, 200);
    let mut games = Vec::new();
    for number in 1..=2 {
        let round = cup.pair();
        for table in round["tables"].as_array().unwrap() {
            let id = table["games"][0]["id"].as_str().unwrap().to_owned();
            // A throw and an action are played, so that the record has a line.
            let view = server.get(&format!("/v1/games/{id}")).body;
            let first = table["entrants"][0].as_u64().unwrap();
            let command = |rest: &str, body: Value| {
                let request = server.request("POST", &format!("/v1/games/{id}{rest}"));
                got(request.bearer_auth(cup.entrant_token(first)).header("If-Match", "*").json(&body).send().unwrap())
            };
            assert_eq!(view["awaits"], "throw");
            let thrown = command("/throws", json!({})).body["game"].clone();
            if let Some(action) = thrown["legal"].get(0) {
                assert_eq!(command("/actions", json!({"actions": [action]})).status, 200);
            }
            games.push(id);
        }
        cup.play_round(number);
    }
    let records = export(&cup, "/export", "application/x-ndjson");
    assert_eq!((records.status, records.header("content-type")), (200, "application/x-ndjson"));
    let lines: Vec<Value> = records.raw.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let heads: Vec<&Value> = lines.iter().filter(|line| line["ruleset"].is_string()).collect();
    let ids: Vec<&str> = heads.iter().map(|head| head["id"].as_str().unwrap()).collect();
    assert_eq!(ids, games, "in the order of rounds and tables");
    let places: Vec<[u64; 3]> =
        heads.iter().map(|head| ["game", "round", "table"].map(|field| head[field].as_u64().unwrap())).collect();
    assert_eq!(places, [[0, 1, 1], [1, 1, 2], [2, 2, 1], [3, 2, 2]]);
    assert!(heads.iter().all(|head| head["seed"].is_string() && head["dice"]["seed_hash"].is_string()));
    // Each record is complete: its import, which replays it, succeeds.
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at]["ruleset"].is_string()).collect();
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(lines.len());
        let record = records.raw.lines().skip(*start).take(end - start).collect::<Vec<_>>().join("\n");
        if end > start + 1 {
            let import = server.request("POST", "/v1/records").header("Content-Type", "application/x-ndjson");
            assert_eq!(import.body(record).send().unwrap().status(), 201);
        }
    }
    let second = export(&cup, "/export?round=2", "application/x-ndjson");
    assert_eq!(second.raw.lines().filter(|line| line.contains("\"ruleset\"")).count(), 2);
    assert_eq!(export(&cup, "/export?round=2", "text/csv").raw.lines().count(), 5);
    assert_eq!(export(&cup, "/export?round=2", "application/json").body["rounds"][0]["round"], 2);
    assert_eq!(export(&cup, "/export?round=3", "text/csv").problem(), (404, "round_not_found"));
    assert_eq!(export(&cup, "/export", "image/png").problem(), (406, "not_acceptable"));
}

on_both_stores!(a_ticket_opens_the_stream_of_a_tournament_and_groups_list_the_games);
fn a_ticket_opens_the_stream_of_a_tournament_and_groups_list_the_games(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, swiss(1), json!({}));
    cup.enter(&["Asha", "Bina", "Chitra", "Devi"]);
    let tickets = cup.path("/tickets");
    for token in [&cup.token, &cup.arbiter, cup.entrant_token(1)] {
        let issued = got(server.request("POST", &tickets).bearer_auth(token).send().unwrap());
        assert_eq!(issued.status, 201, "{}", issued.raw);
        let stream = server.request("GET", &issued.text("/url")).header("Accept", "text/event-stream").send().unwrap();
        assert_eq!(stream.status(), 200);
        let again = server.request("GET", &issued.text("/url")).header("Accept", "text/event-stream").send().unwrap();
        assert_eq!(got(again).problem(), (401, "ticket_unknown"), "it was used");
    }
    assert_eq!(got(server.request("POST", &tickets).send().unwrap()).problem(), (401, "token_missing"));
    let stranger = got(server.request("POST", &tickets).bearer_auth("pagade_nobody").send().unwrap());
    assert_eq!(stranger.problem(), (401, "token_unknown"));
    assert_eq!(cup.post("/start", json!({})).status, 200);
    let round = cup.pair();
    cup.play_round(1);
    let games = format!("/v1/groups/{}/games?status=finished", round["group"].as_str().unwrap());
    until("the group lists the games", || server.get(&games).body["games"].as_array().unwrap().len() == 2);
    let events = format!("/v1/groups/{}/events?limit=1000", round["group"].as_str().unwrap());
    until("the group has the events of the games", || {
        let page = server.get(&events).body;
        page["events"].as_array().unwrap().iter().filter(|event| event["event"] == "game_over").count() == 2
    });
}

on_both_stores!(a_webhook_receives_the_events_of_the_tournament_in_order);
fn a_webhook_receives_the_events_of_the_tournament_in_order(data: TestStore) {
    let server = Server::start_with(&data, |config| config.webhooks.allows_private = true);
    let receiver = Receiver::start();
    let mut cup = TestTournament::new(&server, swiss(1), json!({}));
    let events = ["entrant_entered", "round_paired", "table_result", "round_over", "tournament_over"];
    let wrong = cup.post("/webhooks", json!({"url": receiver.url, "events": ["round_pared"]}));
    assert_eq!(wrong.problem(), (422, "body_invalid"));
    assert_eq!(cup.post("/webhooks", json!({"url": receiver.url, "events": events})).status, 201);
    cup.enter(&["Asha", "Bina"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    cup.pair();
    cup.play_round(1);
    assert_eq!(cup.post("/finish", json!({})).status, 200);
    until("the end of the tournament was told", || {
        receiver.messages().iter().any(|message| message.body.contains("tournament_over"))
    });
    let bodies: Vec<Value> =
        receiver.messages().iter().map(|message| serde_json::from_str(&message.body).unwrap()).collect();
    assert!(
        bodies.iter().all(|body| body["type"] == "tournament.events" && body["data"]["tournament"] == json!(cup.id)),
        "{bodies:?}"
    );
    let told = bodies.iter().flat_map(|body| body["data"]["events"].as_array().unwrap());
    let told: Vec<_> = told.map(|event| event["event"].as_str().unwrap().to_owned()).collect();
    let expected =
        ["entrant_entered", "entrant_entered", "round_paired", "table_result", "round_over", "tournament_over"];
    assert_eq!(told, expected, "only what was asked for, once, in order");
}
