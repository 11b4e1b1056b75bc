//! Tests /v1/scenario-runs and /v1/rule-comparisons.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, on_both_stores};

const TEXT: &str = "rules: three-sticks
version: 1.0.0
title: Three sticks
extends: pagade
dice: {count: 3}
remove: [spend.joint]
options: {if_closed: {default: wait}}
";
const SCENARIOS: &str = "ruleset: three-sticks
scenarios:
  - name: three sticks are thrown
    script:
      - throw: 3+4+1
      - allows: [12-15:3]
      - play: [12-15:3]
  - name: two sticks are thrown
    script:
      - throw: 3+4
";

fn run(server: &Server, text: Option<&str>, scenarios: &[&str]) -> Answer {
    let mut wish = json!({"scenarios": scenarios});
    if let Some(text) = text {
        wish["text"] = json!(text);
    }
    server.post("/v1/scenario-runs", wish)
}

on_both_stores!(scenarios_pass_or_fail_at_their_lines);
fn scenarios_pass_or_fail_at_their_lines(data: TestStore) {
    let server = Server::start(&data);
    let other = "ruleset: pagade\nscenarios:\n  - {name: two sticks, script: [{throw: 3+4}]}\n";
    let told = run(&server, Some(TEXT), &[SCENARIOS, other]).body;
    assert_eq!((&told["passed"], &told["failed"]), (&json!(2), &json!(1)), "{told}");
    let [passed, failed] = [0, 1].map(|index| told["files"][0]["scenarios"][index].clone());
    assert_eq!((&passed["passed"], &passed["line"], passed.get("failure")), (&json!(true), &json!(3), None));
    assert!(passed["fired"].as_array().unwrap().contains(&json!("spend.die")), "{passed}");
    assert_eq!((&failed["name"], &failed["failure"]["line"]), (&json!("two sticks are thrown"), &json!(10)));
    assert_eq!(failed["failure"]["expected"], "throw 3+4");
    assert!(failed["failure"]["found"].as_str().unwrap().contains('3'), "{failed}");
}

on_both_stores!(what_cannot_be_run_is_said_with_its_line);
fn what_cannot_be_run_is_said_with_its_line(data: TestStore) {
    let server = Server::start(&data);
    let problem = |text: Option<&str>, scenarios: &str| {
        let told = run(&server, text, &[scenarios]);
        assert_eq!(told.status, 200, "{}", told.raw);
        told.body["files"][0]["problem"].clone()
    };
    let misspelt = SCENARIOS.replace("script:", "skript:");
    assert_eq!(problem(Some(TEXT), &misspelt)["line"], 4, "{}", problem(Some(TEXT), &misspelt));
    let unknown = problem(None, SCENARIOS);
    assert!(unknown["message"].as_str().unwrap().contains("three-sticks"), "{unknown}");
    for hostile in ["\u{0}", "[[[[[[[[", "a: &a [*a, *a]", "- 1", "<script>alert(1)</script>"] {
        let told = run(&server, None, &[hostile]);
        assert!(told.status == 200 && told.body["files"][0]["problem"].is_object(), "{hostile:?}: {}", told.raw);
    }
    let broken = TEXT.replace("count: 3", "count: many");
    let refused = run(&server, Some(&broken), &[SCENARIOS]);
    assert_eq!(refused.problem(), (422, "rule_text_invalid"));
    assert_eq!(refused.body["problems"][0]["line"], 5);
    assert_eq!(run(&server, None, &[]).problem(), (422, "body_invalid"));
    assert_eq!(run(&server, None, &["x"; 17]).problem(), (422, "body_invalid"));
    let large = "é".repeat(600_000);
    assert_eq!(run(&server, None, &[&large]).text("/problems/0/pointer"), "/scenarios/0");
}

#[test]
fn endless_scenarios_are_stopped_and_block_nobody() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let many = format!("ruleset: chopat\nscenarios:\n{}", "  - {name: a, script: [{throw: 3+4}]}\n".repeat(25_000));
    let began = Instant::now();
    let refused = run(&server, None, &[&many]);
    assert_eq!(refused.problem(), (422, "too_much_work"), "{:.200}", refused.raw);
    assert!(began.elapsed() < Duration::from_secs(20));
    assert_eq!(run(&server, Some(TEXT), &[SCENARIOS]).status, 200, "the workers are free again");
}

on_both_stores!(two_rule_sets_are_compared);
fn two_rule_sets_are_compared(data: TestStore) {
    let server = Server::start(&data);
    let compare = |base: Value, variant: Value| {
        let told = server.post("/v1/rule-comparisons", json!({"base": base, "variant": variant}));
        assert_eq!(told.status, 200, "{}", told.raw);
        told.body
    };
    let told = compare(json!({"rule_set": "pagade"}), json!({"text": TEXT}));
    assert_eq!((&told["base"]["id"], &told["variant"]["id"]), (&json!("pagade"), &json!("three-sticks")));
    let of = |path: &str| told["differences"].as_array().unwrap().iter().find(|one| one["path"] == path).cloned();
    assert_eq!(of("dice.count"), Some(json!({"path": "dice.count", "change": "changed", "base": "2", "variant": "3"})));
    let removed = of("spend.joint").unwrap();
    assert_eq!((&removed["change"], removed.get("variant")), (&json!("removed"), None));
    assert!(of("options.if_closed").unwrap()["variant"].as_str().unwrap().contains("default: wait"));
    let same =
        compare(json!({"rule_set": "pagade"}), json!({"rule_set": "pagade", "version": told["base"]["version"]}));
    assert_eq!(same["differences"], json!([]));
    let refuse = |base: Value, variant: Value| {
        server.post("/v1/rule-comparisons", json!({"base": base, "variant": variant})).text("/problems/0/pointer")
    };
    assert_eq!(refuse(json!({"rule_set": "pagade"}), json!({"rule_set": "chess"})), "/variant/rule_set");
    assert_eq!(refuse(json!({}), json!({"rule_set": "pagade"})), "/base/rule_set");
    assert_eq!(refuse(json!({"text": "rules: x\n"}), json!({"rule_set": "pagade"})), "/base/text");
}
