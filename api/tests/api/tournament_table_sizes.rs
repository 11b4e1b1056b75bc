//! Tests tournaments of a rule set that has no table of three: `pagade` has tables of two and four.

use serde_json::{Value, json};

use crate::harness::{Server, TestStore, on_both_stores};
use crate::tournaments::TestTournament;

/// The sizes of the tables of a round, in rising order, and the number of byes. Every table has a game.
fn sizes(round: &Value) -> (Vec<usize>, usize) {
    let tables = round["tables"].as_array().unwrap();
    assert!(tables.iter().all(|table| !table["games"].as_array().unwrap().is_empty()), "{round}");
    let mut sizes: Vec<usize> = tables.iter().map(|table| table["entrants"].as_array().unwrap().len()).collect();
    sizes.sort_unstable();
    (sizes, round["byes"].as_array().unwrap().len())
}

on_both_stores!(no_table_of_three_is_paired_where_the_rule_set_has_none);
fn no_table_of_three_is_paired_where_the_rule_set_has_none(data: TestStore) {
    let server = Server::start(&data);
    let started = |format: Value, entrants: usize| {
        let mut cup = TestTournament::new(&server, format, json!({}));
        cup.enter_many(entrants);
        assert_eq!(cup.post("/start", json!({})).status, 200);
        cup
    };
    let knock_out = started(json!({"kind": "knock_out", "table": 4}), 7);
    assert_eq!(sizes(&knock_out.pair()), (vec![2, 4], 1));
    knock_out.play_round(1);
    assert_eq!(sizes(&knock_out.pair()), (vec![4], 0));
    let swiss = started(json!({"kind": "swiss", "table": 4, "rounds": 3}), 7);
    assert_eq!(swiss.get("").body["format"]["smaller_tables"], true);
    assert_eq!(sizes(&swiss.pair()), (vec![2, 4], 1));
    let round_robin = started(json!({"kind": "round_robin", "table": 4}), 8);
    assert_eq!(sizes(&round_robin.pair()), (vec![4, 4], 0));
    assert_eq!(round_robin.ask(&round_robin.token, "DELETE", "/entrants/3", Value::Null).status, 200);
    assert_eq!(sizes(&round_robin.pair()), (vec![2, 4], 1));
    let groups = json!({"kind": "groups", "table": 4, "groups": 2, "advance": 2, "knock_out_table": 4});
    let groups = started(groups, 9);
    assert_eq!(groups.ask(&groups.token, "DELETE", "/entrants/3", Value::Null).status, 200);
    assert_eq!(sizes(&groups.pair()).0.iter().filter(|size| **size == 3).count(), 0);
}

on_both_stores!(a_form_without_boards_is_refused_with_what_the_rule_set_has);
fn a_form_without_boards_is_refused_with_what_the_rule_set_has(data: TestStore) {
    let server = Server::start(&data);
    let create = |format: Value, options: Value| {
        let refused =
            server.post("/v1/tournaments", json!({"rule_set": "pagade", "options": options, "format": format}));
        assert_eq!(refused.problem(), (422, "body_invalid"), "{}", refused.raw);
        ["pointer", "detail", "help"].map(|field| refused.text(&format!("/problems/0/{field}")))
    };
    let threes = create(json!({"kind": "swiss", "table": 3, "rounds": 3}), json!({}));
    let none = "the rule set has no table of 3 seats with these options";
    assert_eq!(threes, ["/format/table", none, "it has tables of 2, 4 seats"]);
    let groups = json!({"kind": "groups", "table": 4, "groups": 3, "advance": 1, "knock_out_table": 4});
    let [pointer, detail, help] = create(groups, json!({"mode": "partnership"}));
    assert_eq!((pointer.as_str(), help.as_str()), ("/format/advance", "it has tables of 4 seats"));
    assert!(detail.starts_with("a knock-out of 3 entrants needs a table for 3 of them"), "{detail}");
    let mut odd = TestTournament::new(
        &server,
        json!({"kind": "knock_out", "table": 4}),
        json!({"options": {"mode": "partnership"}}),
    );
    odd.enter_many(5);
    let refused = odd.post("/start", json!({}));
    assert_eq!(refused.problem(), (409, "pairing_impossible"));
    assert!(refused.text("/detail").contains("an even number of entrants from 4 on can play"), "{}", refused.raw);
    let mut small =
        TestTournament::new(&server, json!({"kind": "groups", "table": 4, "groups": 2, "advance": 2}), json!({}));
    small.enter_many(7);
    let refused = small.post("/start", json!({}));
    assert_eq!(refused.text("/detail"), "group 1 has 3 entrants, 4 are needed");
    let mut two = TestTournament::new(&server, json!({"kind": "swiss", "table": 4, "rounds": 2}), json!({}));
    two.enter_many(4);
    assert_eq!(two.post("/start", json!({})).status, 200);
    assert_eq!(sizes(&two.pair()), (vec![4], 0));
    two.play_round(1);
    for number in [3, 4] {
        assert_eq!(two.ask(&two.token, "DELETE", &format!("/entrants/{number}"), Value::Null).status, 200);
    }
    assert_eq!(sizes(&two.pair()), (vec![2], 0));
}
