//! Starts a service for each test: the production code on a free port, with an empty store.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use pagade::config::{AbsenceTimes, Bounds, Rates, Retention, Scoring, ServeConfig, Webhooks};
use pagade::serve::{Stopper, start};
use pagade_tests::redis_server::{self, RedisServer};
use pagade_tests::wait::until;
use reqwest::Method;
use reqwest::blocking::{Client, RequestBuilder, Response};
use serde_json::{Value, json};
use uuid::Uuid;

/// Makes two tests of a function whose argument is an empty store: `NAME::embedded` with one process, and `NAME::redis`
/// with two replicas, which answer requests in turn.
macro_rules! on_both_stores {
    ($name:ident) => {
        mod $name {
            #[test]
            fn embedded() {
                super::$name($crate::harness::TestStore::new());
            }

            #[test]
            fn redis() {
                super::$name($crate::harness::TestStore::of_two_replicas());
            }
        }
    };
}
pub(crate) use on_both_stores;

/// The store of a test: a directory for the embedded store, or a Redis. It is removed at the end of the test.
pub(crate) struct TestStore {
    path: PathBuf,
    redis: Option<RedisServer>,
    /// Number of replicas that a [`Server`] on this store has.
    pub replicas: usize,
}

impl TestStore {
    pub(crate) fn new() -> Self {
        Self::with(None, 1)
    }

    pub(crate) fn on_redis() -> Self {
        Self::with(Some(RedisServer::start(redis_server::DURABLE)), 1)
    }

    pub(crate) fn of_two_replicas() -> Self {
        Self::with(Some(RedisServer::start(redis_server::DURABLE)), 2)
    }

    /// Makes another empty store of the same kind.
    pub(crate) fn another(&self) -> Self {
        let redis = self.redis.as_ref().map(|_| RedisServer::start(redis_server::DURABLE));
        Self::with(redis, self.replicas)
    }

    fn with(redis: Option<RedisServer>, replicas: usize) -> Self {
        Self { path: std::env::temp_dir().join(format!("pagade-test-{}", Uuid::now_v7())), redis, replicas }
    }

    pub(crate) fn redis(&self) -> &RedisServer {
        self.redis.as_ref().unwrap()
    }

    pub(crate) fn redis_mut(&mut self) -> &mut RedisServer {
        self.redis.as_mut().unwrap()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the bytes of all files of the store.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let (mut folders, mut bytes) =
            (vec![self.redis.as_ref().map_or(self.path(), RedisServer::directory).to_owned()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() { folders.push(entry) } else { bytes.extend(std::fs::read(entry).unwrap()) }
            }
        }
        bytes
    }

    /// Returns the address of the Redis; `None` for the embedded store.
    pub(crate) fn store(&self) -> Option<String> {
        self.redis.as_ref().map(RedisServer::address)
    }
}

impl Drop for TestStore {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The body of a request that publishes a rule set. The number makes the id of the rule set unique.
pub(crate) fn village(number: u32) -> Value {
    let head = format!("rules: village-{number}\nversion: 1.0.0\ntitle: Of a village");
    json!({"text": format!("{head}\nextends: pagade\nsources: [A village]\n")})
}

/// A running service, and a client for it. Its replicas answer the requests in turn.
pub(crate) struct Server {
    /// The address of the first replica.
    pub base: String,
    pub client: Client,
    replicas: Vec<Replica>,
    requests: AtomicUsize,
}

/// A replica of a running service.
struct Replica {
    base: String,
    stopper: Stopper,
    thread: JoinHandle<()>,
}

impl Replica {
    fn start(config: ServeConfig) -> Self {
        let (send, receive) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async {
                let running = start(&config).await.unwrap();
                send.send((running.addresses[0], running.stopper())).unwrap();
                running.run().await.unwrap();
            });
        });
        let (address, stopper) = receive.recv().unwrap();
        Self { base: format!("http://{address}"), stopper, thread }
    }
}

impl Server {
    pub(crate) fn start(data: &TestStore) -> Self {
        Self::start_with(data, |_| ())
    }

    /// Starts a service, after `change` has changed its settings.
    pub(crate) fn start_with(data: &TestStore, change: impl FnOnce(&mut ServeConfig)) -> Self {
        Self::start_as(data, data.replicas, data.store(), change)
    }

    /// Starts a service of one process, for tests of data that a process has in its memory only.
    pub(crate) fn start_one(data: &TestStore, change: impl FnOnce(&mut ServeConfig)) -> Self {
        Self::start_as(data, 1, data.store(), change)
    }

    /// Starts a service that connects to Redis at the address `store`.
    pub(crate) fn start_on(data: &TestStore, store: String) -> Self {
        Self::start_as(data, data.replicas, Some(store), |_| ())
    }

    fn start_as(
        data: &TestStore,
        replicas: usize,
        store: Option<String>,
        change: impl FnOnce(&mut ServeConfig),
    ) -> Self {
        let mut config = ServeConfig {
            listen: ([127, 0, 0, 1], 0).into(),
            store,
            data: data.path().to_path_buf(),
            cors_origins: vec!["https://board.example".to_owned()],
            workers: 2,
            grace_seconds: 5,
            admin: None,
            oidc: None,
            rates: Rates::unlimited(),
            webhooks: Webhooks::default(),
            bounds: Bounds::default(),
            scoring: Scoring::default(),
            tracing: None,
            retention: Retention::default(),
            absence: AbsenceTimes::default(),
        };
        change(&mut config);
        // The client of the test needs a TLS provider, and this call installs the one that the service uses.
        pagade::ground::tls::prepare();
        let replicas: Vec<_> = (0..replicas).map(|_| Replica::start(config.clone())).collect();
        Self { base: replicas[0].base.clone(), client: Client::new(), replicas, requests: AtomicUsize::new(0) }
    }

    pub(crate) fn stop(&mut self) {
        for replica in self.replicas.drain(..) {
            actix_web::rt::System::new().block_on(replica.stopper.stop());
            replica.thread.join().unwrap();
        }
    }

    /// Makes a request to the replica whose turn it is.
    pub(crate) fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let base = match self.replicas.len() {
            0 => &self.base,
            many => &self.replicas[self.requests.fetch_add(1, Ordering::Relaxed) % many].base,
        };
        self.client.request(Method::from_bytes(method.as_bytes()).unwrap(), format!("{base}{path}"))
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        got(self.request("GET", path).send().unwrap())
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> Answer {
        got(self.request("POST", path).json(&body).send().unwrap())
    }

    /// Calls `send`, which starts a waiting request in another thread, and returns its result when the service has
    /// begun the request. The test sees this by the metric of store calls, which counts one more `call`: a long poll
    /// begins with `entity_and_events`, a read of a game with `Prefer: wait` begins with `entity`.
    ///
    /// Background work makes such calls, too. If one of them is counted, this returns a moment before the request
    /// begins; the request is answered nevertheless.
    pub(crate) fn until_waiting<T>(&self, call: &str, send: impl FnOnce() -> T) -> T {
        let name = format!("pagade_store_calls_total{{call=\"{call}\",outcome=\"ok\"}}");
        let calls = || self.replicas.iter().map(|_| sample(&self.get("/metrics").raw, &name)).sum::<f64>();
        let before = calls();
        let sent = send();
        until("the request has begun", || calls() > before);
        sent
    }

    /// Creates a game in which one token plays all seats.
    pub(crate) fn hot_seat(&self, more: Value) -> TestGame<'_> {
        let mut body = json!({"rule_set": "pagade", "hot_seat": true});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let created = self.post("/v1/games", body);
        assert_eq!(created.status, 201, "{}", created.body);
        TestGame::of(self, &created)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// An answer of the service.
#[derive(Debug)]
pub(crate) struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
    pub raw: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self, pointer: &str) -> String {
        self.body
            .pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_else(|| panic!("{pointer} in {}", self.body))
            .to_owned()
    }

    /// Returns the status and the code of a problem. Checks the form of the answer, and that the OpenAPI document names
    /// the code.
    pub(crate) fn problem(&self) -> (u16, &str) {
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.raw);
        assert_eq!(self.body["status"], self.status);
        assert_eq!(self.body["request_id"], self.header("x-request-id"));
        let code = self.body["code"].as_str().unwrap();
        assert_eq!(self.body["type"], format!("/v1/problems/{code}"));
        let path = self.body["instance"].as_str().unwrap();
        assert!(
            is_described(path, self.status, code),
            "the description of {path} does not tell of {} {code}",
            self.status
        );
        (self.status, code)
    }

    /// Returns all that two equal problems have in common: status, code and sentence.
    pub(crate) fn full_problem(&self) -> (u16, String, String) {
        let (status, code) = self.problem();
        (status, code.to_owned(), self.text("/detail"))
    }
}

pub(crate) fn got(response: Response) -> Answer {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let raw = response.text().unwrap();
    let body = serde_json::from_str(&raw).unwrap_or(Value::Null);
    Answer { status, headers, body, raw }
}

/// A game as its client sees it. One token plays all seats, or each seat has its own token.
pub(crate) struct TestGame<'s> {
    pub server: &'s Server,
    pub token: String,
    /// The tokens of seats. Seats that are not listed are played with `token`.
    pub seats: BTreeMap<String, String>,
    pub view: Value,
}

impl<'s> TestGame<'s> {
    /// Makes the client's game from the answer to the request that created it.
    pub(crate) fn of(server: &'s Server, created: &Answer) -> Self {
        let (token, view) = (created.text("/token"), created.body["game"].clone());
        Self { server, token, seats: BTreeMap::new(), view }
    }

    /// Joins every seat and starts the game. `wishes` maps the name of a seat to the body of the request that joins it.
    pub(crate) fn seat_all(&mut self, wishes: &Value) {
        let seats: Vec<_> = self.view["seats"].as_array().unwrap().iter().map(|seat| seat["seat"].clone()).collect();
        for seat in seats.iter().map(|seat| seat.as_str().unwrap()) {
            let wish = wishes.get(seat).cloned().unwrap_or_else(|| json!({}));
            let joined = self.server.post(&self.path(&format!("/seats/{seat}")), wish);
            assert_eq!(joined.status, 201, "{}", joined.body);
            self.seats.insert(seat.to_owned(), joined.text("/token"));
            self.view = joined.body["game"].clone();
        }
        let started = got(self.command("/start").json(&json!({})).send().unwrap());
        assert_eq!(started.status, 200, "{}", started.body);
        self.view = started.body;
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/v1/games/{}{rest}", self.view["id"].as_str().unwrap())
    }

    pub(crate) fn version(&self) -> u64 {
        self.view["version"].as_u64().unwrap()
    }

    pub(crate) fn command(&self, rest: &str) -> RequestBuilder {
        let etag = format!("\"{}\"", self.version());
        let token = self.view["turn"].as_str().and_then(|turn| self.seats.get(turn)).unwrap_or(&self.token);
        self.server.request("POST", &self.path(rest)).bearer_auth(token).header("If-Match", etag)
    }

    /// Sends a command with the token of the seat whose turn it is. If the service accepts it, `view` becomes the new
    /// state.
    pub(crate) fn send(&mut self, rest: &str, body: Value) -> Answer {
        let got = got(self.command(rest).json(&body).send().unwrap());
        if got.status == 200 {
            self.view = got.body["game"].clone();
        }
        got
    }

    pub(crate) fn throw(&mut self, dice: &str) -> Answer {
        self.send("/throws", json!({"throw": dice}))
    }

    pub(crate) fn play(&mut self, actions: &[&str]) -> Answer {
        self.send("/actions", json!({"actions": actions}))
    }

    /// Throws, or plays the first legal action.
    pub(crate) fn step(&mut self) -> Answer {
        match self.view["legal"].get(0).cloned() {
            None => self.send("/throws", json!({})),
            Some(action) => self.send("/actions", json!({"actions": [action]})),
        }
    }

    /// Plays the first legal actions until the next throw is due.
    pub(crate) fn play_out(&mut self) {
        while self.view["awaits"] == "action" {
            assert_eq!(self.step().status, 200);
        }
    }

    /// Plays the game to its end. Each step chooses another index in the list of legal actions.
    pub(crate) fn finish(&mut self) {
        for step in 0..5_000_usize {
            let got = match self.view["awaits"].as_str().unwrap() {
                "throw" => self.send("/throws", json!({})),
                "action" => {
                    let legal = self.view["legal"].as_array().unwrap();
                    let action = legal[step % legal.len()].as_str().unwrap().to_owned();
                    self.play(&[&action])
                }
                _ => return,
            };
            assert_eq!(got.status, 200, "{}", got.raw);
            for seat in self.view["seats"].as_array().unwrap() {
                let places = seat["pawns"].as_array().unwrap().iter().map(|pawn| &pawn["place"]);
                let places: Vec<_> = places.collect();
                assert_eq!(self.view["position"][seat["seat"].as_str().unwrap()], json!(places));
            }
        }
        panic!("the game does not end");
    }
}

/// Finds the value of a metric in the text of `/metrics`. Returns 0 if the metric is missing.
pub(crate) fn sample(text: &str, name: &str) -> f64 {
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok()).unwrap_or(0.0)
}

/// Tells whether the OpenAPI document names this problem at an operation with this path.
fn is_described(path: &str, status: u16, code: &str) -> bool {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(pagade::openapi::text()).unwrap());
    // These problems can happen to any request, because its operation is not known yet.
    if ["bad_request", "method_not_allowed", "route_not_found"].contains(&code) {
        return true;
    }
    let fits = |known: &str| {
        let (known, given): (Vec<_>, Vec<_>) = (known.split('/').collect(), path.split('/').collect());
        known.len() == given.len()
            && known.iter().zip(&given).all(|(known, given)| known.starts_with('{') || known == given)
    };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let operations =
        paths.iter().filter(|(known, _)| fits(known)).flat_map(|(_, item)| item.as_object().unwrap().values());
    let examples = |operation: &'static Value| {
        let response = resolved(&DOCUMENT, &operation["responses"][status.to_string()]);
        &response["content"]["application/problem+json"]["examples"]
    };
    operations.into_iter().any(|operation| examples(operation).get(code).is_some())
}

/// Returns a part of the OpenAPI document, or the part to which its `$ref` refers.
pub(crate) fn resolved<'d>(document: &'d Value, part: &'d Value) -> &'d Value {
    match part["$ref"].as_str() {
        Some(path) => document.pointer(&path[1..]).unwrap_or_else(|| panic!("{path} is nowhere")),
        None => part,
    }
}
