//! Tests the rights of every kind of token in every operation on tables.

use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::players::TestPlayer;
use crate::tables::TestTable;
use crate::tokens::{ADMIN, bearer, operations, with_admin};

/// The kinds of callers, in the order of the columns of [`TABLE`].
const KINDS: [&str; 7] = ["nobody", "malformed", "a stranger", "a watcher", "a player", "the master", "admin"];

/// The statuses of an operation that only the master and the admin may call.
const fn of_master(status: u16) -> [u16; 7] {
    [401, 401, 403, 403, 403, status, status]
}

/// The expected status of every operation on a private table between games, for each kind of caller. Paths name the
/// seat `red`, which the player has, and the player of that seat.
pub(crate) const TABLE: [(&str, [u16; 7]); 29] = [
    ("cast_table_vote", [401, 401, 409, 409, 409, 409, 401]),
    ("change_table_options", of_master(200)),
    ("create_table", [401, 401, 201, 201, 201, 201, 401]),
    ("create_table_ticket", [401, 403, 403, 201, 201, 201, 201]),
    ("create_table_webhook", of_master(201)),
    ("delete_table_webhook", of_master(404)),
    ("end_table_invitation", [401, 401, 403, 403, 204, 204, 204]),
    ("invite_to_table", [401, 401, 403, 403, 409, 409, 401]),
    ("leave_table_seat", [401, 401, 403, 403, 204, 204, 204]),
    ("list_table_events", [403, 403, 403, 200, 200, 200, 200]),
    ("list_table_invitations", [401, 401, 403, 403, 200, 200, 200]),
    ("list_table_webhooks", of_master(200)),
    ("list_tables", [200; 7]),
    ("mute_at_table", of_master(204)),
    ("open_table_vote", [401, 401, 409, 409, 409, 409, 401]),
    // The first caller opens a table for two, and the next one finds it.
    ("quick_play", [401, 401, 201, 200, 201, 200, 401]),
    ("read_table", [200; 7]),
    ("read_table_chat", [401, 401, 403, 200, 200, 200, 200]),
    ("read_table_options", [403, 403, 403, 200, 200, 200, 200]),
    ("redeliver_table_webhook", of_master(404)),
    ("remove_chat_line", [401, 401, 403, 403, 403, 204, 204]),
    ("renew_table_link", of_master(201)),
    ("report_chat_line", [401, 401, 403, 204, 204, 204, 401]),
    ("say_at_table", [401, 401, 403, 201, 201, 201, 401]),
    ("seat_table_robot", of_master(409)),
    ("start_table_game", of_master(201)),
    ("stop_watching_table", [401, 401, 403, 403, 204, 204, 204]),
    ("take_table_seat", [401, 401, 403, 403, 409, 409, 401]),
    ("watch_table", [401, 401, 403, 200, 409, 409, 401]),
];

/// A private table with two players and a watcher, and the `Authorization` header of each kind of caller.
struct Table {
    path: String,
    player: String,
    authorizations: [Option<String>; 7],
}

fn table(server: &Server) -> Table {
    let [master, player, watcher, stranger] =
        ["Asha", "Ravi", "Meera", "Kiran"].map(|name| TestPlayer::new(server, name));
    let table = TestTable::new(&master, json!({"rule_set": "parcheesi"}));
    table.sit(&player, "red");
    table.ask(&watcher, "POST", "/watchers", json!({}));
    table.ask(&master, "POST", "/chat", json!({"text": "welcome"}));
    table.ask(&master, "PATCH", "/options", json!({"options": {"private": true}}));
    let [stranger, watcher, seated, master, admin] =
        [&stranger.token, &watcher.token, &player.token, &master.token, ADMIN].map(bearer);
    let malformed = Some("Basic cGFnYWRl".to_owned());
    Table {
        path: table.path,
        player: player.id,
        authorizations: [None, malformed, stranger, watcher, seated, master, admin],
    }
}

fn body_of(operation: &str, player: &str) -> Value {
    match operation {
        "cast_table_vote" => json!({"agree": true}),
        "change_table_options" => json!({"options": {"time_per_turn": 60}}),
        "create_table" => json!({"rule_set": "pagade"}),
        "quick_play" => json!({"rule_set": "pagade"}),
        "seat_table_robot" => json!({"robot": "runner"}),
        "create_table_webhook" => json!({"url": "https://club.example/pagade"}),
        "invite_to_table" => json!({"player": player}),
        "mute_at_table" => json!({"muted": true}),
        "open_table_vote" => json!({"on": "end"}),
        "say_at_table" => json!({"text": "hello"}),
        _ => Value::Null,
    }
}

fn asked(server: &Server, method: &str, path: &str, authorization: Option<&str>, body: &Value) -> Answer {
    let mut request = server.request(method, path);
    if let Some(authorization) = authorization {
        request = request.header("Authorization", authorization);
    }
    got(if body.is_null() { request } else { request.json(body) }.send().unwrap())
}

on_both_stores!(every_operation_on_tables_answers_every_kind_of_token_as_described);
fn every_operation_on_tables_answers_every_kind_of_token_as_described(data: TestStore) {
    let server = with_admin(&data);
    let operations = operations();
    let mut wrong = Vec::new();
    let mut now = table(&server);
    for (operation, row) in TABLE {
        let (_, method, path) = operations.iter().find(|(id, ..)| id == operation).unwrap();
        for (column, kind) in KINDS.into_iter().enumerate() {
            let path = path.replace("/v1/tables/{id}", &now.path).replace("{seat}", "red").replace("{webhook}", "none");
            let path = path.replace("{player}", &now.player).replace("{line}", "1");
            let authorization = now.authorizations[column].clone();
            let answer = asked(&server, method, &path, authorization.as_deref(), &body_of(operation, &now.player));
            if answer.status != row[column] {
                wrong.push(format!("{operation} by {kind}: {} for {}: {}", answer.status, row[column], answer.raw));
            }
            if method != "GET" && answer.status < 300 {
                now = table(&server);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

on_both_stores!(the_operator_is_told_every_operation_on_tables_that_the_admin_token_allows);
fn the_operator_is_told_every_operation_on_tables_that_the_admin_token_allows(data: TestStore) {
    let server = with_admin(&data);
    let me = got(server.request("GET", "/v1/me").bearer_auth(ADMIN).send().unwrap());
    let said: Vec<_> = me.body["may"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    let of_a_table = operations().into_iter().filter(|(_, _, path)| path.starts_with("/v1/tables/{id}"));
    for (id, ..) in of_a_table {
        let (_, row) = TABLE.iter().find(|(known, _)| *known == id).unwrap();
        // The admin token may call all operations but those with status 401. Other statuses of errors, such as a
        // conflict because the seat is taken or there is no vote, do not come from the token.
        assert_eq!(said.contains(&id.as_str()), row[6] != 401, "{id}");
    }
}

on_both_stores!(the_link_of_a_table_says_what_it_may_do);
fn the_link_of_a_table_says_what_it_may_do(data: TestStore) {
    let server = with_admin(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"private": true}}));
    let link = || table.ask(&asha, "POST", "/link", json!({})).text("/link");
    let (old, new) = (link(), link());
    let me = |link: &str| asked(&server, "GET", "/v1/me", bearer(link).as_deref(), &Value::Null);
    assert_eq!(me(&old).problem(), (401, "token_unknown"), "a link that was renewed");
    let told = me(&new);
    assert_eq!((told.status, told.text("/role").as_str()), (200, "guest"), "{}", told.raw);
    assert_eq!((told.text("/table/id"), told.body.get("player")), (table.id.clone(), None));
    let said = told.body["may"].as_array().unwrap();
    for (operation, method, path) in operations() {
        let Some(rest) = path.strip_prefix("/v1/tables/{id}") else { continue };
        let rest = rest.replace("{seat}", "red").replace("{webhook}", "none").replace("{line}", "1");
        let path = format!("{}{}", table.path, rest.replace("{player}", &asha.id));
        let answer = asked(&server, &method, &path, bearer(&new).as_deref(), &body_of(&operation, &asha.id));
        let is_allowed = ![401, 403].contains(&answer.status);
        assert_eq!(said.contains(&json!(operation)), is_allowed, "{operation}: {}", answer.raw);
    }
    assert_eq!(table.ask(&asha, "DELETE", "/seats/yellow", Value::Null).status, 204);
    assert_eq!(me(&new).problem(), (401, "token_unknown"), "the table is closed");
}
