//! Tests /v1/games/{id}/record and /v1/records.

use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};

fn import(server: &Server, media: &str, text: &str) -> Answer {
    let request = server.request("POST", "/v1/records").header("Content-Type", media);
    got(request.body(text.to_owned()).send().unwrap())
}

/// The lines of a record without the proof of its dice. An imported game has no such proof.
fn without_proof(record: &str) -> Vec<String> {
    let is_proof = |line: &&str| line.starts_with("# dice: ") || line.starts_with("# seed: ");
    let bare = |line: &str| match serde_json::from_str::<Value>(line) {
        Ok(Value::Object(mut header)) if header.contains_key("ruleset") => {
            header.retain(|key, _| !["seed", "dice"].contains(&key.as_str()));
            Value::Object(header).to_string()
        }
        _ => line.to_owned(),
    };
    record.lines().filter(|line| !is_proof(line)).map(bare).collect()
}

on_both_stores!(a_record_plays_to_the_same_game_again);
fn a_record_plays_to_the_same_game_again(data: TestStore) {
    let server = Server::start(&data);
    let mut game =
        server.hot_seat(json!({"players": ["red", "yellow"], "seed": "record", "options": {"dice_use": "any"}}));
    game.finish();
    for media in ["application/x-ndjson", "text/plain"] {
        let record = server.request("GET", &game.path("/record")).header("Accept", media).send().unwrap();
        let record = record.text().unwrap();
        let imported = import(&server, media, &record);
        assert_eq!(imported.status, 201, "{media}: {}", imported.raw);
        for field in ["position", "ranking", "options", "steps", "status", "rule_set"] {
            assert_eq!(imported.body["game"][field], game.view[field], "{media}: {field}");
        }
        let path = format!("/v1/games/{}/record", imported.text("/game/id"));
        let again = server.request("GET", &path).header("Accept", media).send().unwrap().text().unwrap();
        assert!(again != record && without_proof(&again) == without_proof(&record), "{media}");
    }
}

#[test]
fn a_record_with_too_many_lines_is_refused_at_the_first_line_too_many() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let refused = import(&server, "application/x-ndjson", &"{}\n".repeat(100_002));
    assert_eq!((refused.problem(), &refused.body["problems"][0]["line"]), ((422, "record_invalid"), &json!(100_001)));
}

on_both_stores!(a_record_that_breaks_the_rules_is_refused_with_its_line);
fn a_record_that_breaks_the_rules_is_refused_with_its_line(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    game.throw("3+4");
    game.play(&["6-9:3", "7-11:4"]);
    let record = server.get(&game.path("/record")).raw;
    let mut lines: Vec<Value> = record.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines[2]["legal"] = json!(["12-16:4"]);
    let forged: Vec<String> = lines.iter().map(Value::to_string).collect();
    let refused = import(&server, "application/x-ndjson", &forged.join("\n"));
    assert_eq!(refused.problem(), (422, "record_invalid"));
    assert_eq!(refused.body["problems"][0]["line"], 3);
    let text = "# rule set: pagade 1.0.0\n# players: red yellow\n1. red: throw 3+4; 6-10:3\n";
    let refused = import(&server, "text/plain", text);
    assert_eq!(refused.body["problems"][0]["line"], 3, "{}", refused.raw);
    for (media, text) in [("text/plain", ""), ("text/plain", "# nonsense"), ("application/x-ndjson", "{}")] {
        assert_eq!(import(&server, media, text).problem(), (422, "record_invalid"), "{text:?}");
    }
    assert_eq!(import(&server, "application/json", "{}").problem(), (415, "media_type_unknown"));
}

on_both_stores!(a_game_goes_on_from_an_unfinished_record);
fn a_game_goes_on_from_an_unfinished_record(data: TestStore) {
    let server = Server::start(&data);
    let text = "# rule set: pagade\n# players: red yellow\n1. red: throw 3+4; 6-9:3\n";
    let imported = import(&server, "text/plain", text);
    assert_eq!(imported.status, 201, "{}", imported.raw);
    assert_eq!(imported.body["game"]["hand"], json!(["4"]));
    let path = format!("/v1/games/{}/actions", imported.text("/game/id"));
    let request = server.request("POST", &path).bearer_auth(imported.text("/token")).header("If-Match", "\"1\"");
    let played = got(request.json(&json!({"actions": ["7-11:4"]})).send().unwrap());
    assert_eq!((played.status, played.body["game"]["turn"].as_str()), (200, Some("yellow")));
}

on_both_stores!(a_long_game_is_read_as_a_short_one_is);
fn a_long_game_is_read_as_a_short_one_is(data: TestStore) {
    let server = Server::start(&data);
    std::fs::create_dir_all(data.path()).unwrap();
    let file = data.path().join("long.ndjson");
    let arguments = ["simulate", "pachisi", "--games", "1", "--record", file.to_str().unwrap()];
    let simulated = Command::new(env!("CARGO_BIN_EXE_pagade")).args(arguments).output().unwrap();
    assert!(simulated.status.success(), "{simulated:?}");
    let record = std::fs::read_to_string(&file).unwrap();
    let imported = import(&server, "application/x-ndjson", &record);
    let (view, path) = (&imported.body["game"], format!("/v1/games/{}", imported.text("/game/id")));
    assert!(view["events"].as_u64() > Some(2_000), "{}", imported.raw);
    assert_eq!(server.get(&format!("{path}?at={}", view["steps"])).body["position"], view["position"]);
    assert_eq!(
        server.get(&format!("{path}?at={}", view["steps"].as_u64().unwrap() + 1)).problem(),
        (404, "step_not_found")
    );
    assert_eq!(without_proof(&server.get(&format!("{path}/record")).raw), without_proof(&record));
    assert!(server.get(&format!("{path}/board?at=100")).raw.starts_with("<svg"));
}

on_both_stores!(a_record_longer_than_a_game_may_be_is_refused);
fn a_record_longer_than_a_game_may_be_is_refused(data: TestStore) {
    let server = Server::start(&data);
    let mut text = "# rule set: ludo\n# players: red yellow\n".to_owned();
    // With these throws no pawn ever enters the board, so every turn is a pass.
    for turn in 0..34_000 {
        let seat = ["red", "yellow"][turn % 2];
        text += &format!("{}. {seat}: throw 1; pass\n", turn + 1);
    }
    assert_eq!(import(&server, "text/plain", &text).problem(), (409, "game_too_long"));
}

on_both_stores!(options_of_a_record_are_read_as_its_rule_set_declares_them);
fn options_of_a_record_are_read_as_its_rule_set_declares_them(data: TestStore) {
    let server = Server::start(&data);
    let text = "rules: answers\nversion: 1.0.0\ntitle: Answers\nextends: pagade\nsources: [A village]\noptions:\n\
        \x20 sure: {yes_no: no, text: A truth value}\n\
        \x20 count: {from: 0, to: 9, default: 0, text: A number}\n";
    assert_eq!(server.post("/v1/rule-sets", json!({"text": text})).status, 201);
    let record = "# rule set: answers 1.0.0\n# players: red yellow\n# option sure: true\n# option count: 7\n1. red: throw 3+4; 6-9:3; 7-11:4\n";
    let imported = import(&server, "text/plain", record);
    assert_eq!(imported.status, 201, "{}", imported.raw);
    let options = &imported.body["game"]["options"];
    assert_eq!((&options["sure"], &options["count"]), (&json!(true), &json!(7)));
    let wrong = record.replace("sure: true", "sure: perhaps");
    assert_eq!(import(&server, "text/plain", &wrong).problem(), (422, "record_invalid"));
}
