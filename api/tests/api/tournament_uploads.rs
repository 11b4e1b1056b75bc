//! Tests rounds that an organiser has paired and uploads.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::tournaments::{TestTournament, swiss};

fn upload(cup: &TestTournament<'_>, token: &str, key: &str, round: Value) -> Answer {
    let request = cup.server.request("POST", &cup.path("/rounds")).bearer_auth(token);
    got(request.header("Idempotency-Key", key).json(&round).send().unwrap())
}

fn send(cup: &TestTournament<'_>, round: Value) -> Answer {
    upload(cup, &cup.arbiter, &Uuid::now_v7().to_string(), round)
}

fn pointers(refused: &Answer) -> Vec<(&str, &str)> {
    assert_eq!(refused.problem(), (422, "body_invalid"), "{}", refused.raw);
    let parts = refused.body["problems"].as_array().unwrap().iter();
    parts.map(|part| (part["pointer"].as_str().unwrap(), part["detail"].as_str().unwrap())).collect()
}

on_both_stores!(an_uploaded_round_is_checked_whole_and_then_like_any_other);
fn an_uploaded_round_is_checked_whole_and_then_like_any_other(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, swiss(2), json!({}));
    cup.enter(&["Asha", "Bina", "Chitra", "Devi", "Esha", "Farah"]);
    let good = json!({"round": 1, "tables": [{"entrants": [4, 1], "why": "the organiser's choice"},
        {"entrants": [2, 3]}], "byes": [{"entrant": 5, "why": "asked for it"}]});
    assert_eq!(send(&cup, good.clone()).problem(), (409, "tournament_not_started"));
    assert_eq!(cup.post("/entrants/6/absences", json!({"round": 1})).status, 200);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    let bad = json!({"tables": [{"entrants": [1, 9]}, {"entrants": [2, 1]}, {"entrants": [6, 3, 4]}], "byes": []});
    let refused = send(&cup, bad);
    assert_eq!(
        pointers(&refused),
        [
            ("/tables/0/entrants/1", "no entrant has the number 9"),
            ("/tables/1/entrants/1", "entrant 1 is listed twice"),
            ("/tables/2/entrants", "3 entrants sit at the table; in this form, 2 to 2 do"),
            ("/tables/2/entrants/0", "entrant 6 is not present in this round"),
            ("/byes", "entrant 5 is present, and has neither a table nor a bye"),
            ("/tables/2/entrants", "the rule set has no table of 3 seats with these options"),
        ]
    );
    let unreadable =
        json!({"tables": [{"entrants": [1, 2], "why": "a\u{202e}b"}], "byes": [{"entrant": 3, "why": " "}]});
    let refused = send(&cup, unreadable);
    assert_eq!(pointers(&refused).iter().map(|(at, _)| *at).collect::<Vec<_>>(), ["/tables/0/why", "/byes/0/why"]);
    let refused = send(&cup, json!({"byes": [{"entrant": 3}]}));
    assert_eq!(pointers(&refused)[0].0, "/byes");
    assert!(cup.get("").body["rounds"].as_array().unwrap().is_empty(), "a refused round leaves nothing behind");
    assert_eq!(upload(&cup, cup.entrant_token(1), "k", good.clone()).problem(), (403, "not_allowed"));
    // A repeated request has one effect.
    let key = Uuid::now_v7().to_string();
    let (first, again) =
        (upload(&cup, &cup.arbiter, &key, good.clone()), upload(&cup, &cup.arbiter, &key, good.clone()));
    assert_eq!((first.status, again.status, &first.body["round"]), (201, 201, &again.body["round"]));
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(send(&cup, good).problem(), (409, "round_paired"));
    let round = &first.body["round"];
    assert_eq!(round["tables"][0]["entrants"], json!([4, 1]));
    let why = round["tables"][0]["why"].as_str().unwrap();
    assert!(why.starts_with("uploaded by the organiser: the organiser's choice; 4 begins"), "{why}");
    assert!(round["byes"][0]["why"].as_str().unwrap().contains("asked for it"));
    let game = server.get(&format!("/v1/games/{}", round["tables"][0]["games"][0]["id"].as_str().unwrap()));
    let seats = round["tables"][0]["games"][0]["seats"].as_array().unwrap();
    let begins = seats.iter().find(|seat| seat["seat"] == game.body["turn"]).unwrap();
    assert_eq!(begins["entrant"], 4, "the first entrant of the table begins");
    cup.play_round(1);
    // The next round follows from the uploaded round: no two entrants meet again, and the bye of the organiser counts.
    let second = cup.pair();
    let tables = second["tables"].as_array().unwrap();
    let pairs: Vec<String> = tables.iter().map(|table| table["entrants"].to_string()).collect();
    assert!(pairs.iter().all(|pair| !["[4,1]", "[1,4]", "[2,3]", "[3,2]"].contains(&pair.as_str())), "{pairs:?}");
    cup.play_round(2);
    assert_eq!(cup.post("/finish", json!({})).text("/status"), "finished");
    let export = cup.get("/export").body;
    assert_eq!(export["rounds"][0]["tables"][0]["why"], why);
}

on_both_stores!(an_uploaded_round_of_a_knock_out_keeps_the_bracket);
fn an_uploaded_round_of_a_knock_out_keeps_the_bracket(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, json!({"kind": "knock_out"}), json!({}));
    cup.enter(&["Asha", "Bina", "Chitra", "Devi"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    let refused = send(&cup, json!({"tables": [{"entrants": [1, 2]}, {"entrants": [3, 4]}]}));
    assert_eq!(
        pointers(&refused),
        [
            ("/tables/0/entrants", "the bracket does not bring these entrants together"),
            ("/tables/1/entrants", "the bracket does not bring these entrants together"),
            ("/tables", "the bracket brings `1`, `4` together, and no table has them"),
            ("/tables", "the bracket brings `2`, `3` together, and no table has them"),
        ]
    );
    let turned = send(&cup, json!({"tables": [{"entrants": [4, 1]}, {"entrants": [3, 2]}]}));
    assert_eq!((turned.status, &turned.body["round"]["tables"][0]["entrants"]), (201, &json!([4, 1])));
    cup.play_round(1);
    assert_eq!(cup.pair()["tables"].as_array().unwrap().len(), 1);
    cup.play_round(2);
    assert_eq!(cup.places()[0], (1, 1));
}
