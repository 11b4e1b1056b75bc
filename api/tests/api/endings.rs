//! Tests games that end in another way than by their rules, such as by resignation.

use std::time::Duration;

use pagade_tests::wait::until_within;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestGame, TestStore, got, on_both_stores};

/// Creates and starts a game in which each seat has its own token.
fn seated<'s>(server: &'s Server, more: Value) -> TestGame<'s> {
    let mut body = json!({"rule_set": "pagade", "players": ["red", "yellow"]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let mut game = TestGame::of(server, &server.post("/v1/games", body));
    game.seat_all(&json!({}));
    game
}

/// Sends a command with the token of a seat.
fn by(game: &TestGame<'_>, seat: &str, rest: &str, body: Value) -> Answer {
    let token = game.seats.get(seat).unwrap_or(&game.token);
    got(game.server.request("POST", &game.path(rest)).bearer_auth(token).json(&body).send().unwrap())
}

fn events(game: &TestGame<'_>, after: usize) -> Vec<Value> {
    let listed = game.server.get(&game.path(&format!("/events?after={after}&limit=1000")));
    listed.body["events"].as_array().unwrap().clone()
}

/// The place and the seat of every rank.
fn ranking(view: &Value) -> Vec<(u64, String)> {
    let ranked = view["ranking"].as_array().unwrap().iter();
    ranked.map(|rank| (rank["place"].as_u64().unwrap(), rank["seat"].as_str().unwrap().to_owned())).collect()
}

on_both_stores!(who_resigns_has_lost);
fn who_resigns_has_lost(data: TestStore) {
    let server = Server::start(&data);
    let mut game = seated(&server, json!({}));
    assert_eq!(game.send("/throws", json!({})).status, 200);
    let before = game.view["events"].as_u64().unwrap() as usize;
    assert_eq!(by(&game, "red", "/resignations", json!({"seat": "yellow"})).problem(), (403, "not_allowed"));
    let resigned = by(&game, "red", "/resignations", json!({}));
    assert_eq!(resigned.status, 200, "{}", resigned.raw);
    let view = resigned.body;
    assert_eq!([&view["status"], &view["ended_by"], &view["awaits"]], ["finished", "resignation", "nothing"]);
    assert_eq!((view.get("turn"), &view["legal"], &view["hand"]), (None, &json!([]), &json!([])));
    assert_eq!(ranking(&view), [(1, "yellow".to_owned()), (2, "red".to_owned())]);
    assert_eq!(view["seats"][0]["gave_up"], "resigned");
    let told = events(&game, before);
    let told: Vec<_> = told.iter().map(|event| (event["event"].as_str().unwrap(), event["reason"].as_str())).collect();
    assert_eq!(told, [("resigned", None), ("game_over", Some("resignation"))]);
    assert_eq!(by(&game, "yellow", "/resignations", json!({})).problem(), (409, "game_over"));
    game.view["version"] = view["version"].clone();
    assert_eq!(game.send("/throws", json!({})).problem(), (409, "game_over"));
    assert_eq!(server.get(&game.path("/legal")).body["awaits"], "nothing");
    assert!(server.get(&game.path("/dice")).body["seed"].is_string(), "the dice can be checked now");
    // The state after the last step shows that the game is over. An earlier state shows the game in play.
    let steps = view["steps"].as_u64().unwrap();
    assert_eq!(server.get(&game.path(&format!("?at={steps}"))).body["ended_by"], "resignation");
    let earlier = server.get(&game.path("?at=0")).body;
    assert_eq!((&earlier["status"], earlier.get("ended_by")), (&json!("playing"), None));
    assert!(earlier["seats"][0].get("gave_up").is_none() && earlier["ranking"] == json!([]));
    assert_eq!(server.get("/v1/games?status=finished").body["games"].as_array().unwrap().len(), 1);
}

on_both_stores!(the_others_play_on_without_a_seat_that_resigned);
fn the_others_play_on_without_a_seat_that_resigned(data: TestStore) {
    let server = Server::start(&data);
    let mut game = seated(&server, json!({"players": ["red", "black", "yellow", "green"], "seed": "three of them"}));
    let resigned = by(&game, "red", "/resignations", json!({}));
    assert_eq!((resigned.status, &resigned.body["status"]), (200, &json!("playing")), "{}", resigned.raw);
    assert_eq!(by(&game, "red", "/resignations", json!({})).problem(), (403, "not_allowed"));
    game.view = resigned.body;
    assert_ne!(game.view["turn"], "red", "the server has played its turn");
    for _ in 0..40 {
        assert_eq!(game.step().status, 200);
        assert_ne!(game.view["turn"], "red");
    }
    assert!(events(&game, 0).iter().filter(|event| event["event"] == "thrown" && event["seat"] == "red").count() > 2);
    assert_eq!(by(&game, "black", "/resignations", json!({})).body["status"], "playing");
    let ended = by(&game, "green", "/resignations", json!({})).body;
    let places = [(1, "yellow"), (2, "green"), (3, "black"), (4, "red")].map(|(place, seat)| (place, seat.to_owned()));
    assert_eq!(ranking(&ended), places, "who gave up first is last");
}

on_both_stores!(where_players_hold_the_dice_they_play_for_who_resigned);
fn where_players_hold_the_dice_they_play_for_who_resigned(data: TestStore) {
    let server = Server::start(&data);
    let mut game = seated(&server, json!({"players": ["red", "black", "yellow", "green"], "dice": "players"}));
    let resigned = by(&game, "red", "/resignations", json!({}));
    assert_eq!((&resigned.body["status"], &resigned.body["turn"]), (&json!("playing"), &json!("red")));
    game.view = resigned.body;
    assert_eq!(game.throw("3+4").problem(), (403, "not_allowed"), "red is out of the game");
    let token = game.seats["black"].clone();
    game.seats.insert("red".to_owned(), token);
    assert_eq!(game.throw("3+4").status, 200);
    game.play_out();
    assert_eq!(game.view["turn"], "black");
}

on_both_stores!(who_shares_a_board_says_which_seat_resigns);
fn who_shares_a_board_says_which_seat_resigns(data: TestStore) {
    let server = Server::start(&data);
    let game = server.hot_seat(json!({"players": ["red", "yellow"]}));
    let refused = by(&game, "", "/resignations", json!({}));
    assert_eq!((refused.problem(), refused.text("/problems/0/pointer")), ((422, "body_invalid"), "/seat".to_owned()));
    assert_eq!(by(&game, "", "/resignations", json!({"seat": "black"})).problem(), (404, "seat_not_found"));
    assert_eq!(ranking(&by(&game, "", "/resignations", json!({"seat": "yellow"})).body)[0].1, "red");
}

on_both_stores!(a_game_ends_when_all_agree);
fn a_game_ends_when_all_agree(data: TestStore) {
    let server = Server::start(&data);
    let mut game = seated(&server, json!({"dice": "players"}));
    assert_eq!(game.throw("3+4").status, 200);
    assert_eq!(game.play(&["6-9:3", "7-11:4"]).status, 200);
    assert_eq!(by(&game, "red", "/agreements", json!({"to": "draw"})).problem(), (422, "body_invalid"));
    let offered = by(&game, "red", "/agreements", json!({"to": "end"}));
    assert_eq!((&offered.body["status"], &offered.body["seats"][0]["agrees_to"]), (&json!("playing"), &json!("end")));
    assert_eq!(by(&game, "yellow", "/agreements", json!({"to": "abort"})).body["status"], "playing", "not the same");
    assert!(by(&game, "red", "/agreements", json!({"to": "play"})).body["seats"][0].get("agrees_to").is_none());
    assert_eq!(
        by(&game, "yellow", "/agreements", json!({"to": "end"})).body["status"],
        "playing",
        "red has changed its mind"
    );
    let ended = by(&game, "red", "/agreements", json!({"to": "end"})).body;
    assert_eq!([&ended["status"], &ended["ended_by"]], ["finished", "agreement"]);
    assert_eq!(ranking(&ended), [(1, "red".to_owned()), (2, "yellow".to_owned())], "red has come farther");
    let agreed: Vec<_> = events(&game, 0).into_iter().filter(|event| event["event"] == "agreed").collect();
    let said: Vec<_> = agreed.iter().map(|event| event["reason"].as_str().unwrap()).collect();
    assert_eq!(said, ["end", "abort", "play", "end", "end"]);

    // Of three players, two agree, and the third resigns, so nobody else is asked.
    let game = seated(&server, json!({"rule_set": "parcheesi", "players": ["yellow", "blue", "red"]}));
    by(&game, "yellow", "/agreements", json!({"to": "end"}));
    by(&game, "blue", "/agreements", json!({"to": "end"}));
    let ended = by(&game, "red", "/resignations", json!({})).body;
    assert_eq!([&ended["status"], &ended["ended_by"]], ["finished", "agreement"]);

    let game = seated(&server, json!({}));
    by(&game, "red", "/agreements", json!({"to": "abort"}));
    let aborted = by(&game, "yellow", "/agreements", json!({"to": "abort"})).body;
    assert_eq!((&aborted["ended_by"], ranking(&aborted)), (&json!("abort"), vec![]));
}

on_both_stores!(a_game_is_aborted_until_somebody_has_moved);
fn a_game_is_aborted_until_somebody_has_moved(data: TestStore) {
    let server = Server::start(&data);
    let mut game = seated(&server, json!({"dice": "players"}));
    assert_eq!(game.throw("3+4").status, 200, "a throw is no move");
    let aborted = by(&game, "yellow", "/abort", json!({}));
    assert_eq!((aborted.status, &aborted.body["ended_by"], ranking(&aborted.body)), (200, &json!("abort"), vec![]));
    let mut game = seated(&server, json!({"dice": "players"}));
    game.throw("3+4");
    assert_eq!(game.play(&["6-9:3"]).status, 200);
    assert_eq!(by(&game, "red", "/abort", json!({})).problem(), (409, "game_under_way"));
    let open = server.post("/v1/games", json!({"rule_set": "pagade"}));
    let open = TestGame::of(&server, &open);
    assert_eq!(by(&open, "", "/abort", json!({})).problem(), (409, "game_not_started"));
}

on_both_stores!(a_game_is_deleted_before_its_start);
fn a_game_is_deleted_before_its_start(data: TestStore) {
    let server = Server::start(&data);
    let delete = |game: &TestGame<'_>, token: &str| {
        got(server.request("DELETE", &game.path("")).bearer_auth(token).send().unwrap())
    };
    let created = server.post("/v1/games", json!({"rule_set": "pagade", "turn_timer": {"seconds": 1}}));
    let game = TestGame::of(&server, &created);
    let red = server.post(&game.path("/seats/red"), json!({})).text("/token");
    assert_eq!(delete(&game, &red).problem(), (403, "not_allowed"));
    let stale = server.request("DELETE", &game.path("")).bearer_auth(&game.token).header("If-Match", "\"1\"");
    assert_eq!(got(stale.send().unwrap()).problem(), (412, "version_conflict"));
    assert_eq!(delete(&game, &game.token).status, 204);
    for path in ["", "/events", "/legal"] {
        assert_eq!(server.get(&game.path(path)).problem(), (404, "game_not_found"), "{path}");
    }
    assert_eq!(server.post(&game.path("/seats/yellow"), json!({})).problem(), (404, "game_not_found"));
    assert_eq!(delete(&game, &game.token).problem(), (404, "game_not_found"));
    assert_eq!(server.get("/v1/games").body["games"], json!([]));
    let started = server.hot_seat(json!({}));
    assert_eq!(delete(&started, &started.token).problem(), (409, "game_started"));
}

on_both_stores!(who_is_late_too_often_forfeits);
fn who_is_late_too_often_forfeits(data: TestStore) {
    let server = Server::start(&data);
    let refused =
        server.post("/v1/games", json!({"rule_set": "pagade", "turn_timer": {"seconds": 1, "forfeit_after": 0}}));
    assert_eq!(refused.text("/problems/0/pointer"), "/turn_timer/forfeit_after");
    let game = seated(&server, json!({"turn_timer": {"seconds": 1, "forfeit_after": 2}}));
    let view = || server.get(&game.path("")).body;
    until_within(Duration::from_secs(15), "the game is over", || view()["status"] == "finished");
    let ended = view();
    assert_eq!(ended["ended_by"], "forfeit");
    // Red begins, so red is the first seat that is late twice, and loses.
    assert_eq!(ranking(&ended), [(1, "yellow".to_owned()), (2, "red".to_owned())]);
    let words: Vec<_> = events(&game, 0).into_iter().filter(|event| event["event"] == "time_over").collect();
    assert_eq!(words.iter().map(|event| event["seat"].as_str().unwrap()).collect::<Vec<_>>(), ["red", "yellow", "red"]);
    assert!(ended.get("deadline").is_none());
}
