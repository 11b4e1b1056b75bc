//! Tests the header `Prefer: wait` at /v1/games/{id}.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use pagade_tests::redis_server::RedisServer;
use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestGame, TestStore, got, on_both_stores};

/// Reads a game with this `Prefer` header. `seen` is the version that the client already has. Returns the answer, and
/// how long the request took.
fn read(game: &TestGame<'_>, query: &str, prefer: &str, seen: Option<u64>) -> (Answer, Duration) {
    let began = Instant::now();
    let request = game.server.request("GET", &game.path(query)).header("Prefer", prefer);
    let request = match seen {
        Some(version) => request.header("If-None-Match", format!("\"{version}\"")),
        None => request,
    };
    let answer = got(request.send().unwrap());
    (answer, began.elapsed())
}

on_both_stores!(a_game_is_read_when_it_has_changed);
fn a_game_is_read_when_it_has_changed(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let seen = game.version();
    let waiting =
        TestGame { server: &server, token: game.token.clone(), seats: game.seats.clone(), view: game.view.clone() };
    std::thread::scope(|scope| {
        let send = || scope.spawn(|| read(&waiting, "", "respond-async, wait=20", Some(seen)));
        let wait = server.until_waiting("entity", send);
        game.throw("3+4");
        let (answer, took) = wait.join().unwrap();
        assert_eq!((answer.status, answer.body["throw"].as_str()), (200, Some("3+4")));
        assert_eq!(answer.header("preference-applied"), "wait=20");
        assert!(took < Duration::from_secs(5), "{took:?}");
    });
    let (other, took) = read(&waiting, "", "wait=20", Some(seen));
    assert!(other.status == 200 && took < Duration::from_secs(5), "the client has an old version: {took:?}");
    let (same, took) = read(&waiting, "", "wait=1", Some(game.version()));
    assert_eq!(same.header("preference-applied"), "wait=1");
    for long in ["wait=99", "wait=4294967296", "wait=99999999999999999999"] {
        assert_eq!(read(&waiting, "", long, None).0.header("preference-applied"), "wait=30", "{long}");
    }
    assert_eq!(read(&waiting, "", "respond-async", None).0.header("preference-applied"), "");
    assert!(same.status == 304 && took >= Duration::from_secs(1) && took < Duration::from_secs(5), "{took:?}");
}

on_both_stores!(every_change_of_the_version_ends_a_wait);
fn every_change_of_the_version_ends_a_wait(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({}));
    let hook = json!({"url": "https://club.example/hook"});
    let registered = got(game.command("/webhooks").json(&hook).send().unwrap());
    game.view = server.get(&game.path("")).body;
    let webhook = game.path(&format!("/webhooks/{}", registered.text("/webhook/id")));
    let changes: [(&str, &dyn Fn() -> Answer, &str); 3] = [
        ("POST", &|| got(game.command("/webhooks").json(&hook).send().unwrap()), "webhooks_changed"),
        (
            "DELETE",
            &|| got(server.request("DELETE", &webhook).bearer_auth(&game.token).send().unwrap()),
            "webhooks_changed",
        ),
        (
            "POST",
            &|| {
                let request = server.request("POST", &game.path("/token")).bearer_auth(&game.token);
                got(request.header("Idempotency-Key", "8d1a4c1e-57d4-4c58-8a6e-0a8e4bb5d1f0").send().unwrap())
            },
            "token_changed",
        ),
    ];
    for (method, change, word) in changes {
        let seen = server.get(&game.path("")).body["version"].as_u64().unwrap();
        std::thread::scope(|scope| {
            let wait = server.until_waiting("entity", || scope.spawn(|| read(&game, "", "wait=20", Some(seen))));
            let changed = change();
            assert!(changed.status < 300, "{method} {word}: {}", changed.raw);
            let (answer, took) = wait.join().unwrap();
            assert_eq!((answer.status, answer.body["version"].as_u64()), (200, Some(seen + 1)));
            assert!(took < Duration::from_secs(5), "{method} {word}: {took:?}");
        });
        let events = server.get(&game.path("/events?limit=1000")).body;
        assert_eq!(events["events"].as_array().unwrap().last().unwrap()["event"], word);
    }
}

on_both_stores!(a_game_is_read_when_it_is_the_turn_of_a_seat);
fn a_game_is_read_when_it_is_the_turn_of_a_seat(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"players": ["red", "yellow"], "dice": "players", "seed": "turn"}));
    let turn = game.view["turn"].as_str().unwrap().to_owned();
    let other = if turn == "red" { "yellow" } else { "red" };
    let waiting =
        TestGame { server: &server, token: game.token.clone(), seats: game.seats.clone(), view: game.view.clone() };
    let (now, took) = read(&waiting, &format!("?turn={turn}"), "wait=20", None);
    assert!(now.status == 200 && took < Duration::from_secs(5), "{took:?}");
    let query = format!("?turn={other}");
    std::thread::scope(|scope| {
        let send = || scope.spawn(|| read(&waiting, &query, "wait=\"20\"", None));
        let wait = server.until_waiting("entity", send);
        game.throw("3+4");
        while game.view["turn"] == turn.as_str() {
            assert_eq!(game.step().status, 200);
        }
        let (answer, _) = wait.join().unwrap();
        assert_eq!((answer.status, answer.body["turn"].as_str()), (200, Some(other)));
        assert!(answer.body["version"].as_u64() > waiting.view["version"].as_u64());
    });
    let (both, took) = read(&waiting, &query, "wait=1", Some(game.version()));
    assert!(
        both.status == 304 && took >= Duration::from_secs(1),
        "its turn at a version that the client has: {took:?}"
    );
    let unknown = read(&waiting, "?turn=mauve", "wait=20", None).0;
    assert_eq!((unknown.problem(), unknown.text("/problems/0/parameter").as_str()), ((400, "bad_query"), "turn"));
    assert!(unknown.text("/detail").contains("the seats are `red`, `yellow`"), "{}", unknown.raw);
}

on_both_stores!(nothing_is_awaited_from_a_finished_game_or_without_a_number);
fn nothing_is_awaited_from_a_finished_game_or_without_a_number(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"players": ["red", "yellow"], "seed": "end"}));
    for prefer in ["wait", "wait=", "wait=soon", "wait=-1", "return=minimal", ""] {
        let (answer, took) = read(&game, "", prefer, Some(game.version()));
        assert!(answer.status == 304 && took < Duration::from_secs(5), "{prefer}: {took:?}");
    }
    game.finish();
    game.view = server.get(&game.path("")).body;
    let (same, took) = read(&game, "", "wait=20", Some(game.version()));
    assert!(same.status == 304 && took < Duration::from_secs(5), "{took:?}");
    let (over, took) = read(&game, "?turn=red", "wait=20", None);
    assert!(over.body["turn"] == Value::Null && took < Duration::from_secs(5), "{took:?}");
}

on_both_stores!(a_waiting_client_is_answered_when_the_service_stops_or_its_token_is_revoked);
fn a_waiting_client_is_answered_when_the_service_stops_or_its_token_is_revoked(data: TestStore) {
    let mut server = Server::start(&data);
    let made = server.post("/v1/games", json!({"rule_set": "pagade", "private": true, "players": ["red", "yellow"]}));
    let path = format!("/v1/games/{}", made.text("/game/id"));
    let owner = made.text("/token");
    let join = |seat: &str| {
        let request = server.request("POST", &format!("{path}/seats/{seat}")).bearer_auth(&owner);
        got(request.json(&json!({})).send().unwrap()).text("/token")
    };
    let seat = join("red");
    let wait = |token: &str| {
        let request = server.request("GET", &format!("{path}?turn=red")).bearer_auth(token).header("Prefer", "wait=25");
        std::thread::spawn(move || got(request.send().unwrap()))
    };
    let [revoked, stays] = [&seat, &owner].map(|token| server.until_waiting("entity", || wait(token)));
    let revoke = server.request("DELETE", &format!("{path}/seats/red/token")).bearer_auth(&owner);
    assert_eq!(revoke.send().unwrap().status(), 204);
    assert_eq!(revoked.join().unwrap().problem(), (401, "token_revoked"));
    let began = Instant::now();
    server.stop();
    assert_eq!(stays.join().unwrap().status, 200);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

/// Returns the number of commands that Redis has received, by the name of the command. Three kinds of commands are left
/// out: the search of the schedule for due tasks, twice a second; checks of the connection for published messages; and
/// commands of this test.
fn calls(redis: &RedisServer) -> BTreeMap<String, u64> {
    let besides = ["evalsha", "eval", "time", "zrange", "ping", "info"];
    let text = redis.command(&["INFO", "commandstats"]);
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("cmdstat_")?.split_once(":calls="));
    let counts = lines.filter_map(|(name, rest)| Some((name.to_owned(), rest.split(',').next()?.parse().ok()?)));
    counts.filter(|(name, _)| !besides.contains(&name.as_str())).collect()
}

/// Sends a request that waits for a change of the game, and does not read the answer yet.
fn wait_for(game: &TestGame<'_>, number: usize) -> TcpStream {
    let (path, seen, events) = (game.path(""), game.version(), game.view["events"].as_u64().unwrap());
    let request = match number % 3 {
        0 => format!("GET {path}/events?after={events}&wait=30 HTTP/1.1\r\n"),
        1 => format!("GET {path} HTTP/1.1\r\nPrefer: wait=30\r\nIf-None-Match: \"{seen}\"\r\n"),
        _ => format!("GET {path}/events HTTP/1.1\r\nAccept: text/event-stream\r\nLast-Event-ID: {events}\r\n"),
    };
    let mut stream = TcpStream::connect(game.server.base.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    write!(stream, "{request}Host: localhost\r\n\r\n").unwrap();
    stream
}

/// Reads until this text has come. Returns false if the connection is closed or the time runs out first.
fn has_come(stream: &mut impl Read, text: &str) -> bool {
    let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&read).contains(text) {
        match stream.read(&mut buffer) {
            Ok(count @ 1..) => read.extend_from_slice(&buffer[..count]),
            _ => return false,
        }
    }
    true
}

#[test]
fn a_client_of_http_1_0_follows_a_stream_without_chunks() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let mut stream = TcpStream::connect(server.base.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    write!(stream, "GET {}/events HTTP/1.0\r\nAccept: text/event-stream\r\n\r\n", game.path("")).unwrap();
    let mut head = String::new();
    let mut reader = BufReader::new(stream);
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
    }
    let head = head.to_lowercase();
    assert!(head.contains(" 200 ") && !head.contains("keep-alive") && !head.contains("chunked"), "{head}");
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    assert_eq!(first, "id: 2\n");
    assert_eq!(game.throw("3+4").status, 200);
    assert!(has_come(&mut reader, "event: thrown\n"));
}

#[test]
fn a_hundred_waiting_clients_do_not_call_the_store() {
    let data = TestStore::on_redis();
    let server = Server::start(&data);
    let mut games = (0..5).map(|_| server.hot_seat(json!({"dice": "players"}))).collect::<Vec<_>>();
    let mut clients = (0..100).map(|number| wait_for(&games[number % 5], number)).collect::<Vec<_>>();
    let mut before = BTreeMap::new();
    until("all clients wait, and their presence is noted", || {
        let now = calls(data.redis());
        let is_quiet = now == before;
        before = now;
        // The service writes presence to Redis once a second, so a pause without a command means that nothing is left
        // to write.
        std::thread::sleep(Duration::from_millis(1_500));
        is_quiet
    });
    // A service that cannot subscribe to its store would read the game again within this time.
    std::thread::sleep(Duration::from_secs(6));
    assert_eq!(calls(data.redis()), before);
    games.iter_mut().for_each(|game| assert_eq!(game.throw("3+4").status, 200));
    for (number, client) in clients.iter_mut().enumerate() {
        assert!(has_come(client, "\"throw\":\"3+4\""), "client {number}");
    }
}
