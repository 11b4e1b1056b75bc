//! Tests ids, bodies, queries and headers of requests. An answer reports every mistake of a request.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};

/// Words of Rust and its libraries. No answer may contain them, because clients need not know them.
const JARGON: [&str; 12] = [
    "u8",
    "u32",
    "u64",
    "i64",
    "struct",
    "untagged",
    "sequence",
    "invalid type",
    "invalid value",
    "serde",
    "variant",
    "deserialize",
];

fn post(server: &Server, path: &str, body: &str) -> Answer {
    let request = server.request("POST", path).header("Content-Type", "application/json");
    got(request.body(body.to_owned()).send().unwrap())
}

/// Lists one field of every problem in a refusal, such as `pointer`. Also checks that the answer has no jargon.
fn places(answer: &Answer, name: &str) -> Vec<String> {
    assert!(JARGON.iter().all(|word| !answer.raw.contains(word)), "{}", answer.raw);
    let problems = answer.body["problems"].as_array().unwrap_or_else(|| panic!("{}", answer.raw));
    problems.iter().map(|part| part[name].as_str().unwrap().to_owned()).collect()
}

on_both_stores!(ids_are_read_in_letters_of_either_case);
fn ids_are_read_in_letters_of_either_case(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({}));
    let id = game.view["id"].as_str().unwrap().to_owned();
    let upper = |rest: &str| format!("/v1/games/{}{rest}", id.to_uppercase());
    assert_eq!(server.get(&upper("")).body["id"], json!(id));
    for rest in ["/events", "/legal", "/dice", "/presence", "/board", "/record"] {
        assert_eq!(server.get(&upper(rest)).status, 200, "{rest}");
    }
    game.view["id"] = json!(id.to_uppercase());
    assert_eq!(game.send("/throws", json!({})).status, 200);
    for odd in [id.replace('-', ""), format!("{{{id}}}"), format!("urn:uuid:{id}")] {
        assert_eq!(server.get(&format!("/v1/games/{odd}")).problem(), (404, "game_not_found"), "an id has one form");
    }
    let hooks = format!("/v1/games/{id}/webhooks");
    let hook = json!({"url": "https://club.example/pagade"});
    let made = got(server.request("POST", &hooks).bearer_auth(&game.token).json(&hook).send().unwrap());
    let path = format!("{hooks}/{}", made.text("/webhook/id").to_uppercase());
    assert_eq!(server.request("DELETE", &path).bearer_auth(&game.token).send().unwrap().status(), 204);
}

on_both_stores!(a_list_is_no_object_and_null_is_nothing_where_it_is_not_described);
fn a_list_is_no_object_and_null_is_nothing_where_it_is_not_described(data: TestStore) {
    let server = Server::start(&data);
    let refused = |path: &str, body: Value| {
        let answer = post(&server, path, &body.to_string());
        assert_eq!(answer.problem(), (422, "body_invalid"), "{path} {body}");
        places(&answer, "pointer")
    };
    let positional = json!(["pagade", null, {}, null, "server", null, null, false, true, null]);
    assert_eq!(refused("/v1/games", positional), [""]);
    assert_eq!(refused("/v1/games", json!(null)), [""]);
    let nested = json!({"rule_set": "pagade", "turn_timer": [60, "random"], "options": [], "hot_seat": null});
    assert_eq!(refused("/v1/games", nested), ["/hot_seat", "/options", "/turn_timer"]);
    assert_eq!(server.get("/v1/games").body["games"], json!([]));
    let path = server.hot_seat(json!({"title": null})).path("");
    for path in [format!("{path}/dry-runs"), format!("{path}/seats/red"), "/v1/rule-checks".to_owned()] {
        assert_eq!(refused(&path, json!([])), [""], "{path}");
    }
}

on_both_stores!(a_whole_number_may_have_a_point_or_an_exponent);
fn a_whole_number_may_have_a_point_or_an_exponent(data: TestStore) {
    let server = Server::start(&data);
    for seconds in ["60", "60.0", "6e1", "0.6E+2"] {
        let body = format!(r#"{{"rule_set": "pagade", "turn_timer": {{"seconds": {seconds}}}, "options": {{}}}}"#);
        let created = post(&server, "/v1/games", &body);
        assert_eq!((created.status, &created.body["game"]["turn_timer"]["seconds"]), (201, &json!(60)), "{seconds}");
    }
    let broken = post(&server, "/v1/games", r#"{"rule_set": "pagade", "turn_timer": {"seconds": 60.5}}"#);
    assert_eq!(places(&broken, "pointer"), ["/turn_timer/seconds"]);
}

on_both_stores!(every_mistake_is_told_by_its_place);
fn every_mistake_is_told_by_its_place(data: TestStore) {
    let server = Server::start(&data);
    let body = r#"{"players": "red", "dice": "mine", "dice": 1, "title": 5, "colour": 1, "turn_timer": {"seconds": -1, "then": 0}}"#;
    let answer = post(&server, "/v1/games", body);
    assert_eq!(answer.problem(), (422, "body_invalid"));
    let mut told = places(&answer, "pointer");
    told.sort_unstable();
    assert_eq!(
        told,
        ["/colour", "/dice", "/dice", "/players", "/rule_set", "/title", "/turn_timer/seconds", "/turn_timer/then"]
    );

    let query = server.get("/v1/games?limit=abc&status=lost&page=2");
    assert_eq!(query.problem(), (400, "bad_query"));
    assert_eq!(places(&query, "parameter"), ["limit", "status", "page"]);
    let game = server.hot_seat(json!({}));
    for (rest, names) in
        [("?at=-1", ["at"]), ("/events?wait=31", ["wait"]), ("/events?limit=0", ["limit"]), ("/board?seat=", ["seat"])]
    {
        assert_eq!(places(&server.get(&game.path(rest)), "parameter"), names, "{rest}");
    }
    let request = game.server.request("POST", &game.path("/throws")).bearer_auth(&game.token);
    let answer = got(request.header("If-Match", "7").header("Idempotency-Key", "two words").send().unwrap());
    assert_eq!(answer.problem(), (400, "bad_header"));
    assert_eq!(places(&answer, "header"), ["if-match", "idempotency-key"]);
}

on_both_stores!(names_and_titles_can_be_read_and_told_apart);
fn names_and_titles_can_be_read_and_told_apart(data: TestStore) {
    let server = Server::start(&data);
    let create = |title: &str| server.post("/v1/games", json!({"rule_set": "pagade", "title": title}));
    for title in ["   ", "\u{200b}", "a\0b", "two\nlines", "\u{202e}drawkcab", "\u{2067}x"] {
        let refused = create(title);
        assert_eq!(
            (refused.problem(), places(&refused, "pointer")),
            ((422, "body_invalid"), vec!["/title".to_owned()]),
            "{title:?}"
        );
    }
    let created = create("  Jose\u{301}\u{a0} at home ");
    assert_eq!(created.text("/game/title"), "Jos\u{e9} at home");
    let join = |seat: &str, name: &str| {
        server.post(&format!("/v1/games/{}/seats/{seat}", created.text("/game/id")), json!({"name": name}))
    };
    assert_eq!(join("red", "\u{2066}Asha").problem(), (422, "body_invalid"));
    assert_eq!(join("red", " Asha ").text("/game/seats/0/name"), "Asha");
    for twin in ["Asha", "asha", "A\u{200b}sha", "Ａsha"] {
        assert_eq!(join("black", twin).problem(), (409, "name_taken"), "{twin:?}");
    }
    assert_eq!(join("black", "Usha").status, 201);
    assert_eq!(join("yellow", "ರ\u{200d}ಕ").status, 201, "joiners belong to many scripts");
}

on_both_stores!(a_webhook_is_registered_for_words_that_exist);
fn a_webhook_is_registered_for_words_that_exist(data: TestStore) {
    let server = Server::start(&data);
    let game = server.hot_seat(json!({}));
    let register = |events: Value| {
        let body = json!({"url": "https://club.example/pagade", "events": events});
        got(game.command("/webhooks").json(&body).send().unwrap())
    };
    let refused = register(json!(["game_over", "gameover", "moved "]));
    assert_eq!(refused.problem(), (422, "body_invalid"));
    assert_eq!(places(&refused, "pointer"), ["/events/1", "/events/2"]);
    assert!(refused.text("/problems/0/detail").contains("`game_over`"), "the words are listed: {}", refused.raw);
    assert_eq!(register(json!(["game_over", "moved"])).status, 201);
}

on_both_stores!(a_body_in_another_encoding_is_answered_415);
fn a_body_in_another_encoding_is_answered_415(data: TestStore) {
    let server = Server::start(&data);
    let send = |media: &str, encoding: &str, body: &[u8]| {
        let request =
            server.request("POST", "/v1/games").header("Content-Type", media).header("Content-Encoding", encoding);
        got(request.body(body.to_vec()).send().unwrap())
    };
    let text = r#"{"rule_set": "pagade"}"#;
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (media, encoding, body) in [
        ("application/json", "gzip", &b"\x1f\x8b\x08"[..]),
        ("application/json", "br", text.as_bytes()),
        ("application/json; charset=utf-16", "identity", &wide),
        ("application/json", "identity", &wide),
        ("application/json; charset=latin1", "identity", text.as_bytes()),
        ("text/json", "identity", text.as_bytes()),
    ] {
        assert_eq!(send(media, encoding, body).problem(), (415, "media_type_unknown"), "{media} {encoding}");
    }
    let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    assert_eq!(send("Application/JSON; Charset=\"UTF-8\"", "identity", &marked).status, 201);
}

on_both_stores!(bytes_that_are_no_http_get_a_problem);
fn bytes_that_are_no_http_get_a_problem(data: TestStore) {
    let server = Server::start(&data);
    let many = format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "X-Y: z\r\n".repeat(200));
    for (broken, status, code) in [
        ("GET / HTTP/9.9\r\n\r\n", 400, "bad_request"),
        ("GET / HTTP/1.1\r\nbroken header\r\n\r\n", 400, "bad_request"),
        ("POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n", 400, "bad_request"),
        ("\u{16}\u{3}\u{1}hello\r\n\r\n", 400, "bad_request"),
        (many.as_str(), 431, "head_too_large"),
        ("GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/9.9\r\n\r\n", 400, "bad_request"),
    ] {
        let answers = send_bytes(&server.base, broken.as_bytes());
        let answer = &answers[answers.rfind("HTTP/1.1 ").unwrap()..];
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{broken}: {answers}");
        for header in ["content-type: application/problem+json", "connection: close", "date: ", "x-request-id: "] {
            assert!(head.to_lowercase().contains(header), "{broken}: {head}");
        }
        assert!(head.to_lowercase().contains(&format!("content-length: {}", body.len())), "{broken}: {head}");
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!((&body["code"], &body["status"]), (&json!(code), &json!(status)), "{broken}: {answers}");
    }
    // A request whose head can be read gets a problem, even if its body is malformed.
    let head = "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    let answer = send_bytes(&server.base, format!("{head}Transfer-Encoding: chunked\r\n\r\nzz\r\n").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("application/problem+json"), "{answer}");
}

/// Sends bytes to a server and returns the whole answer.
pub(crate) fn send_bytes(base: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(base.trim_start_matches("http://")).unwrap();
    stream.write_all(bytes).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

on_both_stores!(what_cannot_be_read_is_told_by_its_place_and_in_plain_words);
fn what_cannot_be_read_is_told_by_its_place_and_in_plain_words(data: TestStore) {
    let server = Server::start(&data);
    let record = |text: &[u8]| {
        let request = server.request("POST", "/v1/records").header("Content-Type", "application/x-ndjson");
        got(request.body(text.to_vec()).send().unwrap())
    };
    let at = |answer: &Answer, name: &str| {
        assert!(JARGON.iter().all(|word| !answer.raw.contains(word)), "{}", answer.raw);
        answer.body["problems"][0][name].as_u64()
    };
    let header = record(br#"{"ruleset": [1]}"#);
    assert_eq!((header.problem(), at(&header, "line")), ((422, "record_invalid"), Some(1)));
    assert!(header.text("/detail").contains("header of a record"), "{}", header.raw);
    let bytes = record(b"# rule set: \xff");
    assert_eq!((bytes.problem(), at(&bytes, "line")), ((422, "body_invalid"), None));
    assert!(bytes.text("/detail").contains("not UTF-8 from byte 13"), "{}", bytes.raw);
    let wrong = post(&server, "/v1/games", "{\"rule_set\":\n  pagade}");
    assert_eq!((wrong.problem(), at(&wrong, "line"), at(&wrong, "column")), ((400, "bad_json"), Some(2), Some(3)));
    let short = post(&server, "/v1/games", r#"{"rule_set": "pagade""#);
    assert_eq!((short.problem(), at(&short, "line")), ((400, "bad_json"), Some(1)));
    assert!(short.text("/detail").contains("ends before its JSON does"), "{}", short.raw);
    let game = server.hot_seat(json!({}));
    let hooks = server.request("POST", &game.path("/webhooks")).bearer_auth(&game.token);
    let hook = got(hooks.json(&json!({"url": "club example"})).send().unwrap());
    assert_eq!((hook.status, at(&hook, "line")), (422, None));
    assert!(hook.text("/problems/0/detail").contains("it is not a URL"), "{}", hook.raw);
}
