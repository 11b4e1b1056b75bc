//! Tests /v1/groups.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use pagade::config::Rates;
use pagade_tests::receiver::Receiver;
use pagade_tests::wait::until;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::events::messages;
use crate::harness::{Answer, Server, TestStore, got, on_both_stores};

/// A group as its owner's client sees it, with the owner's token.
pub(crate) struct TestGroup<'s> {
    server: &'s Server,
    token: String,
    id: String,
}

impl<'s> TestGroup<'s> {
    pub(crate) fn new(server: &'s Server, wish: Value) -> Self {
        let created = server.post("/v1/groups", wish);
        assert_eq!(created.status, 201, "{}", created.raw);
        assert_eq!(created.header("location"), format!("/v1/groups/{}", created.text("/group/id")));
        Self { server, token: created.text("/token"), id: created.text("/group/id") }
    }

    /// Returns the same group with a client that sends its requests to another process.
    fn at<'o>(&self, server: &'o Server) -> TestGroup<'o> {
        TestGroup { server, token: self.token.clone(), id: self.id.clone() }
    }

    fn ask(&self, method: &str, rest: &str, key: &str, body: Value) -> Answer {
        let request = self.server.request(method, &format!("/v1/groups/{}{rest}", self.id)).bearer_auth(&self.token);
        let request = if key.is_empty() { request } else { request.header("Idempotency-Key", key) };
        got(if body.is_null() { request } else { request.json(&body) }.send().unwrap())
    }

    pub(crate) fn get(&self, rest: &str) -> Answer {
        self.ask("GET", rest, "", Value::Null)
    }

    fn add(&self, games: Vec<Value>) -> Answer {
        self.ask("POST", "/games", &Uuid::now_v7().to_string(), json!({"games": games}))
    }

    /// Adds `count` games of two players each. They start at once.
    fn add_tables(&self, count: usize) -> Vec<Value> {
        let added = self.add((1..=count).map(table).collect());
        assert_eq!(added.status, 201, "{}", added.raw);
        added.body["games"].as_array().unwrap().clone()
    }

    fn follow(&self, media: &str, last: Option<u64>) -> impl Iterator<Item = String> + use<> {
        let request = self.server.request("GET", &format!("/v1/groups/{}/events", self.id)).bearer_auth(&self.token);
        let request = request.header("Accept", media).timeout(Duration::from_secs(60));
        let request = match last {
            Some(last) => request.header("Last-Event-ID", last.to_string()),
            None => request,
        };
        let response = request.send().unwrap();
        assert_eq!(response.status(), 200);
        BufReader::new(response).lines().map_while(Result::ok)
    }

    fn events(&self) -> Vec<Value> {
        self.get("/events?limit=1000").body["events"].as_array().unwrap().clone()
    }
}

fn table(number: usize) -> Value {
    json!({"rule_set": "pagade", "players": ["red", "yellow"], "title": format!("Table {number}"), "start": true,
        "seats": {"red": {"name": format!("Asha {number}")}, "yellow": {"name": "Bhavna"}}})
}

fn act(server: &Server, game: &Value, seat: &str, rest: &str, body: Value) -> Answer {
    let path = format!("/v1/games/{}{rest}", game["id"].as_str().unwrap());
    let token = game["seats"][seat].as_str().unwrap();
    got(server.request("POST", &path).bearer_auth(token).header("If-Match", "*").json(&body).send().unwrap())
}

fn words(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"].as_str().unwrap()).collect()
}

on_both_stores!(a_round_is_created_in_one_request_and_listed_in_one_answer);
fn a_round_is_created_in_one_request_and_listed_in_one_answer(data: TestStore) {
    let server = Server::start(&data);
    let group = TestGroup::new(&server, json!({"title": "  Round 1 "}));
    let games = group.add_tables(250);
    let tokens: BTreeSet<_> = games
        .iter()
        .flat_map(|game| [&game["token"], &game["seats"]["red"], &game["seats"]["yellow"]])
        .map(|token| token.as_str().unwrap())
        .collect();
    assert_eq!(tokens.len(), 750, "every token is another one");
    let read = group.get("");
    assert_eq!(read.text("/title"), "Round 1");
    assert_eq!(read.body["games"], json!({"open": 0, "playing": 250, "finished": 0, "removed": 0}));
    let listed = group.get("/games?limit=250");
    let rows = listed.body["games"].as_array().unwrap();
    let ids = |rows: &[Value]| rows.iter().map(|row| row["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(rows), ids(&games), "in the order of the request");
    let row = &rows[6];
    assert_eq!((row["title"].as_str(), row["status"].as_str()), (Some("Table 7"), Some("playing")));
    assert_eq!(row["seats"][0], json!({"seat": "red", "taken": true, "name": "Asha 7"}));
    assert!(row["turn"].is_string() && row["awaits"] == "throw" && row["ranking"] == json!([]), "{row}");
    let mut paged = Vec::new();
    let mut next = format!("/v1/groups/{}/games?limit=60&status=playing", group.id);
    while !next.is_empty() {
        let page = server.get(&next);
        paged.extend(ids(page.body["games"].as_array().unwrap()));
        next = page.header("link").trim_start_matches('<').split('>').next().unwrap().to_owned();
    }
    assert_eq!(paged, ids(&games));
    let game = server.get(&format!("/v1/games/{}", games[3]["id"].as_str().unwrap()));
    assert_eq!((game.text("/group"), game.text("/title")), (group.id.clone(), "Table 4".to_owned()));
    let turn = game.text("/turn");
    assert_eq!(act(&server, &games[3], &turn, "/throws", json!({})).status, 200, "the tokens play");
}

on_both_stores!(one_stream_has_the_events_of_all_games);
fn one_stream_has_the_events_of_all_games(data: TestStore) {
    let server = Server::start(&data);
    let group = TestGroup::new(&server, json!({}));
    let mut lines = group.follow("text/event-stream", None);
    let (number, word, snapshot) = messages(&mut lines, 1).remove(0);
    assert_eq!((number, word.as_str(), &snapshot["id"]), (1, "snapshot", &json!(group.id)));
    let games = group.add_tables(3);
    let told = messages(&mut lines, 12);
    assert_eq!(told.iter().map(|(number, ..)| *number).collect::<Vec<_>>(), (2..=13).collect::<Vec<_>>());
    for game in &games {
        let of_game: Vec<_> = told.iter().filter(|(_, _, event)| event["game_id"] == game["id"]).collect();
        let words: Vec<_> = of_game.iter().map(|(_, word, _)| word.as_str()).collect();
        assert_eq!(words, ["created", "joined", "joined", "started"]);
        let states: Vec<_> = of_game.iter().map(|(_, _, event)| event.get("game").is_some()).collect();
        assert_eq!(states, [false, false, false, true], "the last event of each game carries its state");
        let (_, _, last) = of_game.last().unwrap();
        assert_eq!(last["game"]["awaits"], "throw");
        let own = server.get(&format!("/v1/games/{}/events", game["id"].as_str().unwrap()));
        let mut own = own.body["events"].as_array().unwrap().clone();
        own.last_mut().unwrap().as_object_mut().unwrap().remove("game");
        let copied: Vec<_> = of_game.iter().map(|(_, _, event)| event["game_event"].clone()).collect();
        assert_eq!(copied, own, "each event is there once, as the game has it");
    }
    // A client can play a game from the stream alone: it has the seat whose turn it is, and the legal actions.
    let mut state = told.last().unwrap().2["game"].clone();
    let game = games.iter().find(|game| game["id"] == state["id"]).unwrap();
    for _ in 0..6 {
        let turn = state["turn"].as_str().unwrap().to_owned();
        let answer = match state["legal"].get(0).cloned() {
            Some(action) => act(&server, game, &turn, "/actions", json!({"actions": [action]})),
            None => act(&server, game, &turn, "/throws", json!({})),
        };
        assert_eq!(answer.status, 200, "{}", answer.raw);
        let newest = answer.body["game"]["version"].clone();
        while state["version"] != newest {
            state = messages(&mut lines, 1)[0].2.get("game").cloned().unwrap_or(state);
        }
    }
    // A resumed stream, a stream of NDJSON and pages have the same events.
    let all = group.events();
    assert_eq!(
        all.iter().map(|event| event["id"].as_u64().unwrap()).collect::<Vec<_>>(),
        (1..=all.len() as u64).collect::<Vec<_>>()
    );
    let resumed = messages(&mut group.follow("text/event-stream", Some(5)), 4);
    let plain = |event: &Value| (event["id"].clone(), event["game_event"].clone());
    assert_eq!(
        resumed.iter().map(|(_, _, event)| plain(event)).collect::<Vec<_>>(),
        all[5..9].iter().map(plain).collect::<Vec<_>>()
    );
    let ndjson = group.follow("application/x-ndjson", Some(0)).filter(|line| !line.is_empty()).take(9);
    let ndjson: Vec<Value> = ndjson.map(|line| serde_json::from_str(&line).unwrap()).collect();
    assert_eq!(ndjson.iter().map(plain).collect::<Vec<_>>(), all[..9].iter().map(plain).collect::<Vec<_>>());
}

on_both_stores!(a_long_poll_answers_when_a_game_of_the_group_moves);
fn a_long_poll_answers_when_a_game_of_the_group_moves(data: TestStore) {
    let server = Server::start(&data);
    let group = TestGroup::new(&server, json!({}));
    let games = group.add_tables(2);
    let last = group.events().len();
    let turn = group.get("/games").text("/games/1/turn");
    std::thread::scope(|scope| {
        let read = || {
            let began = Instant::now();
            (group.get(&format!("/events?after={last}&wait=20")), began.elapsed())
        };
        let poll = server.until_waiting("entity_and_events", || scope.spawn(read));
        assert_eq!(act(&server, &games[1], &turn, "/throws", json!({})).status, 200);
        let (page, took) = poll.join().unwrap();
        assert!(took < Duration::from_secs(10), "{took:?}");
        let events = page.body["events"].as_array().unwrap();
        assert_eq!((words(events)[0], &events[0]["game_id"]), ("thrown", &games[1]["id"]));
        assert_eq!(events.last().unwrap()["game"]["id"], games[1]["id"], "with the state after it");
    });
}

on_both_stores!(a_group_that_is_complete_ends_with_its_games);
fn a_group_that_is_complete_ends_with_its_games(data: TestStore) {
    let server = Server::start(&data);
    let group = TestGroup::new(&server, json!({}));
    let games = group.add_tables(2);
    let open = group.add(vec![json!({"rule_set": "pagade"})]);
    let mut lines = group.follow("text/event-stream", None);
    assert_eq!(group.ask("POST", "/complete", "", json!({})).text("/status"), "complete");
    assert_eq!(group.ask("POST", "/complete", "", json!({})).problem(), (409, "group_complete"));
    assert_eq!(group.add(vec![table(3)]).problem(), (409, "group_complete"));
    for game in &games {
        assert_eq!(act(&server, game, "red", "/resignations", json!({})).status, 200);
    }
    let path = format!("/v1/games/{}", open.text("/games/0/id"));
    assert_eq!(server.request("DELETE", &path).bearer_auth(open.text("/games/0/token")).send().unwrap().status(), 204);
    let told = lines.by_ref().filter_map(|line| line.strip_prefix("event: ").map(str::to_owned));
    let told: Vec<_> = told.collect();
    assert_eq!(told.last().unwrap(), "end");
    assert_eq!(told.iter().filter(|word| *word == "game_over").count(), 2);
    assert_eq!(told[told.len() - 2], "group_over");
    assert_eq!(group.get("").body["games"], json!({"open": 0, "playing": 0, "finished": 2, "removed": 1}));
    let results = group.get("/games?status=finished&limit=1000");
    for row in results.body["games"].as_array().unwrap() {
        assert_eq!((row["ended_by"].as_str(), row["turn"].as_str()), (Some("resignation"), None));
        assert_eq!(row["ranking"][0]["seat"], "yellow", "{row}");
    }
    assert_eq!(results.body["games"].as_array().unwrap().len(), 2);
    let page = group.get("/events?limit=1000");
    assert_eq!(page.body["complete"], true);
}

on_both_stores!(one_webhook_receives_the_events_of_all_games);
fn one_webhook_receives_the_events_of_all_games(data: TestStore) {
    let server = Server::start_with(&data, |config| config.webhooks.allows_private = true);
    let receiver = Receiver::start();
    let group = TestGroup::new(&server, json!({}));
    let hook = json!({"url": receiver.url, "events": ["game_over", "group_over"]});
    assert_eq!(group.ask("POST", "/webhooks", "", hook).status, 201);
    assert_eq!(words(group.get("/events").body["events"].as_array().unwrap())[1..], ["group_webhooks_changed"]);
    let wrong = group.ask("POST", "/webhooks", "", json!({"url": receiver.url, "events": ["gameover"]}));
    assert_eq!(wrong.problem(), (422, "body_invalid"));
    let games = group.add_tables(3);
    assert_eq!(group.ask("POST", "/complete", "", json!({})).status, 200);
    for game in &games {
        assert_eq!(act(&server, game, "yellow", "/resignations", json!({})).status, 200);
    }
    until("the end of the group was told", || {
        receiver.messages().iter().any(|message| message.body.contains("group_over"))
    });
    let bodies: Vec<Value> =
        receiver.messages().iter().map(|message| serde_json::from_str(&message.body).unwrap()).collect();
    assert!(bodies.iter().all(|body| body["type"] == "group.events" && body["data"]["group"] == json!(group.id)));
    let events: Vec<_> = bodies.iter().flat_map(|body| body["data"]["events"].as_array().unwrap().clone()).collect();
    assert_eq!(words(&events), ["game_over", "game_over", "game_over", "group_over"]);
    let over: BTreeSet<_> = events[..3].iter().map(|event| event["game_id"].as_str().unwrap()).collect();
    assert_eq!(over, games.iter().map(|game| game["id"].as_str().unwrap()).collect());
}

on_both_stores!(all_games_of_a_request_are_created_or_none);
fn all_games_of_a_request_are_created_or_none(data: TestStore) {
    let server = Server::start(&data);
    let group = TestGroup::new(&server, json!({}));
    let mut wrong = vec![table(1), table(2), table(3)];
    wrong[1]["seats"]["yellow"]["name"] = json!("asha 2");
    wrong[2]["seats"] = json!({"red": {}, "pink": {}});
    let refused = group.add(wrong);
    assert_eq!(refused.problem(), (422, "body_invalid"));
    let pointers: Vec<_> = refused.body["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| problem["pointer"].as_str().unwrap())
        .collect();
    assert_eq!(pointers, ["/games/1/seats/yellow/name", "/games/2/seats/pink"]);
    for (wrong, pointer) in [
        (json!({"rule_set": "ludo-of-mars"}), "/games/0/rule_set"),
        (json!({"rule_set": "pagade", "private": true}), "/games/0/private"),
        (json!({"rule_set": "pagade", "start": true, "seats": {"red": {}}}), "/games/0/start"),
        (json!({"rule_set": "pagade", "hot_seat": true, "seats": {"red": {}}}), "/games/0/seats"),
        (json!({"rule_set": "pagade", "title": " "}), "/games/0/title"),
    ] {
        let refused = group.add(vec![wrong]);
        assert_eq!((refused.problem(), refused.text("/problems/0/pointer").as_str()), ((422, "body_invalid"), pointer));
    }
    let keyless = group.ask("POST", "/games", "", json!({"games": [table(1)]}));
    assert_eq!(keyless.problem(), (400, "idempotency_key_missing"));
    assert_eq!(
        group.ask("POST", "/games", "round-1", json!({"games": [table(1)]})).problem().1,
        "idempotency_key_weak"
    );
    let many = group.add(vec![json!({"rule_set": "pagade"}); 501]);
    assert_eq!(many.problem(), (422, "body_invalid"));
    assert_eq!(group.get("").body["games"]["open"], 0);
    assert_eq!(group.events().len(), 1, "nothing has happened");
}

on_both_stores!(a_repeated_round_has_the_same_tokens_and_is_counted_once);
fn a_repeated_round_has_the_same_tokens_and_is_counted_once(data: TestStore) {
    let server = Server::start_one(&data, |config| config.rates = Rates { create: Some(12), ..Rates::unlimited() });
    let group = TestGroup::new(&server, json!({}));
    let key = Uuid::now_v7().to_string();
    let round = json!({"games": (1..=5).map(table).collect::<Vec<_>>()});
    let first = group.ask("POST", "/games", &key, round.clone());
    let again = group.ask("POST", "/games", &key, round);
    assert_eq!((first.status, again.status, again.header("idempotency-replayed")), (201, 201, "true"));
    assert_eq!(first.body, again.body);
    assert_eq!(group.get("").body["games"]["playing"], 5);
    let other = group.ask("POST", "/games", &key, json!({"games": [table(1)]}));
    assert_eq!(other.problem(), (422, "idempotency_key_reused"));
    // The quota is 12. The group and five games have used six of it, so six more games are allowed.
    assert_eq!(group.add((1..=7).map(table).collect()).problem(), (429, "too_many_requests"));
    assert_eq!(group.add((1..=6).map(table).collect()).status, 201);
}

on_both_stores!(a_private_group_and_its_games_are_hidden);
fn a_private_group_and_its_games_are_hidden(data: TestStore) {
    let server = Server::start(&data);
    let group = TestGroup::new(&server, json!({"private": true}));
    let games = group.add_tables(1);
    assert_eq!(server.get(&format!("/v1/groups/{}", group.id)).problem(), (404, "group_not_found"));
    let path = format!("/v1/games/{}", games[0]["id"].as_str().unwrap());
    assert_eq!(server.get(&path).problem(), (404, "game_not_found"));
    let invitation = games[0]["invitation"].as_str().unwrap();
    assert_eq!(got(server.request("GET", &path).bearer_auth(invitation).send().unwrap()).status, 200);
    assert_eq!(group.get("/games").text("/games/0/title"), "Table 1");
    for odd in ["x", "01992b3e8c5a7d52b3c96f1f0a6f2e13", &Uuid::nil().to_string()] {
        assert_eq!(server.get(&format!("/v1/groups/{odd}")).problem(), (404, "group_not_found"));
    }
    assert_eq!(server.get(&format!("/v1/groups/{}", group.id.to_uppercase())).status, 404);
    assert_eq!(
        got(server
            .request("GET", &format!("/v1/groups/{}", group.id.to_uppercase()))
            .bearer_auth(&group.token)
            .send()
            .unwrap())
        .status,
        200
    );
}

#[test]
fn a_game_that_moves_at_one_process_is_told_at_the_other() {
    let data = TestStore::on_redis();
    let (one, other) = (Server::start(&data), Server::start(&data));
    let group = TestGroup::new(&one, json!({}));
    let games = group.add_tables(2);
    let mut lines = group.at(&other).follow("text/event-stream", None);
    messages(&mut lines, 1);
    for (server, game) in [(&one, &games[0]), (&other, &games[1]), (&one, &games[1])] {
        let turn = server.get(&format!("/v1/games/{}", game["id"].as_str().unwrap())).text("/turn");
        let began = Instant::now();
        let thrown = act(server, game, &turn, "/throws", json!({}));
        let thrown = if thrown.status == 409 { act(server, game, &turn, "/resignations", json!({})) } else { thrown };
        assert_eq!(thrown.status, 200, "{}", thrown.raw);
        let told = messages(&mut lines, 1);
        assert_eq!(told[0].2["game_id"], game["id"]);
        assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
        // Reads the other events of this turn from the stream before the next turn.
        let events = group.get("").body["events"].as_u64().unwrap();
        let mut last = told[0].0;
        while last < events {
            last = messages(&mut lines, 1)[0].0;
        }
    }
    let events = group.events();
    let numbers = |game: &Value| -> Vec<u64> {
        let of_game = events.iter().filter(|event| event["game_id"] == game["id"]);
        of_game.map(|event| event["game_event"]["id"].as_u64().unwrap()).collect()
    };
    for game in &games {
        let numbers = numbers(game);
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "each event once and in order");
    }
}

/// The number of store calls in the metrics. Calls that the schedule makes by itself are left out.
fn store_calls(server: &Server) -> f64 {
    let metrics = got(server.request("GET", "/metrics").send().unwrap()).raw;
    let counted = metrics.lines().filter(|line| line.starts_with("pagade_store_calls_total"));
    let counted = counted.filter(|line| !["\"due\"", "\"spend\"", "\"note\""].iter().any(|call| line.contains(call)));
    counted.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum()
}

on_both_stores!(followers_of_a_group_share_one_reader);
fn followers_of_a_group_share_one_reader(data: TestStore) {
    let server = Server::start(&data);
    let group = TestGroup::new(&server, json!({}));
    let game = &group.add_tables(1)[0];
    let mut followers = vec![group.follow("text/event-stream", None)];
    messages(&mut followers[0], 1);
    let calls_of_turns = || {
        let before = store_calls(&server);
        for _ in 0..5 {
            let view = server.get(&format!("/v1/games/{}", game["id"].as_str().unwrap()));
            let turn = view.text("/turn");
            let played = match view.body["legal"].get(0) {
                Some(action) => act(&server, game, &turn, "/actions", json!({"actions": [action]})),
                None => act(&server, game, &turn, "/throws", json!({})),
            };
            assert_eq!(played.status, 200, "{}", played.raw);
            // The service copies and reads the new events in the background. Nothing shows that its calls are over.
            std::thread::sleep(Duration::from_millis(200));
        }
        store_calls(&server) - before
    };
    let alone = calls_of_turns();
    followers.extend((0..40).map(|_| group.follow("text/event-stream", None)));
    for follower in &mut followers[1..] {
        messages(follower, 1);
    }
    let together = calls_of_turns();
    assert!(together < alone + 40.0, "{together} calls for 41 followers, {alone} for one");
}
