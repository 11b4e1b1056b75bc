//! Tests the limits for slow clients, headers, connections, streams and published rule sets.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use pagade::config::Rates;
use pagade_tests::wait::until_within;
use serde_json::json;

use crate::harness::{Server, TestStore, village};

/// Starts a service that waits only one second for slow clients.
fn impatient(data: &TestStore) -> Server {
    Server::start_with(data, |config| config.bounds.patience_seconds = 1)
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.base.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream
}

/// Sends a request and returns the first bytes of the answer. Returns an empty text if the connection is closed or no
/// answer comes in time.
fn ask(stream: &mut TcpStream) -> String {
    // Writing to a closed connection may seem to succeed, so only the answer counts.
    let _ = stream.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
    let mut read = vec![0; 4096];
    let count = stream.read(&mut read).unwrap_or_default();
    String::from_utf8_lossy(&read[..count]).into_owned()
}

fn is_ok(answer: &str) -> bool {
    answer.starts_with("HTTP/1.1 200")
}

/// Reads until the connection is closed. Returns what was read, and how long that took.
fn rest(mut stream: TcpStream) -> (String, Duration) {
    let (began, mut answer) = (Instant::now(), Vec::new());
    match stream.read_to_end(&mut answer) {
        Ok(_) => {}
        Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}"),
    }
    (String::from_utf8_lossy(&answer).into_owned(), began.elapsed())
}

#[test]
fn a_client_that_sends_slowly_is_cut_off() {
    let data = TestStore::new();
    let server = impatient(&data);
    let mut head = connect(&server);
    head.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ").unwrap();
    let mut body = connect(&server);
    let start = "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{";
    body.write_all(start.as_bytes()).unwrap();
    let (answer, took) = rest(head);
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("\"code\":\"request_too_slow\""), "{answer}");
    let (answer, took) = rest(body);
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("\"code\":\"request_too_slow\""), "{answer}");
    assert_eq!(server.get("/v1/games").body["games"], json!([]));
}

#[test]
fn a_client_that_sends_a_later_head_slowly_is_cut_off() {
    let data = TestStore::new();
    let server = impatient(&data);
    let mut stream = connect(&server);
    for _ in 0..2 {
        assert!(is_ok(&ask(&mut stream)));
        std::thread::sleep(Duration::from_millis(1500));
    }
    assert!(is_ok(&ask(&mut stream)), "an idle connection stays open");
    stream.write_all(b"GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ").unwrap();
    let (answer, took) = rest(stream);
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert_eq!(answer, "");
}

#[test]
fn headers_are_bounded_in_number_and_size() {
    let data = TestStore::new();
    let server = Server::start(&data);
    for headers in [format!("X-Large: {}\r\n", "x".repeat(300_000)), "X-Many: x\r\n".repeat(200)] {
        let mut stream = connect(&server);
        // If the service closes the connection before everything is sent, writing fails.
        let sent = stream.write_all(format!("GET /livez HTTP/1.1\r\nHost: x\r\n{headers}\r\n").as_bytes());
        let answer = if sent.is_ok() { rest(stream).0 } else { String::new() };
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    }
    assert_eq!(server.get("/livez").status, 200);
}

fn following(server: &Server) -> u32 {
    let told = server.get("/metrics").raw;
    let line = told.lines().find_map(|line| line.strip_prefix("pagade_streams{media=\"sse\"} "));
    line.unwrap().parse().unwrap()
}

/// This test needs Linux: only there can the service close a connection whose client does not read.
#[cfg(target_os = "linux")]
#[test]
fn a_follower_that_does_not_read_is_dropped_and_one_that_reads_is_not() {
    let data = TestStore::new();
    let server = impatient(&data);
    let game = server.hot_seat(json!({}));
    let follow = || {
        let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
        // The receive buffer is so small that one message fills it.
        socket.set_recv_buffer_size(1).unwrap();
        let address: std::net::SocketAddr = server.base.trim_start_matches("http://").parse().unwrap();
        socket.connect(&address.into()).unwrap();
        let mut stream = TcpStream::from(socket);
        let head = format!("GET {} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n", game.path("/events"));
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    let (_stuck, mut reads) = (follow(), follow());
    let reading = std::thread::spawn(move || {
        reads.set_read_timeout(Some(Duration::from_secs(6))).unwrap();
        let mut read = vec![0; 1 << 16];
        // The thread reads until nothing has come for six seconds, which means that the connection is still open.
        loop {
            match reads.read(&mut read) {
                Ok(0) => return false,
                Ok(_) => {}
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            }
        }
    });
    until_within(Duration::from_secs(1), "both follow", || following(&server) == 2);
    until_within(Duration::from_secs(5), "one follows", || following(&server) == 1);
    assert!(reading.join().unwrap(), "who reads goes on");
}

#[test]
fn connections_of_all_clients_are_limited_and_the_next_waits() {
    let data = TestStore::new();
    let server = Server::start_with(&data, |config| config.bounds.connections = 2);
    let (mut one, mut two, mut three) = (connect(&server), connect(&server), connect(&server));
    assert!(is_ok(&ask(&mut one)) && is_ok(&ask(&mut two)));
    three.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    assert!(!is_ok(&ask(&mut three)), "there is no room");
    drop(one);
    three.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut read = vec![0; 4096];
    assert!(three.read(&mut read).is_ok_and(|count| count > 0), "now there is");
}

#[test]
fn connections_are_closed_after_their_answer_when_they_run_out() {
    let data = TestStore::new();
    let server = Server::start_with(&data, |config| config.bounds.connections = 10);
    let mut kept: Vec<_> = (0..8).map(|_| connect(&server)).collect();
    assert!(kept.iter_mut().map(ask).all(|answer| is_ok(&answer) && !answer.contains("connection: close")));
    // Eight clients keep their connections busy: each has sent a part of its next request.
    kept.iter_mut().for_each(|stream| stream.write_all(b"GET /livez HT").unwrap());
    for _ in 0..5 {
        let mut next = connect(&server);
        let answer = ask(&mut next);
        assert!(is_ok(&answer) && answer.contains("connection: close"), "{answer}");
        assert_eq!(rest(next).0, "");
    }
}

#[test]
fn connections_of_a_client_are_limited() {
    let data = TestStore::new();
    let server =
        Server::start_with(&data, |config| config.rates = Rates { connections: Some(2), ..Rates::unlimited() });
    let (mut one, mut two) = (connect(&server), connect(&server));
    assert!(is_ok(&ask(&mut one)) && is_ok(&ask(&mut two)));
    assert!(!is_ok(&ask(&mut connect(&server))), "it is closed");
    drop(one);
    until_within(Duration::from_secs(5), "a connection is given back", || is_ok(&ask(&mut connect(&server))));
    assert!(is_ok(&ask(&mut two)), "the others do not notice");
}

#[test]
fn streams_of_a_client_are_limited() {
    let data = TestStore::new();
    let server = Server::start_with(&data, |config| config.rates = Rates { streams: Some(2), ..Rates::unlimited() });
    let game = server.hot_seat(json!({}));
    let follow = || server.request("GET", &game.path("/events")).header("Accept", "text/event-stream").send().unwrap();
    let (one, two) = (follow(), follow());
    assert_eq!((one.status().as_u16(), two.status().as_u16()), (200, 200));
    let refused = crate::harness::got(follow());
    assert_eq!((refused.problem(), refused.header("retry-after")), ((429, "too_many_streams"), "5"));
    let polled = server.get(&game.path("/events?after=9&wait=1"));
    assert_eq!(polled.problem(), (429, "too_many_streams"), "whoever waits follows as well");
    assert_eq!(server.get(&game.path("/events")).status, 200);
    drop(one);
    until_within(Duration::from_secs(20), "a stream is given back", || follow().status() == 200);
}

#[test]
fn published_rule_sets_are_limited() {
    let data = TestStore::new();
    let server = Server::start_with(&data, |config| config.bounds.rule_sets = 1);
    assert_eq!(server.post("/v1/rule-sets", village(1)).status, 201);
    let refused = server.post("/v1/rule-sets", village(2));
    assert_eq!(refused.problem(), (409, "rule_sets_full"));
    assert_eq!(server.get("/v1/limits").body["rule_sets"], 1);
    assert_eq!(server.post("/v1/rule-checks", village(2)).body["playable"], true);
}

#[test]
fn games_are_answered_while_rule_texts_are_checked() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let game = server.hot_seat(json!({}));
    // The text has as many lines as fit into a request, and each of them has an error.
    let line = "  - {id: nowhere, on: enemy, in: [1..99], then: refuse}\n";
    let text = format!("rules: long\nversion: 1.0.0\ntitle: Long\nlanding:\n{}", line.repeat(900_000 / line.len()));
    std::thread::scope(|scope| {
        let checks = (0..4).map(|_| scope.spawn(|| server.post("/v1/rule-checks", json!({"text": text})).status));
        let checks = checks.collect::<Vec<_>>();
        let mut longest = Duration::ZERO;
        while checks.iter().any(|check| !check.is_finished()) {
            let began = Instant::now();
            assert_eq!(server.get(&game.path("")).status, 200);
            longest = longest.max(began.elapsed());
        }
        assert!(longest < Duration::from_secs(2), "{longest:?}");
        for check in checks {
            let status = check.join().unwrap();
            assert!([200, 422, 503].contains(&status), "{status}");
        }
    });
}
