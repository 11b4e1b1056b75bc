//! Tests the rights of every kind of token in every operation, and that tokens can be renewed and revoked.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::time::Duration;

use pagade::ground::token::Token;
use serde_json::{Value, json};

use crate::group_rights;
use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::player_rights;
use crate::table_rights;
use crate::tournament_rights;

pub(crate) const ADMIN: &str = "the-word-of-whoever-runs-this-service";
const NOWHERE: &str = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11";

/// The kinds of callers, in the order of the columns of [`TABLE`].
const KINDS: [&str; 9] =
    ["nobody", "malformed", "of another game", "revoked", "invitation", "other seat", "own seat", "owner", "admin"];

/// The statuses of an operation that everybody may call: every kind of caller gets `status`.
const fn open(status: u16) -> [u16; 9] {
    [status; 9]
}

/// The statuses of an operation that reads the game. Every valid token of the game allows it, and the admin token.
const SEEN: [u16; 9] = [404, 404, 404, 401, 200, 200, 200, 200, 200];
/// The statuses of an operation that creates something, and that only the owner and the admin may call.
const OWNER: [u16; 9] = [401, 404, 404, 401, 403, 403, 403, 201, 201];

/// The statuses of an operation that only players may call, whether it is their turn or not.
const PLAYER: [u16; 9] = [401, 404, 404, 401, 403, 200, 200, 403, 403];

/// The expected status of operations for each kind of caller. The tables of groups, players, tables and tournaments
/// have the other operations. The game is private and waits for a throw of red; `in_public` has the differences of a
/// public game. Paths name the seat `red`.
const TABLE: [(&str, [u16; 9]); 55] = [
    ("abort_game", [401, 404, 404, 401, 403, 200, 200, 200, 200]),
    ("agree_to_end", PLAYER),
    ("cancel_simulation", open(404)),
    ("check_rule_text", open(200)),
    ("compare_rules", open(422)),
    ("create_game", open(201)),
    ("create_simulation", open(422)),
    ("create_ticket", [401, 404, 404, 401, 201, 201, 201, 201, 201]),
    ("create_webhook", OWNER),
    ("delete_game", [401, 404, 404, 401, 403, 403, 403, 409, 409]),
    ("delete_webhook", [401, 404, 404, 401, 403, 403, 403, 404, 404]),
    ("draw_game_board", SEEN),
    ("draw_rule_set_board", open(200)),
    ("import_record", open(422)),
    ("join_seat", [404, 404, 404, 401, 409, 409, 409, 409, 409]),
    ("leave_seat", [401, 404, 404, 401, 403, 403, 409, 409, 409]),
    ("list_events", SEEN),
    ("list_games", open(200)),
    ("list_legal_actions", SEEN),
    ("list_problem_codes", open(200)),
    ("list_rule_set_versions", open(200)),
    ("list_rule_sets", open(200)),
    ("list_webhooks", [401, 404, 404, 401, 403, 403, 403, 200, 200]),
    ("play_actions", [401, 404, 404, 401, 403, 409, 409, 403, 403]),
    ("publish_rule_set", open(422)),
    ("read_bank", [401, 403, 403, 403, 403, 403, 403, 403, 200]),
    ("read_dice", SEEN),
    ("read_game", SEEN),
    ("read_leaderboard", open(200)),
    ("read_limits", open(200)),
    ("read_liveness", open(200)),
    ("read_me", [401, 401, 200, 401, 200, 200, 200, 200, 200]),
    ("read_metrics", open(200)),
    ("read_openapi", open(200)),
    ("read_presence", SEEN),
    ("read_problem_code", open(200)),
    ("read_readiness", open(200)),
    ("read_record", SEEN),
    ("read_rule_language_schema", open(200)),
    ("read_rule_set", open(200)),
    ("read_rule_set_layout", open(200)),
    ("read_rule_set_source", open(200)),
    ("read_sign_in", open(200)),
    ("read_simulation", open(404)),
    ("redeliver_webhook", [401, 404, 404, 401, 403, 403, 403, 404, 404]),
    ("renew_invitation", OWNER),
    ("renew_owner_token", OWNER),
    ("renew_seat_token", [401, 404, 404, 401, 403, 403, 201, 201, 201]),
    ("resign_seat", PLAYER),
    ("return_to_seat", [401, 404, 404, 401, 403, 403, 200, 403, 403]),
    ("revoke_seat_token", [401, 404, 404, 401, 403, 403, 204, 204, 204]),
    ("run_scenarios", open(422)),
    ("start_game", [401, 404, 404, 401, 403, 403, 403, 409, 409]),
    ("throw_dice", [401, 404, 404, 401, 403, 409, 200, 403, 403]),
    ("try_turn", SEEN),
];

/// Lists every operation of the OpenAPI document: id, method, path.
pub(crate) fn operations() -> Vec<(String, String, String)> {
    let document: Value = serde_json::from_str(pagade::openapi::text()).unwrap();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap().to_owned();
            found.push((id, method.to_uppercase(), path.clone()));
        }
    }
    found
}

pub(crate) fn with_admin(data: &TestStore) -> Server {
    Server::start_with(data, |config| config.admin = Some(Token::sent(ADMIN).hash()))
}

pub(crate) fn ask(server: &Server, method: &str, path: &str, authorization: Option<&str>, body: &Value) -> Answer {
    let mut request = server.request(method, path).header("If-Match", "*");
    if let Some(authorization) = authorization {
        request = request.header("Authorization", authorization);
    }
    got(match body {
        Value::Null => request,
        Value::String(text) => request.header("Content-Type", "text/plain").body(text.clone()),
        body => request.json(body),
    }
    .send()
    .unwrap())
}

pub(crate) fn bearer(token: &str) -> Option<String> {
    Some(format!("Bearer {token}"))
}

/// A game that waits for a throw of red, and the `Authorization` header of each kind of caller.
struct Game {
    id: String,
    owner: String,
    red: String,
    authorizations: [Option<String>; 9],
}

fn game(server: &Server, private: bool) -> Game {
    let wish = json!({"rule_set": "pagade", "players": ["red", "yellow"], "private": private});
    let join = |created: &Answer, seat: &str| {
        let invitation = created.body["invitation"].as_str().unwrap_or("none");
        let path = format!("/v1/games/{}/seats/{seat}", created.text("/game/id"));
        ask(server, "POST", &path, bearer(invitation).as_deref(), &json!({})).text("/token")
    };
    let other = join(&server.post("/v1/games", wish.clone()), "red");
    let created = server.post("/v1/games", wish);
    let (id, owner) = (created.text("/game/id"), created.text("/token"));
    let (revoked, yellow) = (join(&created, "red"), join(&created, "yellow"));
    let path = format!("/v1/games/{id}/seats/red/token");
    let red = ask(server, "POST", &path, bearer(&revoked).as_deref(), &Value::Null).text("/token");
    let started = ask(server, "POST", &format!("/v1/games/{id}/start"), bearer(&owner).as_deref(), &Value::Null);
    assert_eq!((started.status, &started.body["turn"]), (200, &json!("red")));
    let invitation = created.body["invitation"].as_str().unwrap_or("none").to_owned();
    let [other, revoked, invitation, yellow, seat, own, admin] =
        [&other, &revoked, &invitation, &yellow, &red, &owner, ADMIN].map(bearer);
    let authorizations =
        [None, Some("Basic cGFnYWRl".to_owned()), other, revoked, invitation, yellow, seat, own, admin];
    Game { id, owner, red, authorizations }
}

fn path_in(game: &str, path: &str) -> String {
    let id = if path.starts_with("/v1/rule-sets") { "pagade" } else { game };
    let path = path.replace("{rule_set}", "pagade");
    path.replace("{id}", id).replace("{seat}", "red").replace("{code}", "version_conflict").replace("{webhook}", "none")
}

fn body_of(operation: &str) -> Value {
    match operation {
        "create_webhook" => json!({"url": "https://club.example/pagade"}),
        "agree_to_end" => json!({"to": "end"}),
        "create_game" => json!({"rule_set": "pagade"}),
        "check_rule_text" | "publish_rule_set" => json!({"text": "rules: nothing\n"}),
        "import_record" => json!("no record"),
        "play_actions" => json!({"actions": ["6-9:3"]}),
        "try_turn" => json!({"throw": "3+4"}),
        _ => Value::Null,
    }
}

on_both_stores!(every_operation_answers_every_kind_of_token_as_described);
fn every_operation_answers_every_kind_of_token_as_described(data: TestStore) {
    let server = with_admin(&data);
    let operations = operations();
    let known: BTreeSet<_> = operations.iter().map(|(id, ..)| id.as_str()).collect();
    let of_groups = group_rights::TABLE.map(|(id, _)| id);
    let of_players = player_rights::TABLE.map(|(id, _)| id);
    let of_tables = table_rights::TABLE.map(|(id, _)| id);
    let of_tournaments = tournament_rights::TABLE.map(|(id, _)| id);
    let of_others = of_groups.into_iter().chain(of_players).chain(of_tables).chain(of_tournaments);
    let tables = TABLE.map(|(id, _)| id).into_iter().chain(of_others).collect();
    assert_eq!(known, tables, "a table has every operation");
    let mut wrong = Vec::new();
    for private in [true, false] {
        let mut now = game(&server, private);
        for (operation, row) in TABLE {
            let (_, method, path) = operations.iter().find(|(id, ..)| id == operation).unwrap();
            for (column, kind) in KINDS.into_iter().enumerate() {
                let expected = if private { row[column] } else { in_public(operation, row, column) };
                let authorization = now.authorizations[column].clone();
                let asked = |game: &str| {
                    ask(&server, method, &path_in(game, path), authorization.as_deref(), &body_of(operation))
                };
                let answer = asked(&now.id);
                if answer.status != expected {
                    wrong.push(format!("{operation} by {kind}: {} for {expected}: {}", answer.status, answer.raw));
                }
                if private && expected == 404 && column < 4 {
                    let nowhere = asked(NOWHERE);
                    let told = |got: &Answer| (got.status, got.text("/code"), got.text("/detail"));
                    assert_eq!(told(&answer), told(&nowhere), "{operation} by {kind} tells that the game is there");
                }
                if method != "GET" && path.contains("{id}") && answer.status < 300 {
                    now = game(&server, private);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The expected status if the game is public. `row` has the statuses for a private game.
fn in_public(operation: &str, row: [u16; 9], column: usize) -> u16 {
    let is_stranger = column < 5;
    match operation {
        // `read_me` accepts the tokens of all games. A public game has no invitation.
        "read_me" => {
            if column == 4 {
                401
            } else {
                row[column]
            }
        }
        "read_bank" => row[column],
        "renew_invitation" if row[column] == 201 => 409,
        _ if KINDS[column] == "revoked" => row[column],
        // A stranger sees a public game as the other seat does, except that a public game has no invitation.
        _ if is_stranger && row[0] == 404 => row[5],
        _ if is_stranger && row[0] == 401 => 401,
        _ => row[column],
    }
}

on_both_stores!(a_token_says_what_it_is_and_what_it_may_do);
fn a_token_says_what_it_is_and_what_it_may_do(data: TestStore) {
    let server = with_admin(&data);
    let game = game(&server, true);
    let of_a_game: BTreeSet<String> =
        operations().into_iter().filter(|(_, _, path)| path.starts_with("/v1/games/{id}")).map(|(id, ..)| id).collect();
    for (column, role, seat) in [(4, "guest", None), (6, "seat", Some("red")), (7, "owner", None), (8, "admin", None)] {
        let me = ask(&server, "GET", "/v1/me", game.authorizations[column].as_deref(), &Value::Null);
        assert_eq!((me.status, me.text("/role").as_str(), me.body["seat"].as_str()), (200, role, seat));
        if role != "admin" {
            assert_eq!(me.text("/game/id"), game.id);
        }
        let may = TABLE.iter().filter(|(id, row)| of_a_game.contains(*id) && ![401, 403].contains(&row[column]));
        let mut may: Vec<_> = may.map(|(id, _)| *id).collect();
        let mut said: Vec<_> = me.body["may"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        said.retain(|id| of_a_game.contains(*id));
        said.sort_unstable();
        may.sort_unstable();
        assert_eq!(said, may, "{role}");
    }
    let shared = server.hot_seat(json!({}));
    let me = got(server.request("GET", "/v1/me").bearer_auth(&shared.token).send().unwrap());
    assert!(me.body["may"].as_array().unwrap().contains(&json!("throw_dice")), "the owner of a board plays it");
    let problem = |column: usize| {
        let me = ask(&server, "GET", "/v1/me", game.authorizations[column].as_deref(), &Value::Null);
        me.problem().1.to_owned()
    };
    assert_eq!([0, 1, 3].map(problem), ["token_missing", "token_unknown", "token_revoked"]);
    for guess in ["pagade_guess", &format!("pagade_game_{}_00", NOWHERE.replace('-', "")), &game.red.replace('_', "-")]
    {
        let me = got(server.request("GET", "/v1/me").bearer_auth(guess).send().unwrap());
        assert_eq!(me.problem(), (401, "token_unknown"), "{guess}");
    }
}

on_both_stores!(a_renewed_token_takes_the_place_of_the_old_one_at_once);
fn a_renewed_token_takes_the_place_of_the_old_one_at_once(data: TestStore) {
    let server = Server::start(&data);
    let game = game(&server, true);
    let path = |rest: &str| format!("/v1/games/{}{rest}", game.id);
    let (old, yellow) = (bearer(&game.red), game.authorizations[5].clone());
    let follow = |token: &Option<String>| {
        let request = server.request("GET", &path("/events")).header("Accept", "text/event-stream");
        let request = request.header("Authorization", token.as_deref().unwrap()).timeout(Duration::from_secs(20));
        BufReader::new(request.send().unwrap()).lines()
    };
    let (shut_out, mut goes_on) = (follow(&old), follow(&yellow));
    let renew = || {
        let request = server
            .request("POST", &path("/seats/red/token"))
            .header("Idempotency-Key", "5f0a1c8e-3a52-4d0c-9a3e-6b1f0c9d7e42");
        got(request.header("Authorization", old.as_deref().unwrap()).send().unwrap())
    };
    let renewed = renew();
    assert_eq!((renewed.status, renewed.text("/seat").as_str()), (201, "red"));
    assert_eq!(renew().text("/token"), renewed.text("/token"), "whoever missed the answer asks again");
    let throw = |token: &Option<String>| ask(&server, "POST", &path("/throws"), token.as_deref(), &json!({}));
    assert_eq!(throw(&old).problem(), (401, "token_revoked"));
    // The stream with the old token ends before any later event.
    let told: Vec<_> = shut_out.map_while(Result::ok).filter(|line| line.starts_with("event:")).collect();
    assert_eq!(told, ["event: snapshot"]);
    assert_eq!(throw(&bearer(&renewed.text("/token"))).status, 200);
    assert!(goes_on.any(|line| line.unwrap() == "event: token_changed"));
    assert!(goes_on.any(|line| line.unwrap() == "event: thrown"));
}

on_both_stores!(a_revoked_seat_is_played_by_nobody_until_the_owner_renews_its_token);
fn a_revoked_seat_is_played_by_nobody_until_the_owner_renews_its_token(data: TestStore) {
    let server = Server::start(&data);
    let game = game(&server, false);
    let path = |rest: &str| format!("/v1/games/{}{rest}", game.id);
    let (red, owner) = (bearer(&game.red), bearer(&game.owner));
    let token = "/seats/red/token";
    assert_eq!(ask(&server, "DELETE", &path(token), red.as_deref(), &Value::Null).status, 204);
    let throw = |token: &Option<String>| ask(&server, "POST", &path("/throws"), token.as_deref(), &json!({}));
    assert_eq!(throw(&red).problem(), (401, "token_revoked"));
    assert_eq!(server.get(&path("")).body["seats"][0]["taken"], true);
    let renewed = ask(&server, "POST", &path(token), owner.as_deref(), &Value::Null);
    assert_eq!(throw(&bearer(&renewed.text("/token"))).status, 200);
    let nobody = server.hot_seat(json!({}));
    let request = server.request("POST", &nobody.path(token)).bearer_auth(&nobody.token);
    assert_eq!(got(request.send().unwrap()).problem(), (409, "seats_free"));
}

on_both_stores!(without_an_admin_token_nobody_is_admin);
fn without_an_admin_token_nobody_is_admin(data: TestStore) {
    let server = Server::start(&data);
    let game = game(&server, true);
    for word in [ADMIN, ""] {
        let answer = ask(&server, "GET", &format!("/v1/games/{}", game.id), bearer(word).as_deref(), &Value::Null);
        assert_eq!(answer.problem(), (404, "game_not_found"));
    }
}

on_both_stores!(a_token_that_has_lost_its_role_is_told_so_everywhere);
fn a_token_that_has_lost_its_role_is_told_so_everywhere(data: TestStore) {
    let server = Server::start(&data);
    for private in [false, true] {
        let created = server.post("/v1/games", json!({"rule_set": "pagade", "private": private}));
        let path = format!("/v1/games/{}", created.text("/game/id"));
        let ask = |method: &str, rest: &str, token: &str| {
            got(server.request(method, &format!("{path}{rest}")).bearer_auth(token).send().unwrap())
        };
        let owner = created.text("/token");
        let red = ask("POST", "/seats/red", &owner).text("/token");
        let black = ask("POST", "/seats/black", &owner).text("/token");
        let mut lost = vec![owner.clone(), red.clone(), black.clone()];
        assert_eq!(ask("POST", "/seats/red/token", &red).status, 201);
        assert_eq!(ask("DELETE", "/seats/black", &black).status, 204);
        let owner = ask("POST", "/token", &owner).text("/token");
        if private {
            lost.push(created.text("/invitation"));
            assert_eq!(ask("POST", "/invitation", &owner).status, 201);
        }
        for token in &lost {
            for (method, rest) in
                [("GET", ""), ("GET", "/legal"), ("GET", "/events"), ("POST", "/start"), ("POST", "/seats/green")]
            {
                assert_eq!(ask(method, rest, token).problem(), (401, "token_revoked"), "{method} {rest}");
            }
        }
        assert_eq!(ask("GET", "", &owner).status, 200);
        // A guessed token gets the same answer as no token, and does not show whether a private game exists.
        let other = ask("GET", "", "pagade_guess");
        assert_eq!(other.status, if private { 404 } else { 200 });
    }
}
