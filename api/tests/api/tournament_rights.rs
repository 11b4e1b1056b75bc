//! Tests the rights of every kind of token in every operation on tournaments.

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::tokens::{ADMIN, ask, bearer, operations, with_admin};
use crate::tournaments::{TestTournament, swiss};

/// The kinds of callers, in the order of the columns of [`TABLE`].
const KINDS: [&str; 7] =
    ["nobody", "malformed", "of another tournament", "an entrant", "an arbiter", "the organiser", "admin"];

/// The statuses of an operation that only the organiser and the admin may call.
const fn of_organiser(status: u16) -> [u16; 7] {
    [401, 401, 401, 403, 403, status, status]
}

/// The statuses of an operation that only arbiters, the organiser and the admin may call.
const fn of_arbiters(status: u16) -> [u16; 7] {
    [401, 401, 401, 403, status, status, status]
}

/// The expected status of every operation on a tournament in its first round, for each kind of caller. Paths name the
/// entrant 1 and the table 1, at which nobody has a result yet.
pub(crate) const TABLE: [(&str, [u16; 7]); 23] = [
    ("create_tournament", [201; 7]),
    ("create_tournament_ticket", [401, 401, 401, 201, 201, 201, 201]),
    ("create_tournament_webhook", of_organiser(201)),
    ("delete_tournament_webhook", of_organiser(404)),
    ("enter_result", of_arbiters(200)),
    ("enter_tournament", [409, 401, 401, 409, 409, 201, 201]),
    ("export_tournament", [200; 7]),
    ("finish_tournament", of_organiser(409)),
    ("list_tournament_events", [200; 7]),
    ("list_tournament_webhooks", of_organiser(200)),
    ("list_tournaments", [200; 7]),
    ("note_absence", [401, 401, 401, 200, 403, 200, 200]),
    ("pair_round", of_arbiters(409)),
    ("read_round", [200; 7]),
    ("read_standings", [200; 7]),
    ("read_tournament", [200; 7]),
    ("redeliver_tournament_webhook", of_organiser(404)),
    ("renew_arbiter_token", of_organiser(201)),
    ("renew_tournament_invitation", of_organiser(409)),
    ("renew_tournament_token", of_organiser(201)),
    ("return_entrant", [401, 401, 401, 409, 403, 409, 409]),
    ("start_tournament", of_organiser(409)),
    ("withdraw_entrant", [401, 401, 401, 200, 403, 200, 200]),
];

/// A tournament of four entrants in its first round, and the `Authorization` header of each kind of caller.
struct Tournament {
    id: String,
    /// The entrants of table 1 in the first round.
    entrants: Value,
    authorizations: [Option<String>; 7],
}

fn tournament(server: &Server) -> Tournament {
    let swiss = || json!({"kind": "swiss", "rounds": 2});
    let other = TestTournament::new(server, swiss(), json!({}));
    let mut tournament = TestTournament::new(server, swiss(), json!({}));
    tournament.enter(&["Asha", "Ravi", "Meera", "Kiran"]);
    assert_eq!(tournament.post("/start", Value::Null).status, 200);
    let entrants = tournament.pair()["tables"][0]["entrants"].clone();
    let [stranger, entrant, arbiter, organiser, admin] =
        [&other.token, tournament.entrant_token(1), &tournament.arbiter, &tournament.token, ADMIN].map(bearer);
    let malformed = Some("Basic cGFnYWRl".to_owned());
    let authorizations = [None, malformed, stranger, entrant, arbiter, organiser, admin];
    Tournament { id: tournament.id, entrants, authorizations }
}

fn body_of(operation: &str, entrants: &Value) -> Value {
    match operation {
        "create_tournament" => json!({"rule_set": "pagade", "format": {"kind": "swiss", "rounds": 2}}),
        "create_tournament_webhook" => json!({"url": "https://club.example/pagade"}),
        "enter_result" => {
            let seats = json!([{"entrant": entrants[0], "place": 1}, {"entrant": entrants[1], "place": 2}]);
            json!({"seats": seats, "reason": "seen at the table"})
        }
        "enter_tournament" => json!({"entrants": [{"name": "Latha"}]}),
        "note_absence" => json!({"round": 2}),
        "pair_round" => json!({}),
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

on_both_stores!(every_operation_on_tournaments_answers_every_kind_of_token_as_described);
fn every_operation_on_tournaments_answers_every_kind_of_token_as_described(data: TestStore) {
    let server = with_admin(&data);
    let operations = operations();
    let mut wrong = Vec::new();
    let mut now = tournament(&server);
    for (operation, row) in TABLE {
        let (_, method, path) = operations.iter().find(|(id, ..)| id == operation).unwrap();
        let numbers = [("{number}", "1"), ("{round}", "1"), ("{table}", "1"), ("{webhook}", "none")];
        for (column, kind) in KINDS.into_iter().enumerate() {
            let path = numbers.iter().fold(path.replace("{id}", &now.id), |path, (from, to)| path.replace(from, to));
            let authorization = now.authorizations[column].clone();
            let answer = asked(&server, method, &path, authorization.as_deref(), &body_of(operation, &now.entrants));
            if answer.status != row[column] {
                wrong.push(format!("{operation} by {kind}: {} for {}: {}", answer.status, row[column], answer.raw));
            }
            if method != "GET" && answer.status < 300 {
                now = tournament(&server);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

on_both_stores!(the_invitation_to_a_tournament_says_what_it_may_do);
fn the_invitation_to_a_tournament_says_what_it_may_do(data: TestStore) {
    let server = with_admin(&data);
    let wish = json!({"rule_set": "pagade", "format": swiss(1), "registration": "invited"});
    let created = server.post("/v1/tournaments", wish);
    assert_eq!(created.status, 201, "{}", created.raw);
    let me = ask(&server, "GET", "/v1/me", bearer(&created.text("/invitation")).as_deref(), &Value::Null);
    assert_eq!((me.status, me.text("/role").as_str()), (200, "guest"), "{}", me.raw);
    assert_eq!(me.text("/tournament/id"), created.text("/tournament/id"));
    let may = me.body["may"].as_array().unwrap();
    for (operation, method, path) in operations() {
        let path = path.replace("{id}", &created.text("/tournament/id")).replace("{round}", "1");
        let is_read = method == "GET" && path.starts_with(created.header("location")) && !path.contains("webhook");
        assert_eq!(may.contains(&json!(operation)), is_read, "{operation}");
    }
}

on_both_stores!(a_renewed_token_of_the_organiser_is_that_of_all_games);
fn a_renewed_token_of_the_organiser_is_that_of_all_games(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, swiss(2), json!({"same_dice": true}));
    cup.enter(&["Asha", "Bina", "Chitra", "Devi"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    cup.pair();
    until("the games are there", || cup.round(1)["tables"][1]["games"][0]["status"] == "playing");
    let round = cup.round(1);
    let game = format!("/v1/games/{}", round["tables"][0]["games"][0]["id"].as_str().unwrap());
    let group = format!("/v1/groups/{}", round["group"].as_str().unwrap());
    let renewed = cup.post("/token", json!({}));
    assert_eq!(renewed.status, 201, "{}", renewed.raw);
    let (old, new) = (cup.token.clone(), renewed.text("/token"));
    let seat = server.request("GET", &game).bearer_auth(&new).send().unwrap();
    let seat = got(seat).body["seats"][0]["seat"].as_str().unwrap().to_owned();
    let ask = |token: &str, method: &str, path: &str| {
        let request = server.request(method, path).bearer_auth(token).header("If-Match", "*");
        got(if method == "POST" { request.json(&json!({})) } else { request }.send().unwrap())
    };
    for path in [&game, &group] {
        assert_eq!(ask(&new, "GET", path).status, 200, "{path}");
        assert_eq!(ask(&old, "GET", path).problem(), (401, "token_revoked"), "{path}");
    }
    for path in [format!("{game}/seats/{seat}/token"), format!("{game}/token"), format!("{group}/complete")] {
        assert_eq!(ask(&old, "POST", &path).problem(), (401, "token_revoked"), "{path}");
    }
    assert_eq!(ask(&new, "POST", &format!("{game}/seats/{seat}/token")).status, 201);
    // Who had the token may have taken a token of their own from a game. The next renewal ends that, too.
    let taken = ask(&new, "POST", &format!("{game}/token")).text("/token");
    assert_eq!(ask(&new, "POST", &cup.path("/token")).status, 201);
    for token in [&taken, &new] {
        assert_eq!(ask(token, "GET", &game).problem(), (401, "token_revoked"));
    }
}
