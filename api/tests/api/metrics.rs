//! Tests /metrics, and the dashboard and alerts that use it.

use std::collections::BTreeSet;

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Server, TestStore, sample};

#[test]
fn requests_games_and_store_calls_are_counted() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"players": ["red", "yellow"], "seed": "counted"}));
    game.finish();
    server.get("/v1/games/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11");
    server.get("/nowhere");
    server.get("/nowhere/else");
    server.request("PATCH", "/v1/players/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11").body("{}").send().unwrap();
    let table = "/v1/tournaments/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11/rounds/1/tables/1/result";
    server.request("PUT", table).body("{}").send().unwrap();
    let told = server.get("/metrics");
    assert_eq!(told.header("content-type"), pagade::METRICS_MEDIA_TYPE);
    let text = &told.raw;
    for (name, value) in [
        ("pagade_http_requests_total{method=\"POST\",path=\"/v1/games\",status=\"201\"}", 1.0),
        ("pagade_http_requests_total{method=\"GET\",path=\"/v1/games/{id}\",status=\"404\"}", 1.0),
        ("pagade_http_requests_total{method=\"GET\",path=\"none\",status=\"404\"}", 2.0),
        ("pagade_http_requests_total{method=\"PATCH\",path=\"/v1/players/{id}\",status=\"415\"}", 1.0),
        (
            "pagade_http_requests_total{method=\"PUT\",path=\"/v1/tournaments/{id}/rounds/{round}/tables/{table}/result\",status=\"415\"}",
            1.0,
        ),
        ("pagade_http_request_seconds_count{method=\"POST\",path=\"/v1/games\"}", 1.0),
        ("pagade_games_total{rule_set=\"pagade\",became=\"created\"}", 1.0),
        ("pagade_games_total{rule_set=\"pagade\",became=\"started\"}", 1.0),
        ("pagade_games_total{rule_set=\"pagade\",became=\"finished\"}", 1.0),
        ("pagade_store_calls_total{call=\"commit\",outcome=\"conflict\"}", 0.0),
        ("pagade_streams{media=\"sse\"}", 0.0),
    ] {
        assert_eq!(sample(text, name), value, "{name} in {text}");
    }
    let commits = sample(text, "pagade_store_calls_total{call=\"commit\",outcome=\"ok\"}");
    assert_eq!(commits as u64, game.version());
    assert!(text.ends_with("# EOF\n"));
}

#[test]
fn followers_are_counted_as_long_as_they_follow() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let game = server.hot_seat(json!({}));
    let following = || sample(&server.get("/metrics").raw, "pagade_streams{media=\"sse\"}") as u32;
    let follow = || {
        let request = server.request("GET", &game.path("/events")).header("Accept", "text/event-stream");
        request.send().unwrap()
    };
    let (one, two) = (follow(), follow());
    assert_eq!(following(), 2);
    drop((one, two));
    // The service notices a closed stream when it next writes to it, which is the next heartbeat at the latest.
    until("nobody follows any more", || following() == 0);
}

/// Collects the names of metrics in a text.
fn names(text: &str) -> BTreeSet<String> {
    let word = |c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    text.split(word).filter(|word| word.starts_with("pagade_")).map(str::to_owned).collect()
}

#[test]
fn dashboard_and_alerts_query_metrics_that_exist() {
    let data = TestStore::new();
    let server = Server::start(&data);
    server.hot_seat(json!({}));
    let declared = server.get("/metrics").raw;
    let mut known = BTreeSet::new();
    for line in declared.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let (name, kind) = line.split_once(' ').unwrap();
        let suffixes: &[&str] = match kind {
            "counter" => &["_total"],
            "histogram" => &["_bucket", "_sum", "_count"],
            "info" => &["_info"],
            _ => &[""],
        };
        known.extend(suffixes.iter().map(|suffix| format!("{name}{suffix}")));
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy");
    let dashboard = std::fs::read_to_string(folder.join("grafana.json")).unwrap();
    let panels = serde_json::from_str::<Value>(&dashboard).unwrap()["panels"].clone();
    let asked = panels.as_array().unwrap().iter().flat_map(|panel| panel["targets"].as_array().unwrap());
    let asked = asked.flat_map(|target| names(target["expr"].as_str().unwrap())).collect::<BTreeSet<_>>();
    let alerts = std::fs::read_to_string(folder.join("alerts.yaml")).unwrap();
    let alerted = names(&alerts);
    assert!(asked.len() > 5 && alerted.len() > 3);
    let unknown = asked.union(&alerted).filter(|name| !known.contains(*name)).collect::<Vec<_>>();
    assert!(unknown.is_empty(), "{unknown:?} of {known:?}");
    let guide = names(&std::fs::read_to_string(folder.join("README.md")).unwrap());
    let misnamed = guide.iter().filter(|name| !known.iter().any(|known| known.starts_with(*name)));
    assert_eq!(misnamed.collect::<Vec<_>>(), Vec::<&String>::new(), "in deploy/README.md");
    let undrawn =
        known.iter().filter(|name| !name.ends_with("_sum") && !name.ends_with("_count") && !asked.contains(*name));
    assert_eq!(undrawn.collect::<Vec<_>>(), Vec::<&String>::new());
}
