//! Tests /v1/rule-sets, /v1/rule-checks and /v1/rule-language.

use pagade_rules::bundled;
use serde_json::json;

use crate::harness::{Server, TestStore, on_both_stores};

const VARIANT: &str = "rules: street-pagade
version: 1.0.0
title: Street Pagade
extends: pagade
pawns: {each: 4, start: [12, 12, 12, 12]}
";

on_both_stores!(a_rule_set_tells_how_long_its_games_last);
fn a_rule_set_tells_how_long_its_games_last(data: TestStore) {
    let server = Server::start(&data);
    let length = |id: &str| server.get(&format!("/v1/rule-sets/{id}")).body["length"].clone();
    let ur = length("royal-game-of-ur");
    assert_eq!(ur["players"], 2);
    assert!((60..140).contains(&ur["turns"].as_u64().unwrap()), "{ur}");
    assert_eq!(length("royal-game-of-ur"), ur, "the games are the same each time");
    // No seat can finish, so no game gives a length.
    let text = "rules: endless-ur\nversion: 1.0.0\ntitle: Endless\nextends: royal-game-of-ur\n";
    let finish = "finish: {when: pawns(home) = 9}\n";
    let published = server.post("/v1/rule-sets", json!({"text": format!("{text}{finish}")}));
    assert_eq!(published.status, 201, "{}", published.raw);
    assert_eq!(length("endless-ur"), json!(null));
}

on_both_stores!(bundled_rule_sets_are_listed_and_read);
fn bundled_rule_sets_are_listed_and_read(data: TestStore) {
    let server = Server::start(&data);
    let list = server.get("/v1/rule-sets").body;
    let listed: Vec<_> = list["rule_sets"].as_array().unwrap().iter().map(|set| set["id"].as_str().unwrap()).collect();
    assert_eq!(listed, bundled::SETS.iter().map(|(id, _)| *id).collect::<Vec<_>>());
    let set = server.get("/v1/rule-sets/pagade").body;
    assert!(list["rule_sets"].as_array().unwrap().iter().any(|listed| listed["digest"] == set["digest"]));
    let option = set["options"].as_array().unwrap().iter().find(|option| option["name"] == "min_cuts").unwrap();
    assert_eq!((&option["default"], &option["to"]), (&json!(1), &json!(8)));
    assert!(set["clauses"]["PG-47"].as_array().unwrap().contains(&json!("landing.pair-by-pair")));
    assert_eq!(set["clause_texts"]["PG-01"], "Pagade is the national board game of India.");
    let variant = server.get("/v1/rule-sets/pagade-waiting").body;
    assert_eq!(variant["clause_texts"], set["clause_texts"], "a variant has the sentences of the set that it extends");
    assert!(server.get("/v1/rule-sets/pagade/source").raw.starts_with('#'));
    assert_eq!(server.get("/v1/rule-sets/pagade/versions").body["rule_sets"].as_array().unwrap().len(), 1);
    assert!(server.get("/v1/rule-sets/pagade/board?seat=red").raw.contains("<svg"));
    assert!(server.get("/v1/rule-language/schema").body["$schema"].is_string());
    assert_eq!(server.get("/v1/rule-sets/chess").problem(), (404, "rule_set_not_found"));
    assert_eq!(server.get("/v1/rule-sets/pagade?version=9").problem(), (404, "rule_set_not_found"));
}

on_both_stores!(a_rule_text_is_checked_and_every_problem_has_its_position);
fn a_rule_text_is_checked_and_every_problem_has_its_position(data: TestStore) {
    let server = Server::start(&data);
    let broken = VARIANT.replace("start: [12,", "start: [nowhere,").replace("title:", "tittle:");
    let checked = server.post("/v1/rule-checks", json!({"text": broken}));
    assert_eq!(checked.status, 200);
    assert_eq!(checked.body["playable"], false);
    let problems = checked.body["problems"].as_array().unwrap();
    assert!(problems.iter().any(|problem| problem["line"] == 3 && problem["severity"] == "error"), "{problems:?}");
    assert_eq!(server.post("/v1/rule-sets", json!({"text": broken})).problem(), (422, "rule_text_invalid"));
    let fine = server.post("/v1/rule-checks", json!({"text": VARIANT})).body;
    assert_eq!(fine["playable"], true, "{fine}");
    assert_eq!(fine.get("board"), None, "only who asks gets the board");
    // Of a long line, the part around the mistake is shown.
    let far = format!("pawns: {{each: 4,{}start: [nowhere,", " ".repeat(300));
    let long = VARIANT.replace("pawns: {each: 4, start: [12,", &far);
    let found = server.post("/v1/rule-checks", json!({"text": long})).body["problems"][0].take();
    let [column, begins] = ["column", "excerpt_column"].map(|name| found[name].as_u64().unwrap());
    let length = found["excerpt"].as_str().unwrap().chars().count() as u64;
    assert!(begins > 1 && (begins..begins + length).contains(&column), "{found}");
    assert_eq!(checked.body["problems"][0]["excerpt_column"], 1);
    let drawn = server.post("/v1/rule-checks?board=true", json!({"text": VARIANT})).body["board"].take();
    assert_eq!(server.post("/v1/rule-sets", json!({"text": VARIANT})).status, 201);
    let path = format!("/v1/rule-sets/{}/layout", drawn["rule_set"]["id"].as_str().unwrap());
    assert_eq!(server.get(&path).body, drawn, "the board is that of the published set");
    let without = server.post("/v1/rule-checks?board=true", json!({"text": broken})).body;
    assert_eq!((&without["playable"], without.get("board")), (&json!(false), None));
    for hostile in ["", "\t", "a: &a [*a, *a]", "{{{{{{{{{{", "rules: x\nrules: y\n", "- 1\n- 2\n", "\u{0}"] {
        let checked = server.post("/v1/rule-checks", json!({"text": hostile}));
        assert!(checked.status == 422 || checked.body["playable"] == false, "{hostile:?}: {}", checked.raw);
    }
    let deep = "[".repeat(20_000);
    assert_eq!(server.post("/v1/rule-checks", json!({"text": deep})).body["playable"], false);
    let large = "x".repeat(5 << 20);
    assert_eq!(server.post("/v1/rule-checks", json!({"text": large})).problem(), (413, "body_too_large"));
}

on_both_stores!(a_published_variant_is_played_and_outlives_the_process);
fn a_published_variant_is_played_and_outlives_the_process(data: TestStore) {
    let mut server = Server::start(&data);
    let published = server.post("/v1/rule-sets", json!({"text": VARIANT}));
    assert_eq!(published.status, 201, "{}", published.raw);
    assert_eq!(published.header("location"), "/v1/rule-sets/street-pagade?version=1.0.0");
    assert_eq!(server.post("/v1/rule-sets", json!({"text": VARIANT})).problem(), (409, "rule_set_exists"));
    let own = VARIANT.replace("street-pagade", "pagade");
    assert_ne!(server.post("/v1/rule-sets", json!({"text": own})).status, 201);
    let newer = VARIANT.replace("1.0.0", "1.10.0");
    let newest = VARIANT.replace("1.0.0", "1.9.0");
    for text in [newer, newest] {
        assert_eq!(server.post("/v1/rule-sets", json!({"text": text})).status, 201);
    }
    assert_eq!(server.get("/v1/rule-sets/street-pagade").body["version"], "1.10.0");
    let of_one = "rules: lane-pagade\nversion: 1.0.0\ntitle: Lane Pagade\nextends: street-pagade\n";
    assert_eq!(server.post("/v1/rule-sets", json!({"text": of_one})).status, 201);
    let mut game = server.hot_seat(json!({"rule_set": "lane-pagade", "dice": "players"}));
    assert_eq!(game.view["position"]["red"], json!(["12", "12", "12", "12"]));
    assert_eq!(game.throw("3+4").status, 200);
    let (path, view) = (game.path(""), game.view.clone());
    server.stop();
    let server = Server::start(&data);
    assert_eq!(server.get(&path).body, view);
    assert_eq!(server.get("/v1/rule-sets").body["rule_sets"].as_array().unwrap().len(), bundled::SETS.len() + 2);
}

on_both_stores!(a_game_that_a_rule_ends_is_finished_and_takes_no_throw);
fn a_game_that_a_rule_ends_is_finished_and_takes_no_throw(data: TestStore) {
    let server = Server::start(&data);
    let ends_at = |event: &str| {
        let id = event.replace('_', "-");
        let text = format!(
            "rules: at-{id}\nversion: 1.0.0\ntitle: The last pawn jumps home\nextends: ludo\n\
             pawns: {{start: [home, home, home, h5]}}\n\
             on: [{{id: up, event: {event}, do: jump h5 to home}}]\nfinish: {{play_on: no}}\n"
        );
        let published = server.post("/v1/rule-sets", json!({"text": text}));
        assert_eq!(published.status, 201, "{}", published.raw);
        server.hot_seat(json!({"rule_set": format!("at-{id}"), "dice": "players"}))
    };
    let mut game = ends_at("turn_end");
    assert_eq!(game.view["status"], "playing");
    assert_eq!(game.throw("3").status, 200);
    assert_eq!((&game.view["status"], &game.view["awaits"]), (&json!("finished"), &json!("nothing")));
    assert_eq!(game.throw("3").problem(), (409, "game_over"));
    let mut over = ends_at("turn_start");
    assert_eq!((&over.view["status"], &over.view["awaits"]), (&json!("finished"), &json!("nothing")));
    assert_eq!(over.throw("3").problem(), (409, "game_over"));
}
