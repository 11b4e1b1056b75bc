//! An evening of four people at a private table, with a watcher, on two processes and one Redis: options are changed
//! and chips are staked, a player drops out and comes back, a vote is refused, a process is killed in the middle, the
//! game is played to its end, and everybody has the chips, the experience and the rank that are due.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pagade_tests::issuer::{TestIssuer, TestKey, now};
use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::service::Service;
use pagade_tests::wait::{PATIENCE, until_some, until_within};
use reqwest::Method;
use reqwest::blocking::{Client, Response};
use serde_json::{Value, json};

/// Longest time of the whole game.
const EVENING: Duration = Duration::from_secs(400);
/// The admin token of the service.
const ADMIN: &str = "the-word-of-whoever-runs-this-service";
/// Chips of a new player.
const CHIPS: u64 = 500;
/// Chips that everybody stakes.
const BET: u64 = 40;

/// The addresses of the processes that run, how often this list has changed, and the number of requests so far.
struct Processes {
    addresses: Mutex<Vec<String>>,
    changes: AtomicU64,
    requests: AtomicU64,
}

impl Processes {
    /// Returns the address of a running process. Successive calls go through the list in turn.
    fn any(&self) -> String {
        let addresses = self.addresses.lock().unwrap_or_else(PoisonError::into_inner);
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        addresses[usize::try_from(number).unwrap_or(0) % addresses.len()].clone()
    }

    fn lose(&self, address: &str) {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| known != address);
        self.changes.fetch_add(1, Ordering::Relaxed);
    }
}

/// A person with a client. If a process does not answer, the client asks another process.
struct Person<'p> {
    processes: &'p Processes,
    client: Client,
    token: String,
    id: String,
    /// The network address of the person, which requests carry in the header of a proxy.
    address: String,
}

/// Reads a stream up to the first event after this one. Returns false if the stream ends before.
fn reaches_next_event(stream: &mut BufReader<Response>, last: &Value) -> bool {
    let mut ids = stream.lines().map_while(Result::ok).filter_map(|line| line.strip_prefix("id: ")?.parse().ok());
    ids.any(|id: u64| Some(id) > last.as_u64())
}

impl<'p> Person<'p> {
    fn unknown(processes: &'p Processes, token: String, address: String) -> Self {
        let client = Client::builder().timeout(Duration::from_secs(20)).build().expect("a client");
        Self { processes, client, token, id: String::new(), address }
    }

    fn guest(processes: &'p Processes, name: &str) -> Self {
        let mut person = Self::unknown(processes, String::new(), "10.0.0.9".to_owned());
        let created = person.done("POST", "/v1/players", json!({"name": name}));
        person.token = created["token"].as_str().expect("a token").to_owned();
        person.id = created["player"]["id"].as_str().expect("an id").to_owned();
        person
    }

    fn registered(processes: &'p Processes, token: String, address: String) -> Self {
        let mut person = Self::unknown(processes, token, address);
        person.id = person.read("/v1/me")["player"]["id"].as_str().expect("an id").to_owned();
        person
    }

    /// Sends a request until it is answered. A command has an idempotency key, so it has one effect.
    fn send(&self, method: &str, path: &str, body: Value, version: Option<&str>) -> (u16, Value) {
        let key = format!("{:032x}", rand::random::<u128>());
        until_some(PATIENCE, path, || {
            let method = Method::from_bytes(method.as_bytes()).expect("a method");
            let is_read = method == Method::GET;
            let mut request = self.client.request(method, format!("{}{path}", self.processes.any()));
            request = request.header("X-Forwarded-For", &self.address);
            if !self.token.is_empty() {
                request = request.bearer_auth(&self.token);
            }
            if !is_read {
                request = request.header("Idempotency-Key", &key).json(&body);
            }
            request = version.into_iter().fold(request, |request, version| request.header("If-Match", version));
            let answer = request.send().ok()?;
            let status = answer.status().as_u16();
            let text = answer.text().ok()?;
            (status != 503).then(|| (status, serde_json::from_str(&text).unwrap_or(Value::Null)))
        })
    }

    fn done(&self, method: &str, path: &str, body: Value) -> Value {
        let (status, answer) = self.send(method, path, body, None);
        assert!((200..300).contains(&status), "{method} {path}: {status} {answer}");
        answer
    }

    fn read(&self, path: &str) -> Value {
        self.done("GET", path, Value::Null)
    }

    /// Opens a stream of events, and resumes it after an event.
    fn follow(&self, path: &str, after: u64) -> Option<Response> {
        let client = Client::builder().timeout(None).build().expect("a client");
        let request = client.get(format!("{}{path}/events", self.processes.any())).bearer_auth(&self.token);
        let request = request.header("X-Forwarded-For", &self.address);
        let request = request.header("Accept", "text/event-stream").header("Last-Event-ID", after.to_string());
        request.send().ok().filter(|answer| answer.status() == 200)
    }

    /// Plays a seat and follows its game, except while `is_there` is false. Returns at the end of the game.
    fn play(&self, game: &str, seat: &str, is_there: &AtomicBool) {
        let (mut stream, mut known) = (None, None);
        loop {
            if !is_there.load(Ordering::Relaxed) {
                (stream, known) = (None, None);
                // Nothing but the flag shows that the player comes back.
                std::thread::sleep(Duration::from_millis(50));
                continue;
            }
            let changes = self.processes.changes.load(Ordering::Relaxed);
            if known != Some(changes) {
                let opened = until_some(PATIENCE, "a stream of the game", || self.follow(game, 0));
                stream = Some(BufReader::new(opened));
                known = Some(changes);
            }
            let state = self.read(game);
            if state["status"] == "finished" {
                drop(stream);
                return;
            }
            if state["turn"] != seat {
                if !stream.as_mut().is_some_and(|stream| reaches_next_event(stream, &state["events"])) {
                    known = None;
                }
                continue;
            }
            let (rest, body) = match state["legal"].get(0) {
                None => ("throws", json!({})),
                Some(action) => ("actions", json!({"actions": [action]})),
            };
            let version = format!("\"{}\"", state["version"]);
            let (status, answer) = self.send("POST", &format!("{game}/{rest}"), body, Some(&version));
            // Another command, such as that of a robot for an absent player, may have changed the game first.
            assert!([200, 409, 412].contains(&status), "{status} {answer}");
        }
    }

    /// Watches a game to its end. Returns the words of all events, by number.
    fn watch(&self, game: &str) -> BTreeMap<u64, String> {
        let mut seen = BTreeMap::new();
        loop {
            let after = seen.keys().last().copied().unwrap_or(0);
            let Some(stream) = self.follow(game, after) else {
                std::thread::sleep(Duration::from_millis(100));
                continue;
            };
            let (mut number, mut word) = (0_u64, String::new());
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                match line.split_once(": ") {
                    Some(("id", id)) => number = id.parse().unwrap_or(0),
                    Some(("event", event)) => event.clone_into(&mut word),
                    None if line.is_empty() => {
                        if !["snapshot", "heartbeat", "end", "resync", ""].contains(&word.as_str()) {
                            let last = seen.insert(number, word.clone());
                            assert_eq!(last, None, "event {number} came twice");
                        }
                        if word == "end" {
                            return seen;
                        }
                        word.clear();
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Checks what the game has brought: chips, experience and the place on the leaderboard. The winner has three quarters
/// of the pot and the experience of four seats, the bank has the rest.
fn is_settled(winner: &Person<'_>, losers: &[&Person<'_>], rule_set: &str, operator: &Person<'_>) {
    let pot = 4 * BET;
    let due = |person: &Person<'_>, chips: u64, experience: u64, rank: u64| {
        let me = becomes(person, "/v1/me", "/player/staked", &json!(0))["player"].clone();
        assert_eq!(me["balance"], chips, "{me}");
        let statistics = person.read(&format!("/v1/players/{}/statistics", person.id));
        assert_eq!(statistics["experience"], experience, "{statistics}");
        let board = becomes(person, &format!("/v1/leaderboards/{rule_set}"), "/players", &json!(4));
        assert_eq!((&board["mine"]["rank"], &board["mine"]["experience"]), (&json!(rank), &json!(experience)));
        assert_eq!(board["lines"][0]["player"], winner.id);
    };
    due(winner, CHIPS - BET + pot * 3 / 4, 40, 1);
    losers.iter().for_each(|loser| due(loser, CHIPS - BET, 5, 2));
    assert_eq!(operator.read("/v1/bank")["chips"], pot / 4);
}

/// Reads `path` again and again until its answer has `value` at the JSON pointer `pointer`. Returns that answer.
fn becomes(person: &Person<'_>, path: &str, pointer: &str, value: &Value) -> Value {
    until_some(PATIENCE, &format!("{pointer} of {path} is {value}"), || {
        let seen = person.read(path);
        (seen.pointer(pointer) == Some(value)).then_some(seen)
    })
}

#[test]
fn an_evening_of_four_people_with_a_watcher_survives_everything() {
    let (issuer, key) = (TestIssuer::start(), TestKey::ed("one"));
    issuer.has(&[&key]);
    let redis = RedisServer::start(DURABLE);
    let (address, chips) = (redis.address(), CHIPS.to_string());
    let arguments = ["--store", address.as_str(), "--absent-after", "2", "--return-within", "120"];
    let people = ["--oidc-issuer", &issuer.url, "--oidc-audience", "pagade", "--trust-proxy", "1", "--chips", &chips];
    let arguments = [&arguments[..], &people].concat();
    let [first, second] = [0, 1].map(|_| Service::start(&arguments, &[("PAGADE_ADMIN_TOKEN", ADMIN)]));
    let processes = Processes {
        addresses: Mutex::new(vec![first.address.clone(), second.address.clone()]),
        changes: AtomicU64::new(0),
        requests: AtomicU64::new(0),
    };
    let [asha, ravi, meera, kiran] = [("Asha", 1), ("Ravi", 2), ("Meera", 3), ("Kiran", 4)].map(|(name, number)| {
        let claims = issuer.claims_with(json!({"sub": name, "name": name, "exp": now() + 3_600}));
        Person::registered(&processes, key.sign(&claims), format!("10.0.0.{number}"))
    });
    let nila = Person::guest(&processes, "Nila");
    let operator = Person::unknown(&processes, ADMIN.to_owned(), "10.0.0.8".to_owned());

    // The table is private: Ravi sits down as a friend, Meera by an invitation, Kiran by the link. Nila is invited and
    // watches.
    asha.done("POST", &format!("/v1/players/{}/friends/{}", asha.id, ravi.id), json!({}));
    becomes(&ravi, &format!("/v1/players/{}/friends", ravi.id), "/requests/0/player", &json!(asha.id));
    ravi.done("POST", &format!("/v1/players/{}/friends/{}", ravi.id, asha.id), json!({}));
    becomes(&asha, &format!("/v1/players/{}/friends", asha.id), "/friends/0/player", &json!(ravi.id));
    let wish = json!({"rule_set": "ludo", "title": "Friday evening", "options": {"private": true, "bet": BET}});
    let created = asha.done("POST", "/v1/tables", wish);
    let table = format!("/v1/tables/{}", created["id"].as_str().expect("an id"));
    let seats: Vec<_> = created["seats"].as_array().expect("seats").iter().map(|seat| seat["seat"].as_str()).collect();
    let seats: Vec<_> = seats.into_iter().map(|seat| seat.expect("a name").to_owned()).collect();
    let options = json!({"options": {"ludo-quick": true, "time_per_turn": 60}});
    let changed = asha.done("PATCH", &format!("{table}/options"), options);
    // Choosing the variant also changes the options for which it has another default.
    assert_eq!(
        changed["changed"].as_array().map(|names| &names[..2]),
        Some(&[json!("time_per_turn"), json!("ludo-quick")][..])
    );
    ravi.done("POST", &format!("{table}/seats/{}", seats[1]), json!({}));
    let options = ravi.read(&format!("{table}/options"));
    assert!(options["options"].as_array().is_some_and(|options| options.len() > 6));
    asha.done("POST", &format!("{table}/invitations"), json!({"player": meera.id}));
    meera.done("POST", &format!("{table}/seats/{}", seats[2]), json!({}));
    let link = asha.done("POST", &format!("{table}/link"), json!({}))["link"].clone();
    kiran.done("POST", &format!("{table}/seats/{}", seats[3]), json!({"link": link}));
    ravi.done("POST", &format!("{table}/invitations"), json!({"player": nila.id}));
    nila.done("POST", &format!("{table}/watchers"), json!({}));
    nila.done("POST", &format!("{table}/chat"), json!({"text": "good luck"}));
    let started = asha.done("POST", &format!("{table}/games"), json!({}));
    let game = format!("/v1/games/{}", started["game"]["id"].as_str().expect("an id"));
    assert_eq!(asha.read(&game)["rule_set"]["id"], "ludo-quick");

    let is_there = [(); 4].map(|()| AtomicBool::new(true));
    let (kiran_away, refused) = (AtomicBool::new(false), AtomicBool::new(false));
    let seen = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| nila.watch(&game));
        for ((person, seat), is_there) in [&asha, &ravi, &meera, &kiran].into_iter().zip(&seats).zip(&is_there) {
            scope.spawn(|| person.play(&game, seat, is_there));
        }
        // Waits until the game has this number of steps, so that each of the following parts begins later in the game.
        let steps = |least: u64| {
            until_within(EVENING, &format!("{least} steps"), || {
                let state = asha.read(&game);
                state["steps"].as_u64() >= Some(least) || state["status"] == "finished"
            });
        };
        steps(8);
        is_there[3].store(false, Ordering::Relaxed);
        becomes(&asha, &game, "/seats/3/control", &json!("robot"));
        becomes(&asha, &table, "/seats/3/control", &json!("robot"));
        kiran_away.store(true, Ordering::Relaxed);
        // A vote while one player is away: three players are asked, and one of them refuses.
        meera.done("POST", &format!("{table}/votes"), json!({"on": "end"}));
        ravi.done("POST", &format!("{table}/votes/current"), json!({"agree": false}));
        assert_eq!(asha.read(&game)["status"], "playing");
        refused.store(true, Ordering::Relaxed);
        // One of the two processes is killed in the middle of the game. The clients then use the other process.
        let lost = first.address.clone();
        first.kill();
        processes.lose(&lost);
        let (status, back) = kiran.send("POST", &format!("{game}/seats/{}/return", seats[3]), json!({}), None);
        assert_eq!(status, 200, "{back}");
        is_there[3].store(true, Ordering::Relaxed);
        becomes(&asha, &game, "/seats/3/control", &json!("player"));
        watcher.join().expect("the watcher sees the end")
    });

    // The watcher has received every event once.
    assert!(seen.keys().copied().eq(seen.keys().next().copied().unwrap_or(0)..=*seen.keys().last().expect("events")));
    let words: Vec<_> = seen.values().map(String::as_str).collect();
    assert_eq!(words.last(), Some(&"game_over"));
    let control = words.iter().filter(|word| **word == "control_changed").count();
    assert!(control >= 2, "a robot came and went: {control}");
    let state = asha.read(&game);
    assert_eq!((&state["status"], &state["ended_by"]), (&json!("finished"), &json!("rules")));
    let open = becomes(&asha, &table, "/status", &json!("open"));
    let past = &open["past_games"][0];
    assert_eq!(past["ended_by"], "rules");
    let players = past["players"].as_array().expect("players");
    let names: Vec<_> = players.iter().map(|player| player["name"].as_str().expect("a name")).collect();
    assert_eq!((names.len(), &past["bet"]), (4, &json!(BET)), "{past}");
    assert!(players.iter().all(|player| player["left"] == false && player["control"] != "abandoned"), "{past}");
    assert_eq!(players[0]["place"], 1);
    let (winner, losers): (Vec<_>, Vec<_>) =
        [&asha, &ravi, &meera, &kiran].into_iter().partition(|person| players[0]["player"] == person.id);
    // The game was played by a variant that is an option of the table. It counts on the leaderboard of the table's rule
    // set.
    is_settled(winner[0], &losers, "ludo", &operator);
    // Every player has the result in the inbox, and the chat still has its lines.
    for person in [&asha, &ravi, &meera, &kiran] {
        until_some(PATIENCE, "the inbox has the result", || {
            let events = person.read(&format!("/v1/players/{}/events?limit=1000", person.id));
            let ended = events["events"].as_array()?.iter().filter(|event| event["event"] == "game_ended").count();
            assert!(ended < 2, "told twice");
            (ended == 1).then_some(())
        });
    }
    assert_eq!(nila.read(&format!("{table}/chat"))["lines"][0]["text"], "good luck");
    // A rematch: everybody agrees by a vote, and the next game begins.
    meera.done("POST", &format!("{table}/votes"), json!({"on": "next_game"}));
    for person in [&asha, &ravi, &kiran] {
        person.done("POST", &format!("{table}/votes/current"), json!({"agree": true}));
    }
    let again = becomes(&asha, &table, "/status", &json!("playing"));
    assert_eq!(again["game"]["number"], 2);
    assert!(kiran_away.into_inner() && refused.into_inner());
    drop(second);
}
