//! The examples of the description are real answers: the test plays a short story, and its requests and answers are the
//! file `api/src/openapi/examples.json`.
//!
//! `REWRITE=1 cargo test -p pagade --test api examples` writes the file; then `cargo run -- openapi --out openapi`.

use std::collections::BTreeMap;
use std::path::Path;

use pagade::config::Rates;
use reqwest::blocking::RequestBuilder;
use serde_json::{Map, Value, json};

use crate::harness::{Answer, Server, TestGame, TestStore, got};

/// Messages of a stream that an example shows.
const STREAM: usize = 700;

/// The media type of brief answers.
const BRIEF: &str = "application/vnd.pagade.brief+json";

/// Requests and answers by operation.
struct Story<'s> {
    server: &'s Server,
    told: Value,
}

impl Story<'_> {
    /// Sends a request with a body, and notes the body and the answer.
    fn send(&mut self, operation: &str, request: RequestBuilder, media: &str, body: &str) -> Answer {
        let shown = serde_json::from_str(body).unwrap_or_else(|_| json!(body));
        self.told[operation]["request"][media] = shown;
        self.note(operation, request.header("Content-Type", media).body(body.to_owned()))
    }

    fn post(&mut self, operation: &str, path: &str, token: &str, body: Value) -> Answer {
        let request = self.server.request("POST", path).bearer_auth(token).header("If-Match", "*");
        self.send(operation, request, "application/json", &body.to_string())
    }

    /// As [`Story::post`], for a brief answer.
    fn brief(&mut self, operation: &str, path: &str, token: &str, body: Value) -> Answer {
        let request = self.server.request("POST", path).bearer_auth(token).header("If-Match", "*");
        self.send(operation, request.header("Accept", BRIEF), "application/json", &body.to_string())
    }

    fn get(&mut self, operation: &str, path: &str, accept: &str) -> Answer {
        self.note(operation, self.server.request("GET", path).header("Accept", accept))
    }

    /// Sends a request and notes the answer.
    fn note(&mut self, operation: &str, request: RequestBuilder) -> Answer {
        let answer = got(request.send().unwrap());
        assert!(answer.status < 300, "{operation}: {} {}", answer.status, answer.raw);
        let media = answer.header("content-type").split(';').next().unwrap().to_owned();
        if !media.is_empty() {
            let shown = if answer.body.is_null() { json!(answer.raw) } else { answer.body.clone() };
            self.told[operation]["answers"][answer.status.to_string()][media] = shown;
        }
        answer
    }
}

#[test]
fn examples_are_answers() {
    let data = TestStore::new();
    let server = Server::start_with(&data, |config| config.rates = Rates::default());
    let mut story = Story { server: &server, told: json!({}) };
    service(&mut story);
    rule_sets(&mut story);
    games(&mut story);
    let current = serde_json::to_string_pretty(&Masked::default().value("", story.told)).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/openapi/examples.json");
    if std::env::var_os("REWRITE").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(committed == current, "answers are others now: run this with REWRITE=1");
}

fn service(story: &mut Story<'_>) {
    story.get("read_liveness", "/livez", "*/*");
    story.get("read_readiness", "/readyz", "*/*");
    story.get("read_limits", "/v1/limits", "*/*");
    story.get("list_problem_codes", "/v1/problems", "*/*");
    story.get("read_problem_code", "/v1/problems/version_conflict", "*/*");
    story.get("read_openapi", "/openapi.json", "*/*");
    story.get("read_metrics", "/metrics", "*/*");
    story.get("read_metrics", "/metrics", "text/plain");
}

fn rule_sets(story: &mut Story<'_>) {
    let village = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/examples/village.yaml");
    let village = json!({"text": std::fs::read_to_string(village).unwrap()});
    let wrong = json!({"text": "rules: my-pagade\nversion: 1.0.0\ntitle: My Pagade\nextends: pagade\npawns: {start: [1, 1, 12, 212]}\n"});
    let request = |path: &str| story.server.request("POST", path);
    let (check, publish) = (request("/v1/rule-checks"), request("/v1/rule-sets"));
    story.send("check_rule_text", check, "application/json", &wrong.to_string());
    story.send("publish_rule_set", publish, "application/json", &village.to_string());
    story.get("list_rule_sets", "/v1/rule-sets", "*/*");
    story.get("read_rule_set", "/v1/rule-sets/village", "*/*");
    for media in ["*/*", "text/plain"] {
        story.get("read_rule_set_source", "/v1/rule-sets/village/source", media);
        story.get("draw_rule_set_board", "/v1/rule-sets/pagade/board", media);
    }
    story.get("list_rule_set_versions", "/v1/rule-sets/village/versions", "*/*");
    story.get("read_rule_language_schema", "/v1/rule-language/schema", "*/*");
}

fn games(story: &mut Story<'_>) {
    // The example shows no seed: a client that copies the request shall get a secret one.
    let wish = json!({"rule_set": "pagade", "players": ["red", "yellow"], "title": "Sunday evening",
        "turn_timer": {"seconds": 86400, "then": "first"}, "seed": "the same story every time", "private": true});
    let create = story.server.request("POST", "/v1/games");
    let created = story.send("create_game", create, "application/json", &wish.to_string());
    story.told["create_game"]["request"]["application/json"].as_object_mut().unwrap().remove("seed");
    let path = format!("/v1/games/{}", created.text("/game/id"));
    let at = |rest: &str| format!("{path}{rest}");
    let owner = created.text("/token");
    let owner = story.post("renew_owner_token", &at("/token"), &owner, json!({})).text("/token");
    let invitation = story.post("renew_invitation", &at("/invitation"), &owner, json!({})).text("/token");
    let hook = json!({"url": "https://club.example/pagade", "events": ["game_over"],
        "secret": "whsec_bmluZSB0YW1hcmluZCBzZWVkcyBhbmQgb25l"});
    let hook = story.post("create_webhook", &at("/webhooks"), &owner, hook).text("/webhook/id");
    story.told["create_webhook"]["request"]["application/json"].as_object_mut().unwrap().remove("secret");
    let list = story.server.request("GET", &at("/webhooks")).bearer_auth(&owner);
    story.note("list_webhooks", list);
    story.post("redeliver_webhook", &at(&format!("/webhooks/{hook}/redeliveries")), &owner, json!({}));
    let mut tokens = BTreeMap::new();
    for (seat, name, contribution) in [("yellow", "Ravi", "ten more of them"), ("red", "Asha", "nine tamarind seeds")] {
        let wish = json!({"name": name, "contribution": contribution});
        let joined = story.post("join_seat", &at(&format!("/seats/{seat}")), &invitation, wish);
        tokens.insert(seat, joined.text("/token"));
    }
    let renewed = story.post("renew_seat_token", &at("/seats/red/token"), &tokens["red"], json!({}));
    tokens.insert("red", renewed.text("/token"));
    story.post("start_game", &at("/start"), &owner, json!({}));

    let red = tokens["red"].clone();
    let tried = json!({"throw": "3+6", "actions": ["12-15:3"]});
    story.brief("try_turn", &at("/dry-runs"), &red, tried.clone());
    story.post("try_turn", &at("/dry-runs"), &red, tried);
    story.post("throw_dice", &at("/throws"), &red, json!({}));
    let read = |operation: &str, rest: &str, accept: &str, story: &mut Story<'_>| {
        let request = story.server.request("GET", &at(rest)).header("Accept", accept).bearer_auth(&red);
        story.note(operation, request)
    };
    let legal = read("list_legal_actions", "/legal", "*/*", story);
    // In brief first, so that the request shown is that of the whole answer.
    let played =
        story.brief("play_actions", &at("/actions"), &red, json!({"actions": [legal.text("/legal/0/action")]}));
    story.post("play_actions", &at("/actions"), &red, json!({"actions": [played.text("/game/legal/0")]}));
    story.brief("throw_dice", &at("/throws"), &tokens["yellow"], json!({}));
    read("read_game", "", "*/*", story);
    read("read_presence", "/presence", "*/*", story);
    read("read_dice", "/dice", "*/*", story);
    for media in ["*/*", "text/plain"] {
        read("draw_game_board", "/board", media, story);
    }
    for media in ["application/x-ndjson", "text/plain"] {
        let record = read("read_record", "/record", media, story);
        let import = story.server.request("POST", "/v1/records");
        story.send("import_record", import, media, &record.raw);
        if media == "text/plain" {
            let import = story.server.request("POST", "/v1/records");
            story.send("import_record", import, "application/octet-stream", &record.raw);
        }
    }
    story.get("list_games", "/v1/games?limit=1", "*/*");

    story.post("agree_to_end", &at("/agreements"), &tokens["yellow"], json!({"to": "end"}));
    story.post("resign_seat", &at("/resignations"), &red, json!({}));
    let aborted = story.server.hot_seat(json!({"rule_set": "royal-game-of-ur"}));
    story.post("abort_game", &aborted.path("/abort"), &aborted.token, json!({}));
    let deleted = TestGame::of(story.server, &story.server.post("/v1/games", json!({"rule_set": "pagade"})));
    let delete = story.server.request("DELETE", &deleted.path("")).bearer_auth(&deleted.token);
    story.note("delete_game", delete);

    // A stream ends with its game; an example shows its beginning.
    let mut game = story.server.hot_seat(json!({"rule_set": "royal-game-of-ur", "seed": "the same story every time"}));
    game.finish();
    for media in ["application/json", "text/event-stream", "application/x-ndjson"] {
        let request = story.server.request("GET", &format!("{}?after=0&limit=4", game.path("/events")));
        story.note("list_events", request.header("Accept", media).header("Last-Event-ID", "0"));
    }
}

/// Replaces values that differ in every run by fixed ones, and shortens long lists.
#[derive(Default)]
struct Masked {
    words: BTreeMap<String, String>,
    kinds: BTreeMap<&'static str, usize>,
}

impl Masked {
    fn value(&mut self, name: &str, value: Value) -> Value {
        match value {
            Value::String(text) => json!(self.text(name, &text)),
            Value::Number(_) if name == "seconds_left" => json!(86_400),
            Value::Array(items) => {
                // A few elements show what a list holds.
                let most = if ["rule_sets", "problems", "options"].contains(&name) { 2 } else { items.len() };
                items.into_iter().take(most).map(|item| self.value(name, item)).collect()
            }
            Value::Object(fields) if fields.contains_key("openapi") || fields.contains_key("$schema") => {
                let short = fields.into_iter().filter(|(_, value)| value.is_string() || value.get("license").is_some());
                Value::Object(short.collect())
            }
            Value::Object(fields) => {
                let most = if ["clauses"].contains(&name) { 3 } else { fields.len() };
                let masked = fields.into_iter().take(most).map(|(name, value)| {
                    let value = self.value(&name, value);
                    (name, value)
                });
                Value::Object(masked.collect::<Map<_, _>>())
            }
            plain => plain,
        }
    }

    /// Masks a text word by word.
    fn text(&mut self, name: &str, text: &str) -> String {
        if name == "seed_by" {
            return "server".to_owned();
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-_:.".contains(c);
        let mut masked = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c| is_part(c) != is_part(first)).unwrap_or(rest.len());
            masked += &self.word(&rest[..end]);
            rest = &rest[end..];
        }
        shorten(name, masked)
    }

    fn word(&mut self, word: &str) -> String {
        let is_hex = |text: &str, length: usize| text.len() == length && text.bytes().all(|b| b.is_ascii_hexdigit());
        if word.len() > 18 && word.starts_with("20") && word.contains('T') && word.ends_with('Z') {
            return "2026-11-21T09:00:05.000Z".to_owned();
        }
        if let Some(token) = word.strip_prefix("pagade_").filter(|token| token.len() > 30) {
            return self.stand_in("token", word, |n| format!("pagade_{:0>width$}", n * 7919, width = token.len()));
        }
        if is_hex(word, 32) {
            return self.stand_in("cursor", word, |n| format!("01992b3e8c5a7d52b3c96f1f0a6f2e{:02x}", 16 + n));
        }
        if is_hex(word, 64) {
            return self.stand_in("hash", word, |n| {
                format!("{:016x}", 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(n as u64)).repeat(4)
            });
        }
        if word.len() == 36 && is_hex(&word.replace('-', ""), 32) {
            return self.stand_in("id", word, |n| format!("01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e{:02x}", 16 + n));
        }
        word.to_owned()
    }

    fn stand_in(&mut self, kind: &'static str, word: &str, make: impl Fn(usize) -> String) -> String {
        let Self { words, kinds } = self;
        let known = words.entry(word.to_owned()).or_insert_with(|| {
            let number = kinds.entry(kind).and_modify(|number| *number += 1).or_insert(1);
            make(*number)
        });
        known.clone()
    }
}

/// The beginning of what is long: whole messages of a stream, whole lines of metrics.
fn shorten(media: &str, text: String) -> String {
    let until = |end: &str| {
        let ends = text.match_indices(end).map(|(at, end)| at + end.len());
        text[..ends.filter(|at| *at < STREAM).last().unwrap_or(text.len())].to_owned()
    };
    match media {
        "application/openmetrics-text" | "text/plain" if text.starts_with("# HELP") => {
            text.lines().filter(|line| line.starts_with('#')).take(6).map(|line| format!("{line}\n")).collect()
        }
        "image/svg+xml" | "text/plain" if text.starts_with("<svg") => text.chars().take(300).collect::<String>() + "…",
        "text/event-stream" => until("\n\n"),
        "application/x-ndjson" if text.contains("\"event\"") => until("\n"),
        _ => text,
    }
}
