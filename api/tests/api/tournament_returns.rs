//! Tests how entrants leave tournaments and come back, and what becomes of games that an arbiter decides.

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::tournaments::{TestTournament, swiss};

fn started<'s>(server: &'s Server, more: Value, names: &[&str]) -> TestTournament<'s> {
    let mut cup = TestTournament::new(server, swiss(4), more);
    cup.enter(names);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    cup
}

fn back(cup: &TestTournament<'_>, token: &str, number: u64) -> Answer {
    cup.ask(token, "POST", &format!("/entrants/{number}/return"), json!({}))
}

fn leave(cup: &TestTournament<'_>, token: &str, number: u64) {
    let left = cup.ask(token, "DELETE", &format!("/entrants/{number}"), Value::Null);
    assert_eq!(left.status, 200, "{}", left.raw);
}

fn sits(round: &Value, number: u64) -> bool {
    let tables = round["tables"].as_array().unwrap().iter();
    tables.flat_map(|table| table["entrants"].as_array().unwrap()).any(|entrant| entrant == number)
}

on_both_stores!(an_entrant_who_has_left_comes_back_with_the_results_so_far);
fn an_entrant_who_has_left_comes_back_with_the_results_so_far(data: TestStore) {
    let server = Server::start(&data);
    let cup = started(&server, json!({}), &["Asha", "Bina", "Chitra", "Devi"]);
    cup.pair();
    cup.play_round(1);
    let own = cup.entrant_token(1).to_owned();
    assert_eq!(back(&cup, &own, 1).problem(), (409, "entrant_present"));
    assert_eq!(back(&cup, &cup.token, 9).problem(), (404, "entrant_not_found"));
    // The entrant leaves by mistake and comes back at once, without missing a round.
    leave(&cup, &own, 1);
    assert_eq!(back(&cup, cup.entrant_token(2), 1).problem(), (403, "not_allowed"));
    let same_name = cup.post("/entrants", json!({"entrants": [{"name": "asha"}]}));
    assert_eq!(same_name.problem(), (409, "name_taken"));
    assert!(same_name.text("/detail").contains("/entrants/1/return"), "{}", same_name.raw);
    let returned = back(&cup, &own, 1);
    assert_eq!(returned.status, 200, "{}", returned.raw);
    assert!(!returned.body["entrants"].to_string().contains("left_before_round"), "{}", returned.raw);
    assert!(sits(&cup.pair(), 1), "the entrant is paired in the next round");
    cup.play_round(2);
    // The entrant leaves again, misses the third round, and plays the fourth.
    leave(&cup, &own, 1);
    assert!(!sits(&cup.pair(), 1));
    cup.play_round(3);
    let before = cup.get("/standings").body;
    assert_eq!(back(&cup, &own, 1).status, 200);
    assert_eq!(cup.get("/standings").body["standings"], before["standings"], "no result is lost");
    assert!(sits(&cup.pair(), 1));
    cup.play_round(4);
    assert_eq!(cup.post("/finish", json!({})).status, 200);
    assert_eq!(back(&cup, &own, 1).problem(), (409, "tournament_over"));
    let came = |word: &&String| ["entrant_withdrawn", "entrant_returned"].contains(&word.as_str());
    assert_eq!(cup.words().iter().filter(came).count(), 4);
}

on_both_stores!(an_entrant_whom_the_organiser_has_withdrawn_is_brought_back_by_the_organiser);
fn an_entrant_whom_the_organiser_has_withdrawn_is_brought_back_by_the_organiser(data: TestStore) {
    let server = Server::start(&data);
    let more = json!({"most_entrants": 4, "registration": "open", "late_entries": true});
    let cup = started(&server, more, &["Asha", "Bina", "Chitra", "Devi"]);
    leave(&cup, &cup.token, 2);
    let own = cup.entrant_token(2).to_owned();
    let refused = back(&cup, &own, 2);
    assert_eq!(refused.problem(), (403, "not_allowed"));
    assert!(cup.get("").body["entrants"].to_string().contains("\"excluded\":true"));
    // While the entrant is away, another entrant takes the last free place.
    let late = cup.post("/entrants", json!({"entrants": [{"name": "Esha"}]}));
    assert_eq!(late.status, 201, "{}", late.raw);
    assert_eq!(back(&cup, &cup.token, 2).problem(), (409, "tournament_full"));
    leave(&cup, &cup.token, late.body["entrants"][0]["number"].as_u64().unwrap());
    assert_eq!(back(&cup, &cup.token, 2).status, 200);
    leave(&cup, &own, 2);
    assert_eq!(back(&cup, &own, 2).status, 200, "who left of their own accord comes back of their own accord");
}

on_both_stores!(who_did_not_come_and_is_brought_back_is_not_withdrawn_for_the_same_absence);
fn who_did_not_come_and_is_brought_back_is_not_withdrawn_for_the_same_absence(data: TestStore) {
    let server = Server::start(&data);
    let more = json!({"no_show": {"seconds": 600, "withdraw_after": 1}});
    let cup = started(&server, more, &["Asha", "Bina"]);
    cup.pair();
    let missed = |round: usize, away: u64, is_away: bool| {
        let seats = json!([{"entrant": 3 - away, "place": 1}, {"entrant": away, "place": 2, "no_show": is_away}]);
        let path = format!("/rounds/{round}/tables/1/result");
        cup.ask(&cup.arbiter, "PUT", &path, json!({"seats": seats, "reason": "seen at the table"}))
    };
    assert_eq!(missed(1, 2, true).status, 200);
    let entrants = || cup.get("").body["entrants"].to_string();
    assert!(entrants().contains("\"removed\":true"), "{}", entrants());
    assert_eq!(back(&cup, cup.entrant_token(2), 2).status, 200);
    assert!(!entrants().contains("removed"), "{}", entrants());
    cup.pair();
    assert_eq!(missed(2, 2, false).status, 200);
    assert!(!entrants().contains("left_before_round"), "the entrant came to the second table: {}", entrants());
    cup.pair();
    assert_eq!(missed(3, 2, true).status, 200);
    assert!(entrants().contains("left_before_round"), "{}", entrants());
}

on_both_stores!(an_entrant_who_waits_is_told_of_once_as_waiting_and_once_as_entered);
fn an_entrant_who_waits_is_told_of_once_as_waiting_and_once_as_entered(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, swiss(2), json!({"most_entrants": 2}));
    cup.enter(&["Asha", "Bina", "Chitra"]);
    leave(&cup, &cup.token, 1);
    let words = cup.words();
    let told: Vec<&str> = words.iter().map(String::as_str).filter(|word| word.starts_with("entrant_")).collect();
    let expected = ["entrant_entered", "entrant_entered", "entrant_waiting", "entrant_withdrawn", "entrant_entered"];
    assert_eq!(told, expected);
}

on_both_stores!(no_player_of_a_tournament_decides_that_a_game_does_not_count);
fn no_player_of_a_tournament_decides_that_a_game_does_not_count(data: TestStore) {
    let server = Server::start(&data);
    let cup = started(&server, json!({}), &["Asha", "Bina"]);
    let round = cup.pair();
    let game = format!("/v1/games/{}", round["tables"][0]["games"][0]["id"].as_str().unwrap());
    let ask = |token: &str, rest: &str, body: Value| {
        let request = server.request("POST", &format!("{game}{rest}")).bearer_auth(token);
        got(request.json(&body).send().unwrap())
    };
    for token in [1, 2].map(|number| cup.entrant_token(number)) {
        assert_eq!(ask(token, "/abort", json!({})).problem(), (409, "not_available"));
        assert_eq!(ask(token, "/agreements", json!({"to": "abort"})).problem(), (409, "not_available"));
    }
    assert_eq!(server.get(&game).text("/status"), "playing");
    assert_eq!(ask(cup.entrant_token(1), "/resignations", json!({})).status, 200, "to resign is a result");
    until("the table has a result", || cup.round(1)["tables"][0]["result"].is_object());
}

on_both_stores!(the_game_of_a_table_that_an_arbiter_decides_is_aborted);
fn the_game_of_a_table_that_an_arbiter_decides_is_aborted(data: TestStore) {
    let server = Server::start(&data);
    let cup = started(&server, json!({}), &["Asha", "Bina", "Chitra", "Devi"]);
    let round = cup.pair();
    let seat = |at: usize| round["tables"][0]["entrants"][at].as_u64().unwrap();
    let game = |table: usize| format!("/v1/games/{}", round["tables"][table]["games"][0]["id"].as_str().unwrap());
    assert_eq!(server.get(&game(0)).text("/status"), "playing");
    assert_eq!(cup.result(&cup.arbiter, [1, 1], &[(seat(0), 1), (seat(1), 2)]).status, 200);
    until("the game is aborted", || server.get(&game(0)).text("/status") == "finished");
    assert_eq!(server.get(&game(0)).text("/ended_by"), "abort");
    assert_eq!(server.get(&game(1)).text("/status"), "playing", "the other table plays on");
    let result = || cup.round(1)["tables"][0]["result"].clone();
    until("the tournament knows the end of the game", || {
        !cup.round(1)["tables"][0]["games"].to_string().contains("playing")
    });
    assert_eq!((&result()["by"], &result()["seats"][0]["place"]), (&json!("arbiter"), &json!(1)));
    cup.play_round(1);
    assert!(!cup.words().contains(&"table_game_void".to_owned()), "nothing is left to decide");
    assert_eq!(cup.pair()["tables"].as_array().unwrap().len(), 2);
}
