//! Tests the chat of tables.

use serde_json::{Value, json};

use crate::harness::{Server, TestStore, on_both_stores};
use crate::players::TestPlayer;
use crate::tables::TestTable;

on_both_stores!(a_chat_is_for_those_at_the_table);
fn a_chat_is_for_those_at_the_table(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "pagade"}));
    let say = |player: &TestPlayer<'_>, text: &str| table.ask(player, "POST", "/chat", json!({"text": text}));
    let said = say(&asha, "  Jose\u{301}   begins <b>now</b> ");
    assert_eq!((said.status, said.text("/text").as_str()), (201, "Jos\u{e9} begins <b>now</b>"), "plain text, NFC");
    assert_eq!((said.body["line"].as_u64(), said.text("/name").as_str()), (Some(1), "Asha"));
    assert_eq!(say(&ravi, "hello").problem(), (403, "not_allowed"));
    assert_eq!(table.ask(&ravi, "GET", "/chat", Value::Null).problem(), (403, "not_allowed"));
    assert_eq!(server.get(&format!("{}/chat", table.path)).problem(), (401, "token_missing"));
    assert_eq!(table.ask(&ravi, "POST", "/watchers", json!({})).status, 200);
    assert_eq!(say(&ravi, "hello").status, 201, "a watcher may speak");
    table.sit(&meera, table.read(&server).text("/seats/1/seat").as_str());
    let read = table.ask(&meera, "GET", "/chat?after=1", Value::Null);
    assert_eq!((read.text("/lines/0/text").as_str(), read.body["next_after"].as_u64()), ("hello", Some(2)));
    for text in ["", "   ", "a\nb", "\u{202e}x", &"x".repeat(301)] {
        assert_eq!(say(&asha, text).problem(), (422, "body_invalid"), "{text:?}");
    }
    let events = table.ask(&asha, "GET", "/events", Value::Null);
    let last =
        events.body["events"].as_array().unwrap().iter().rfind(|event| event["event"] == "said").unwrap().clone();
    assert_eq!(last["line"], 2, "an event has the number of the line, not its text");
    assert!(!events.raw.contains("hello"));
}

on_both_stores!(nobody_speaks_under_the_name_of_another);
/// Names at a table are compared when players sit down or begin to watch. A name that a player takes later is not shown
/// there.
fn nobody_speaks_under_the_name_of_another(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let created = server.post("/v1/players", json!({}));
    let ravi = TestPlayer { server: &server, token: created.text("/token"), id: created.text("/player/id") };
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    assert_eq!(ravi.ask("PATCH", "", json!({"name": "Asha"})).status, 200);
    let said = table.ask(&ravi, "POST", "/chat", json!({"text": "hello"}));
    assert_eq!((said.status, &said.body["name"]), (201, &Value::Null));
}

on_both_stores!(the_master_removes_lines_and_mutes_players);
fn the_master_removes_lines_and_mutes_players(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    table.sit(&meera, "blue");
    let say = |player: &TestPlayer<'_>, text: &str| table.ask(player, "POST", "/chat", json!({"text": text}));
    say(&ravi, "rude");
    say(&ravi, "ruder");
    let report = |player: &TestPlayer<'_>, line: &str| {
        table.ask(player, "POST", &format!("/chat/{line}/reports"), json!({})).status
    };
    assert_eq!(
        [report(&meera, "1"), report(&meera, "1"), report(&meera, "9"), report(&meera, "x")],
        [204, 204, 404, 404]
    );
    let read = |player: &TestPlayer<'_>| table.ask(player, "GET", "/chat", Value::Null);
    assert_eq!(read(&asha).body["lines"][0]["reports"], 1, "each player reports a line once");
    assert_eq!(read(&meera).body["lines"][0].get("reports"), None, "only the master sees reports");
    let events = table.ask(&ravi, "GET", "/events", Value::Null).body["events"].clone();
    let told: Vec<_> = events.as_array().unwrap().iter().filter(|event| event["event"] == "line_reported").collect();
    assert_eq!((told.len(), told[0].get("line")), (1, None), "nobody else learns which line was reported");
    let remove =
        |player: &TestPlayer<'_>, line: &str| table.ask(player, "DELETE", &format!("/chat/{line}"), Value::Null).status;
    assert_eq!(
        [remove(&meera, "1"), remove(&asha, "1"), remove(&ravi, "2"), remove(&asha, "77")],
        [403, 204, 204, 404]
    );
    let lines = read(&meera);
    assert!(lines.body["lines"].as_array().unwrap().iter().all(|line| line.get("text").is_none()));
    let mute = |by: &TestPlayer<'_>, who: &str, muted: bool| {
        table.ask(by, "PATCH", &format!("/mutes/{who}"), json!({"muted": muted})).status
    };
    assert_eq!(mute(&meera, &ravi.id, true), 403);
    assert_eq!(mute(&asha, "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11", true), 404);
    assert_eq!(mute(&asha, &ravi.id, true), 204);
    assert_eq!(say(&ravi, "but").problem(), (403, "not_allowed"));
    let is_muted = || {
        let read = table.read(&server);
        let of = |path: &str| read.body.pointer(path).and_then(|seats| seats.as_array().cloned()).unwrap_or_default();
        let all = of("/seats").into_iter().chain(of("/watchers"));
        all.filter(|one| one["muted"] == true).map(|one| one["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(is_muted(), ["Ravi"]);
    assert_eq!(mute(&asha, &ravi.id, false), 204);
    assert_eq!(is_muted(), [] as [&str; 0]);
    assert_eq!(say(&ravi, "sorry").status, 201);
}

on_both_stores!(a_player_who_says_too_much_has_to_wait);
fn a_player_who_says_too_much_has_to_wait(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    let say = |player: &TestPlayer<'_>| table.ask(player, "POST", "/chat", json!({"text": "well thrown"}));
    let statuses: Vec<_> = (0..5).map(|_| say(&asha).status).collect();
    assert_eq!(statuses, [201; 5]);
    let refused = say(&asha);
    assert_eq!(refused.problem(), (429, "too_many_requests"));
    assert!(refused.header("retry-after").parse::<u64>().unwrap() <= 10);
    assert_eq!(say(&ravi).status, 201, "others may speak");
}
