//! Tests conventions that all operations follow.

use std::io::{Read, Write};
use std::net::TcpStream;

use pagade::openapi::text;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Server, TestStore, got, on_both_stores, village};

on_both_stores!(a_request_sent_again_has_one_effect_and_one_answer);
fn a_request_sent_again_has_one_effect_and_one_answer(data: TestStore) {
    let server = Server::start(&data);
    let create = |key: &str, body: &serde_json::Value| {
        got(server.request("POST", "/v1/games").header("Idempotency-Key", key).json(body).send().unwrap())
    };
    let wish = json!({"rule_set": "pagade", "hot_seat": true});
    let (first, second) =
        (create("5f0a1c8e-3a52-4d0c-9a3e-6b1f0c9d7e42", &wish), create("5f0a1c8e-3a52-4d0c-9a3e-6b1f0c9d7e42", &wish));
    assert_eq!((second.status, &second.body), (201, &first.body));
    assert_eq!((first.header("idempotency-replayed"), second.header("idempotency-replayed")), ("", "true"));
    assert_eq!(second.header("location"), first.header("location"));
    assert_eq!(server.get("/v1/games").body["games"].as_array().unwrap().len(), 1);
    assert_eq!(
        create("5f0a1c8e-3a52-4d0c-9a3e-6b1f0c9d7e42", &json!({"rule_set": "pagade"})).problem(),
        (422, "idempotency_key_reused")
    );
    assert_eq!(create("two words", &wish).problem(), (400, "bad_header"));

    let path = format!("/v1/games/{}/throws", first.text("/game/id"));
    let throw = || {
        let request = server.request("POST", &path).bearer_auth(first.text("/token"));
        got(request.header("If-Match", "\"1\"").header("Idempotency-Key", "t").send().unwrap())
    };
    let thrown = throw();
    assert_eq!(thrown.status, 200);
    assert_eq!(throw().body, thrown.body);
}

on_both_stores!(a_request_is_repeated_after_its_rule_set_got_another_version);
fn a_request_is_repeated_after_its_rule_set_got_another_version(data: TestStore) {
    let server = Server::start(&data);
    let publish = |version: &str, base: &str| {
        let text = format!("rules: mine\nversion: {version}\ntitle: Mine\nextends: {base}\n");
        assert_eq!(server.post("/v1/rule-sets", json!({"text": text})).status, 201);
    };
    publish("1.0.0", "parcheesi");
    let player = server.post("/v1/players", json!({})).text("/token");
    let mut game = server.hot_seat(json!({"rule_set": "mine"}));
    (0..12).for_each(|_| drop(game.step()));
    let record = server.get(&game.path("/record")).raw;
    let mut header: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    header.as_object_mut().unwrap().retain(|field, _| field != "digest" && field != "version");
    let child = "rules: child\nversion: 1.0.0\ntitle: Child\nextends: mine\ntexts:\n  seats: {blue: Azure}\n";
    let wish = json!({"rule_set": "mine", "options": {"allow_mixed_blockades": true}});
    let sent = [
        ("/v1/games", wish.clone()),
        ("/v1/tables", wish.clone()),
        ("/v1/tournaments", json!({"rule_set": "mine", "options": wish["options"], "format": {"kind": "round_robin"}})),
        ("/v1/records", json!(record.replacen(record.lines().next().unwrap(), &header.to_string(), 1))),
        ("/v1/rule-sets", json!({"text": child})),
    ];
    let ask = |key: &str, (path, wish): &(&str, Value)| {
        let request = server.request("POST", path).bearer_auth(&player).header("Idempotency-Key", key);
        got(match wish {
            Value::String(text) => request.header("Content-Type", "application/x-ndjson").body(text.clone()),
            wish => request.json(wish),
        }
        .send()
        .unwrap())
    };
    let keys = [(); 5].map(|()| Uuid::now_v7().to_string());
    let first: Vec<_> = keys.iter().zip(&sent).map(|(key, sent)| ask(key, sent)).collect();
    publish("2.0.0", "pagade");
    for ((key, sent), first) in keys.iter().zip(&sent).zip(&first) {
        let (path, again) = (sent.0, ask(key, sent));
        assert_eq!((first.status, again.status, &again.raw), (201, 201, &first.raw), "{path}");
        assert_eq!(again.header("idempotency-replayed"), "true", "{path}");
        assert_eq!(ask(&Uuid::now_v7().to_string(), sent).status, 422, "{path}: a new request suits no longer");
    }
}

on_both_stores!(nobody_gets_the_token_of_another_by_guessing_a_key);
fn nobody_gets_the_token_of_another_by_guessing_a_key(data: TestStore) {
    let server = Server::start(&data);
    let post = |path: &str, token: Option<&str>, key: &str, body: &serde_json::Value| {
        let request = server.request("POST", path).header("Idempotency-Key", key).json(body);
        let request = token.iter().fold(request, |request, token| request.bearer_auth(token));
        got(request.send().unwrap())
    };
    let wish = json!({"rule_set": "pagade", "private": true});
    // A request without a token, or with a made-up one, needs a key that cannot be guessed. So does a request with an
    // invitation, because all guests of a game have the same one.
    for token in [None, Some("null")] {
        for key in ["1", "create", "monday's game", "00000000-0000-0000-0000-000000000000"] {
            let refused = post("/v1/games", token, key, &wish);
            assert!(
                [400, 422].contains(&refused.problem().0) && refused.body.get("token").is_none(),
                "{}",
                refused.raw
            );
        }
    }
    let created = server.post("/v1/games", wish);
    let (path, owner) = (format!("/v1/games/{}", created.text("/game/id")), created.text("/token"));
    let (invitation, join) = (created.text("/invitation"), format!("{path}/seats/red"));
    assert_eq!(post(&join, Some(&invitation), "join", &json!({})).problem(), (422, "idempotency_key_weak"));
    let text = village(1);
    assert_eq!(post("/v1/rule-sets", None, "publish", &text).problem(), (422, "idempotency_key_weak"));
    // If weak keys were allowed, the holder of a stolen token could guess the key and get the renewed token.
    let renew = format!("{path}/token");
    assert_eq!(post(&renew, Some(&owner), "renew", &json!({})).problem(), (422, "idempotency_key_weak"));
    let hook = json!({"url": "https://club.example/pagade"});
    let hooks = format!("{path}/webhooks");
    assert_eq!(post(&hooks, Some(&owner), "hook", &hook).problem(), (422, "idempotency_key_weak"));
    // A client that repeats its own key gets its own token again. Another key gets nothing.
    let keys = ["0b9a3f52-7f5b-4a39-9d55-1a0f7a52b9c1", "7c1de0a4-52b8-4e0f-8f6e-93a1c5d2e6f0"];
    let joined = post(&join, Some(&invitation), keys[0], &json!({}));
    assert_eq!(joined.status, 201, "{}", joined.raw);
    assert_eq!(post(&join, Some(&invitation), keys[0], &json!({})).body, joined.body);
    assert_eq!(post(&join, Some(&invitation), keys[1], &json!({})).problem(), (409, "seat_taken"));
    // For commands, a key may be short, because a player's keys count only together with the player's token.
    let start = |key| post(&format!("{path}/start"), Some(&owner), key, &json!({}));
    assert_eq!(start("1").problem(), (409, "seats_free"));
}

on_both_stores!(equal_requests_at_once_have_one_effect);
fn equal_requests_at_once_have_one_effect(data: TestStore) {
    let server = Server::start(&data);
    let create = || {
        let request =
            server.request("POST", "/v1/games").header("Idempotency-Key", "5f0a1c8e-3a52-4d0c-9a3e-6b1f0c9d7e42");
        got(request.json(&json!({"rule_set": "pagade"})).send().unwrap())
    };
    let answers: Vec<_> = std::thread::scope(|scope| {
        let requests: Vec<_> = (0..8).map(|_| scope.spawn(create)).collect();
        requests.into_iter().map(|request| request.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|answer| answer.status == 201 && answer.body == answers[0].body));
    assert_eq!(server.get("/v1/games").body["games"].as_array().unwrap().len(), 1);
}

on_both_stores!(the_store_contains_no_token);
fn the_store_contains_no_token(data: TestStore) {
    let mut server = Server::start(&data);
    let request = server.request("POST", "/v1/games").header("Idempotency-Key", "a-random-key-8fJx02pQzLw");
    let created = got(request.json(&json!({"rule_set": "pagade", "private": true})).send().unwrap());
    server.stop();
    let bytes = data.bytes();
    assert!(bytes.windows(6).any(|window| window == b"pagade"), "this is where games are");
    for secret in [created.text("/token"), created.text("/invitation"), "a-random-key-8fJx02pQzLw".to_owned()] {
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{secret}");
    }
}

on_both_stores!(errors_of_the_framework_have_the_same_shape);
fn errors_of_the_framework_have_the_same_shape(data: TestStore) {
    let server = Server::start(&data);
    assert_eq!(server.get("/v1/nothing").problem(), (404, "route_not_found"));
    let refused = got(server.request("PUT", "/v1/games").send().unwrap());
    assert_eq!((refused.problem(), refused.header("allow")), ((405, "method_not_allowed"), "GET, POST, HEAD"));
    let post = |media: &str, body: &str| {
        let request = server.request("POST", "/v1/games").header("Content-Type", media);
        got(request.body(body.to_owned()).send().unwrap())
    };
    assert_eq!(post("text/plain", "{}").problem(), (415, "media_type_unknown"));
    assert_eq!(post("application/json", "{").problem(), (400, "bad_json"));
    assert_eq!(post("application/json", "[1]").problem(), (422, "body_invalid"));
    let doubled = r#"{"rule_set": "pagade", "rule_set": "pagade"}"#;
    assert_eq!(post("application/json", doubled).problem(), (422, "body_invalid"));
    let large = format!(r#"{{"rule_set": "{}"}}"#, "x".repeat(70_000));
    assert_eq!(post("application/json", &large).problem(), (413, "body_too_large"));
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(post("application/json", &deep).status / 100, 4);
    assert_eq!(server.get("/v1/rule-sets/%ff%fe").status, 404);
    let problem = server.get("/v1/problems/version_conflict");
    assert_eq!((problem.status, &problem.body["status"]), (200, &json!(412)));
    assert_eq!(server.get("/v1/problems/none").problem(), (404, "problem_not_found"));
}

on_both_stores!(an_incomplete_body_is_answered_400_or_cut_off);
fn an_incomplete_body_is_answered_400_or_cut_off(data: TestStore) {
    let server = Server::start(&data);
    let mut stream = TcpStream::connect(server.base.trim_start_matches("http://")).unwrap();
    let head = "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n";
    stream.write_all(format!("{head}{{\"rule_set\": \"pagade\"").as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert_eq!(server.get("/v1/games").body["games"], json!([]));
}

on_both_stores!(request_ids_come_back_and_head_is_get_without_a_body);
fn request_ids_come_back_and_head_is_get_without_a_body(data: TestStore) {
    let server = Server::start(&data);
    let named = got(server.request("GET", "/livez").header("X-Request-Id", "mine-1").send().unwrap());
    assert_eq!(named.header("x-request-id"), "mine-1");
    let unsafe_name = got(server.request("GET", "/livez").header("X-Request-Id", "a b\"c").send().unwrap());
    assert_eq!(unsafe_name.header("x-request-id").len(), 36);
    let head = got(server.request("HEAD", "/v1/rule-sets").send().unwrap());
    assert_eq!((head.status, head.raw.as_str()), (200, ""));
}

on_both_stores!(every_path_tells_and_allows_the_methods_of_the_document);
fn every_path_tells_and_allows_the_methods_of_the_document(data: TestStore) {
    let server = Server::start(&data);
    let document: Value = serde_json::from_str(text()).unwrap();
    let preflight = server.request("OPTIONS", "/v1/games").header("Origin", "https://board.example");
    let preflight = got(preflight.header("Access-Control-Request-Method", "PUT").send().unwrap());
    let of_browsers = preflight.header("access-control-allow-methods");
    for (path, item) in document["paths"].as_object().unwrap() {
        let mut described: Vec<_> = item.as_object().unwrap().keys().map(|method| method.to_uppercase()).collect();
        for method in &described {
            assert!(of_browsers.split(", ").any(|allowed| allowed == method), "{method} {path}: {of_browsers}");
        }
        if described.iter().any(|method| method == "GET") {
            described.push("HEAD".to_owned());
        }
        let refused = got(server.request("OPTIONS", &path.replace(['{', '}'], "")).send().unwrap());
        assert_eq!(refused.problem(), (405, "method_not_allowed"), "{path}");
        let mut told: Vec<_> = refused.header("allow").split(", ").map(str::to_owned).collect();
        told.sort_unstable();
        described.sort_unstable();
        assert_eq!(told, described, "{path}");
    }
}

on_both_stores!(only_allowed_origins_may_call_from_browsers);
fn only_allowed_origins_may_call_from_browsers(data: TestStore) {
    let server = Server::start(&data);
    let ask = |origin: &str| {
        let request = server.request("OPTIONS", "/v1/games").header("Origin", origin);
        got(request.header("Access-Control-Request-Method", "POST").send().unwrap())
    };
    let allowed = ask("https://board.example");
    assert_eq!(allowed.status, 204);
    assert_eq!(allowed.header("access-control-allow-origin"), "https://board.example");
    assert!(allowed.header("access-control-allow-headers").contains("If-Match"));
    let refused = ask("https://evil.example");
    assert_eq!(refused.header("access-control-allow-origin"), "");
}

on_both_stores!(the_service_reports_its_health);
fn the_service_reports_its_health(data: TestStore) {
    let server = Server::start(&data);
    for path in ["/livez", "/readyz"] {
        assert_eq!(server.get(path).body["status"], "ok");
    }
    assert_eq!(server.get("/v1/limits").body["page_items"], 100);
    let docs = server.get("/docs");
    assert!(docs.raw.contains("swagger"), "{}", docs.raw);
    assert!(!docs.raw.contains("https://"), "nothing is fetched from elsewhere");
}
