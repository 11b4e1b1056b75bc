//! Tests robots at tables: in seats from the beginning, and for players who are late, away or gone.

use std::time::Duration;

use pagade::config::AbsenceTimes;
use pagade_tests::wait::{until, until_some};
use reqwest::blocking::Response;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, on_both_stores};
use crate::players::TestPlayer;
use crate::table_games::{between_games, start, throw};
use crate::tables::TestTable;

/// Starts a service in which a player counts as absent after one second without a connection, and may come back within
/// `window`.
fn impatient(data: &TestStore, window: Duration) -> Server {
    Server::start_with(data, |config| config.absence = AbsenceTimes { after: Duration::from_secs(1), window })
}

/// Follows the events of a game with the token of a player, until the answer is dropped.
fn follow(player: &TestPlayer<'_>, game: &str) -> Response {
    let request = player.server.request("GET", &format!("{game}/events")).header("Accept", "text/event-stream");
    let response = request.bearer_auth(&player.token).send().unwrap();
    assert_eq!(response.status(), 200);
    response
}

fn read(player: &TestPlayer<'_>, game: &str) -> Answer {
    player.send("GET", game, Value::Null)
}

/// Waits until the field `control` of a seat has this value, such as `robot`. Returns the game.
fn becomes(player: &TestPlayer<'_>, game: &str, seat: usize, control: &str) -> Answer {
    until_some(Duration::from_secs(40), &format!("{control} decides for seat {seat}"), || {
        let seen = read(player, game);
        (seen.body["seats"][seat]["control"] == control).then_some(seen)
    })
}

/// The values of `control` that the events of a game give a seat, in order.
fn controls(player: &TestPlayer<'_>, game: &str, seat: &str) -> Vec<String> {
    let page = player.send("GET", &format!("{game}/events?limit=1000"), Value::Null);
    let events = page.body["events"].as_array().unwrap().iter();
    let changed = events.filter(|event| event["event"] == "control_changed" && event["seat"] == seat);
    changed.map(|event| event["control"].as_str().unwrap().to_owned()).collect()
}

fn come_back(player: &TestPlayer<'_>, game: &str, seat: &str) -> Answer {
    player.send("POST", &format!("{game}/seats/{seat}/return"), json!({}))
}

on_both_stores!(the_master_gives_seats_to_robots);
fn the_master_gives_seats_to_robots(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0}}));
    let give = |player: &TestPlayer<'_>, seat: &str, robot: &str| {
        table.ask(player, "POST", &format!("/seats/{seat}/robot"), json!({"robot": robot}))
    };
    assert_eq!(give(&ravi, "blue", "hunter").problem(), (403, "not_allowed"));
    assert_eq!(give(&asha, "pink", "hunter").problem(), (404, "seat_not_found"));
    assert_eq!(give(&asha, "yellow", "hunter").problem(), (409, "seat_taken"), "a player sits there");
    assert_eq!(give(&asha, "blue", "chess").problem(), (422, "body_invalid"));
    let seated = give(&asha, "blue", "hunter");
    let seat = &seated.body["seats"][1];
    assert_eq!((seated.status, &seat["robot"], &seat["control"]), (200, &json!("hunter"), &json!("robot")));
    assert_eq!(table.sit(&ravi, "blue").problem(), (409, "seat_taken"));
    assert_eq!(give(&asha, "blue", "thinker").body["seats"][1]["robot"], "thinker", "another robot takes over");
    assert_eq!(table.ask(&asha, "DELETE", "/seats/blue", Value::Null).status, 204);
    assert_eq!(table.sit(&ravi, "blue").status, 201);
    for seat in ["red", "green"] {
        give(&asha, seat, "runner");
    }
    let game = start(&table, &asha);
    until("the robots have played", || {
        let seen = read(&asha, &game);
        let turn = seen.text("/turn");
        if let Some(player) = [("yellow", &asha), ("blue", &ravi)].iter().find(|(seat, _)| *seat == turn) {
            match seen.body["legal"].get(0) {
                None => drop(throw(player.1, &game)),
                Some(action) => {
                    let body = json!({"actions": [action]});
                    let request = server.request("POST", &format!("{game}/actions")).bearer_auth(&player.1.token);
                    request.header("If-Match", "*").json(&body).send().unwrap();
                }
            }
        }
        let events = asha.send("GET", &format!("{game}/events?limit=1000"), Value::Null);
        let events = events.body["events"].as_array().unwrap();
        ["red", "green"]
            .iter()
            .all(|robot| events.iter().any(|event| event["event"] == "thrown" && event["seat"] == *robot))
    });
    // A robot that leaves the table during a game still plays that game. Robots have no votes, so the yes votes of both
    // people cancel the game.
    assert_eq!(table.ask(&asha, "DELETE", "/seats/green", Value::Null).status, 204);
    assert_eq!(read(&asha, &game).body["seats"][3]["robot"], "runner", "the game in play keeps its robot");
    table.ask(&ravi, "POST", "/votes", json!({"on": "end"}));
    table.ask(&asha, "POST", "/votes/current", json!({"agree": true}));
    let past = between_games(&table, &server).body["past_games"][0].clone();
    assert_eq!((past["ended_by"].as_str(), past["players"].as_array().unwrap().len()), (Some("abort"), 4));
    let robots = past["players"].as_array().unwrap().iter().filter(|player| player["control"] == "robot");
    assert_eq!(robots.count(), 2);
    // The table lives as long as a player sits there; a robot never is the master.
    table.ask(&asha, "DELETE", "/seats/yellow", Value::Null);
    assert_eq!(table.read(&server).text("/master"), ravi.id);
    table.ask(&ravi, "DELETE", "/seats/blue", Value::Null);
    assert_eq!(table.read(&server).text("/status"), "closed");
}

on_both_stores!(a_late_player_is_in_automatic_mode_until_the_next_command);
fn a_late_player_is_in_automatic_mode_until_the_next_command(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 1}}));
    table.sit(&ravi, "red");
    let game = start(&table, &asha);
    becomes(&asha, &game, 0, "automatic");
    becomes(&asha, &game, 1, "automatic");
    let seen = read(&asha, &game);
    assert!(seen.body["seats"][0].get("gave_up").is_none(), "nobody has lost by this");
    until("the table knows", || table.read(&server).body["seats"][0]["control"] == "automatic");
    let late = |seat: &str| {
        let events = asha.send("GET", &format!("{game}/events?limit=1000"), Value::Null);
        let events = events.body["events"].as_array().unwrap().iter();
        events.filter(|event| event["event"] == "time_over" && event["seat"] == seat).count()
    };
    let turns = |seat: &str| {
        let events = asha.send("GET", &format!("{game}/events?limit=1000"), Value::Null);
        let events = events.body["events"].as_array().unwrap().iter();
        events.filter(|event| event["event"] == "thrown" && event["seat"] == seat).count()
    };
    until("both are played for at once", || turns("yellow") >= 4 && turns("red") >= 4);
    assert_eq!((late("yellow"), late("red")), (1, 1), "the full time is waited for once only");
    // The player of a seat in automatic mode still votes. Any command of the player ends this mode.
    table.ask(&asha, "PATCH", "/options", json!({"options": {"time_per_turn": 600}}));
    let back = come_back(&asha, &game, "yellow");
    assert_eq!((back.status, &back.body["seats"][0]["control"]), (200, &json!("player")), "{}", back.raw);
    assert_eq!(come_back(&asha, &game, "yellow").status, 200, "once more changes nothing");
    assert_eq!(come_back(&asha, &game, "red").problem(), (403, "not_allowed"));
    let mine = until_some(Duration::from_secs(20), "it is the turn of the player", || {
        let seen = read(&asha, &game);
        (seen.text("/turn") == "yellow").then_some(seen)
    });
    assert!(mine.text("/deadline") > mine.text("/updated_at"), "with the whole time");
    assert_eq!(controls(&asha, &game, "yellow"), ["automatic", "player"]);
    table.ask(&ravi, "POST", "/votes", json!({"on": "end"}));
    assert_eq!(table.ask(&asha, "POST", "/votes/current", json!({"agree": true})).status, 200);
    assert_eq!(read(&asha, &game).text("/status"), "finished");
}

on_both_stores!(who_returns_has_time_to_open_a_stream);
fn who_returns_has_time_to_open_a_stream(data: TestStore) {
    let (after, window) = (Duration::from_secs(8), Duration::from_secs(600));
    let server = Server::start_with(&data, |config| config.absence = AbsenceTimes { after, window });
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0}}));
    table.sit(&ravi, "red");
    let game = start(&table, &asha);
    drop(follow(&ravi, &game));
    becomes(&asha, &game, 1, "robot");
    assert_eq!(come_back(&ravi, &game, "red").status, 200);
    // The service looks at the seats every half second at the soonest.
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(read(&asha, &game).body["seats"][1]["control"], "player");
    assert_eq!(controls(&asha, &game, "red"), ["robot", "player"]);
}

on_both_stores!(a_robot_plays_for_who_loses_the_connection_until_the_return);
fn a_robot_plays_for_who_loses_the_connection_until_the_return(data: TestStore) {
    let server = impatient(&data, Duration::from_secs(600));
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0}}));
    table.sit(&ravi, "red");
    let game = start(&table, &asha);
    let (own, others) = (follow(&asha, &game), follow(&ravi, &game));
    // This is longer than the second after which a player counts as absent.
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(read(&asha, &game).body["seats"][1]["control"], "player", "who follows is there, also without a move");
    drop(others);
    let away = becomes(&asha, &game, 1, "robot");
    let seat = &away.body["seats"][1];
    assert_eq!((&seat["robot"], &seat["name"]), (&json!("hunter"), &json!("Ravi")), "a stand-in under the same name");
    assert!(seat["return_until"].as_str() > away.body["updated_at"].as_str());
    until("the table knows", || table.read(&server).body["seats"][2]["control"] == "robot");
    // The robot does not block: the other player's turn comes.
    until("it is the turn of the player who is there", || {
        let seen = read(&asha, &game);
        let is_own = seen.text("/turn") == "yellow";
        if is_own && seen.text("/awaits") == "throw" {
            throw(&asha, &game);
        }
        is_own && controls(&asha, &game, "red") == ["robot"]
    });
    // A player comes back by a command, or by opening a new stream.
    assert_eq!(come_back(&ravi, &game, "red").status, 200);
    assert_eq!(controls(&asha, &game, "red"), ["robot", "player"]);
    becomes(&asha, &game, 1, "robot");
    let again = follow(&ravi, &game);
    becomes(&asha, &game, 1, "player");
    assert_eq!(controls(&asha, &game, "red"), ["robot", "player", "robot", "player"]);
    drop((own, again));
}

on_both_stores!(who_stays_away_too_long_has_left_for_good);
fn who_stays_away_too_long_has_left_for_good(data: TestStore) {
    let server = impatient(&data, Duration::from_secs(1));
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0}}));
    table.sit(&ravi, "red");
    let game = start(&table, &asha);
    let own = follow(&asha, &game);
    drop(follow(&ravi, &game));
    becomes(&asha, &game, 1, "abandoned");
    assert_eq!(controls(&asha, &game, "red"), ["robot", "abandoned"]);
    assert_eq!(come_back(&ravi, &game, "red").problem(), (409, "seat_abandoned"));
    assert_eq!(throw(&ravi, &game).problem(), (409, "seat_abandoned"));
    let resigned = ravi.send("POST", &format!("{game}/resignations"), json!({}));
    assert_eq!(resigned.problem(), (409, "seat_abandoned"));
    assert_eq!(read(&asha, &game).text("/status"), "playing", "the robot plays to the end");
    until("the table knows", || table.read(&server).body["game"]["players"][1]["control"] == "abandoned");
    // When no player is connected, the game is cancelled.
    drop(own);
    let over = until_some(Duration::from_secs(40), "the game is over", || {
        let seen = read(&asha, &game);
        (seen.text("/status") == "finished").then_some(seen)
    });
    assert_eq!((over.text("/ended_by").as_str(), &over.body["ranking"]), ("abort", &json!([])));
    let past = between_games(&table, &server).body["past_games"][0].clone();
    let controls: Vec<_> = past["players"].as_array().unwrap().iter().map(|player| &player["control"]).collect();
    assert_eq!(controls, ["abandoned", "abandoned"]);
}

on_both_stores!(a_robot_plays_on_for_who_leaves_the_table);
fn a_robot_plays_on_for_who_leaves_the_table(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0}}));
    table.sit(&ravi, "red");
    table.sit(&meera, "blue");
    let game = start(&table, &asha);
    // A player who leaves during a vote no longer counts as a voter.
    table.ask(&asha, "POST", "/votes", json!({"on": "next_game"}));
    table.ask(&asha, "POST", "/votes", json!({"on": "end"}));
    assert_eq!(table.ask(&ravi, "POST", "/votes/current", json!({"agree": false})).status, 200);
    assert_eq!(table.ask(&asha, "DELETE", "/seats/yellow", Value::Null).status, 204);
    let seen = becomes(&ravi, &game, 0, "abandoned");
    assert_eq!((seen.text("/status").as_str(), seen.body["seats"][0].get("gave_up")), ("playing", None));
    let player = &table.read(&server).body["game"]["players"][0];
    assert_eq!((&player["left"], &player["control"]), (&json!(true), &json!("abandoned")));
    assert_eq!(come_back(&asha, &game, "yellow").problem(), (409, "seat_abandoned"));
    let free = &table.read(&server).body["seats"][0];
    assert_eq!((&free["taken"], free.get("control")), (&json!(false), None), "another player may sit down");
    table.ask(&ravi, "DELETE", "/seats/red", Value::Null);
    table.ask(&meera, "DELETE", "/seats/blue", Value::Null);
    until("nobody is left", || table.read(&server).body["past_games"][0]["ended_by"] == "abort");
    assert_eq!(table.read(&server).text("/status"), "closed");
}

on_both_stores!(a_robot_does_not_vote);
fn a_robot_does_not_vote(data: TestStore) {
    let server = impatient(&data, Duration::from_secs(600));
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0}}));
    table.sit(&ravi, "red");
    table.sit(&meera, "blue");
    table.ask(&asha, "POST", "/seats/green/robot", json!({"robot": "random"}));
    let game = start(&table, &asha);
    let streams = [follow(&asha, &game), follow(&meera, &game)];
    let lost = follow(&ravi, &game);
    table.ask(&asha, "POST", "/votes", json!({"on": "end"}));
    table.ask(&meera, "POST", "/votes/current", json!({"agree": true}));
    assert_eq!(read(&asha, &game).text("/status"), "playing", "one player has not voted");
    // The vote is counted again when a robot takes over the seat of this player.
    drop(lost);
    until("the game is cancelled", || read(&asha, &game).text("/status") == "finished");
    let words = table.words(&asha);
    assert!(words.contains(&"seat_control_changed".to_owned()), "{words:?}");
    drop(streams);
}

on_both_stores!(a_game_without_a_table_has_a_stand_in_too);
fn a_game_without_a_table_has_a_stand_in_too(data: TestStore) {
    let server = impatient(&data, Duration::from_secs(600));
    for (more, pointer) in [
        (json!({"hot_seat": true, "stand_in": "hunter"}), "/stand_in"),
        (json!({"dice": "players", "stand_in": "hunter"}), "/stand_in"),
        (json!({"stand_in": "chess"}), "/stand_in"),
    ] {
        let mut body = json!({"rule_set": "pagade"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let refused = server.post("/v1/games", body);
        assert_eq!((refused.problem(), refused.text("/problems/0/pointer").as_str()), ((422, "body_invalid"), pointer));
    }
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let wish = json!({"rule_set": "pagade", "players": ["red", "yellow"], "my_seat": "red", "stand_in": "runner"});
    let created = asha.send("POST", "/v1/games", wish);
    let game = format!("/v1/games/{}", created.text("/game/id"));
    assert_eq!(created.text("/game/stand_in"), "runner");
    ravi.send("POST", &format!("{game}/seats/yellow"), json!({}));
    let started = server.request("POST", &format!("{game}/start")).bearer_auth(created.text("/token"));
    assert_eq!(started.json(&json!({})).send().unwrap().status(), 200);
    drop(follow(&asha, &game));
    assert_eq!(becomes(&ravi, &game, 0, "robot").text("/seats/0/robot"), "runner");
    let steps = read(&ravi, &game).body["steps"].as_u64();
    // This is longer than the second after which a player counts as absent.
    std::thread::sleep(Duration::from_millis(1200));
    assert_eq!(read(&ravi, &game).body["seats"][1]["control"], "player", "who never opened a stream has lost none");
    until("the turn goes round", || {
        let seen = read(&ravi, &game);
        seen.text("/turn") == "yellow" && seen.body["steps"].as_u64() > steps
    });
    assert_eq!(come_back(&asha, &game, "red").status, 200);
}
