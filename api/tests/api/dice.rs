//! Tests /v1/games/{id}/dice, the proof of the dice. Independent programs check it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::harness::{Server, TestGame, TestStore, got};

/// Runs a program that checks the proof in `input`.
fn check(program: &str, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{program}: {error}"));
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn by_python(proof: &str, hash: &str) -> Output {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/examples/verify_dice.py");
    check("python3", &[path, hash], proof)
}

fn by_program(record: &str, hash: &str) -> Output {
    check(env!("CARGO_BIN_EXE_pagade"), &["verify", "-", "--hash", hash], record)
}

/// Plays a game to its end. Every seat has a player, who contributes to the seed of the dice as `wishes` says.
fn played<'s>(server: &'s Server, body: &Value, wishes: &Value) -> TestGame<'s> {
    let created = server.post("/v1/games", body.clone());
    assert_eq!(created.status, 201, "{}", created.body);
    let mut game = TestGame::of(server, &created);
    game.seat_all(wishes);
    game.finish();
    game
}

#[test]
fn independent_programs_prove_the_dice_of_real_games() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let by_chance = json!({"first_player": "random"});
    let games = [
        ("pagade", by_chance, "random"),
        ("ashta-chamma-5", json!({}), "highest"),
        ("superparcheesi", json!({}), "highest"),
    ];
    for (set, options, begins) in games {
        let mut game = TestGame::of(&server, &server.post("/v1/games", json!({"rule_set": set, "options": options})));
        let hash = game.view["seed_hash"].as_str().unwrap().to_owned();
        let texts = ["a cup of tea", "= 12", "red=12", "x"].map(|text| json!({"contribution": text}));
        let names = game.view["seats"].as_array().unwrap().iter().map(|seat| seat["seat"].as_str().unwrap().to_owned());
        let wishes = names.zip(texts).skip(1).collect::<serde_json::Map<_, _>>();
        game.seat_all(&wishes.into());
        let early = server.get(&game.path("/dice"));
        assert_eq!((early.status, &early.body["seed"], &early.body["seed_hash"]), (200, &Value::Null, &json!(hash)));
        assert!(!by_python(&early.raw, &hash).status.success());
        game.finish();
        let proof = server.get(&game.path("/dice"));
        assert_eq!(proof.body["begins"], begins);
        assert_eq!(proof.header("etag"), format!("\"{}\"", game.version()));
        let checked = by_python(&proof.raw, &hash);
        assert!(checked.status.success(), "{set}: {}", String::from_utf8_lossy(&checked.stderr));
        for media in ["application/x-ndjson", "text/plain"] {
            let record = server.request("GET", &game.path("/record")).header("Accept", media).send().unwrap();
            let record = record.text().unwrap();
            let checked = by_program(&record, &hash);
            let told = String::from_utf8_lossy(&checked.stdout).into_owned();
            assert!(checked.status.success(), "{set} as {media}: {told}");
            assert!(told.contains(&format!("{} throws", proof.body["throws"].as_array().unwrap().len())), "{told}");
        }
    }
}

#[test]
fn every_change_to_the_proof_is_noticed() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let wishes = json!({"green": {"contribution": "mint"}, "red": {"contribution": "tea"}});
    let game = played(&server, &json!({"rule_set": "pagade"}), &wishes);
    let hash = game.view["seed_hash"].as_str().unwrap().to_owned();
    let proof = server.get(&game.path("/dice")).body;
    let record = server.request("GET", &game.path("/record")).header("Accept", "text/plain").send().unwrap();
    let record = record.text().unwrap();
    let seed = proof["seed"].as_str().unwrap();
    let other = seed.replacen(seed.chars().next().unwrap(), "z", 1);
    let changes: [(&str, Value, &str, &str); 3] = [
        ("/seed", json!(other), seed, &other),
        ("/contributions/green", json!("thyme"), "# contribution green: mint", "# contribution green: thyme"),
        ("/contributions", json!({}), "# contribution red: tea\n", ""),
    ];
    for (pointer, value, text, changed) in changes {
        let mut forged = proof.clone();
        *forged.pointer_mut(pointer).unwrap() = value;
        assert!(!by_python(&forged.to_string(), &hash).status.success(), "{pointer}");
        assert!(record.contains(text), "{text} in {record}");
        let checked = by_program(&record.replace(text, changed), &hash);
        assert_eq!(checked.status.code(), Some(1), "{pointer}");
        assert!(String::from_utf8_lossy(&checked.stdout).starts_with("not proven: "), "{pointer}");
    }
    let noted = &"0".repeat(64);
    assert!(!by_python(&proof.to_string(), noted).status.success());
    assert_eq!(by_program(&record, noted).status.code(), Some(1));
    assert_eq!(
        by_program("# rule set: pagade\n# players: red yellow\n1. red: throw 3+4; 6-9:3\n", &hash).status.code(),
        Some(1)
    );
}

#[test]
fn a_file_of_several_games_is_proven_game_by_game() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let record = |seed: &str| {
        let game = played(&server, &json!({"rule_set": "royal-game-of-ur", "seed": seed}), &json!({}));
        server.request("GET", &game.path("/record")).send().unwrap().text().unwrap()
    };
    let (one, other) = (record("one"), record("another"));
    let line = one.lines().count() + 1;
    let verify = |arguments: &[&str], records: &str| {
        let checked = check(env!("CARGO_BIN_EXE_pagade"), &[&["verify", "-"], arguments].concat(), records);
        let [told, error] = [checked.stdout, checked.stderr].map(|text| String::from_utf8(text).unwrap());
        (checked.status.code(), told, error)
    };
    let both = format!("{one}{other}");
    let (code, told, _) = verify(&[], &both);
    assert_eq!((code, told.lines().count()), (Some(0), 3), "{told}");
    assert!(told.contains(&format!("game 2, from line {line}: royal-game-of-ur")), "{told}");
    assert!(told.contains(&pagade::seed_hash("another")) && told.contains("the dice of all 2 games"), "{told}");

    let forged = both.replace("\"another\"", "\"yet another\"");
    let (code, told, _) = verify(&[], &forged);
    assert_eq!(code, Some(1), "{told}");
    assert!(
        told.contains("not proven: the hash of the seed is") && told.contains("the dice of 1 of 2 games"),
        "{told}"
    );
    let (_, told, _) = verify(&["--json"], &forged);
    let told: Value = serde_json::from_str(&told).unwrap();
    let of_games: Vec<_> =
        told["games"].as_array().unwrap().iter().map(|game| (&game["line"], &game["proven"])).collect();
    assert_eq!(told["proven"], false);
    assert_eq!(of_games, [(&json!(1), &json!(true)), (&json!(line), &json!(false))]);

    let (code, _, error) = verify(&["--hash", &pagade::seed_hash("one")], &both);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("the file has 2 games"), "{error}");
}

#[test]
fn contributions_change_the_dice_and_leave_with_the_seat() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let throws = |wishes: Value| {
        let game =
            played(&server, &json!({"rule_set": "pagade", "players": ["red", "yellow"], "seed": "known"}), &wishes);
        let committed = (&game.view["seed_by"], &game.view["seed_hash"]);
        assert_eq!(committed, (&json!("owner"), &json!(pagade::seed_hash("known"))));
        server.get(&game.path("/dice")).body["throws"].clone()
    };
    let mine = |seat: &str| json!({seat: {"contribution": "mine"}});
    assert_eq!(throws(json!({})), throws(json!({})));
    assert_ne!(throws(json!({})), throws(mine("yellow")));
    assert_ne!(throws(mine("red")), throws(mine("yellow")));

    let game = TestGame::of(&server, &server.post("/v1/games", json!({"rule_set": "pagade"})));
    let joined = server.post(&game.path("/seats/red"), json!({"contribution": "tea"}));
    let contribution = || server.get(&game.path("")).body["seats"][0]["contribution"].clone();
    assert_eq!(contribution(), "tea");
    let left = server.request("DELETE", &game.path("/seats/red")).bearer_auth(joined.text("/token")).send().unwrap();
    assert_eq!((left.status().as_u16(), contribution()), (204, Value::Null));
}

#[test]
fn unprovable_dice_and_bad_contributions_are_refused() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let game = server.hot_seat(json!({"dice": "players"}));
    assert_eq!(server.get(&game.path("/dice")).problem(), (409, "dice_held_by_players"));
    let real = server.post("/v1/games", json!({"rule_set": "pagade", "dice": "players"}));
    let path = format!("/v1/games/{}/seats/red", real.text("/game/id"));
    assert_eq!(server.post(&path, json!({"contribution": "tea"})).problem(), (409, "dice_held_by_players"));
    let open = server.post("/v1/games", json!({"rule_set": "pagade"}));
    let path = format!("/v1/games/{}/seats/red", open.text("/game/id"));
    for contribution in ["", " tea", "th\u{e9}", "a\nb", &"x".repeat(65)] {
        let refused = server.post(&path, json!({"contribution": contribution}));
        assert_eq!(refused.problem(), (422, "body_invalid"), "{contribution:?}");
        assert_eq!(refused.body["problems"][0]["pointer"], "/contribution");
    }
    let refused = server.post("/v1/games", json!({"rule_set": "pagade", "seed": "\u{1f3b2}"}));
    assert_eq!(refused.body["problems"][0]["pointer"], "/seed");
    let unknown = got(server.request("GET", "/v1/games/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11/dice").send().unwrap());
    assert_eq!(unknown.problem(), (404, "game_not_found"));
}
