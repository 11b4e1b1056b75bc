//! Tests the rights of every kind of token in every operation on groups.

use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::tokens::{ADMIN, ask, bearer, operations, with_admin};

/// The kinds of callers, in the order of the columns of [`TABLE`].
const KINDS: [&str; 7] = ["nobody", "malformed", "of another group", "revoked", "invitation", "owner", "admin"];

/// The statuses of an operation that reads the group, for each kind of caller.
const SEEN: [u16; 7] = [404, 404, 404, 401, 200, 200, 200];

/// The statuses of an operation that only the owner and the admin may call. Both get `status`.
const fn owned(status: u16) -> [u16; 7] {
    [401, 404, 404, 401, 403, status, status]
}

/// The expected status of every operation on a private group, for each kind of caller.
pub(crate) const TABLE: [(&str, [u16; 7]); 13] = [
    ("complete_group", owned(200)),
    ("create_games", owned(201)),
    ("create_group", [201; 7]),
    ("create_group_ticket", [401, 404, 404, 401, 201, 201, 201]),
    ("create_group_webhook", owned(201)),
    ("delete_group_webhook", owned(404)),
    ("list_group_events", SEEN),
    ("list_group_games", SEEN),
    ("list_group_webhooks", owned(200)),
    ("read_group", SEEN),
    ("redeliver_group_webhook", owned(404)),
    ("renew_group_invitation", owned(201)),
    ("renew_group_token", owned(201)),
];

/// The expected status if the group is public. `row` has the statuses for a private group.
fn in_public(operation: &str, row: [u16; 7], column: usize) -> u16 {
    match operation {
        "renew_group_invitation" if row[column] == 201 => 409,
        _ if KINDS[column] == "revoked" => row[column],
        _ if column < 5 && row[0] == 404 => 200,
        _ if column < 5 && row[0] == 401 => 401,
        _ => row[column],
    }
}

struct Group {
    id: String,
    authorizations: [Option<String>; 7],
}

fn group(server: &Server, private: bool) -> Group {
    let create = || server.post("/v1/groups", json!({"private": private}));
    let (other, created) = (create(), create());
    let (id, revoked) = (created.text("/group/id"), created.text("/token"));
    let path = format!("/v1/groups/{id}/token");
    let owner = ask(server, "POST", &path, bearer(&revoked).as_deref(), &Value::Null).text("/token");
    let invitation = created.body["invitation"].as_str().unwrap_or("none").to_owned();
    let [other, revoked, invitation, owner, admin] =
        [&other.text("/token"), &revoked, &invitation, &owner, ADMIN].map(bearer);
    Group { id, authorizations: [None, Some("Basic cGFnYWRl".to_owned()), other, revoked, invitation, owner, admin] }
}

fn body_of(operation: &str) -> Value {
    match operation {
        "create_group_webhook" => json!({"url": "https://club.example/pagade"}),
        "create_games" => json!({"games": [{"rule_set": "pagade"}]}),
        _ => Value::Null,
    }
}

fn asked(server: &Server, method: &str, path: &str, authorization: Option<&str>, body: &Value) -> Answer {
    let mut request = server.request(method, path);
    if method == "POST" {
        request = request.header("Idempotency-Key", uuid::Uuid::now_v7().to_string());
    }
    if let Some(authorization) = authorization {
        request = request.header("Authorization", authorization);
    }
    got(if body.is_null() { request } else { request.json(body) }.send().unwrap())
}

on_both_stores!(every_operation_on_groups_answers_every_kind_of_token_as_described);
fn every_operation_on_groups_answers_every_kind_of_token_as_described(data: TestStore) {
    let server = with_admin(&data);
    let operations = operations();
    let mut wrong = Vec::new();
    for private in [true, false] {
        let mut now = group(&server, private);
        for (operation, row) in TABLE {
            let (_, method, path) = operations.iter().find(|(id, ..)| id == operation).unwrap();
            for (column, kind) in KINDS.into_iter().enumerate() {
                let expected = if private { row[column] } else { in_public(operation, row, column) };
                let path = path.replace("{id}", &now.id).replace("{webhook}", "none");
                let authorization = now.authorizations[column].clone();
                let answer = asked(&server, method, &path, authorization.as_deref(), &body_of(operation));
                if answer.status != expected {
                    wrong.push(format!("{operation} by {kind}: {} for {expected}: {}", answer.status, answer.raw));
                }
                if method != "GET" && answer.status < 300 {
                    now = group(&server, private);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

on_both_stores!(a_token_of_a_group_says_what_it_may_do);
fn a_token_of_a_group_says_what_it_may_do(data: TestStore) {
    let server = with_admin(&data);
    let group = group(&server, true);
    for (column, role) in [(4, "guest"), (5, "owner")] {
        let me = ask(&server, "GET", "/v1/me", group.authorizations[column].as_deref(), &Value::Null);
        assert_eq!((me.text("/role").as_str(), me.text("/group/id")), (role, group.id.clone()));
        let may = TABLE.iter().filter(|(id, row)| *id != "create_group" && ![401, 403].contains(&row[column]));
        let mut may: Vec<_> = may.map(|(id, _)| *id).collect();
        let mut said: Vec<_> = me.body["may"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        said.sort_unstable();
        may.sort_unstable();
        assert_eq!(said, may, "{role}");
    }
    let revoked = ask(&server, "GET", "/v1/me", group.authorizations[3].as_deref(), &Value::Null);
    assert_eq!(revoked.problem(), (401, "token_revoked"));
}
