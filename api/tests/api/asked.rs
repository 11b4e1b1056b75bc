//! Tests rules that ask another seat than the one whose turn it is: whose decision is due, and who may make it.

use std::time::{Duration, Instant};

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::players::TestPlayer;
use crate::timers::await_event;

/// Rules by which the next seat may refuse each throw before it is made. A seat that does not refuse agrees.
const RULES: &str = "rules: by-your-leave
version: 1.0.0
title: Pagade in which the next player may refuse a throw
extends: pagade
counters: {seat: {agreed: {from: 0, to: 999}}}
choices:
  - {id: refuse, ask: before_throw, who: next, do: end turn}
  - {id: agree,  ask: before_throw, who: next, do: agreed += 1}
";

fn publish(server: &Server) {
    let published = server.post("/v1/rule-sets", json!({"text": RULES}));
    assert_eq!(published.status, 201, "{}", published.raw);
}

/// A game of two in which the players throw. Asha plays red, which begins.
struct Game<'s> {
    asha: TestPlayer<'s>,
    id: String,
    yellow: String,
}

impl<'s> Game<'s> {
    fn new(server: &'s Server) -> Self {
        publish(server);
        let asha = TestPlayer::new(server, "Asha");
        let wish = json!({"rule_set": "by-your-leave", "players": ["red", "yellow"], "my_seat": "red", "start": true,
            "dice": "players", "private": true, "seats": {"yellow": {"name": "Ravi"}}});
        let created = asha.send("POST", "/v1/games", wish);
        assert_eq!(created.status, 201, "{}", created.raw);
        Self { id: created.text("/game/id"), yellow: created.text("/seats/yellow"), asha }
    }

    fn path(&self, rest: &str) -> String {
        format!("/v1/games/{}{rest}", self.id)
    }

    fn view(&self) -> Value {
        self.asha.send("GET", &self.path(""), Value::Null).body
    }

    fn send(&self, token: &str, rest: &str, body: &Value) -> Answer {
        let request = self.asha.server.request("POST", &self.path(rest)).bearer_auth(token).header("If-Match", "*");
        got(request.json(body).send().unwrap())
    }

    fn play(&self, token: &str, actions: &[&str]) -> Answer {
        self.send(token, "/actions", &json!({"actions": actions}))
    }
}

on_both_stores!(only_the_seat_that_is_asked_may_answer);
fn only_the_seat_that_is_asked_may_answer(data: TestStore) {
    let server = Server::start(&data);
    let game = Game::new(&server);
    let (red, yellow) = (game.asha.token.as_str(), game.yellow.as_str());
    let view = game.view();
    let due = |view: &Value| [view["turn"].clone(), view["asked"].clone(), view["awaits"].clone()];
    assert_eq!(due(&view), [json!("red"), json!("yellow"), json!("action")]);
    assert_eq!(view["legal"], json!(["refuse", "agree"]));
    let legal = game.asha.send("GET", &game.path("/legal"), Value::Null).body;
    assert_eq!((&legal["turn"], &legal["asked"]), (&json!("red"), &json!("yellow")));
    let refused = game.play(red, &["agree"]);
    assert_eq!(refused.problem(), (409, "not_your_turn"));
    assert_eq!(refused.text("/detail"), "the rules ask `yellow`, this token plays `red`");
    assert_eq!(game.send(red, "/throws", &json!({"throw": "3+4"})).problem(), (409, "not_your_turn"));

    let both = game.play(yellow, &["agree", "agree"]);
    assert_eq!(both.problem(), (409, "action_not_legal"));
    assert_eq!(both.body["problems"][0]["detail"], "`agree` comes after the decision of `yellow`");
    let agreed = game.play(yellow, &["agree"]);
    assert_eq!(agreed.status, 200, "{}", agreed.raw);
    let told: Vec<_> = (agreed.body["events"].as_array().unwrap().iter())
        .map(|event| (event["event"].as_str().unwrap(), event["seat"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [("chosen", "yellow"), ("counter_changed", "yellow"), ("asked", "red")]);
    assert_eq!(agreed.body["events"][2]["next"]["awaits"], "throw");
    assert_eq!(due(&game.view()), [json!("red"), Value::Null, json!("throw")]);

    assert_eq!(game.send(yellow, "/throws", &json!({"throw": "3+4"})).problem(), (409, "not_your_turn"));
    assert_eq!(game.send(red, "/throws", &json!({"throw": "3+4"})).status, 200);
    let played = game.play(red, &["6-9:3", "7-11:4"]);
    let last = played.body["events"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["event"], &last["seat"]), (&json!("asked"), &json!("red")));
    assert_eq!((&last["next"]["turn"], &last["next"]["asked"]), (&json!("yellow"), &json!("red")));

    // A client can wait for the decisions of its seat: in its own turns, and when the seat is asked in the turn of
    // another seat.
    let began = Instant::now();
    let wait = server.request("GET", &game.path("?turn=red")).bearer_auth(red).header("Prefer", "wait=20");
    assert_eq!(got(wait.send().unwrap()).body["asked"], "red");
    assert!(began.elapsed() < Duration::from_secs(10));
    until("the inbox tells red that it is asked", || {
        let events = game.asha.ask("GET", "/events?limit=100", Value::Null).body;
        let last = events["events"].as_array().unwrap().last().unwrap().clone();
        last["event"] == "turn_due" && last["game"]["turn"] == "yellow" && last["game"]["asked"] == "red"
    });

    assert_eq!(game.play(red, &["refuse"]).status, 200, "and the turn of yellow is over");
    assert_eq!(due(&game.view()), [json!("red"), json!("yellow"), json!("action")]);
    for media in ["application/x-ndjson", "text/plain"] {
        let record = server.request("GET", &game.path("/record")).bearer_auth(red).header("Accept", media);
        let record = record.send().unwrap().text().unwrap();
        let import = server.request("POST", "/v1/records").header("Content-Type", media).body(record.clone());
        let imported = got(import.send().unwrap());
        assert_eq!(imported.status, 201, "{}\n{record}", imported.raw);
    }
}

on_both_stores!(the_clock_of_the_seat_that_is_asked_runs_and_robots_answer_for_themselves);
fn the_clock_of_the_seat_that_is_asked_runs_and_robots_answer_for_themselves(data: TestStore) {
    let server = Server::start(&data);
    publish(&server);
    let wish = json!({"rule_set": "by-your-leave", "players": ["red", "yellow"], "turn_timer": {"seconds": 2}});
    let game = server.hot_seat(wish);
    assert_eq!((&game.view["turn"], &game.view["asked"]), (&json!("red"), &json!("yellow")));
    assert!(game.view["deadline"].is_string());
    let late = await_event(&server, &game.path(""), 2, "time_over");
    assert_eq!(late["seat"], "yellow");
    let chosen = await_event(&server, &game.path(""), 2, "chosen");
    assert_eq!((&chosen["seat"], &chosen["action"]), (&json!("yellow"), &json!("agree")), "the last line that is open");
    let back = await_event(&server, &game.path(""), 2, "asked");
    assert_eq!((&back["seat"], &back["next"]["awaits"]), (&json!("red"), &json!("throw")));

    let robots = json!({"yellow": "hunter"});
    let wish = json!({"rule_set": "by-your-leave", "players": ["red", "yellow"], "robots": robots});
    let mut game = server.hot_seat(wish);
    let refused = game.play(&["agree"]);
    assert_eq!(refused.problem(), (409, "not_your_turn"));
    assert_eq!(refused.text("/detail"), "the robot `hunter` plays `yellow`");
    let chosen = await_event(&server, &game.path(""), 2, "chosen");
    assert_eq!(chosen["seat"], "yellow");
}
