//! Tests bad requests about tables, players and friends: in the wrong state, stale, malformed, repeated, or at the same
//! time. Each gets a clear problem and changes nothing.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores, resolved};
use crate::players::TestPlayer;
use crate::tables::TestTable;
use crate::tokens::operations;

/// The operations that change a table, with a body that would be right, and the status at a closed table for a player
/// who sat there.
const CHANGES: [(&str, &str, u16); 20] = [
    ("cast_table_vote", r#"{"agree": true}"#, 409),
    ("change_table_options", r#"{"options": {"time_per_turn": 60}}"#, 403),
    ("create_table_ticket", "{}", 401),
    ("create_table_webhook", r#"{"url": "https://club.example/pagade"}"#, 403),
    ("delete_table_webhook", "", 403),
    ("end_table_invitation", "", 403),
    ("invite_to_table", r#"{"player": "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"}"#, 403),
    ("leave_table_seat", "", 403),
    ("mute_at_table", r#"{"muted": true}"#, 403),
    ("open_table_vote", r#"{"on": "next_game"}"#, 403),
    ("redeliver_table_webhook", "{}", 403),
    ("remove_chat_line", "", 403),
    ("renew_table_link", "{}", 403),
    ("report_chat_line", "{}", 403),
    ("say_at_table", r#"{"text": "hello"}"#, 403),
    ("seat_table_robot", r#"{"robot": "hunter"}"#, 403),
    ("start_table_game", "{}", 403),
    ("stop_watching_table", "", 403),
    ("take_table_seat", "{}", 409),
    ("watch_table", "{}", 409),
];

const NOBODY: &str = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11";

/// Sends an operation about a table.
fn send(player: &TestPlayer<'_>, table: &TestTable, operation: &str, body: &str, version: Option<&str>) -> Answer {
    let all = operations();
    let (_, method, path) = all.iter().find(|(id, ..)| id == operation).unwrap();
    let path = path.replace("/v1/tables/{id}", &table.path).replace("{seat}", "green").replace("{webhook}", "none");
    let path = path.replace("{player}", NOBODY).replace("{line}", "1");
    let request = player.server.request(method, &path).bearer_auth(&player.token);
    let request = version.into_iter().fold(request, |request, version| request.header("If-Match", version));
    let request = request.header("Content-Type", "application/json");
    got(if body.is_empty() { request } else { request.body(body.to_owned()) }.send().unwrap())
}

fn version(table: &TestTable, server: &Server) -> u64 {
    table.read(server).body["version"].as_u64().unwrap()
}

#[test]
fn every_operation_that_changes_a_table_is_in_the_list() {
    let known: BTreeSet<_> = CHANGES.iter().map(|(id, ..)| (*id).to_owned()).collect();
    let all =
        operations().into_iter().filter(|(_, method, path)| path.starts_with("/v1/tables/{id}") && method != "GET");
    assert_eq!(all.map(|(id, ..)| id).collect::<BTreeSet<_>>(), known);
}

on_both_stores!(a_closed_table_takes_no_command);
fn a_closed_table_takes_no_command(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.ask(&asha, "POST", "/chat", json!({"text": "bye"}));
    table.ask(&asha, "DELETE", "/seats/yellow", Value::Null);
    let before = table.read(&server).raw;
    for (operation, body, status) in CHANGES {
        let answer = send(&asha, &table, operation, body, None);
        assert_eq!(answer.problem().0, status, "{operation}: {}", answer.raw);
    }
    assert_eq!(table.read(&server).raw, before);
}

on_both_stores!(a_stale_version_changes_nothing);
fn a_stale_version_changes_nothing(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    table.ask(&asha, "POST", "/chat", json!({"text": "hello"}));
    let before = version(&table, &server);
    let document: Value = serde_json::from_str(pagade::openapi::text()).unwrap();
    let mut checked = 0;
    for (id, method, path) in operations() {
        let Some((_, body, _)) = CHANGES.iter().find(|(known, ..)| *known == id) else { continue };
        let parameters = &document["paths"][&path][method.to_lowercase()]["parameters"];
        let mut parameters = parameters.as_array().unwrap().iter();
        let takes_version = parameters.any(|parameter| resolved(&document, parameter)["name"] == "If-Match");
        if !takes_version {
            continue;
        }
        for stale in ["\"1\"", "\"999\"", ""] {
            let answer = send(&asha, &table, &id, body, Some(stale));
            // Other conflicts are reported before the stale version: the vote or the webhook does not exist.
            assert!([404, 409, 412].contains(&answer.problem().0), "{id} {stale}: {}", answer.raw);
            checked += usize::from(answer.status == 412);
        }
        assert_eq!(send(&asha, &table, &id, body, Some("7")).problem(), (400, "bad_header"), "{id}");
    }
    assert!(checked > 25, "{checked}");
    assert_eq!(version(&table, &server), before);
    for (method, rest) in [
        ("POST", format!("/friends/{}", ravi.id)),
        ("DELETE", format!("/friends/{}", ravi.id)),
        ("PUT", format!("/blocked/{}", ravi.id)),
        ("DELETE", format!("/blocked/{}", ravi.id)),
    ] {
        let request = server.request(method, &format!("/v1/players/{}{rest}", asha.id)).bearer_auth(&asha.token);
        let stale = got(request.header("If-Match", "\"999\"").send().unwrap());
        assert_eq!(stale.problem(), (412, "version_conflict"), "{method} {rest}");
    }
    assert_eq!(asha.ask("GET", "/friends", Value::Null).header("etag"), "\"1\"");
}

on_both_stores!(a_malformed_body_is_told_where_and_changes_nothing);
fn a_malformed_body_is_told_where_and_changes_nothing(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    let long = json!({"text": "x".repeat(70_000)}).to_string();
    let deep = "[".repeat(5_000);
    let before = version(&table, &server);
    for (operation, right, _) in CHANGES.iter().filter(|(_, body, _)| !body.is_empty()) {
        for wrong in ["[]", "7", "null x", "{", "{\"surprise\": 1}", "\u{0}", &long, &deep] {
            let answer = send(&asha, &table, operation, wrong, None);
            assert!(
                (400..500).contains(&answer.status),
                "{operation} {}: {}",
                &wrong[..wrong.len().min(20)],
                answer.raw
            );
        }
        let fields: Value = serde_json::from_str(right).unwrap();
        for field in fields.as_object().unwrap().keys() {
            for wrong in [json!(null), json!(-1), json!([1]), json!({"a": {}}), json!("x".repeat(3_000))] {
                let answer = send(&asha, &table, operation, &json!({field.clone(): wrong}).to_string(), None);
                assert!((400..500).contains(&answer.problem().0), "{operation} {field}: {}", answer.raw);
            }
        }
    }
    assert_eq!(version(&table, &server), before);
    for wrong in [json!({"token": 7}), json!({"token": ""}), json!({}), json!({"token": "x", "more": 1})] {
        assert!((400..500).contains(&asha.ask("POST", "/claims", wrong).problem().0));
    }
    for id in ["", "x", "../../me", "01992B3E-8C5A-7D52-B3C9-6F1F0A6F2E1", "%00"] {
        let answer = asha.ask("POST", &format!("/friends/{id}"), json!({}));
        assert!((400..500).contains(&answer.status), "{id}: {}", answer.raw);
    }
}

on_both_stores!(of_equal_commands_at_the_same_moment_one_has_an_effect);
fn of_equal_commands_at_the_same_moment_one_has_an_effect(data: TestStore) {
    let server = Server::start(&data);
    let players: Vec<_> = (0..8).map(|number| TestPlayer::new(&server, &format!("Player {number}"))).collect();
    let table = TestTable::new(&players[0], json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0}}));
    let at_once = |act: &(dyn Fn(&TestPlayer<'_>) -> Answer + Sync)| -> Vec<u16> {
        std::thread::scope(|scope| {
            let asked: Vec<_> = players.iter().map(|player| scope.spawn(|| act(player))).collect();
            asked.into_iter().map(|asked| asked.join().unwrap().status).collect()
        })
    };
    let count = |statuses: &[u16], status: u16| statuses.iter().filter(|known| **known == status).count();
    let sat = at_once(&|player| table.sit(player, "red"));
    assert_eq!((count(&sat, 201), count(&sat, 409)), (1, 7), "{sat:?}");
    let robots = at_once(&|_| table.ask(&players[0], "POST", "/seats/blue/robot", json!({"robot": "random"})));
    assert_eq!(count(&robots, 200), 8, "{robots:?}");
    let taken = table.words(&players[0]).iter().filter(|word| *word == "seat_taken").count();
    assert_eq!(taken, 3, "the robot sat down once");
    let started = at_once(&|_| table.ask(&players[0], "POST", "/games", json!({})));
    assert_eq!((count(&started, 201), count(&started, 409)), (1, 7), "{started:?}");
    let opened = at_once(&|_| table.ask(&players[0], "POST", "/votes", json!({"on": "end"})));
    assert_eq!((count(&opened, 201), count(&opened, 409)), (1, 7), "{opened:?}");
    let friend = &players[1].id;
    let asked = at_once(&|_| players[0].ask("POST", &format!("/friends/{friend}"), json!({})));
    assert_eq!(count(&asked, 204), 8, "{asked:?}");
    let mutual = at_once(&|player| {
        let other = if player.id == players[2].id { &players[3].id } else { &players[2].id };
        player.ask("POST", &format!("/friends/{other}"), json!({}))
    });
    assert_eq!(count(&mutual, 204), 8, "{mutual:?}");
    pagade_tests::wait::until("who ask each other at the same moment are friends", || {
        let friends = players[2].ask("GET", "/friends", Value::Null);
        friends.body["friends"].as_array().unwrap().iter().any(|known| known["player"] == players[3].id.as_str())
    });
    let chat = at_once(&|_| table.ask(&players[0], "POST", "/chat", json!({"text": "all at once"})));
    assert_eq!((count(&chat, 201), count(&chat, 429)), (5, 3), "{chat:?}");
}

on_both_stores!(a_busy_table_does_not_slow_down_another_one);
fn a_busy_table_does_not_slow_down_another_one(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let (busy, quiet) =
        (TestTable::new(&asha, json!({"rule_set": "pagade"})), TestTable::new(&ravi, json!({"rule_set": "pagade"})));
    let measure = || {
        let mut times: Vec<_> = (0..20)
            .map(|number| {
                let begun = std::time::Instant::now();
                let changed = quiet.ask(&ravi, "PATCH", "/options", json!({"options": {"time_per_turn": 40 + number}}));
                assert_eq!(changed.status, 200, "{}", changed.raw);
                begun.elapsed()
            })
            .collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    let alone = measure();
    let (is_over, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    let beside = std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut number = 0;
                while !is_over.load(Ordering::Relaxed) {
                    number += 1;
                    busy.ask(&asha, "PATCH", "/options", json!({"options": {"time_per_turn": number % 1000}}));
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        until("the table is busy", || answered.load(Ordering::Relaxed) >= 20);
        let beside = measure();
        is_over.store(true, Ordering::Relaxed);
        beside
    });
    // The requests at both tables share the processor and the disk. A lock or a queue for all tables would slow them
    // down far more than this bound.
    assert!(beside < alone * 20 + std::time::Duration::from_millis(500), "{alone:?} alone, {beside:?} beside");
}
