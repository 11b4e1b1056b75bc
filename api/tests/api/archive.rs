//! Exports a whole store as a file, and imports it into a store of the same or of the other kind.

use std::process::{Command, Output, Stdio};
use std::time::Duration;

use futures_util::future::try_join_all;
use pagade::EVENT_PHRASES;
use pagade::archive::{ArchiveError, Imported, export, import};
use pagade::store::embedded::Embedded;
use pagade::store::redis::Redis;
use pagade::store::{EntityChange, Store};
use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got};
use crate::store::{change, new_game, plain, run};

const VARIANT: &str = "rules: carried-pagade
version: 1.0.0
title: Carried Pagade
extends: pagade
pawns: {each: 4, start: [12, 12, 12, 12]}
";

async fn file(store: &dyn Store) -> Vec<u8> {
    let mut file = Vec::new();
    export(store, &mut file).await.unwrap();
    file
}

/// The tokens and answers that clients have of their games. They must still be valid after an import.
struct Known {
    finished: Value,
    record: String,
    private: (String, String),
    /// The path, the token and the version of a game that is being played.
    playing: (String, String, u64),
    created: Answer,
    thrown: Answer,
    hook: Value,
}

fn create(server: &Server) -> Answer {
    let request = server.request("POST", "/v1/games").header("Idempotency-Key", "create-this-game-only-once");
    got(request.json(&json!({"rule_set": "carried-pagade", "hot_seat": true})).send().unwrap())
}

fn throw_once(server: &Server, created: &Answer) -> Answer {
    let path = format!("/v1/games/{}/throws", created.text("/game/id"));
    let request = server.request("POST", &path).bearer_auth(created.text("/token")).header("If-Match", "\"1\"");
    got(request.header("Idempotency-Key", "throw-once").send().unwrap())
}

fn publish(server: &Server) -> Answer {
    let request = server.request("POST", "/v1/rule-sets").header("Idempotency-Key", "publish-this-text-only-once");
    got(request.json(&json!({"text": VARIANT})).send().unwrap())
}

fn hooks(server: &Server, path: &str, token: &str) -> Value {
    got(server.request("GET", &format!("{path}/webhooks")).bearer_auth(token).send().unwrap()).body
}

fn live(data: &TestStore) -> Known {
    let mut server = Server::start_with(data, |config| {
        config.webhooks.allows_private = true;
        config.webhooks.attempts = 1;
    });
    assert_eq!(publish(&server).status, 201);
    let created = create(&server);
    assert_eq!(created.status, 201, "{}", created.raw);
    let thrown = throw_once(&server, &created);
    assert_eq!(thrown.status, 200);
    let mut finished = server.hot_seat(json!({"players": ["red", "yellow"]}));
    finished.finish();
    let record = server.get(&finished.path("/record")).raw;
    let finished = finished.view;
    let private = server.post("/v1/games", json!({"rule_set": "pagade", "private": true}));
    let playing = server.hot_seat(json!({"turn_timer": {"seconds": 3_600}}));
    let (path, token) = (playing.path(""), playing.token.clone());
    // Nothing listens at this address, so the deliveries fail.
    let hook = json!({"url": "http://127.0.0.1:1/hook"});
    assert_eq!(playing.command("/webhooks").json(&hook).send().unwrap().status(), 201);
    let request = server.request("POST", &format!("{path}/throws")).bearer_auth(&token).header("If-Match", "\"2\"");
    assert_eq!(request.send().unwrap().status(), 200);
    let mut hook = Value::Null;
    until("a delivery has failed", || {
        hook = hooks(&server, &path, &token);
        hook["webhooks"][0]["state"] == "failing"
    });
    server.stop();
    let private = (format!("/v1/games/{}", private.text("/game/id")), private.text("/token"));
    Known { finished, record, private, playing: (path, token, 3), created, thrown, hook }
}

fn is_known(server: &Server, known: &Known) {
    let path = format!("/v1/games/{}", known.finished["id"].as_str().unwrap());
    assert_eq!(server.get(&path).body, known.finished);
    assert_eq!(server.get(&format!("{path}/record")).raw, known.record);
    let (path, token) = &known.private;
    assert_eq!(server.get(path).status, 404);
    assert_eq!(server.request("GET", path).bearer_auth(token).send().unwrap().status(), 200);
    for (now, before) in [(create(server), &known.created), (throw_once(server, &known.created), &known.thrown)] {
        assert_eq!((now.header("idempotency-replayed"), &now.body), ("true", &before.body));
    }
    assert_eq!(publish(server).header("idempotency-replayed"), "true");
    assert_eq!(server.get("/v1/rule-sets/carried-pagade").status, 200);
    assert_eq!(server.get("/v1/games").body["games"].as_array().unwrap().len(), 3);
    let (path, token, version) = &known.playing;
    assert_eq!(hooks(server, path, token), known.hook);
    let view = server.get(path).body;
    assert!(view["deadline"].is_string());
    let etag = format!("\"{version}\"");
    let action = json!({"action": view["legal"][0]});
    let rest = if view["awaits"] == "throw" { "throws" } else { "actions" };
    let body = if rest == "throws" { json!({}) } else { json!({"actions": [action["action"]]}) };
    let request = server.request("POST", &format!("{path}/{rest}")).bearer_auth(token).header("If-Match", etag);
    assert_eq!(request.json(&body).send().unwrap().status(), 200, "it goes on");
}

#[test]
fn a_store_is_carried_to_the_other_kind_and_back_and_goes_on() {
    let (here, there, back) = (TestStore::new(), TestStore::on_redis(), TestStore::new());
    let known = live(&here);
    run(async || {
        let redis = Redis::open(&there.redis().address(), &EVENT_PHRASES).await.unwrap();
        let one = file(&Embedded::open(here.path(), &EVENT_PHRASES).unwrap()).await;
        let imported = import(&redis, &mut one.as_slice()).await.unwrap();
        assert_eq!(imported, Imported { added: 4, ..Imported::default() });
        let two = file(&redis).await;
        assert!(one == two, "{}\n{}", String::from_utf8_lossy(&one), String::from_utf8_lossy(&two));
        let again = import(&redis, &mut one.as_slice()).await.unwrap();
        assert_eq!(again, Imported { present: 4, ..Imported::default() });
        let embedded = Embedded::open(back.path(), &EVENT_PHRASES).unwrap();
        assert_eq!(import(&embedded, &mut two.as_slice()).await.unwrap().added, 4);
        assert!(file(&embedded).await == one && file(&redis).await == one);
    });
    for data in [&there, &back] {
        let mut server = Server::start(data);
        is_known(&server, &known);
        server.stop();
    }
}

#[test]
fn what_is_there_is_left_as_it_is() {
    let (here, there) = (TestStore::new(), TestStore::new());
    run(async || {
        let (here, there) = (
            Embedded::open(here.path(), &EVENT_PHRASES).unwrap(),
            Embedded::open(there.path(), &EVENT_PHRASES).unwrap(),
        );
        let (ahead, other, new) = (new_game(), new_game(), new_game());
        for id in [ahead, other, new] {
            here.commit(plain(change(id, 0))).await.unwrap();
        }
        there.commit(plain(change(ahead, 0))).await.unwrap();
        there.commit(plain(change(ahead, 1))).await.unwrap();
        there.commit(plain(EntityChange { events: vec![b"another".to_vec()], ..change(other, 0) })).await.unwrap();
        let one = file(&here).await;
        let imported = import(&there, &mut one.as_slice()).await.unwrap();
        let expected = Imported { added: 1, present: 1, refused: vec![other], ..Imported::default() };
        assert_eq!(imported, expected);
        assert_eq!(there.entity(ahead).await.unwrap().unwrap().version, 2);
        assert_eq!(there.entity_and_events(other, 0, 9).await.unwrap().1, [b"another".to_vec()]);
    });
}

#[test]
fn a_file_that_is_not_whole_is_said_to_be_and_taken_up_again() {
    let (here, there) = (TestStore::new(), TestStore::new());
    run(async || {
        let (here, there) = (
            Embedded::open(here.path(), &EVENT_PHRASES).unwrap(),
            Embedded::open(there.path(), &EVENT_PHRASES).unwrap(),
        );
        for _ in 0..200 {
            here.commit(plain(change(new_game(), 0))).await.unwrap();
        }
        let one = file(&here).await;
        let refused = async |text: &[u8]| match import(&there, &mut &*text).await {
            Err(ArchiveError::Line { line, reason }) => (line, reason),
            other => panic!("{other:?}"),
        };
        let half = one.len() / 2;
        let cut = one[..half].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        assert!(refused(&one[..cut]).await.1.contains("ends early"));
        assert!(refused(&one[..half]).await.1.contains("not a line of an exported store"));
        let missing: Vec<u8> = [&one[..cut], one.rsplitn(3, |byte| *byte == b'\n').nth(1).unwrap(), b"\n"].concat();
        assert!(refused(&missing).await.1.contains("had 200 entities"));
        assert_eq!(refused(b"{\"store\":{\"format\":9,\"program\":\"x\"}}\n").await.0, 1);
        assert_eq!(refused(b"{}\n").await.0, 1);
        let imported = import(&there, &mut one.as_slice()).await.unwrap();
        assert_eq!(imported.added + imported.present, 200);
        assert!(imported.present >= 60 && file(&there).await == one);
    });
}

/// Prepares a run of the program with the store of this test, which is a directory or a Redis.
fn program(arguments: &[&str], data: &TestStore) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_pagade"));
    program.args(arguments).stderr(Stdio::null());
    match data.store() {
        Some(address) => program.args(["--store", &address]),
        None => program.arg("--data").arg(data.path()),
    };
    program
}

#[test]
fn an_import_that_is_killed_is_begun_anew() {
    let (here, embedded, redis) = (TestStore::new(), TestStore::new(), TestStore::on_redis());
    let mut whole = Vec::new();
    run(async || {
        let here = Embedded::open(here.path(), &EVENT_PHRASES).unwrap();
        for _ in 0..20 {
            try_join_all((0..100).map(|_| here.commit(plain(change(new_game(), 0))))).await.unwrap();
        }
        whole = file(&here).await;
    });
    let path = here.path().join("games.ndjson").display().to_string();
    std::fs::write(&path, &whole).unwrap();
    for there in [&embedded, &redis] {
        let (mut killed, mut patience) = (0, Duration::from_millis(2));
        loop {
            let mut importing = program(&["import", &path], there).spawn().unwrap();
            std::thread::sleep(patience);
            if let Some(status) = importing.try_wait().unwrap() {
                assert!(status.success(), "after {killed} kills: {status}");
                break;
            }
            importing.kill().unwrap();
            importing.wait().unwrap();
            (killed, patience) = (killed + 1, patience * 5 / 4);
            assert!(patience < Duration::from_secs(60), "it does not come to an end");
        }
        assert!(killed > 3, "{killed}");
        assert!(program(&["export"], there).output().unwrap().stdout == whole);
    }
}

#[test]
fn the_program_carries_a_store_that_nobody_uses() {
    let (here, there) = (TestStore::new(), TestStore::new());
    let run = |arguments: &[&str], data: &TestStore| -> Output {
        let mut program = Command::new(env!("CARGO_BIN_EXE_pagade"));
        program.args(arguments).arg("--data").arg(data.path()).output().unwrap()
    };
    let said = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let none = run(&["export"], &here);
    assert_eq!((none.status.code(), here.path().exists()), (Some(2), false), "{}", said(&none));
    let mut server = Server::start(&here);
    server.hot_seat(json!({}));
    let busy = run(&["export"], &here);
    assert_eq!(busy.status.code(), Some(2));
    assert!(said(&busy).contains("already open"), "{}", said(&busy));
    server.stop();
    let path = here.path().join("games.ndjson").display().to_string();
    assert_eq!(run(&["export", &path], &here).status.code(), Some(0));
    for expected in ["imported 1 entities", "imported 0 entities"] {
        let imported = run(&["import", &path], &there);
        assert_eq!(imported.status.code(), Some(0), "{}", said(&imported));
        assert!(said(&imported).contains(expected), "{}", said(&imported));
    }
    assert_eq!(run(&["export"], &there).stdout, std::fs::read(&path).unwrap());
    let settings = there.path().join("pagade.yaml");
    std::fs::write(&settings, format!("workers: 1\ndata: {}\n", there.path().display())).unwrap();
    let mut configured = Command::new(env!("CARGO_BIN_EXE_pagade"));
    let exported = configured.args(["export", "--config"]).arg(&settings).output().unwrap();
    assert_eq!(exported.stdout, std::fs::read(&path).unwrap(), "{}", said(&exported));
}
