//! Makes the examples of the description from real answers. The test sends a fixed sequence of requests (the story),
//! and writes the requests and answers into the file `api/src/openapi/examples.json`. At the end, when most of its
//! requests would be refused, the requests with idempotency keys are sent again: each must get its first answer.
//!
//! `REWRITE=1 cargo test -p pagade --test api examples` writes the file; then `cargo run -- openapi --out openapi`.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

use pagade::config::{Oidc, PublicClient, Rates};
use pagade::ground::token::Token;
use pagade_tests::issuer::{TestIssuer, TestKey};
use pagade_tests::wait::until;
use reqwest::blocking::RequestBuilder;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestGame, TestStore, got};
use crate::masked::Masked;
use crate::repeated::Repeated;
use crate::tokens::ADMIN;

/// The media type of brief answers.
const BRIEF: &str = "application/vnd.pagade.brief+json";

/// Sends the requests of the story, and collects requests and answers by operation.
struct Story<'s> {
    server: &'s Server,
    told: Value,
    repeated: Repeated,
}

impl Story<'_> {
    /// Sends a request with a body, and records the body and the answer.
    fn send(&mut self, operation: &str, request: RequestBuilder, media: &str, body: &str) -> Answer {
        let shown = serde_json::from_str(body).unwrap_or_else(|_| json!(body));
        self.told[operation]["request"][media] = shown;
        self.note(operation, request.header("Content-Type", media).body(body.to_owned()))
    }

    fn post(&mut self, operation: &str, path: &str, token: &str, body: Value) -> Answer {
        let request = self.server.request("POST", path).bearer_auth(token).header("If-Match", "*");
        self.send(operation, request, "application/json", &body.to_string())
    }

    /// Sends a command like [`Story::post`], but asks for a brief answer.
    fn brief(&mut self, operation: &str, path: &str, token: &str, body: Value) -> Answer {
        let request = self.server.request("POST", path).bearer_auth(token).header("If-Match", "*");
        self.send(operation, request.header("Accept", BRIEF), "application/json", &body.to_string())
    }

    fn get(&mut self, operation: &str, path: &str, accept: &str) -> Answer {
        self.note(operation, self.server.request("GET", path).header("Accept", accept))
    }

    /// Sends a request and records the answer.
    fn note(&mut self, operation: &str, request: RequestBuilder) -> Answer {
        let answer = self.repeated.send(operation, request);
        assert!(answer.status < 300, "{operation}: {} {}", answer.status, answer.raw);
        let media = answer.header("content-type").split(';').next().unwrap().to_owned();
        if !media.is_empty() {
            let shown = if answer.body.is_null() || media == "application/x-ndjson" {
                json!(answer.raw)
            } else {
                answer.body.clone()
            };
            self.told[operation]["answers"][answer.status.to_string()][media] = shown;
        }
        answer
    }

    /// Sends a request for a stream that does not end, and records its first message.
    fn note_beginning(&mut self, operation: &str, request: RequestBuilder, media: &str) {
        let mut lines = BufReader::new(request.send().unwrap()).lines().map_while(Result::ok);
        let mut shown = String::new();
        let messages = |shown: &str| shown.matches(if media == "text/event-stream" { "\n\n" } else { "\n" }).count();
        while messages(&shown) < 1 {
            shown += &(lines.next().unwrap() + "\n");
        }
        self.told[operation]["answers"]["200"][media] = json!(shown);
    }
}

#[test]
fn examples_are_answers() {
    let data = TestStore::new();
    let (issuer, key) = (TestIssuer::start(), TestKey::ed("one"));
    issuer.has(&[&key]);
    let server = Server::start_with(&data, |config| {
        (config.rates, config.admin) = (Rates::default(), Some(Token::sent(ADMIN).hash()));
        config.oidc = Some(Oidc::new(&issuer.url, "pagade"));
    });
    let mut story = Story { server: &server, told: json!({}), repeated: Repeated::new() };
    service(&mut story);
    sign_in(&mut story, &data.another());
    rule_sets(&mut story);
    games(&mut story);
    groups(&mut story);
    tournaments(&mut story);
    players(&mut story);
    friends(&mut story, &key.sign(&issuer.claims("u-1")));
    tables(&mut story);
    story.repeated.all_are_answered_as_before();
    let current = serde_json::to_string_pretty(&Masked::default().value("", story.told)).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/openapi/examples.json");
    if std::env::var_os("REWRITE").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(committed == current, "the answers have changed: run this with REWRITE=1");
}

/// Records the answer to `read_sign_in` of a service with an identity provider. The provider's address is the same in
/// each run.
fn sign_in(story: &mut Story<'_>, data: &TestStore) {
    let client = PublicClient { id: "pagade-page".to_owned(), scope: "openid profile".to_owned() };
    let provider = Oidc { client: Some(client), ..Oidc::new("https://accounts.example", "pagade-page") };
    let server = Server::start_with(data, |config| config.oidc = Some(provider));
    story.note("read_sign_in", server.request("GET", "/v1/sign-in"));
}

fn service(story: &mut Story<'_>) {
    story.get("read_liveness", "/livez", "*/*");
    story.get("read_readiness", "/readyz", "*/*");
    story.get("read_limits", "/v1/limits", "*/*");
    story.note("read_bank", story.server.request("GET", "/v1/bank").bearer_auth(ADMIN));
    story.get("list_problem_codes", "/v1/problems", "*/*");
    story.get("read_problem_code", "/v1/problems/version_conflict", "*/*");
    story.get("read_openapi", "/openapi.json", "*/*");
    story.get("read_metrics", "/metrics", "*/*");
    story.get("read_metrics", "/metrics", "text/plain");
}

fn rule_sets(story: &mut Story<'_>) {
    let village = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/examples/village.yaml");
    let village = json!({"text": std::fs::read_to_string(village).unwrap()});
    let wrong = json!({"text": "rules: my-pagade\nversion: 1.0.0\ntitle: My Pagade\nextends: pagade\npawns: {start: [1, 1, 12, 212]}\n"});
    let request = |path: &str| story.server.request("POST", path);
    let (check, publish) = (request("/v1/rule-checks"), request("/v1/rule-sets"));
    story.send("check_rule_text", check, "application/json", &wrong.to_string());
    story.send("publish_rule_set", publish, "application/json", &village.to_string());
    story.get("list_rule_sets", "/v1/rule-sets", "*/*");
    story.get("read_rule_set", "/v1/rule-sets/village", "*/*");
    for media in ["*/*", "text/plain"] {
        story.get("read_rule_set_source", "/v1/rule-sets/village/source", media);
        story.get("draw_rule_set_board", "/v1/rule-sets/pagade/board", media);
    }
    story.get("read_rule_set_layout", "/v1/rule-sets/pagade/layout", "*/*");
    story.get("list_rule_set_versions", "/v1/rule-sets/village/versions", "*/*");
    story.get("read_rule_language_schema", "/v1/rule-language/schema", "*/*");
    rule_lab(story, &village);
}

/// Sends the requests of the story with which an author tries a rule text.
fn rule_lab(story: &mut Story<'_>, village: &Value) {
    let server = story.server;
    let mut send = |operation: &str, path: &str, body: Value| {
        story.send(operation, server.request("POST", path), "application/json", &body.to_string())
    };
    let scenarios = "ruleset: village\nscenarios:\n  - name: two sticks are thrown\n    script:\n      \
         - pieces: {red: [1, 1, 12, 12]}\n      - throw: 3+4\n";
    send("run_scenarios", "/v1/scenario-runs", json!({"text": village["text"], "scenarios": [scenarios]}));
    let (base, variant) = (json!({"rule_set": "pagade"}), json!({"text": village["text"]}));
    send("compare_rules", "/v1/rule-comparisons", json!({"base": base, "variant": variant}));
    let wish = json!({"rule_set": "royal-game-of-ur", "robots": ["hunter", "random"], "games": 200});
    let path = send("create_simulation", "/v1/simulations", wish).header("location").to_owned();
    until("all games are played", || server.get(&path).body["status"] == "ended");
    story.get("read_simulation", &path, "*/*");
    // The measured time differs in each run.
    story.told["read_simulation"]["answers"]["200"]["application/json"]["seconds"] = json!(0.05);
    story.note("cancel_simulation", server.request("DELETE", &path));
}

fn games(story: &mut Story<'_>) {
    // The example does not show the seed, so that a client who copies the request gets a secret seed.
    let wish = json!({"rule_set": "pagade", "players": ["red", "yellow"], "title": "Sunday evening",
        "turn_timer": {"seconds": 86400, "then": "first"}, "seed": "the same story every time", "private": true});
    let create = story.server.request("POST", "/v1/games");
    let created = story.send("create_game", create, "application/json", &wish.to_string());
    story.told["create_game"]["request"]["application/json"].as_object_mut().unwrap().remove("seed");
    let path = format!("/v1/games/{}", created.text("/game/id"));
    let at = |rest: &str| format!("{path}{rest}");
    let owner = created.text("/token");
    let owner = story.post("renew_owner_token", &at("/token"), &owner, json!({})).text("/token");
    let invitation = story.post("renew_invitation", &at("/invitation"), &owner, json!({})).text("/token");
    let hook = json!({"url": "https://club.example/pagade", "events": ["game_over"],
        "secret": "whsec_bmluZSB0YW1hcmluZCBzZWVkcyBhbmQgb25l"});
    let hook = story.post("create_webhook", &at("/webhooks"), &owner, hook).text("/webhook/id");
    story.told["create_webhook"]["request"]["application/json"].as_object_mut().unwrap().remove("secret");
    let list = story.server.request("GET", &at("/webhooks")).bearer_auth(&owner);
    story.note("list_webhooks", list);
    story.post("redeliver_webhook", &at(&format!("/webhooks/{hook}/redeliveries")), &owner, json!({}));
    let mut tokens = BTreeMap::new();
    for (seat, name, contribution) in [("yellow", "Ravi", "ten more of them"), ("red", "Asha", "nine tamarind seeds")] {
        let wish = json!({"name": name, "contribution": contribution});
        let joined = story.post("join_seat", &at(&format!("/seats/{seat}")), &invitation, wish);
        tokens.insert(seat, joined.text("/token"));
    }
    let renewed = story.post("renew_seat_token", &at("/seats/red/token"), &tokens["red"], json!({}));
    tokens.insert("red", renewed.text("/token"));
    story.post("start_game", &at("/start"), &owner, json!({}));

    let red = tokens["red"].clone();
    let tried = json!({"throw": "3+6", "actions": ["12-15:3"]});
    story.brief("try_turn", &at("/dry-runs"), &red, tried.clone());
    story.post("try_turn", &at("/dry-runs"), &red, tried);
    story.post("throw_dice", &at("/throws"), &red, json!({}));
    let read = |operation: &str, rest: &str, accept: &str, story: &mut Story<'_>| {
        let request = story.server.request("GET", &at(rest)).header("Accept", accept).bearer_auth(&red);
        story.note(operation, request)
    };
    let legal = read("list_legal_actions", "/legal", "*/*", story);
    story.post("return_to_seat", &at("/seats/red/return"), &red, json!({}));
    // The request for a brief answer comes first. The second request replaces it in the examples, so they show an
    // ordinary one.
    let played =
        story.brief("play_actions", &at("/actions"), &red, json!({"actions": [legal.text("/legal/0/action")]}));
    story.post("play_actions", &at("/actions"), &red, json!({"actions": [played.text("/game/legal/0")]}));
    story.brief("throw_dice", &at("/throws"), &tokens["yellow"], json!({}));
    read("read_game", "", "*/*", story);
    read("read_presence", "/presence", "*/*", story);
    read("read_dice", "/dice", "*/*", story);
    for media in ["*/*", "text/plain"] {
        read("draw_game_board", "/board", media, story);
    }
    for media in ["application/x-ndjson", "text/plain"] {
        let record = read("read_record", "/record", media, story);
        let import = story.server.request("POST", "/v1/records");
        story.send("import_record", import, media, &record.raw);
        if media == "text/plain" {
            let import = story.server.request("POST", "/v1/records");
            story.send("import_record", import, "application/octet-stream", &record.raw);
        }
    }
    story.get("list_games", "/v1/games?limit=1", "*/*");
    story.post("create_ticket", &at("/tickets"), &red, json!({}));

    story.post("agree_to_end", &at("/agreements"), &tokens["yellow"], json!({"to": "end"}));
    story.post("resign_seat", &at("/resignations"), &red, json!({}));
    let aborted = story.server.hot_seat(json!({"rule_set": "royal-game-of-ur", "seed": "the same story every time"}));
    story.post("abort_game", &aborted.path("/abort"), &aborted.token, json!({}));
    let deleted = TestGame::of(story.server, &story.server.post("/v1/games", json!({"rule_set": "pagade"})));
    let delete = story.server.request("DELETE", &deleted.path("")).bearer_auth(&deleted.token);
    story.note("delete_game", delete);

    // A list that reaches the newest event has the state of the game with it.
    let mut game = story.server.hot_seat(json!({"rule_set": "royal-game-of-ur", "seed": "the same story every time"}));
    game.step();
    story.get("list_events", &game.path("/events?after=1"), "application/json");
    // The streams below end with their game. An example shows only the beginning of a stream.
    game.finish();
    for media in ["text/event-stream", "application/x-ndjson"] {
        let request = story.server.request("GET", &format!("{}?after=0&limit=4", game.path("/events")));
        story.note("list_events", request.header("Accept", media).header("Last-Event-ID", "0"));
    }
}

/// Sends the requests of the story that play a tournament.
fn tournaments(story: &mut Story<'_>) {
    let create = story.server.request("POST", "/v1/tournaments");
    let wish = json!({"title": "Village cup", "rule_set": "pagade", "seeding": "as_listed", "seed": "07".repeat(32),
        "format": {"kind": "swiss", "rounds": 2}, "turn_timer": {"seconds": 60, "then": "random", "forfeit_after": 3},
        "no_show": {"seconds": 600, "withdraw_after": 2}, "prizes": ["The golden pawn", "First runner-up"],
        "registration": "invited"});
    let created = story.send("create_tournament", create, "application/json", &wish.to_string());
    story.told["create_tournament"]["request"]["application/json"].as_object_mut().unwrap().remove("seed");
    let path = format!("/v1/tournaments/{}", created.text("/tournament/id"));
    let at = |rest: &str| format!("{path}{rest}");
    let owner = story.post("renew_tournament_token", &at("/token"), &created.text("/token"), json!({})).text("/token");
    story.post("renew_arbiter_token", &at("/arbiter-token"), &owner, json!({}));
    story.post("renew_tournament_invitation", &at("/invitation"), &owner, json!({}));
    let hook = json!({"url": "https://club.example/pagade", "events": ["round_paired", "tournament_over"],
        "secret": "whsec_bmluZSB0YW1hcmluZCBzZWVkcyBhbmQgb25l"});
    let hook = story.post("create_tournament_webhook", &at("/webhooks"), &owner, hook).text("/webhook/id");
    story.told["create_tournament_webhook"]["request"]["application/json"].as_object_mut().unwrap().remove("secret");
    story.note("list_tournament_webhooks", story.server.request("GET", &at("/webhooks")).bearer_auth(&owner));
    let hook = format!("/webhooks/{hook}");
    story.post("redeliver_tournament_webhook", &at(&format!("{hook}/redeliveries")), &owner, json!({}));
    story.note("delete_tournament_webhook", story.server.request("DELETE", &at(&hook)).bearer_auth(&owner));
    let entrants = json!({"entrants": [{"name": "Asha"}, {"name": "Bhavna"}, {"name": "Chitra"}]});
    let entered = story.post("enter_tournament", &at("/entrants"), &owner, entrants);
    let third = entered.text("/entrants/2/tokens/0");
    story.note("withdraw_entrant", story.server.request("DELETE", &at("/entrants/3")).bearer_auth(third));
    story.post("note_absence", &at("/entrants/2/absences"), &owner, json!({"round": 2}));
    story.post("start_tournament", &at("/start"), &owner, json!({}));
    story.post("pair_round", &at("/rounds"), &owner, json!({"round": 1}));
    let left = got(story.server.request("DELETE", &at("/entrants/2")).bearer_auth(&owner).send().unwrap());
    assert_eq!(left.status, 200, "{}", left.raw);
    story.post("return_entrant", &at("/entrants/2/return"), &owner, json!({}));
    let result = json!({"seats": [{"entrant": 1, "place": 1}, {"entrant": 2, "place": 2, "no_show": true}],
        "reason": "Bhavna did not come"});
    let request = story.server.request("PUT", &at("/rounds/1/tables/1/result")).bearer_auth(&owner);
    story.send("enter_result", request, "application/json", &result.to_string());
    until("the game is aborted", || {
        let round = got(story.server.request("GET", &at("/rounds/1")).send().unwrap()).body;
        !["planned", "playing"].contains(&round["tables"][0]["games"][0]["status"].as_str().unwrap())
    });
    story.get("read_round", &at("/rounds/1"), "application/json");
    story.get("read_standings", &at("/standings"), "application/json");
    story.get("read_standings", &at("/standings"), "text/csv");
    story.post("create_tournament_ticket", &at("/tickets"), &owner, json!({}));
    story.get("list_tournament_events", &at("/events?after=5&limit=3"), "application/json");
    story.post("finish_tournament", &at("/finish"), &owner, json!({"early": true}));
    story.get("read_tournament", &path, "application/json");
    story.get("list_tournaments", "/v1/tournaments", "application/json");
    story.get("export_tournament", &at("/export"), "application/json");
    story.get("export_tournament", &at("/export"), "text/csv");
    story.get("export_tournament", &at("/export"), "application/x-ndjson");
    for media in ["text/event-stream", "application/x-ndjson"] {
        let request = story.server.request("GET", &at("/events")).header("Accept", media);
        story.note("list_tournament_events", request.header("Last-Event-ID", "7"));
    }
}

fn groups(story: &mut Story<'_>) {
    let create = story.server.request("POST", "/v1/groups");
    let wish = json!({"title": "Round 1", "private": true});
    let created = story.send("create_group", create, "application/json", &wish.to_string());
    let path = format!("/v1/groups/{}", created.text("/group/id"));
    let at = |rest: &str| format!("{path}{rest}");
    let owner = story.post("renew_group_token", &at("/token"), &created.text("/token"), json!({})).text("/token");
    story.post("renew_group_invitation", &at("/invitation"), &owner, json!({}));
    let hook = json!({"url": "https://club.example/pagade", "events": ["game_over", "group_over"],
        "secret": "whsec_bmluZSB0YW1hcmluZCBzZWVkcyBhbmQgb25l"});
    let hook = story.post("create_group_webhook", &at("/webhooks"), &owner, hook).text("/webhook/id");
    story.told["create_group_webhook"]["request"]["application/json"].as_object_mut().unwrap().remove("secret");
    story.note("list_group_webhooks", story.server.request("GET", &at("/webhooks")).bearer_auth(&owner));
    let hook = format!("/webhooks/{hook}");
    story.post("redeliver_group_webhook", &at(&format!("{hook}/redeliveries")), &owner, json!({}));
    story.note("delete_group_webhook", story.server.request("DELETE", &at(&hook)).bearer_auth(&owner));
    let table = |number: u32, red: &str, yellow: &str| {
        json!({"rule_set": "pagade", "players": ["red", "yellow"], "title": format!("Table {number}"), "start": true,
            "seed": "the same story every time", "seats": {"red": {"name": red}, "yellow": {"name": yellow}}})
    };
    let games = json!({"games": [table(1, "Asha", "Ravi"), table(2, "Meera", "Kiran")]});
    let add = story.server.request("POST", &at("/games")).bearer_auth(&owner);
    let added = story.send("create_games", add, "application/json", &games.to_string());
    for game in story.told["create_games"]["request"]["application/json"]["games"].as_array_mut().unwrap() {
        game.as_object_mut().unwrap().remove("seed");
    }
    let red = added.text("/games/0/seats/red");
    story.note("read_me", story.server.request("GET", "/v1/me").bearer_auth(&red));
    let resign = story.server.request("POST", &format!("/v1/games/{}/resignations", added.text("/games/0/id")));
    assert_eq!(resign.bearer_auth(&red).send().unwrap().status(), 200);
    until("the group knows it", || {
        let group = got(story.server.request("GET", &path).bearer_auth(&owner).send().unwrap());
        group.body["games"]["finished"] == 1
    });
    story.post("create_group_ticket", &at("/tickets"), &owner, json!({}));
    story.note("read_group", story.server.request("GET", &path).bearer_auth(&owner));
    story.note("list_group_games", story.server.request("GET", &at("/games")).bearer_auth(&owner));
    let page = story.server.request("GET", &at("/events?after=9")).bearer_auth(&owner);
    story.note("list_group_events", page.header("Accept", "application/json"));
    story.post("complete_group", &at("/complete"), &owner, json!({}));
    let path = format!("/v1/games/{}/resignations", added.text("/games/1/id"));
    let resign = story.server.request("POST", &path).bearer_auth(added.text("/games/1/seats/red"));
    assert_eq!(resign.send().unwrap().status(), 200);
    for media in ["text/event-stream", "application/x-ndjson"] {
        let request = story.server.request("GET", &at("/events")).bearer_auth(&owner).header("Accept", media);
        story.note("list_group_events", request.header("Last-Event-ID", "7"));
    }
}

fn players(story: &mut Story<'_>) {
    let create = story.server.request("POST", "/v1/players");
    let created = story.send("create_player", create, "application/json", &json!({"name": "Asha"}).to_string());
    let path = format!("/v1/players/{}", created.text("/player/id"));
    let at = |rest: &str| format!("{path}{rest}");
    let token = story.post("renew_player_token", &at("/token"), &created.text("/token"), json!({})).text("/token");
    let change = story.server.request("PATCH", &path).bearer_auth(&token);
    story.send("change_player", change, "application/json", &json!({"name": "Asha K"}).to_string());
    story.get("read_player", &path, "*/*");
    story.get("read_player_statistics", &format!("{path}/statistics"), "*/*");
    story.get("read_leaderboard", "/v1/leaderboards/parcheesi", "*/*");
    let wish = json!({"rule_set": "pagade", "players": ["red", "yellow"], "my_seat": "red", "seats": {"yellow": {}},
        "start": true, "seed": "the same story every time"});
    assert_eq!(
        got(story.server.request("POST", "/v1/games").bearer_auth(&token).json(&wish).send().unwrap()).status,
        201
    );
    until("the inbox is told", || {
        let page = story.server.request("GET", &at("/events?after=3")).bearer_auth(&token).send().unwrap();
        got(page).body["events"].as_array().unwrap().len() == 3
    });
    story.note("list_player_games", story.server.request("GET", &at("/games")).bearer_auth(&token));
    story.post("create_player_ticket", &at("/tickets"), &token, json!({}));
    let hook = json!({"url": "https://app.example/push", "events": ["turn_due", "game_ended"],
        "secret": "whsec_bmluZSB0YW1hcmluZCBzZWVkcyBhbmQgb25l"});
    let hook = story.post("create_player_webhook", &at("/webhooks"), &token, hook).text("/webhook/id");
    story.told["create_player_webhook"]["request"]["application/json"].as_object_mut().unwrap().remove("secret");
    story.note("list_player_webhooks", story.server.request("GET", &at("/webhooks")).bearer_auth(&token));
    let hook = format!("/webhooks/{hook}");
    story.post("redeliver_player_webhook", &at(&format!("{hook}/redeliveries")), &token, json!({}));
    story.note("delete_player_webhook", story.server.request("DELETE", &at(&hook)).bearer_auth(&token));
    let page = story.server.request("GET", &at("/events?after=3&limit=1")).bearer_auth(&token);
    story.note("list_player_events", page.header("Accept", "application/json"));
    for media in ["text/event-stream", "application/x-ndjson"] {
        let request = story.server.request("GET", &at("/events")).bearer_auth(&token).header("Accept", media);
        story.note_beginning("list_player_events", request.header("Last-Event-ID", "0"), media);
    }
    story.note("export_player", story.server.request("GET", &at("/export")).bearer_auth(&token));
    story.note("delete_player", story.server.request("DELETE", &path).bearer_auth(&token));
}

/// Sends the requests of the story of friends. `registered` is the token of a registered player.
fn friends(story: &mut Story<'_>, registered: &str) {
    let player = |name: &str| {
        let created = story.server.post("/v1/players", json!({"name": name}));
        (created.text("/token"), format!("/v1/players/{}", created.text("/player/id")), created.text("/player/id"))
    };
    let [(asha, path, _), (_, _, ravi), (_, _, kiran)] = ["Asha", "Ravi", "Kiran"].map(player);
    story.post("ask_friend", &format!("{path}/friends/{ravi}"), &asha, json!({}));
    let request =
        |method: &str, rest: String| story.server.request(method, &format!("{path}{rest}")).bearer_auth(&asha);
    let block = request("PUT", format!("/blocked/{kiran}"));
    let list = request("GET", "/friends".to_owned());
    let unblock = request("DELETE", format!("/blocked/{kiran}"));
    let end = request("DELETE", format!("/friends/{ravi}"));
    story.note("block_player", block);
    story.note("list_friends", list);
    story.note("unblock_player", unblock);
    story.note("end_friend", end);
    let me = got(story.server.request("GET", "/v1/me").bearer_auth(registered).send().unwrap());
    let claims = format!("/v1/players/{}/claims", me.text("/player/id"));
    story.post("claim_guest", &claims, registered, json!({"token": asha}));
}

fn tables(story: &mut Story<'_>) {
    let player = |name: &str| {
        let created = story.server.post("/v1/players", json!({"name": name}));
        (created.text("/token"), created.text("/player/id"))
    };
    let [(asha, _), (ravi, _), (meera, meera_id)] = ["Asha", "Ravi", "Meera"].map(player);
    let wish = json!({"rule_set": "parcheesi", "title": "Friday evening", "options": {"time_per_turn": 60}});
    let created = story.post("create_table", "/v1/tables", &asha, wish);
    let path = format!("/v1/tables/{}", created.text("/id"));
    let at = |rest: &str| format!("{path}{rest}");
    story.post("take_table_seat", &at("/seats/red"), &ravi, json!({}));
    let change = story.server.request("PATCH", &at("/options")).bearer_auth(&asha);
    let wish = json!({"options": {"time_per_turn": 90, "allow_mixed_blockades": true}});
    story.send("change_table_options", change, "application/json", &wish.to_string());
    story.note("read_table_options", story.server.request("GET", &at("/options")).bearer_auth(&ravi));
    story.post("invite_to_table", &at("/invitations"), &asha, json!({"player": meera_id}));
    story.note("list_table_invitations", story.server.request("GET", &at("/invitations")).bearer_auth(&ravi));
    story.note(
        "list_player_tables",
        story.server.request("GET", &format!("/v1/players/{meera_id}/tables?role=invited")).bearer_auth(&meera),
    );
    story.post("watch_table", &at("/watchers"), &meera, json!({}));
    let invitation = story.server.request("DELETE", &at(&format!("/invitations/{meera_id}"))).bearer_auth(&meera);
    story.note("end_table_invitation", invitation);
    story.post("renew_table_link", &at("/link"), &asha, json!({}));
    let hook = json!({"url": "https://club.example/pagade", "events": ["table_game_started", "table_game_ended"],
        "secret": "whsec_bmluZSB0YW1hcmluZCBzZWVkcyBhbmQgb25l"});
    let hook = story.post("create_table_webhook", &at("/webhooks"), &asha, hook).text("/webhook/id");
    story.told["create_table_webhook"]["request"]["application/json"].as_object_mut().unwrap().remove("secret");
    story.note("list_table_webhooks", story.server.request("GET", &at("/webhooks")).bearer_auth(&asha));
    let hook = format!("/webhooks/{hook}");
    story.post("redeliver_table_webhook", &at(&format!("{hook}/redeliveries")), &asha, json!({}));
    story.note("delete_table_webhook", story.server.request("DELETE", &at(&hook)).bearer_auth(&asha));
    story.post("say_at_table", &at("/chat"), &ravi, json!({"text": "Well thrown!"}));
    story.note("read_table_chat", story.server.request("GET", &at("/chat")).bearer_auth(&meera));
    story.post("report_chat_line", &at("/chat/1/reports"), &meera, json!({}));
    story.note("remove_chat_line", story.server.request("DELETE", &at("/chat/1")).bearer_auth(&ravi));
    let mute = story.server.request("PATCH", &at(&format!("/mutes/{meera_id}"))).bearer_auth(&asha);
    story.send("mute_at_table", mute, "application/json", &json!({"muted": true}).to_string());
    story.post("seat_table_robot", &at("/seats/green/robot"), &asha, json!({"robot": "hunter"}));
    story.post("start_table_game", &at("/games"), &asha, json!({}));
    story.post("open_table_vote", &at("/votes"), &ravi, json!({"on": "end"}));
    story.post("cast_table_vote", &at("/votes/current"), &asha, json!({"agree": true}));
    story.get("read_table", &path, "*/*");
    story.get("list_tables", "/v1/tables?limit=1", "*/*");
    let wish = json!({"rule_set": "parcheesi", "players": 2, "options": {"time_per_turn": 60}});
    story.post("quick_play", "/v1/quick-play", &ravi, wish.clone());
    story.post("quick_play", "/v1/quick-play", &meera, wish);
    story.post("create_table_ticket", &at("/tickets"), &ravi, json!({}));
    let watcher = story.server.request("DELETE", &at(&format!("/watchers/{meera_id}"))).bearer_auth(&meera);
    story.note("stop_watching_table", watcher);
    for (seat, token) in [("yellow", &asha), ("red", &ravi)] {
        let leave = story.server.request("DELETE", &at(&format!("/seats/{seat}"))).bearer_auth(token);
        story.note("leave_table_seat", leave);
    }
    for media in ["application/json", "text/event-stream", "application/x-ndjson"] {
        let open = story.server.request("GET", &at("/events?after=3&limit=3"));
        story.note("list_table_events", open.header("Accept", media).header("Last-Event-ID", "3").bearer_auth(&asha));
    }
}
