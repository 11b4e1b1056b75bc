//! Tests the quotas of clients: the RateLimit headers, status 429, and /v1/limits.

use std::time::Duration;

use pagade::config::Rates;
use pagade_tests::wait::until_within;
use serde_json::json;

use crate::harness::{Answer, Server, TestStore, got, on_both_stores, village};

fn limited(data: &TestStore, rates: Rates) -> Server {
    Server::start_one(data, |config| config.rates = rates)
}

fn get(server: &Server, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = server.request("GET", path);
    got(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).send().unwrap())
}

/// Reads the remaining quota of a policy from the header `RateLimit`.
fn left(got: &Answer, policy: &str) -> Option<u32> {
    let item = got.header("ratelimit").split(", ").find(|item| item.starts_with(&format!("\"{policy}\";")))?.to_owned();
    item.split(';').find_map(|part| part.strip_prefix("r=")).map(|left| left.parse().unwrap())
}

on_both_stores!(a_client_above_its_quota_is_told_how_long_to_wait);
fn a_client_above_its_quota_is_told_how_long_to_wait(data: TestStore) {
    let server = limited(&data, Rates { client: Some(5), ..Rates::unlimited() });
    for expected in (0..5).rev() {
        let answer = server.get("/v1/games");
        assert_eq!((answer.status, left(&answer, "client")), (200, Some(expected)));
        assert_eq!(answer.header("ratelimit-policy"), "\"client\";q=5;w=60");
    }
    let refused = server.get("/v1/games");
    assert_eq!(refused.problem(), (429, "too_many_requests"));
    assert_eq!(left(&refused, "client"), Some(0));
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=12).contains(&wait), "{wait}: a fifth of a minute");
    assert_eq!(server.get("/v1/nothing").status, 429, "whatever it asks for");
    for path in ["/livez", "/readyz", "/metrics"] {
        let watched = server.get(path);
        assert_eq!((watched.status, watched.header("ratelimit")), (200, ""), "{path}");
    }
    assert!(server.get("/metrics").raw.contains("pagade_refused_total{limit=\"client\"} 2"));
}

on_both_stores!(a_quota_is_given_back_with_time);
fn a_quota_is_given_back_with_time(data: TestStore) {
    let server = limited(&data, Rates { client: Some(60), ..Rates::unlimited() });
    while server.get("/v1/games").status == 200 {}
    // At 60 requests a minute, the quota grows by one request in this time.
    std::thread::sleep(Duration::from_millis(1_100));
    assert_eq!(server.get("/v1/games").status, 200, "one a second");
}

on_both_stores!(a_token_has_its_own_quota);
fn a_token_has_its_own_quota(data: TestStore) {
    let server = limited(&data, Rates { token: Some(3), ..Rates::unlimited() });
    let ask = |token: &str| get(&server, "/v1/games", &[("Authorization", token)]);
    assert_eq!([ask("Bearer one"), ask("Bearer one"), ask("Bearer one")].map(|got| got.status), [200; 3]);
    assert_eq!(ask("Bearer one").problem(), (429, "too_many_requests"));
    assert_eq!(left(&ask("Bearer two"), "token"), Some(2));
    let without = server.get("/v1/games");
    assert_eq!((without.status, without.header("ratelimit")), (200, ""), "without a token nothing applies here");
}

on_both_stores!(limits_show_the_policies_of_the_caller_and_the_remaining_quotas);
fn limits_show_the_policies_of_the_caller_and_the_remaining_quotas(data: TestStore) {
    // At 60 requests a minute, the quota does not grow before the answer comes.
    let server = limited(&data, Rates { client: Some(60), ..Rates::default() });
    let rates = |got: &Answer| got.body["rates"].as_array().unwrap().clone();
    let names =
        |got: &Answer| rates(got).iter().map(|rate| rate["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let told = server.get("/v1/limits");
    assert_eq!(names(&told), ["client", "heavy", "create", "publish"]);
    let usual = data.another();
    assert_eq!(rates(&limited(&usual, Rates::default()).get("/v1/limits"))[0]["quota"], 12_000);
    assert_eq!((&rates(&told)[0]["quota"], &rates(&told)[0]["remaining"]), (&json!(60), &json!(59)));
    let with_token = get(&server, "/v1/limits", &[("Authorization", "Bearer mine")]);
    assert_eq!(names(&with_token), ["client", "token", "heavy", "create", "publish"]);
    assert_eq!(Server::start(&data.another()).get("/v1/limits").body["rates"], json!([]));
}

on_both_stores!(behind_a_proxy_the_client_is_the_address_that_the_proxy_saw);
fn behind_a_proxy_the_client_is_the_address_that_the_proxy_saw(data: TestStore) {
    let ask = |server: &Server, seen: &str| get(server, "/v1/games", &[("X-Forwarded-For", seen)]).status;
    let server = limited(&data, Rates { client: Some(1), proxies: 1, ..Rates::unlimited() });
    assert_eq!([ask(&server, "1.2.3.4"), ask(&server, "5.6.7.8")], [200, 200]);
    assert_eq!(ask(&server, "9.9.9.9, 1.2.3.4"), 429, "what it says of itself changes nothing");
    let other = data.another();
    let server = limited(&other, Rates { client: Some(1), ..Rates::unlimited() });
    assert_eq!([ask(&server, "1.2.3.4"), ask(&server, "5.6.7.8")], [200, 429], "nobody is trusted");
}

on_both_stores!(heavy_requests_and_publications_have_quotas_of_their_own);
fn heavy_requests_and_publications_have_quotas_of_their_own(data: TestStore) {
    let server = limited(&data, Rates { heavy: Some(6), publish: Some(2), ..Rates::unlimited() });
    let publish = |number: u32| {
        let request = server
            .request("POST", "/v1/rule-sets")
            .header("Idempotency-Key", format!("publish-village-number-{number}"));
        got(request.json(&village(number)).send().unwrap())
    };
    assert_eq!([publish(1).status, publish(2).status], [201, 201]);
    let refused = publish(3);
    assert_eq!(refused.problem(), (429, "too_many_requests"));
    assert!(refused.text("/detail").contains("publish 2 rule sets"), "{}", refused.raw);
    assert_eq!(publish(1).status, 201, "it was published before");
    assert_eq!(left(&server.post("/v1/rule-checks", village(4)), "heavy"), Some(1));
    assert_eq!(server.post("/v1/records", json!({})).status, 415);
    assert_eq!(server.post("/v1/rule-checks", village(4)).problem(), (429, "too_many_requests"));
    assert_eq!(server.get("/v1/rule-sets").status, 200);
}

on_both_stores!(games_created_by_a_client_are_limited);
fn games_created_by_a_client_are_limited(data: TestStore) {
    let server = limited(&data, Rates { create: Some(2), ..Rates::unlimited() });
    let create = || server.post("/v1/games", json!({"rule_set": "pagade"}));
    let (one, two) = (create(), create());
    assert_eq!((one.status, left(&one, "create"), left(&two, "create")), (201, Some(1), Some(0)));
    assert_eq!(create().problem(), (429, "too_many_requests"));
    assert_eq!(server.get("/v1/games").body["games"].as_array().unwrap().len(), 2);
}

/// This test runs on Redis only, because just one process can use an embedded store.
#[test]
fn processes_share_the_quota_of_a_client() {
    let data = TestStore::on_redis();
    let rates = Rates { client: Some(60), ..Rates::unlimited() };
    let (one, other) = (limited(&data, rates.clone()), limited(&data, rates));
    assert_eq!((0..40).filter(|_| one.get("/v1/games").status == 200).count(), 40);
    // The other process gets the count of these requests when it reports its own first request to Redis.
    until_within(Duration::from_secs(5), "less than 25 are left at the other process", || {
        left(&other.get("/v1/games"), "client").unwrap() < 25
    });
    // Both processes together accept as many requests as the quota allows, and a few more by which it grows meanwhile.
    let mut answered = 0;
    while [&one, &other].map(|server| server.get("/v1/games").status) != [429, 429] {
        answered += 1;
        assert!(answered < 40, "they do not share");
    }
}
