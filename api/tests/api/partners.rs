//! Tests games of partners, players who are home before their partner, and turns that nobody may pass (SF-92 to SF-97).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{Server, TestGame, TestStore, on_both_stores};
use crate::timers::await_event;

/// Publishes a rule file. Returns the id of the rule set.
fn publish(server: &Server, text: &str) -> String {
    let published = server.post("/v1/rule-sets", json!({"text": text}));
    assert_eq!(published.status, 201, "{}", published.raw);
    published.text("/id")
}

/// Throws these dice and plays these actions. Asserts before that it is the turn of `seat`, and that a throw is due.
fn turn(game: &mut TestGame<'_>, seat: &str, dice: &str, actions: &[&str]) {
    assert_eq!((&game.view["turn"], &game.view["awaits"]), (&json!(seat), &json!("throw")), "{}", game.view);
    let thrown = game.throw(dice);
    assert_eq!(thrown.status, 200, "{}", thrown.raw);
    if !actions.is_empty() {
        let played = game.play(actions);
        assert_eq!(played.status, 200, "{}", played.raw);
    }
}

/// The pawns that the legal actions move.
fn movable(game: &TestGame<'_>) -> Vec<Value> {
    let legal = game.server.get(&game.path("/legal"));
    let legal = legal.body["legal"].as_array().unwrap();
    legal.iter().flat_map(|action| action["pawns"].as_array().unwrap().clone()).collect()
}

/// The seats that have the first place in the ranking.
fn winners(game: &TestGame<'_>) -> BTreeSet<String> {
    let ranking = game.view["ranking"].as_array().unwrap().iter();
    ranking.filter(|row| row["place"] == 1).map(|row| row["seat"].as_str().unwrap().to_owned()).collect()
}

on_both_stores!(who_is_home_plays_the_pawns_of_the_partner_and_both_win);
fn who_is_home_plays_the_pawns_of_the_partner_and_both_win(data: TestStore) {
    let server = Server::start(&data);
    let text = "rules: parcheesi-end\nversion: 1.0.0\ntitle: Parcheesi near its end\nextends: parcheesi\n\
                pawns: {start: [home, home, home, h3]}\n";
    let id = publish(&server, text);
    let options = json!({"rule_set": id, "dice": "players", "options": {"pairs": true}});
    let mut game = server.hot_seat(options);
    let mut order = ["yellow", "blue", "red", "green"];
    let first = game.view["turn"].clone();
    let begins = order.iter().position(|seat| first == *seat).unwrap();
    order.rotate_left(begins);
    let [one, two, partner, four] = order;
    turn(&mut game, one, "5", &["h3-home"]);
    assert_eq!((&game.view["status"], &game.view["ranking"]), (&json!("playing"), &json!([])), "one of a pair is home");
    for seat in [two, partner, four] {
        turn(&mut game, seat, "1", &["h3-h4"]);
    }
    turn(&mut game, one, "1", &[]);
    assert_eq!(movable(&game), [format!("{partner}-4")]);
    assert_eq!(game.step().status, 200);
    assert_eq!(game.view["position"][partner], json!(["home", "home", "home", "h5"]));
    turn(&mut game, two, "1", &["h4-h5"]);
    turn(&mut game, partner, "3", &["h5-home"]);
    assert_eq!(game.view["status"], "finished", "{}", game.view);
    assert_eq!(winners(&game), BTreeSet::from([one, partner].map(str::to_owned)), "{}", game.view);
}

on_both_stores!(who_is_home_misses_four_turns_and_then_helps_the_partner);
fn who_is_home_misses_four_turns_and_then_helps_the_partner(data: TestStore) {
    let server = Server::start(&data);
    let text = "rules: chopat-end\nversion: 1.0.0\ntitle: Chopat near its end\nextends: chopat\n\
                pawns: {start: [home, home, home, h1]}\n";
    let id = publish(&server, text);
    let options = json!({"mode": "partnership", "overshoot": "illegal", "bring_back_exit": false});
    let mut game = server.hot_seat(json!({"rule_set": id, "dice": "players", "options": options}));
    turn(&mut game, "black", "1+3", &["h1-home"]);
    assert_eq!(game.view["status"], "playing", "a pair wins when both are home");
    for seat in ["red", "yellow", "green"] {
        turn(&mut game, seat, "3+4", &[]);
    }
    assert_eq!(game.view["legal"], json!(["khado", "miss"]), "the choice comes before the throw");
    assert_eq!(game.throw("1+3").problem(), (409, "choice_needed"));
    assert_eq!(game.play(&["miss"]).status, 200);
    for missed in 1..=4 {
        assert_eq!(game.view["counters"]["black"]["missed_turns"], missed);
        for seat in ["red", "yellow", "green"] {
            turn(&mut game, seat, "3+4", &[]);
        }
    }
    turn(&mut game, "black", "1+3", &[]);
    assert_eq!(movable(&game), ["yellow-4"]);
    assert_eq!(game.step().status, 200);
    assert_eq!(winners(&game), BTreeSet::from(["black", "yellow"].map(str::to_owned)), "{}", game.view);
}

on_both_stores!(a_player_who_is_home_and_late_misses_the_turn);
fn a_player_who_is_home_and_late_misses_the_turn(data: TestStore) {
    let server = Server::start(&data);
    let text = "rules: all-home\nversion: 1.0.0\ntitle: Chopat at its end\nextends: chopat\n\
                pawns: {start: [home, home, home, h1]}\n";
    let id = publish(&server, text);
    let options = json!({"mode": "partnership", "bring_back_exit": false});
    let wish = json!({"rule_set": id, "options": options, "turn_timer": {"seconds": 3, "then": "hunter"}});
    // Up to 50 games are tried: in many of them both partners come home in a row, and no player has to choose between
    // `khado` and `miss`.
    let mut games = std::iter::repeat_with(|| server.hot_seat(wish.clone())).take(50);
    let game = games.find_map(|mut game| {
        while game.view["status"] == "playing" && game.view["legal"] != json!(["khado", "miss"]) {
            assert_eq!(game.step().status, 200);
        }
        (game.view["status"] == "playing").then_some(game)
    });
    let game = game.expect("a player who is home first");
    let late = await_event(&server, &game.path(""), game.view["events"].as_u64().unwrap(), "time_over");
    assert_eq!(late["seat"], game.view["turn"]);
    let after = server.get(&game.path(&format!("/events?after={}", late["id"]))).body["events"].clone();
    let given = after.as_array().unwrap().iter().find_map(|event| event["action"].as_str());
    assert_eq!(given, Some("miss"));
    let late = late["seat"].as_str().unwrap();
    assert_eq!(server.get(&game.path("")).body["counters"][late]["missed_turns"], 1);
}

on_both_stores!(a_turn_with_a_legal_action_cannot_be_passed);
fn a_turn_with_a_legal_action_cannot_be_passed(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"rule_set": "chopat", "dice": "players"}));
    game.throw("3+4");
    let before = game.view.clone();
    let refused = game.play(&["pass"]);
    assert_eq!(refused.problem(), (409, "action_not_legal"));
    let legal = before["legal"].as_array().unwrap();
    assert!(!legal.contains(&json!("pass")), "{before}");
    let part = legal[0].as_str().unwrap();
    assert_eq!(game.play(&[part, "pass"]).problem(), (409, "action_not_legal"), "nor a part of the throw");
    assert_eq!(server.get(&game.path("")).body["legal"], before["legal"], "nothing has changed");
}
