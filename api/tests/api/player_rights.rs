//! Tests the rights of every kind of token in every operation on players.

use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::tokens::{ADMIN, ask, bearer, operations, with_admin};

/// The kinds of callers, in the order of the columns of [`TABLE`].
const KINDS: [&str; 6] = ["nobody", "malformed", "another player", "revoked", "own", "admin"];

/// The statuses of an operation that only the player and the admin may call. Both get `status`. Another player gets the
/// same answer as for a player who does not exist.
const fn owned(status: u16) -> [u16; 6] {
    [401, 401, 404, 401, status, status]
}

/// The expected status of every operation on players, for each kind of caller.
pub(crate) const TABLE: [(&str, [u16; 6]); 21] = [
    ("ask_friend", owned(204)),
    ("block_player", owned(204)),
    ("change_player", owned(200)),
    // Only a registered player claims guests. The player of this table is a guest.
    ("claim_guest", owned(403)),
    ("create_player", [201; 6]),
    ("create_player_ticket", owned(201)),
    ("create_player_webhook", owned(201)),
    ("delete_player", owned(204)),
    ("delete_player_webhook", owned(404)),
    ("end_friend", owned(204)),
    ("export_player", owned(200)),
    ("list_friends", owned(200)),
    ("list_player_events", owned(200)),
    ("list_player_games", owned(200)),
    ("list_player_tables", owned(200)),
    ("list_player_webhooks", owned(200)),
    ("read_player", [200; 6]),
    ("read_player_statistics", [200; 6]),
    ("redeliver_player_webhook", owned(404)),
    ("renew_player_token", owned(201)),
    ("unblock_player", owned(204)),
];

struct Player {
    id: String,
    other: String,
    authorizations: [Option<String>; 6],
}

fn player(server: &Server) -> Player {
    let create = || server.post("/v1/players", json!({}));
    let (other, created) = (create(), create());
    let (id, revoked) = (created.text("/player/id"), created.text("/token"));
    let path = format!("/v1/players/{id}/token");
    let own = ask(server, "POST", &path, bearer(&revoked).as_deref(), &Value::Null).text("/token");
    let other_id = other.text("/player/id");
    let [other, revoked, own, admin] = [&other.text("/token"), &revoked, &own, ADMIN].map(bearer);
    Player {
        id,
        other: other_id,
        authorizations: [None, Some("Basic cGFnYWRl".to_owned()), other, revoked, own, admin],
    }
}

pub(crate) fn body_of(operation: &str) -> Value {
    match operation {
        "change_player" => json!({"name": "Asha"}),
        "claim_guest" => json!({"token": "pagade_player_00"}),
        "create_player_webhook" => json!({"url": "https://club.example/pagade"}),
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

on_both_stores!(every_operation_on_players_answers_every_kind_of_token_as_described);
fn every_operation_on_players_answers_every_kind_of_token_as_described(data: TestStore) {
    let server = with_admin(&data);
    let operations = operations();
    let mut wrong = Vec::new();
    let mut now = player(&server);
    for (operation, row) in TABLE {
        let (_, method, path) = operations.iter().find(|(id, ..)| id == operation).unwrap();
        for (column, kind) in KINDS.into_iter().enumerate() {
            let path = path.replace("{id}", &now.id).replace("{webhook}", "none").replace("{other}", &now.other);
            let authorization = now.authorizations[column].clone();
            let answer = asked(&server, method, &path, authorization.as_deref(), &body_of(operation));
            if answer.status != row[column] {
                wrong.push(format!("{operation} by {kind}: {} for {}: {}", answer.status, row[column], answer.raw));
            }
            if method != "GET" && answer.status < 300 {
                now = player(&server);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

on_both_stores!(a_token_of_a_player_says_what_it_may_do);
fn a_token_of_a_player_says_what_it_may_do(data: TestStore) {
    let server = with_admin(&data);
    let player = player(&server);
    let me = ask(&server, "GET", "/v1/me", player.authorizations[4].as_deref(), &Value::Null);
    assert_eq!((me.text("/role").as_str(), me.text("/player/id")), ("player", player.id.clone()));
    let may = TABLE.iter().filter(|(id, row)| *id != "create_player" && ![401, 403].contains(&row[4]));
    let mut may: Vec<_> = may.map(|(id, _)| *id).collect();
    let mut said: Vec<_> = me.body["may"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    said.sort_unstable();
    may.sort_unstable();
    assert_eq!(said, may);
    let problem = |authorization: &Option<String>| {
        ask(&server, "GET", "/v1/me", authorization.as_deref(), &Value::Null).problem().1.to_owned()
    };
    assert_eq!(problem(&player.authorizations[3]), "token_revoked");
    let guess = format!("pagade_player_{}_00", player.id.replace('-', ""));
    assert_eq!(problem(&bearer(&guess)), "token_unknown");
    assert_eq!(problem(&bearer("pagade_player_01992b3e8c5a7d52b3c96f1f0a6f2e11_00")), "token_unknown");
}
