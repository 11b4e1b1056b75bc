//! Tests conventions of HTTP that clients rely on: cache headers, compressed answers, HEAD, and headers that browsers
//! may read.

use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Server, TestStore, on_both_stores};
use crate::tokens::operations;

on_both_stores!(an_answer_that_seldom_changes_is_sent_once);
fn an_answer_that_seldom_changes_is_sent_once(data: TestStore) {
    let server = Server::start(&data);
    for path in [
        "/openapi.json",
        "/docs/",
        "/guide",
        "/v1/rule-sets",
        "/v1/rule-sets/pagade",
        "/v1/rule-sets/pagade/source",
        "/v1/rule-sets/pagade/board?seat=red",
        "/v1/rule-sets/pagade/versions",
        "/v1/rule-language/schema",
        "/v1/problems",
        "/v1/problems/game_over",
    ] {
        let first = server.get(path);
        let tag = first.header("etag").to_owned();
        assert!(first.status == 200 && tag.starts_with("W/\""), "{path}: {} {tag}", first.status);
        assert_eq!(first.header("cache-control"), "public, max-age=60", "{path}");
        let again = |seen: &str| {
            let response = server.request("GET", path).header("If-None-Match", seen).send().unwrap();
            (
                response.status().as_u16(),
                response.headers()["etag"].to_str().unwrap().to_owned(),
                response.bytes().unwrap().len(),
            )
        };
        assert_eq!(again(&tag), (304, tag.clone(), 0), "{path}");
        assert_eq!(again(&format!("\"other\", {}", tag.trim_start_matches("W/"))), (304, tag.clone(), 0), "{path}");
        assert_eq!(again("\"other\""), (200, tag, first.raw.len()), "{path}");
    }
    let pinned = server.get("/v1/rule-sets/pagade?version=1.0.0");
    assert_eq!((pinned.status, pinned.header("cache-control")), (200, "public, max-age=86400"));
    assert_eq!(server.get("/v1/limits").header("cache-control"), "", "what changes has no tag");
    let text = crate::harness::village(7);
    let before = server.get("/v1/rule-sets").header("etag").to_owned();
    assert_eq!(server.post("/v1/rule-sets", text).status, 201);
    assert_ne!(server.get("/v1/rule-sets").header("etag"), before, "a list that grows has another tag");
}

on_both_stores!(long_answers_to_reads_are_compressed_and_nothing_else);
fn long_answers_to_reads_are_compressed_and_nothing_else(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let ask = |path: &str, accepted: &str| {
        let response = server.request("GET", path).header("Accept-Encoding", accepted).send().unwrap();
        assert_eq!(response.status(), 200);
        let coding =
            response.headers().get("content-encoding").map_or("", |coding| coding.to_str().unwrap()).to_owned();
        let varies: Vec<_> =
            response.headers().get_all("vary").iter().map(|value| value.to_str().unwrap().to_owned()).collect();
        (coding, varies.join(", "), response.bytes().unwrap())
    };
    for path in ["/openapi.json", "/v1/problems", "/v1/rule-sets/pagade/board"] {
        let (none, varies, plain) = ask(path, "identity");
        assert_eq!(none, "");
        assert!(varies.contains("Accept-Encoding"), "{varies}");
        for _ in 0..2 {
            let (coding, _, sent) = ask(path, "gzip");
            let mut text = Vec::new();
            flate2::read::GzDecoder::new(&sent[..]).read_to_end(&mut text).unwrap();
            assert!(coding == "gzip" && text == plain && sent.len() < plain.len() / 2, "{path}: {}", sent.len());
            let (coding, _, sent) = ask(path, "gzip, deflate, br, zstd");
            let mut text = Vec::new();
            brotli::Decompressor::new(&sent[..], 4096).read_to_end(&mut text).unwrap();
            assert!(coding == "br" && text == plain && sent.len() < plain.len() / 2, "{path}: {}", sent.len());
        }
    }
    assert_eq!(ask("/livez", "gzip, br").0, "", "a short answer is not worth it");
    let thrown = game.command("/throws").header("Accept-Encoding", "gzip, br").json(&json!({"throw": "3+4"}));
    let thrown = thrown.send().unwrap();
    assert!(thrown.status() == 200 && !thrown.headers().contains_key("content-encoding"), "moves stay as they are");
    let stream = server.request("GET", &game.path("/events")).header("Accept", "text/event-stream");
    let stream = stream.header("Accept-Encoding", "gzip, br").timeout(Duration::from_secs(20)).send().unwrap();
    assert!(!stream.headers().contains_key("content-encoding"));
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == "event: snapshot"), "a stream sends every message at once");
    game.view = server.get(&game.path("")).body;
    game.play(&["6-9:3"]);
    assert!(lines.any(|line| line == "event: moved"));
}

on_both_stores!(head_is_answered_wherever_get_is);
fn head_is_answered_wherever_get_is(data: TestStore) {
    let server = Server::start(&data);
    let game = server.hot_seat(json!({}));
    let group = server.post("/v1/groups", json!({}));
    let reads = operations().into_iter().filter(|(_, method, _)| method == "GET").map(|(_, _, path)| path);
    for path in reads {
        let (id, token) = match &path {
            path if path.starts_with("/v1/games") => (game.view["id"].as_str().unwrap().to_owned(), game.token.clone()),
            path if path.starts_with("/v1/groups") => (group.text("/group/id"), group.text("/token")),
            _ => ("pagade".to_owned(), game.token.clone()),
        };
        let path = path.replace("{id}", &id).replace("{code}", "game_over");
        for accept in ["*/*", "text/event-stream", "application/x-ndjson"] {
            if accept != "*/*" && !path.ends_with("/events") {
                continue;
            }
            let ask = |method: &str| {
                let request = server.request(method, &path).bearer_auth(&token).header("Accept", accept);
                request.timeout(Duration::from_secs(10)).send().unwrap()
            };
            let (got, began) = (ask("GET"), Instant::now());
            let head = ask("HEAD");
            assert_eq!(head.status(), got.status(), "{path}");
            for name in ["content-type", "etag", "cache-control"] {
                assert_eq!(head.headers().get(name), got.headers().get(name), "{path}: {name}");
            }
            assert!(head.bytes().unwrap().is_empty() && began.elapsed() < Duration::from_secs(5), "{path} {accept}");
        }
    }
}

on_both_stores!(scripts_in_browsers_may_read_the_headers);
fn scripts_in_browsers_may_read_the_headers(data: TestStore) {
    let server = Server::start(&data);
    let response = server.request("GET", "/livez").header("Origin", "https://board.example").send().unwrap();
    let exposed = response.headers()["access-control-expose-headers"].to_str().unwrap();
    for name in [
        "Date",
        "ETag",
        "Link",
        "RateLimit",
        "Retry-After",
        "X-Request-Id",
        "Idempotency-Replayed",
        "Preference-Applied",
    ] {
        assert!(exposed.split(", ").any(|known| known == name), "{name} is not among {exposed}");
    }
    assert!(response.headers().contains_key("date"));
}
