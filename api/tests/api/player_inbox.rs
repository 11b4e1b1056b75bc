//! Tests the inbox of a player: the events about all games of the player.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use pagade::config::Retention;
use pagade_tests::receiver::Receiver;
use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::events::messages;
use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::players::TestPlayer;
use crate::tables::TestTable;

/// A game of two that has started, with Asha at red and a guest without an account at yellow.
struct Game {
    id: String,
    yellow: String,
}

impl Game {
    fn of(asha: &TestPlayer<'_>) -> Self {
        let wish = json!({"rule_set": "pagade", "players": ["red", "yellow"], "my_seat": "red", "start": true,
            "private": true, "seats": {"yellow": {"name": "Ravi"}}});
        let created = asha.send("POST", "/v1/games", wish);
        assert_eq!(created.status, 201, "{}", created.raw);
        Self { id: created.text("/game/id"), yellow: created.text("/seats/yellow") }
    }

    fn path(&self, rest: &str) -> String {
        format!("/v1/games/{}{rest}", self.id)
    }

    fn act(&self, server: &Server, token: &str, rest: &str, body: &Value) -> Answer {
        let request = server.request("POST", &self.path(rest)).bearer_auth(token).header("If-Match", "*");
        got(request.json(body).send().unwrap())
    }

    /// Plays for both seats until red (Asha) has the turn, or with `is_red` false until yellow has it. Stops at the end
    /// of the game. Returns the game.
    fn play_until(&self, asha: &TestPlayer<'_>, is_red: bool) -> Value {
        loop {
            let game = asha.send("GET", &self.path(""), Value::Null).body;
            if game["status"] == "finished" || (game["turn"] == "red") == is_red {
                return game;
            }
            let token = if game["turn"] == "red" { &asha.token } else { &self.yellow };
            let answer = match game["legal"].get(0) {
                Some(action) => self.act(asha.server, token, "/actions", &json!({"actions": [action]})),
                None => self.act(asha.server, token, "/throws", &json!({})),
            };
            assert_eq!(answer.status, 200, "{}", answer.raw);
        }
    }
}

fn events(player: &TestPlayer<'_>) -> Vec<Value> {
    player.ask("GET", "/events?limit=1000", Value::Null).body["events"].as_array().unwrap().clone()
}

fn words(player: &TestPlayer<'_>) -> Vec<String> {
    events(player).iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
}

fn follow(player: &TestPlayer<'_>, server: &Server, last: Option<u64>) -> impl Iterator<Item = String> + use<> {
    let request = server.request("GET", &format!("/v1/players/{}/events", player.id)).bearer_auth(&player.token);
    let request = request.header("Accept", "text/event-stream").timeout(Duration::from_secs(60));
    let request = match last {
        Some(last) => request.header("Last-Event-ID", last.to_string()),
        None => request,
    };
    BufReader::new(request.send().unwrap()).lines().map_while(Result::ok)
}

on_both_stores!(one_stream_tells_of_all_games_of_a_player);
fn one_stream_tells_of_all_games_of_a_player(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let mut lines = follow(&asha, &server, None);
    assert_eq!(messages(&mut lines, 1)[0].1, "snapshot");
    let games: BTreeMap<_, _> = (0..3).map(|_| Game::of(&asha)).map(|game| (game.id.clone(), game)).collect();
    let told = messages(&mut lines, 9);
    assert_eq!(told.iter().map(|(id, ..)| *id).collect::<Vec<_>>(), (2..=10).collect::<Vec<_>>());
    for id in games.keys() {
        let of_game: Vec<_> = told.iter().filter(|(_, _, event)| event["game_id"] == json!(id)).collect();
        let words: Vec<_> = of_game.iter().map(|(_, word, _)| word.as_str()).collect();
        assert_eq!(words, ["game_joined", "game_started", "turn_due"], "red begins");
        let (_, _, due) = of_game.last().unwrap();
        assert_eq!(
            (&due["seat"], &due["game"]["turn"], &due["game"]["awaits"]),
            (&json!("red"), &json!("red"), &json!("throw"))
        );
    }
    // A client can wait for all its games at once: the inbox has each turn of its player, and no turn of other players.
    let one = games.values().next().unwrap();
    one.play_until(&asha, false);
    one.play_until(&asha, true);
    let (number, word, event) = messages(&mut lines, 1).remove(0);
    assert_eq!((number, word.as_str(), event["game_id"].as_str()), (11, "turn_due", Some(one.id.as_str())));
    // The other player proposes to end the game, then gives up.
    assert_eq!(one.act(&server, &one.yellow, "/agreements", &json!({"to": "end"})).status, 200);
    let (_, word, proposed) = messages(&mut lines, 1).remove(0);
    assert_eq!(
        (word.as_str(), &proposed["proposed_by"], &proposed["reason"]),
        ("end_proposed", &json!("yellow"), &json!("end"))
    );
    assert_eq!(one.act(&server, &one.yellow, "/resignations", &json!({})).status, 200);
    let (_, word, ended) = messages(&mut lines, 1).remove(0);
    assert_eq!((word.as_str(), &ended["place"], &ended["reason"]), ("game_ended", &json!(1), &json!("resignation")));
    assert_eq!(ended["game"]["status"], "finished");
    until("the game is no longer counted", || {
        asha.send("GET", "/v1/me", Value::Null).body["player"]["unfinished_games"] == 2
    });
    // The inbox is durable: pages and a resumed stream have the same events.
    let all = events(&asha);
    assert_eq!(all.len(), 13);
    let resumed = messages(&mut follow(&asha, &server, Some(10)), 3);
    let words = resumed.iter().map(|(id, word, _)| (*id, word.as_str())).collect::<Vec<_>>();
    assert_eq!(words, [(11, "turn_due"), (12, "end_proposed"), (13, "game_ended")]);
}

on_both_stores!(a_long_poll_answers_when_it_is_the_turn_of_the_player);
fn a_long_poll_answers_when_it_is_the_turn_of_the_player(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let game = Game::of(&asha);
    until("the start was told", || words(&asha).len() == 4);
    game.play_until(&asha, false);
    std::thread::scope(|scope| {
        let read = || {
            let began = Instant::now();
            (asha.ask("GET", "/events?after=4&wait=20", Value::Null), began.elapsed())
        };
        let poll = server.until_waiting("entity_and_events", || scope.spawn(read));
        game.play_until(&asha, true);
        let (page, took) = poll.join().unwrap();
        assert!(took < Duration::from_secs(15), "{took:?}");
        assert_eq!((page.text("/events/0/event"), page.text("/events/0/game/turn")), ("turn_due".into(), "red".into()));
    });
}

on_both_stores!(a_webhook_of_a_player_is_told_when_it_is_the_player_s_turn);
fn a_webhook_of_a_player_is_told_when_it_is_the_player_s_turn(data: TestStore) {
    let server = Server::start_with(&data, |config| config.webhooks.allows_private = true);
    let receiver = Receiver::start();
    let asha = TestPlayer::new(&server, "Asha");
    let hook = json!({"url": receiver.url, "events": ["turn_due", "game_ended"]});
    assert_eq!(asha.ask("POST", "/webhooks", hook).status, 201);
    let wrong = asha.ask("POST", "/webhooks", json!({"url": receiver.url, "events": ["thrown"]}));
    assert_eq!(wrong.problem(), (422, "body_invalid"), "the words of games are others");
    let game = Game::of(&asha);
    game.play_until(&asha, false);
    game.play_until(&asha, true);
    assert_eq!(game.act(&server, &asha.token, "/resignations", &json!({})).status, 200);
    until("the end was told", || receiver.messages().iter().any(|message| message.body.contains("game_ended")));
    let bodies: Vec<Value> =
        receiver.messages().iter().map(|message| serde_json::from_str(&message.body).unwrap()).collect();
    assert!(bodies.iter().all(|body| body["type"] == "player.events" && body["data"]["player"] == json!(asha.id)));
    let told: Vec<_> = bodies.iter().flat_map(|body| body["data"]["events"].as_array().unwrap()).collect();
    let told: Vec<_> = told.iter().map(|event| (event["event"].as_str().unwrap(), &event["game_id"])).collect();
    let id = json!(game.id);
    assert_eq!(told, [("turn_due", &id), ("turn_due", &id), ("game_ended", &id)]);
}

on_both_stores!(a_seat_that_is_left_and_a_game_that_is_deleted_leave_the_inbox);
fn a_seat_that_is_left_and_a_game_that_is_deleted_leave_the_inbox(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let unfinished = || asha.send("GET", "/v1/me", Value::Null).body["player"]["unfinished_games"].clone();
    let created = asha.send("POST", "/v1/games", json!({"rule_set": "pagade", "my_seat": "red"}));
    let path = format!("/v1/games/{}", created.text("/game/id"));
    until("the game is counted", || unfinished() == 1);
    let free = server.request("DELETE", &format!("{path}/seats/red")).bearer_auth(created.text("/token"));
    assert_eq!(free.send().unwrap().status(), 204);
    until("the owner's act was told", || words(&asha).last().unwrap() == "game_left");
    assert_eq!(unfinished(), 0);
    assert_eq!(asha.send("POST", &format!("{path}/seats/yellow"), json!({})).status, 201, "she may come back");
    until("she is back", || unfinished() == 1);
    assert_eq!(events(&asha).last().unwrap()["seat"], "yellow");
    let delete = server.request("DELETE", &path).bearer_auth(created.text("/token"));
    assert_eq!(delete.send().unwrap().status(), 204);
    until("the game is gone", || unfinished() == 0);
    assert_eq!(words(&asha), ["player_created", "game_joined", "game_left", "game_joined", "game_left"]);
    assert_eq!(asha.ask("GET", "/games", Value::Null).body["games"], json!([]));
}

on_both_stores!(a_player_with_an_unfinished_game_does_not_expire);
fn a_player_with_an_unfinished_game_does_not_expire(data: TestStore) {
    let kept = Some(Duration::from_millis(1500));
    let server = Server::start_with(&data, |config| {
        config.retention = Retention { players: kept, ..Retention::default() };
    });
    let (asha, idle) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Idle"));
    Game::of(&asha);
    let status = |player: &TestPlayer<'_>| server.get(&format!("/v1/players/{}", player.id)).status;
    let gone = TestPlayer::new(&server, "Gone");
    let table = TestTable::new(&gone, json!({"rule_set": "pagade"}));
    until("the idle player has expired", || status(&idle) == 404);
    until("a player who sits at a table has expired", || status(&gone) == 404);
    until("and has left the table", || table.read(&server).text("/status") == "closed");
    // Waits for longer than the retention of players. A fixed time is necessary: nothing shows that the service has
    // checked a player and not removed it.
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(status(&asha), 200);
}

#[test]
fn the_inbox_is_told_of_games_that_other_processes_play() {
    let data = TestStore::on_redis();
    let (server, other) = (Server::start(&data), Server::start(&data));
    let asha = TestPlayer::new(&server, "Asha");
    let mut lines = follow(&asha, &server, None);
    messages(&mut lines, 1);
    let there = TestPlayer { server: &other, token: asha.token.clone(), id: asha.id.clone() };
    let game = Game::of(&there);
    game.play_until(&there, false);
    game.play_until(&there, true);
    let told = messages(&mut lines, 4);
    let words: Vec<_> = told.iter().map(|(_, word, _)| word.as_str()).collect();
    assert_eq!(words, ["game_joined", "game_started", "turn_due", "turn_due"]);
    let last = &told[3].2["game"];
    assert_eq!(last["turn"], "red", "{last}");
}
