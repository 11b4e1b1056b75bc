//! An arbiter enters the results of a large tournament one by one, over HTTP. The time of a result must not depend much
//! on the number of entrants, nor on the number of rounds before it.
//!
//! `PAGADE_ENTRANTS=1000 PAGADE_ROUNDS=3 cargo test --release -p pagade-tests --test processes results -- --nocapture`
//! measures larger fields.

use std::cell::Cell;
use std::time::{Duration, Instant};

use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::service::{NO_VARIABLES, Service};
use reqwest::blocking::Client;
use serde_json::{Value, json};

/// Reads a number from a variable of the environment.
fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

/// The organiser of a tournament at a service.
struct Organiser {
    client: Client,
    path: String,
    token: String,
    /// Number of requests that were sent, for their idempotency keys.
    sent: Cell<usize>,
}

impl Organiser {
    /// Creates a tournament with two entrants at a table, enters these entrants, and starts it.
    fn of(service: &Service, entrants: usize, rounds: usize) -> Self {
        let client = Client::builder().timeout(Duration::from_secs(120)).build().expect("a client");
        let wish = json!({"rule_set": "pagade", "format": {"kind": "swiss", "rounds": rounds}});
        let sent = client.post(format!("{}/v1/tournaments", service.address)).json(&wish).send();
        let created: Value = sent.and_then(|sent| sent.error_for_status()?.json()).expect("the tournament is created");
        let text = |pointer: &str| created.pointer(pointer).and_then(Value::as_str).expect("a text").to_owned();
        let path = format!("{}/v1/tournaments/{}", service.address, text("/tournament/id"));
        let organiser = Self { client, path, token: text("/token"), sent: Cell::new(0) };
        let names: Vec<Value> = (1..=entrants).map(|number| json!({"name": format!("Entrant {number}")})).collect();
        for names in names.chunks(64) {
            organiser.send("POST", "/entrants", &json!({"entrants": names}));
        }
        organiser.send("POST", "/start", &json!({}));
        organiser
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let method = method.parse().expect("a method");
        let request = self.client.request(method, format!("{}{path}", self.path)).bearer_auth(&self.token);
        self.sent.set(self.sent.get() + 1);
        let key = format!("{}-request-{}", self.token, self.sent.get());
        let sent = request.header("Idempotency-Key", key).json(body).send();
        sent.and_then(|sent| sent.error_for_status()?.json()).unwrap_or_else(|problem| panic!("{path}: {problem}"))
    }

    /// Pairs a round and enters all its results. Returns how many results a second were entered.
    fn play(&self, number: usize) -> f64 {
        let began = Instant::now();
        let round = self.send("POST", "/rounds", &json!({"round": number}))["round"].clone();
        let tables = round["tables"].as_array().expect("a list");
        println!("round {number}: {} tables paired in {:?}", tables.len(), began.elapsed());
        let began = Instant::now();
        for table in tables {
            let seat = |at: usize, place: usize| json!({"entrant": table["entrants"][at], "place": place});
            let body = json!({"seats": [seat(0, 1), seat(1, 2)], "reason": "seen at the table"});
            self.send("PUT", &format!("/rounds/{number}/tables/{}/result", table["table"]), &body);
        }
        #[expect(clippy::cast_precision_loss, reason = "tournaments have few tables")]
        let rate = tables.len() as f64 / began.elapsed().as_secs_f64();
        println!("round {number}: {rate:.0} results a second");
        rate
    }
}

fn results_are_entered(service: &Service) {
    let (entrants, rounds) = (setting("PAGADE_ENTRANTS", 100), setting("PAGADE_ROUNDS", 2));
    let organiser = Organiser::of(service, entrants, rounds);
    for number in 1..=rounds {
        let rate = organiser.play(number);
        assert!(rate > 5.0, "round {number} of {entrants} entrants: {rate:.1} results a second");
    }
    let read = organiser.client.get(format!("{}/standings", organiser.path)).send();
    let standings: Value = read.and_then(|read| read.error_for_status()?.json()).expect("standings");
    let points = standings["standings"].as_array().expect("a list").iter().filter_map(|row| row["points"].as_f64());
    // The two entrants of each table get six points together.
    let expected = 6 * rounds * (entrants / 2);
    assert_eq!(format!("{:.0}", points.sum::<f64>()), expected.to_string(), "no result is lost");
}

#[test]
fn an_arbiter_enters_results_of_a_large_tournament_with_the_embedded_store() {
    let folder = std::env::temp_dir().join(format!("pagade-results-{}", std::process::id()));
    let data = folder.display().to_string();
    results_are_entered(&Service::start(&["--data", data.as_str()], NO_VARIABLES));
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn an_arbiter_enters_results_of_a_large_tournament_on_redis() {
    let redis = RedisServer::start(DURABLE);
    results_are_entered(&Service::start(&["--store", redis.address().as_str()], NO_VARIABLES));
}
