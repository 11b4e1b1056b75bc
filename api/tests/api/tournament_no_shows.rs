//! Tests entrants of tournaments who do not come, over HTTP: no round waits for them.

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Server, TestStore, got, on_both_stores};
use crate::tournaments::{TestTournament, swiss};

/// The terms of a tournament in which entrants have one second for their first decision in a game.
fn impatient(withdraw_after: u32) -> Value {
    json!({
        "automatic": true,
        "turn_timer": {"seconds": 600},
        "no_show": {"seconds": 1, "withdraw_after": withdraw_after},
        "points": {"two": [6, 0], "three": [6, 3, 0], "four": [6, 4, 2, 0], "bye": 6, "absent": 0, "no_show": 1},
    })
}

/// Returns the second of the day of a time in RFC 3339.
fn of_the_day(time: &Value) -> u64 {
    let time = time.as_str().unwrap();
    let part = |from: usize| time[from..from + 2].parse::<u64>().unwrap();
    3600 * part(11) + 60 * part(14) + part(17)
}

fn missed(round: &Value) -> Vec<u64> {
    let seats = round["tables"][0]["result"]["seats"].as_array().into_iter().flatten();
    seats.filter(|seat| seat["no_show"] == true).map(|seat| seat["entrant"].as_u64().unwrap()).collect()
}

on_both_stores!(a_tournament_to_which_nobody_comes_ends_by_itself);
fn a_tournament_to_which_nobody_comes_ends_by_itself(data: TestStore) {
    let mut first = Server::start(&data);
    let mut cup = TestTournament::new(&first, swiss(4), impatient(2));
    assert_eq!(cup.get("").body["no_show"], json!({"seconds": 1, "withdraw_after": 2}));
    cup.enter(&["Asha", "Bina"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    until("the first round is paired", || !cup.get("").body["rounds"].as_array().unwrap().is_empty());
    // The deadlines are in the store, so another process goes on.
    let detached = cup.detached();
    first.stop();
    let second = Server::start(&data);
    let cup = detached(&second);
    until("the tournament is over", || cup.get("").body["status"] == "finished");
    // Nobody wins a table to which nobody came. After two tables both are withdrawn, and nobody is left to play.
    let rounds = cup.get("").body["rounds"].as_array().unwrap().len();
    for number in 1..=rounds {
        let round = cup.round(number);
        let away = if number < 3 { vec![1, 2] } else { vec![] };
        let mut found = missed(&round);
        found.sort_unstable();
        assert_eq!((found, &round["byes"]), (away, &json!([])), "{round}");
    }
    let entrants = cup.get("").body["entrants"].clone();
    for entrant in entrants.as_array().unwrap() {
        assert_eq!((&entrant["no_shows"], &entrant["removed"]), (&json!(2), &json!(true)), "{entrants}");
        assert_eq!(entrant["left_before_round"], 3, "{entrants}");
    }
    let standings = cup.get("/standings").body;
    for row in standings["standings"].as_array().unwrap() {
        assert_eq!(row["points"].as_f64(), Some(2.0), "a point for each table: {standings}");
    }
    assert_eq!(cup.words().iter().filter(|word| *word == "entrant_withdrawn").count(), 2);
}

on_both_stores!(who_waits_for_an_absent_opponent_wins_by_the_first_decision);
fn who_waits_for_an_absent_opponent_wins_by_the_first_decision(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, swiss(1), json!({"no_show": {"seconds": 3}}));
    cup.enter(&["Asha", "Bina"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    let round = cup.pair();
    let entrants = &round["tables"][0]["entrants"];
    let (away, waits) = (entrants[0].as_u64().unwrap(), entrants[1].as_u64().unwrap());
    let seats = &round["tables"][0]["games"][0]["seats"];
    let seat = seats.as_array().unwrap().iter().find(|seat| seat["entrant"] == waits).unwrap()["seat"].clone();
    let path = format!("/v1/games/{}", round["tables"][0]["games"][0]["id"].as_str().unwrap());
    until("it is the turn of the player who waits", || server.get(&path).body["turn"] == seat);
    let game = server.get(&path).body;
    assert_eq!((&game["status"], cup.round_is_over(1)), (&json!("playing"), false), "{game}");
    let gave_up = game["seats"].as_array().unwrap().iter().filter(|seat| seat["gave_up"] == "forfeited").count();
    assert_eq!(gave_up, 1, "the time of the other player is over: {game}");
    let request = server.request("POST", &format!("{path}/throws")).bearer_auth(cup.entrant_token(waits));
    let thrown = got(request.header("If-Match", "*").json(&json!({})).send().unwrap());
    assert_eq!(thrown.status, 200, "{}", thrown.raw);
    assert_eq!(
        (&thrown.body["game"]["status"], &thrown.body["game"]["ended_by"]),
        (&json!("finished"), &json!("forfeit"))
    );
    until("the table has its result", || cup.round_is_over(1));
    let round = cup.round(1);
    assert_eq!(missed(&round), [away]);
    let winner =
        round["tables"][0]["result"]["seats"].as_array().unwrap().iter().find(|seat| seat["place"] == 1).unwrap();
    assert_eq!(winner["entrant"], waits, "{round}");
}

on_both_stores!(an_entrant_who_has_come_has_the_time_of_the_clock);
fn an_entrant_who_has_come_has_the_time_of_the_clock(data: TestStore) {
    let server = Server::start(&data);
    let more = json!({"turn_timer": {"seconds": 600}, "no_show": {"seconds": 4}});
    let mut cup = TestTournament::new(&server, swiss(1), more);
    cup.enter(&["Asha", "Bina"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    let round = cup.pair();
    let (begins, second) = (round["tables"][0]["entrants"][0].clone(), round["tables"][0]["entrants"][1].clone());
    let path = format!("/v1/games/{}", round["tables"][0]["games"][0]["id"].as_str().unwrap());
    let command = |rest: &str, body: Value| {
        let token = cup.entrant_token(begins.as_u64().unwrap());
        let request = server.request("POST", &format!("{path}{rest}")).bearer_auth(token).header("If-Match", "*");
        got(request.json(&body).send().unwrap())
    };
    // Returns the time from the last change to the deadline.
    let seconds = || {
        let game = server.get(&path).body;
        (of_the_day(&game["deadline"]) + 86_400 - of_the_day(&game["updated_at"])) % 86_400
    };
    assert!(seconds() <= 4);
    let mut game = command("/throws", json!({})).body["game"].clone();
    let own = game["turn"].clone();
    while game["turn"] == own {
        assert!(seconds() > 500, "the first decision was made, so the clock counts");
        let played = match game["awaits"].as_str() {
            Some("action") => command("/actions", json!({"actions": [game["legal"][0]]})),
            _ => command("/throws", json!({})),
        };
        assert_eq!(played.status, 200, "{}", played.raw);
        game = played.body["game"].clone();
    }
    assert!(seconds() <= 4, "the second player has not come yet");
    until("the table has its result", || cup.round_is_over(1));
    assert_eq!(missed(&cup.round(1)), [second.as_u64().unwrap()]);
    let ended = server.get(&path).body;
    assert_eq!((&ended["ended_by"], &ended["status"]), (&json!("forfeit"), &json!("finished")));
    assert_eq!(cup.get("").body["entrants"].as_array().unwrap().iter().filter(|e| e["no_shows"] == 1).count(), 1);
}

on_both_stores!(the_clock_of_the_tournament_ends_games_whose_players_are_late_too_often);
fn the_clock_of_the_tournament_ends_games_whose_players_are_late_too_often(data: TestStore) {
    let server = Server::start(&data);
    let more = json!({"turn_timer": {"seconds": 1, "forfeit_after": 1}, "automatic": true});
    let mut cup = TestTournament::new(&server, json!({"kind": "knock_out", "table": 4}), more);
    cup.enter(&["Asha", "Bina", "Chitra", "Devi"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    until("the tournament is over", || cup.get("").body["status"] == "finished");
    let result = cup.round(1)["tables"][0]["result"].clone();
    assert_eq!((missed(&cup.round(1)).len(), &result["by"]), (4, &json!("games")), "nobody came: {result}");
    let mut places: Vec<u64> =
        result["seats"].as_array().unwrap().iter().map(|s| s["place"].as_u64().unwrap()).collect();
    places.sort_unstable();
    assert_eq!(places, [1, 1, 1, 1], "those who did not come share the last place, and nobody is before them");
}

on_both_stores!(a_table_that_is_taken_back_removes_nobody);
fn a_table_that_is_taken_back_removes_nobody(data: TestStore) {
    let server = Server::start(&data);
    let more = json!({"no_show": {"seconds": 600, "withdraw_after": 1}});
    let mut cup = TestTournament::new(&server, swiss(3), more);
    cup.enter(&["Asha", "Bina", "Chitra", "Devi"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    cup.pair();
    cup.play_round(1);
    let second = cup.pair();
    let seats = second["tables"][0]["entrants"].clone();
    let result = json!([{"entrant": seats[0], "place": 1}, {"entrant": seats[1], "place": 2, "no_show": true}]);
    let decide = |round: usize, seats: Value, take_back: bool| {
        let etag = cup.get("").header("etag").to_owned();
        let path = cup.path(&format!("/rounds/{round}/tables/1/result"));
        let request = server.request("PUT", &path).bearer_auth(&cup.arbiter);
        let body = json!({"seats": seats, "reason": "seen at the table", "take_back": take_back});
        got(request.header("If-Match", etag).json(&body).send().unwrap())
    };
    // The service may change the tournament at the same moment; then the arbiter reads it again.
    until("the result is entered", || decide(2, result.clone(), false).status == 200);
    let entrants = || cup.get("").body["entrants"].to_string();
    assert!(entrants().contains("\"removed\":true"));
    let first = cup.round(1)["tables"][0]["entrants"].clone();
    let turned = json!([{"entrant": first[0], "place": 2}, {"entrant": first[1], "place": 1}]);
    until("the second round is taken back", || decide(1, turned.clone(), true).status == 200);
    assert!(!entrants().contains("removed") && !entrants().contains("left_before_round"), "{}", entrants());
    assert_eq!(cup.pair()["tables"].as_array().unwrap().len(), 2, "all four are paired again");
}

on_both_stores!(a_corrected_result_brings_an_entrant_back);
fn a_corrected_result_brings_an_entrant_back(data: TestStore) {
    let server = Server::start(&data);
    let more = json!({"no_show": {"seconds": 1, "withdraw_after": 1}});
    let mut cup = TestTournament::new(&server, swiss(2), more);
    cup.enter(&["Asha", "Bina"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    cup.pair();
    until("the table has its result", || cup.round_is_over(1));
    let away = missed(&cup.round(1))[0];
    let entrants = || cup.get("").body["entrants"].to_string();
    assert!(entrants().contains("\"removed\":true"));
    let seats = json!([{"entrant": away, "place": 1}, {"entrant": 3 - away, "place": 2}]);
    let correct = |etag: &str| {
        let request = server.request("PUT", &cup.path("/rounds/1/tables/1/result")).bearer_auth(&cup.arbiter);
        let body = json!({"seats": seats, "reason": "the connection was lost, they played on a board"});
        got(request.header("If-Match", etag).json(&body).send().unwrap())
    };
    // The service may change the tournament at the same moment; then the arbiter reads it again.
    until("the result is corrected", || correct(cup.get("").header("etag")).status == 200);
    assert!(!entrants().contains("removed") && !entrants().contains("left_before_round"), "{}", entrants());
    assert!(cup.words().contains(&"entrant_returned".to_owned()));
    assert_eq!(cup.pair()["tables"].as_array().unwrap().len(), 1, "both are paired again");
}
