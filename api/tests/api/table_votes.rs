//! Tests the votes of tables: for the next game, and to end the game in play.

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Server, TestStore, on_both_stores};
use crate::players::TestPlayer;
use crate::table_games::{between_games, start, throw};
use crate::tables::TestTable;

on_both_stores!(a_vote_for_a_game_that_these_seats_cannot_play_is_refused_or_says_why);
fn a_vote_for_a_game_that_these_seats_cannot_play_is_refused_or_says_why(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "pagade"}));
    let free = table.read(&server).body["seats"].as_array().unwrap().clone();
    let free: Vec<_> = free.iter().filter(|seat| seat["taken"] == false).map(|seat| seat["seat"].clone()).collect();
    table.sit(&ravi, free[1].as_str().unwrap());
    let open = || table.ask(&asha, "POST", "/votes", json!({"on": "next_game"}));
    assert_eq!(open().status, 201, "two can play");
    table.sit(&meera, free[0].as_str().unwrap());
    for player in [&ravi, &meera] {
        assert_eq!(table.ask(player, "POST", "/votes/current", json!({"agree": true})).status, 200);
    }
    let dropped = || {
        let events = table.ask(&asha, "GET", "/events", Value::Null).body["events"].clone();
        events.as_array().unwrap().iter().find(|event| event["event"] == "table_game_dropped").cloned()
    };
    until("the table tells that no game begins", || dropped().is_some());
    let told = dropped().unwrap();
    assert_eq!((&told["reason"], told.get("player")), (&json!("table_invalid"), None));
    assert_eq!(table.read(&server).text("/status"), "open");
    assert_eq!(open().problem(), (422, "table_invalid"), "three cannot play");
    assert_eq!(table.read(&server).body.get("vote"), None);
}

on_both_stores!(a_player_cannot_open_votes_without_a_limit);
fn a_player_cannot_open_votes_without_a_limit(data: TestStore) {
    let server = Server::start_one(&data, |config| config.rates.invite = Some(2));
    let [asha, ravi] = ["Asha", "Ravi"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    let open = |player: &TestPlayer<'_>| table.ask(player, "POST", "/votes", json!({"on": "next_game"}));
    let refuse = |player: &TestPlayer<'_>| table.ask(player, "POST", "/votes/current", json!({"agree": false}));
    for _ in 0..2 {
        assert_eq!(open(&asha).status, 201);
        assert_eq!(open(&asha).problem(), (409, "vote_open"), "what is refused does not count");
        assert_eq!(refuse(&asha).status, 200);
    }
    let refused = open(&asha);
    assert_eq!(refused.problem(), (429, "too_many_requests"));
    assert!(!refused.header("retry-after").is_empty());
    assert_eq!(table.read(&server).body.get("vote"), None);
    assert_eq!(open(&ravi).status, 201, "another player has an own quota");
}

on_both_stores!(a_vote_of_all_players_ends_the_game);
fn a_vote_of_all_players_ends_the_game(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0}}));
    table.sit(&ravi, "red");
    let open = |player: &TestPlayer<'_>, on: &str| table.ask(player, "POST", "/votes", json!({"on": on}));
    let vote =
        |player: &TestPlayer<'_>, agree: bool| table.ask(player, "POST", "/votes/current", json!({"agree": agree}));
    assert_eq!(open(&asha, "end").problem(), (409, "not_available"));
    assert_eq!(vote(&asha, true).problem(), (409, "not_available"));
    let game = start(&table, &asha);
    table.sit(&meera, "blue");
    assert_eq!(open(&meera, "end").problem(), (403, "not_allowed"), "who does not play does not vote");
    let opened = open(&ravi, "end");
    assert_eq!((opened.status, &opened.body["vote"]["agreed"]), (201, &json!([ravi.id])), "the proposer agrees");
    assert_eq!(open(&asha, "end").problem(), (409, "vote_open"));
    assert_eq!(vote(&meera, true).problem(), (403, "not_allowed"));
    until("the other player is told", || asha.ask("GET", "/events", Value::Null).raw.contains("vote_due"));
    let turn = if asha.send("GET", &game, Value::Null).text("/turn") == "yellow" { &asha } else { &ravi };
    assert_eq!(throw(turn, &game).status, 200, "play is not stopped");
    let refused = vote(&asha, false);
    assert_eq!((refused.status, refused.body.get("vote")), (200, None), "one no closes the vote");
    assert_eq!(asha.send("GET", &game, Value::Null).text("/status"), "playing");
    open(&asha, "end");
    assert_eq!(vote(&ravi, true).status, 200);
    let over = asha.send("GET", &game, Value::Null);
    assert_eq!((over.text("/status").as_str(), over.text("/ended_by").as_str()), ("finished", "abort"));
    assert_eq!(over.body["ranking"], json!([]), "nobody has won");
    assert_eq!(between_games(&table, &server).body["past_games"][0]["ended_by"], "abort");

    // A rematch begins when all players at the table have voted for it.
    assert_eq!(open(&ravi, "next_game").status, 201);
    vote(&asha, true);
    assert_eq!(table.read(&server).text("/status"), "open", "one is missing");
    vote(&meera, true);
    let next = table.read(&server);
    assert_eq!((next.text("/status").as_str(), next.body["game"]["number"].as_u64()), ("playing", Some(2)));
    assert_eq!(next.body["game"]["players"].as_array().unwrap().len(), 3);

    // When a player leaves during a vote, this player's vote does not count, and the votes are counted again.
    open(&asha, "end");
    vote(&ravi, true);
    assert_eq!(table.ask(&meera, "DELETE", "/seats/blue", Value::Null).status, 204);
    assert_eq!(between_games(&table, &server).body["past_games"][0]["ended_by"], "abort");
    let words = table.words(&asha);
    assert_eq!(words.iter().filter(|word| *word == "vote_closed").count(), 4);
}

on_both_stores!(the_option_that_games_end_amicably_counts_from_the_next_game);
fn the_option_that_games_end_amicably_counts_from_the_next_game(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"amicable_end": false}}));
    table.sit(&ravi, "red");
    let game = start(&table, &asha);
    let open = || table.ask(&ravi, "POST", "/votes", json!({"on": "end"}));
    assert_eq!(open().problem(), (409, "not_available"));
    table.ask(&asha, "PATCH", "/options", json!({"options": {"amicable_end": true}}));
    assert_eq!(open().problem(), (409, "not_available"), "the game in play keeps its terms");
    asha.send("POST", &format!("{game}/resignations"), json!({}));
    between_games(&table, &server);
    start(&table, &asha);
    assert_eq!(open().status, 201);
}
