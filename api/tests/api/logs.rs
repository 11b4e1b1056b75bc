//! Tests the log: it has one line for each request, errors with the id of their request, and no secrets.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use pagade::ground::tls;
use reqwest::blocking::Client;
use serde_json::{Value, json};

use crate::bodies::send_bytes;
use crate::harness::{Answer, TestStore, got};
use pagade_tests::receiver::Receiver;
use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::wait::until;

const ADMIN: &str = "s3cret-admin-s3cret-admin-s3cret-admin";
const PASSWORD: &str = "s3cret-password";

/// The program as a process, with the log that it has written.
struct Logged {
    base: String,
    process: Child,
    log: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
    client: Client,
}

impl Logged {
    fn start(arguments: &[&str]) -> Self {
        tls::prepare();
        let mut process = Command::new(env!("CARGO_BIN_EXE_pagade"))
            .args(["serve", "--listen", "127.0.0.1:0", "--unlimited", "--log-json", "--webhooks-private"])
            .args(arguments)
            .env("PAGADE_ADMIN_TOKEN", ADMIN)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let errors = BufReader::new(process.stderr.take().unwrap());
        let log = Arc::new(Mutex::new(String::new()));
        let written = Arc::clone(&log);
        let reader = std::thread::spawn(move || {
            for line in errors.lines().map(Result::unwrap) {
                *written.lock().unwrap() += &format!("{line}\n");
            }
        });
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let greeting = lines.map_while(Result::ok).find(|line| line.contains("listens at")).unwrap();
        let base = greeting.rsplit(' ').next().unwrap().to_owned();
        Self { base, process, log, reader: Some(reader), client: Client::new() }
    }

    fn ask(&self, method: &str, path: &str, token: &str, version: u64, body: &Value) -> Answer {
        let request = self.client.request(method.parse().unwrap(), format!("{}{path}", self.base));
        let request = request.bearer_auth(token).header("If-Match", format!("\"{version}\""));
        got(request
            .header("Idempotency-Key", format!("s3cret-of-this-command-{version}-{}", path.len()))
            .json(body)
            .send()
            .unwrap())
    }

    /// The log that was written so far.
    fn logged(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Ends the program and returns its whole log.
    fn end(mut self) -> String {
        Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status().unwrap();
        self.process.wait().unwrap();
        self.reader.take().unwrap().join().unwrap();
        self.logged()
    }
}

impl Drop for Logged {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn lines(log: &str) -> Vec<Value> {
    log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"))).collect()
}

fn errors(log: &str) -> Vec<Value> {
    lines(log).into_iter().filter(|line| line["level"] == "ERROR").collect()
}

/// Sums the field `count` of these log lines: the number of errors that the lines stand for.
fn counted(errors: &[Value]) -> u64 {
    errors.iter().filter_map(|line| line["fields"]["count"].as_u64()).sum()
}

/// Plays a game to its end and returns all its secrets: tokens, invitation and webhook secret.
fn play(service: &Logged, receiver: &Receiver) -> Vec<String> {
    let wish = json!({"rule_set": "pagade", "players": ["red", "yellow"], "private": true});
    let created = service.ask("POST", "/v1/games", "", 0, &wish);
    assert_eq!(created.status, 201, "{}", created.raw);
    let owner = created.text("/token");
    let path = format!("/v1/games/{}", created.text("/game/id"));
    let mut secrets = vec![owner.clone(), created.text("/invitation")];
    let mut tokens = std::collections::BTreeMap::new();
    for (version, seat) in [(1, "red"), (2, "yellow")] {
        let joined = service.ask("POST", &format!("{path}/seats/{seat}"), &secrets[1], version, &json!({}));
        assert_eq!(joined.status, 201, "{}", joined.raw);
        tokens.insert(seat.to_owned(), joined.text("/token"));
    }
    let hook = service.ask("POST", &format!("{path}/webhooks"), &owner, 3, &json!({"url": receiver.url}));
    assert_eq!(hook.status, 201, "{}", hook.raw);
    secrets.push(hook.text("/secret"));
    let mut view = service.ask("POST", &format!("{path}/start"), &owner, 4, &json!({})).body;
    assert_eq!(service.ask("GET", &path, ADMIN, 0, &json!({})).status, 200);
    for step in 0..5_000_usize {
        let (rest, body) = match view["awaits"].as_str().unwrap() {
            "throw" => ("throws", json!({})),
            "action" => {
                let legal = view["legal"].as_array().unwrap();
                ("actions", json!({"actions": [legal[step % legal.len()]]}))
            }
            _ => break,
        };
        let (token, version) = (&tokens[view["turn"].as_str().unwrap()], view["version"].as_u64().unwrap());
        let played = service.ask("POST", &format!("{path}/{rest}"), token, version, &body);
        assert_eq!(played.status, 200, "{}", played.raw);
        view = played.body["game"].clone();
    }
    assert_eq!(view["status"], "finished");
    until("webhooks are told", || receiver.messages().iter().any(|message| message.body.contains("game_over")));
    secrets.extend(tokens.into_values());
    secrets.push(service.ask("GET", &format!("{path}/dice"), &owner, 0, &json!({})).text("/seed"));
    secrets
}

#[test]
fn no_secret_of_a_whole_game_is_logged_at_any_level() {
    let redis = RedisServer::start(&[DURABLE, &["--requirepass", PASSWORD]].concat());
    let store = redis.address().replace("redis://", &format!("redis://:{PASSWORD}@"));
    let (receiver, directory) = (Receiver::start(), TestStore::new());
    let data = directory.path().display().to_string();
    for place in [["--store", &store], ["--data", &data]] {
        let service = Logged::start(&[&place[..], &["--log", "trace"]].concat());
        let secrets = play(&service, &receiver);
        let log = service.end();
        assert!(log.contains("request answered"));
        for secret in secrets.iter().map(String::as_str).chain([ADMIN, PASSWORD, "s3cret"]) {
            assert!(secret.len() > 5 && !log.contains(secret), "{secret} is in the log");
        }
    }
}

#[test]
fn strangers_cannot_fill_the_log_with_errors() {
    let directory = TestStore::new();
    let service = Logged::start(&["--data", &directory.path().display().to_string(), "--log", "info"]);
    for broken in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello over TLS\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nbroken header\r\n\r\n",
        b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n",
        b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ] {
        let answer = send_bytes(&service.base, broken);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    let log = service.end();
    assert!(lines(&log).iter().all(|line| line["level"] == "INFO"), "{log}");
}

#[test]
fn every_request_is_one_log_line() {
    let directory = TestStore::new();
    let service = Logged::start(&["--data", &directory.path().display().to_string(), "--log", "info"]);
    let created = service.ask("POST", "/v1/games", "", 0, &json!({"rule_set": "pagade"}));
    let path = format!("/v1/games/{}", created.text("/game/id"));
    let missed = service.ask("GET", "/v1/nothing", "", 0, &json!({}));
    let read = service.ask("GET", &path, "", 0, &json!({}));
    // The id of a simulation is the secret of those who may read it.
    let simulated = service.ask("POST", "/v1/simulations", "", 0, &json!({"rule_set": "pagade", "games": 1}));
    let simulation = service.ask("GET", simulated.header("location"), "", 0, &json!({}));
    let lines = lines(&service.end());
    let line = |got: &Answer| {
        let id = got.header("x-request-id");
        let mut of_request = lines.iter().filter(|line| line["fields"]["request_id"] == id);
        let line = of_request.next().unwrap_or_else(|| panic!("{id}: {lines:?}"));
        assert!(of_request.next().is_none(), "one");
        line["fields"].clone()
    };
    let (create, miss, read) = (line(&created), line(&missed), line(&read));
    assert_eq!(
        (&create["method"], &create["route"], &create["status"]),
        (&json!("POST"), &json!("/v1/games"), &json!(201))
    );
    assert_eq!((&read["route"], &read["path"]), (&json!("/v1/games/{id}"), &json!(path)));
    assert!(read["took_us"].as_u64().unwrap() > 0);
    assert_eq!((&miss["route"], &miss["status"]), (&Value::Null, &json!(404)));
    assert_eq!((simulated.status, simulation.status), (201, 200), "{}", simulated.raw);
    assert_eq!(line(&simulation)["path"], "/v1/simulations/{id}");
}

#[test]
fn while_redis_is_away_the_log_has_the_first_request_and_then_counts() {
    let mut redis = RedisServer::start(DURABLE);
    let service = Logged::start(&["--store", &redis.address(), "--log", "warn"]);
    let created = service.ask("POST", "/v1/games", "", 0, &json!({"rule_set": "pagade", "hot_seat": true}));
    let path = format!("/v1/games/{}", created.text("/game/id"));
    redis.kill();
    let first = service.ask("GET", &path, "", 0, &json!({}));
    assert_eq!(first.status, 503);
    std::thread::scope(|scope| {
        // Many requests are sent at the same time, so that their retries soon use up the budget of retries.
        for _ in 0..40 {
            scope.spawn(|| (0..5).for_each(|_| drop(service.ask("GET", &path, "", 0, &json!({})))));
        }
    });
    // Errors that are not logged one by one are counted in a line some seconds later.
    until("all refusals are counted", || counted(&errors(&service.logged())) >= 190);
    let errors = errors(&service.end());
    assert_eq!(errors[0]["fields"]["request_id"], first.header("x-request-id"), "{errors:?}");
    assert!(counted(&errors) >= 190 && errors.len() < 12, "{errors:?}");
}
