//! Tests traces, which the service sends by OTLP to a collector in the test.

use pagade::telemetry::Tracing;
use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Server, TestStore, got};
use pagade_tests::receiver::Receiver;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

fn traced(data: &TestStore, collector: &Receiver, percent: u8) -> Server {
    Server::start_with(data, |config| {
        let headers = vec![("x-tenant".to_owned(), "club".to_owned())];
        let (endpoint, service) = (collector.url.clone(), "games".to_owned());
        config.tracing = Some(Tracing { endpoint, headers, service, percent });
    })
}

/// All spans that the collector has received so far.
fn spans(collector: &Receiver) -> Vec<Value> {
    let all = collector.messages().into_iter().flat_map(|message| {
        let body: Value = serde_json::from_str(&message.body).unwrap();
        body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone()
    });
    all.collect()
}

fn attribute<'s>(span: &'s Value, name: &str) -> &'s Value {
    let attributes = span["attributes"].as_array().unwrap();
    let found = attributes.iter().find(|attribute| attribute["key"] == name);
    found.map_or(&Value::Null, |attribute| attribute["value"].as_object().unwrap().values().next().unwrap())
}

#[test]
fn a_request_continues_its_trace_and_has_a_span_for_each_store_call() {
    let (data, collector) = (TestStore::new(), Receiver::start());
    let mut server = traced(&data, &collector, 100);
    let create = server.request("POST", "/v1/games").header("traceparent", format!("00-{TRACE}-{PARENT}-01"));
    let create =
        create.header("Idempotency-Key", "s3cret-key-s3cret-key-s3cret-key").header("X-Request-Id", "request-7");
    let created = got(create.json(&json!({"rule_set": "pagade", "hot_seat": true})).send().unwrap());
    assert_eq!(created.status, 201);
    let path = format!("/v1/games/{}/throws", created.text("/game/id"));
    let throw = server.request("POST", &path).bearer_auth(created.text("/token")).header("If-Match", "\"1\"");
    assert_eq!(throw.send().unwrap().status(), 200);
    assert_eq!(server.get("/v1/games/no-game").status, 404);
    until("all came", || spans(&collector).iter().filter(|span| span["kind"] == 2).count() == 3);
    server.stop();

    let message = &collector.messages()[0];
    assert!(message.target.starts_with("POST /hook/v1/traces "), "{}", message.target);
    assert_eq!((&message.headers["content-type"][..], &message.headers["x-tenant"][..]), ("application/json", "club"));
    let body: Value = serde_json::from_str(&message.body).unwrap();
    let resource = json!({"key": "service.name", "value": {"stringValue": "games"}});
    assert!(body["resourceSpans"][0]["resource"]["attributes"].as_array().unwrap().contains(&resource));

    let spans = spans(&collector);
    let named =
        |name: &str| spans.iter().find(|span| span["name"] == name).unwrap_or_else(|| panic!("{name}: {spans:?}"));
    let root = named("POST /v1/games");
    assert_eq!((&root["traceId"], &root["parentSpanId"], &root["kind"]), (&json!(TRACE), &json!(PARENT), &json!(2)));
    assert_eq!(attribute(root, "http.response.status_code"), "201");
    assert_eq!(attribute(root, "http.route"), "/v1/games");
    assert_eq!(attribute(root, "pagade.request_id"), "request-7");
    let nanoseconds = |span: &Value, name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
    for part in ["store reserve", "store commit"] {
        let mut parts = spans.iter().filter(|span| span["parentSpanId"] == root["spanId"]);
        let part = parts.find(|span| span["name"] == part).unwrap_or_else(|| panic!("{part}: {spans:?}"));
        assert_eq!((&part["traceId"], &part["kind"]), (&json!(TRACE), &json!(3)));
        assert_eq!(attribute(part, "pagade.outcome"), "ok");
        assert!(nanoseconds(part, "startTimeUnixNano") >= nanoseconds(root, "startTimeUnixNano"));
        assert!(nanoseconds(part, "endTimeUnixNano") <= nanoseconds(root, "endTimeUnixNano"));
    }
    let throw = named("POST /v1/games/{id}/throws");
    assert_eq!((&throw["parentSpanId"], throw["traceId"].as_str().unwrap().len()), (&json!(""), 32));
    assert_ne!(throw["traceId"], TRACE, "a request without a trace begins one");
    assert_eq!(attribute(named("GET /v1/games/{id}"), "http.response.status_code"), "404");
    let all = collector.messages().iter().map(|message| message.body.clone()).collect::<String>();
    for secret in [&created.text("/token")[7..], "s3cret-key-s3cret-key-s3cret-key"] {
        assert!(!all.contains(secret), "{secret}");
    }
}

#[test]
fn the_caller_decides_whether_its_trace_is_sampled() {
    let (data, collector) = (TestStore::new(), Receiver::start());
    let mut server = traced(&data, &collector, 0);
    let ask = |flags: &str| {
        let request = server.request("GET", "/v1/games").header("traceparent", format!("00-{TRACE}-{PARENT}-{flags}"));
        assert_eq!(request.send().unwrap().status(), 200);
    };
    ask("00");
    assert_eq!(server.get("/v1/games").status, 200);
    ask("01");
    until("one came", || !spans(&collector).is_empty());
    server.stop();
    assert_eq!(spans(&collector).iter().filter(|span| span["kind"] == 2).count(), 1);
}

#[test]
fn a_trace_collector_that_is_away_delays_no_request() {
    let (data, collector) = (TestStore::new(), Receiver::start());
    collector.answers("503 Service Unavailable");
    let mut server = traced(&data, &collector, 100);
    assert_eq!(server.get("/v1/games").status, 200);
    until("it was tried again", || collector.messages().len() >= 2);
    collector.answers("200 OK");
    assert_eq!(server.get("/v1/problems").status, 200);
    until("both came", || spans(&collector).iter().any(|span| span["name"] == "GET /v1/problems"));
    server.stop();
}
