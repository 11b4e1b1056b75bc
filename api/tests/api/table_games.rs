//! Tests the games of tables: start, next game, leaving, watching.

use std::time::Duration;

use pagade::config::Rates;
use pagade::ground::token::Token;
use pagade_tests::receiver::Receiver;
use pagade_tests::wait::until;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::players::TestPlayer;
use crate::tables::TestTable;
use crate::tokens::ADMIN;

/// Starts a game, and returns its path.
pub(crate) fn start(table: &TestTable, master: &TestPlayer<'_>) -> String {
    let started = table.ask(master, "POST", "/games", json!({}));
    assert_eq!((started.status, started.text("/status").as_str()), (201, "playing"), "{}", started.raw);
    let path = format!("/v1/games/{}", started.text("/game/id"));
    assert_eq!(started.header("location"), path);
    path
}

/// Throws for a player in the present version of a game.
pub(crate) fn throw(player: &TestPlayer<'_>, game: &str) -> Answer {
    let request = player.server.request("POST", &format!("{game}/throws")).bearer_auth(&player.token);
    got(request.header("If-Match", "*").json(&json!({})).send().unwrap())
}

/// Reads a table until it is between games.
pub(crate) fn between_games(table: &TestTable, server: &Server) -> Answer {
    until("the game is over", || table.read(server).text("/status") != "playing");
    table.read(server)
}

on_both_stores!(a_table_plays_one_game_after_another);
fn a_table_plays_one_game_after_another(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0}}));
    table.sit(&ravi, "red");
    assert_eq!(table.ask(&ravi, "POST", "/games", json!({})).problem(), (403, "not_allowed"));
    let game = start(&table, &asha);
    assert_eq!(table.ask(&asha, "POST", "/games", json!({})).problem(), (409, "table_playing"));
    let seen = asha.send("GET", &game, Value::Null);
    assert_eq!((seen.status, seen.text("/status").as_str(), seen.text("/table")), (200, "playing", table.id.clone()));
    assert_eq!(seen.body["seats"].as_array().unwrap().len(), 2, "those who sit there play");
    assert_eq!(server.get(&game).problem(), (404, "game_not_found"), "a stranger does not see the game");
    let turn = if seen.text("/turn") == "yellow" { &asha } else { &ravi };
    assert_eq!(throw(turn, &game).status, 200, "the players' tokens play");
    until("the inboxes are told", || {
        let events = ravi.ask("GET", "/events", Value::Null);
        events.raw.contains("game_started")
    });
    // A game of a table can be ended only by a vote at the table.
    assert_eq!(
        asha.send("POST", &format!("{game}/agreements"), json!({"to": "end"})).problem(),
        (409, "not_available")
    );
    assert_eq!(ravi.send("POST", &format!("{game}/resignations"), json!({})).status, 200);
    let read = between_games(&table, &server);
    let past = &read.body["past_games"][0];
    assert_eq!((past["number"].as_u64(), past["ended_by"].as_str()), (Some(1), Some("resignation")));
    assert_eq!((past["players"][0]["name"].as_str(), past["players"][0]["place"].as_u64()), (Some("Asha"), Some(1)));
    let next = start(&table, &asha);
    assert_ne!(next, game);
    asha.send("POST", &format!("{next}/resignations"), json!({}));
    let read = between_games(&table, &server);
    assert_eq!(read.body["past_games"][0]["number"], 2, "the newest first");
    assert_eq!(read.body["past_games"][0]["players"][0]["name"], "Ravi");
    let words = table.words(&asha);
    let games: Vec<_> = words.iter().filter(|word| word.starts_with("table_game")).collect();
    assert_eq!(games, ["table_game_started", "table_game_ended", "table_game_started", "table_game_ended"]);
}

on_both_stores!(a_repeated_start_starts_one_game);
fn a_repeated_start_starts_one_game(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    let key = Uuid::now_v7().to_string();
    let path = format!("{}/games", table.path);
    let start =
        || got(server.request("POST", &path).bearer_auth(&asha.token).header("Idempotency-Key", &key).send().unwrap());
    let (first, again) = (start(), start());
    assert_eq!((first.status, again.status, first.text("/game/id")), (201, 201, again.text("/game/id")));
    assert_eq!(again.header("idempotency-replayed"), "true");
}

on_both_stores!(numbers_of_players_suit_the_rule_set);
fn numbers_of_players_suit_the_rule_set(data: TestStore) {
    let server = Server::start_with(&data, |config| config.rates = Rates::unlimited());
    let players = ["Asha", "Ravi", "Meera", "Kiran"].map(|name| TestPlayer::new(&server, name));
    let seats = |rule_set: &str| {
        let table = TestTable::new(&players[0], json!({"rule_set": rule_set}));
        let read = table.read(&server);
        let seats = read.body["seats"].as_array().unwrap().iter().map(|seat| seat["seat"].as_str().unwrap().to_owned());
        (table, seats.collect::<Vec<_>>())
    };
    for (rule_set, options, order, playable) in [
        ("parcheesi", json!({}), [0, 1, 2, 3], [false, true, true, true]),
        ("superparcheesi", json!({}), [0, 1, 2, 3], [false, true, true, true]),
        ("parcheesi", json!({"pairs": true}), [0, 1, 2, 3], [false, false, false, true]),
        ("pagade", json!({}), [0, 2, 1, 3], [false, true, false, true]),
        ("chopat", json!({}), [0, 2, 1, 3], [false, true, false, true]),
    ] {
        for count in 1..=4 {
            let (table, names) = seats(rule_set);
            table.ask(&players[0], "PATCH", "/options", json!({"options": options}));
            for index in 1..count {
                assert_eq!(table.sit(&players[index], &names[order[index]]).status, 201);
            }
            let started = table.ask(&players[0], "POST", "/games", json!({}));
            let expected = if playable[count - 1] { 201 } else { 422 };
            assert_eq!(started.status, expected, "{rule_set} {options} with {count}: {}", started.raw);
            if expected == 422 {
                assert_eq!(started.text("/code"), "table_invalid");
                assert_eq!(table.read(&server).text("/status"), "open");
            }
        }
    }
}

on_both_stores!(options_take_effect_now_or_with_the_next_game);
fn options_take_effect_now_or_with_the_next_game(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    let game = start(&table, &asha);
    let read = |game: &str| asha.send("GET", game, Value::Null);
    let before = read(&game);
    assert_eq!(before.body["options"]["start_with_one_piece"], true);
    let on_start = |read: &Answer| {
        let pawns = read.body["seats"][0]["pawns"].as_array().unwrap();
        pawns.iter().filter(|pawn| pawn["place"] != "start").count()
    };
    assert_eq!(on_start(&before), 1, "every seat has one piece on its start square");
    let wish = json!({"options": {"start_with_one_piece": false, "allow_mixed_blockades": true, "time_per_turn": 90}});
    let changed = table.ask(&asha, "PATCH", "/options", wish);
    assert_eq!(changed.status, 200);
    let effective = |name: &str| table.option(&asha, name)["effective"].clone();
    assert_eq!((effective("time_per_turn"), effective("allow_mixed_blockades")), (json!("now"), json!("next_game")));
    let now = read(&game);
    assert_eq!(now.body["options"], before.body["options"], "the game in play keeps its rules");
    assert_eq!(
        (now.body["turn_timer"]["seconds"].as_u64(), now.body["deadline"].clone()),
        (Some(90), before.body["deadline"].clone()),
        "the present decision keeps its time"
    );
    let turn = if now.text("/turn") == "yellow" { &asha } else { &ravi };
    let thrown = throw(turn, &game);
    assert_eq!(thrown.status, 200);
    let deadline = |answer: &Answer| answer.text("/deadline");
    let next = read(&game);
    assert!(deadline(&next)[..19] > deadline(&before)[..19], "the next decision has the new time");
    asha.send("POST", &format!("{game}/resignations"), json!({}));
    between_games(&table, &server);
    let next = read(&start(&table, &asha));
    assert_eq!(
        (&next.body["options"]["start_with_one_piece"], &next.body["options"]["allow_mixed_blockades"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(on_start(&next), 0);
}

on_both_stores!(a_variant_of_the_rule_set_is_an_option);
fn a_variant_of_the_rule_set_is_an_option(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"start_with_one_piece": false}}));
    table.sit(&ravi, "red");
    let option = |name: &str| table.option(&asha, name);
    let change = |options: Value| table.ask(&asha, "PATCH", "/options", json!({"options": options}));
    let known = option("superparcheesi");
    assert_eq!(
        (&known["value"], &known["default"], &known["effective"]),
        (&json!(false), &json!(false), &json!("next_game"))
    );
    assert_eq!(known["group"], "variants");
    assert_eq!(change(json!({"superparcheesi": "yes"})).problem(), (422, "body_invalid"));
    let first = start(&table, &asha);
    let changed = change(json!({"superparcheesi": true}));
    assert_eq!((changed.status, &changed.body["changed"]), (200, &json!(["superparcheesi"])));
    assert_eq!(option("start_with_one_piece")["value"], false, "the options of the rule set stay as they are");
    let read = |game: &str| asha.send("GET", game, Value::Null);
    assert_eq!(read(&first).text("/rule_set/id"), "parcheesi", "the game in play keeps its rules");
    asha.send("POST", &format!("{first}/resignations"), json!({}));
    let between = between_games(&table, &server);
    assert_eq!(
        (between.text("/rule_set/id"), between.text("/variant/id")),
        ("parcheesi".into(), "superparcheesi".into())
    );
    let next = start(&table, &asha);
    let seen = read(&next);
    assert_eq!(
        (seen.text("/rule_set/id").as_str(), &seen.body["options"]["start_with_one_piece"]),
        ("superparcheesi", &json!(false))
    );
    let turn = if seen.text("/turn") == "yellow" { &asha } else { &ravi };
    let thrown = throw(turn, &next);
    assert_eq!(thrown.text("/events/0/throw").split('+').count(), 2, "two dice");
    asha.send("POST", &format!("{next}/resignations"), json!({}));
    between_games(&table, &server);
    // At most one variant is chosen at a time.
    change(json!({"parcheesi-two": true}));
    assert_eq!(
        (option("parcheesi-two")["value"].clone(), option("superparcheesi")["value"].clone()),
        (json!(true), json!(false))
    );
    change(json!({"parcheesi-two": false}));
    assert_eq!(read(&start(&table, &asha)).text("/rule_set/id"), "parcheesi");
    let other = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"superparcheesi": true}}));
    assert_eq!(other.read(&server).text("/variant/id"), "superparcheesi");
    let refused = asha.send("POST", "/v1/tables", json!({"rule_set": "pagade", "options": {"superparcheesi": true}}));
    assert_eq!(refused.problem(), (422, "body_invalid"), "no variant of Pagade has this name");
}

on_both_stores!(partners_sit_opposite_each_other_and_win_together);
fn partners_sit_opposite_each_other_and_win_together(data: TestStore) {
    let server = Server::start_with(&data, |config| config.rates = Rates::unlimited());
    let [asha, ravi] = ["Asha", "Ravi"].map(|name| TestPlayer::new(&server, name));
    let options = json!({"pairs": true, "time_per_turn": 0, "stand_in": "none"});
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": options}));
    table.sit(&ravi, "blue");
    let few = table.ask(&asha, "POST", "/games", json!({}));
    assert_eq!(few.problem(), (422, "table_invalid"), "pairs are four");
    for seat in ["red", "green"] {
        let seated = table.ask(&asha, "POST", &format!("/seats/{seat}/robot"), json!({"robot": "runner"}));
        assert_eq!(seated.status, 200, "{}", seated.raw);
    }
    let game = start(&table, &asha);
    assert_eq!(asha.send("GET", &game, Value::Null).body["options"]["pairs"], true);
    let layout = server.get("/v1/rule-sets/parcheesi/layout?options=pairs:true");
    let partner = |seat: &str| {
        let seats = layout.body["seats"].as_array().unwrap();
        seats.iter().find(|known| known["seat"] == seat).unwrap()["partner"].clone()
    };
    assert_eq!((partner("yellow"), partner("blue")), (json!("red"), json!("green")), "opposite seats");
    asha.send("POST", &format!("{game}/resignations"), json!({}));
    assert_eq!(asha.send("GET", &game, Value::Null).text("/status"), "playing", "the partner plays on");
    let refused = asha.send("POST", "/v1/tables", json!({"rule_set": "parchesi-us", "options": {"pairs": true}}));
    assert_eq!(refused.problem(), (422, "body_invalid"), "not offered by these rules");
}

on_both_stores!(the_throws_that_decide_who_begins_are_shown);
fn the_throws_that_decide_who_begins_are_shown(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0}}));
    for seat in ["blue", "red", "green"] {
        table.ask(&asha, "POST", &format!("/seats/{seat}/robot"), json!({"robot": "random"}));
    }
    let game = start(&table, &asha);
    let events = asha.send("GET", &format!("{game}/events"), Value::Null);
    let events = events.body["events"].as_array().unwrap();
    let started = events.iter().find(|event| event["event"] == "started").unwrap();
    let seen = asha.send("GET", &game, Value::Null).body;
    let rounds = seen["roll_off"].as_array().unwrap();
    assert_eq!(started["roll_off"], seen["roll_off"]);
    let first: Vec<_> = rounds[0].as_array().unwrap().iter().map(|thrown| thrown["seat"].as_str().unwrap()).collect();
    assert_eq!(first, ["yellow", "blue", "red", "green"], "robots throw, too");
    let best = |round: &Value| {
        let throws = round.as_array().unwrap().iter();
        let pips = |thrown: &Value| thrown["throw"].as_str().unwrap().parse::<u8>().unwrap();
        let most = throws.clone().map(pips).max().unwrap();
        throws.filter(|thrown| pips(thrown) == most).map(|thrown| thrown["seat"].clone()).collect::<Vec<_>>()
    };
    for pair in rounds.windows(2) {
        let again: Vec<_> = pair[1].as_array().unwrap().iter().map(|thrown| thrown["seat"].clone()).collect();
        assert_eq!(best(&pair[0]), again, "only those who are tied throw again");
    }
    assert_eq!(best(rounds.last().unwrap()), [started["seat"].clone()], "one seat has the highest throw");
    assert_eq!(seen["throw"].as_str().filter(|_| seen["steps"] == 0), None, "the throw is not played");
    let named = server.hot_seat(json!({"rule_set": "chopat"}));
    assert_eq!((&named.view["turn"], named.view.get("roll_off")), (&json!("black"), None), "the rules name who begins");
}

on_both_stores!(a_shorter_time_for_decisions_is_kept);
fn a_shorter_time_for_decisions_is_kept(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 600}}));
    table.sit(&ravi, "red");
    let game = start(&table, &asha);
    table.ask(&asha, "PATCH", "/options", json!({"options": {"time_per_turn": 1}}));
    let turn = if asha.send("GET", &game, Value::Null).text("/turn") == "yellow" { &asha } else { &ravi };
    assert_eq!(throw(turn, &game).status, 200);
    until("the server has played a late turn", || {
        asha.send("GET", &format!("{game}/events"), Value::Null).raw.contains("time_over")
    });
}

on_both_stores!(who_leaves_the_table_during_a_game_gives_up);
fn who_leaves_the_table_during_a_game_gives_up(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera, kiran] = ["Asha", "Ravi", "Meera", "Kiran"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"stand_in": "none"}}));
    table.sit(&ravi, "red");
    table.sit(&meera, "blue");
    let game = start(&table, &asha);
    assert_eq!(
        table.ask(&asha, "DELETE", "/seats/red", Value::Null).problem(),
        (409, "table_playing"),
        "the master puts nobody out of a game"
    );
    assert_eq!(table.ask(&asha, "DELETE", "/seats/yellow", Value::Null).status, 204);
    let read = table.read(&server);
    assert_eq!(
        (read.text("/master"), read.body["game"]["players"][0]["left"].as_bool()),
        (ravi.id.clone(), Some(true))
    );
    let seen = ravi.send("GET", &game, Value::Null);
    assert_eq!((seen.text("/seats/0/gave_up").as_str(), seen.text("/status").as_str()), ("resigned", "playing"));
    assert_eq!(table.sit(&kiran, "yellow").status, 201, "for the next game");
    assert_eq!(kiran.send("GET", &game, Value::Null).status, 200, "and sees this one");
    table.ask(&ravi, "DELETE", "/seats/red", Value::Null);
    let read = between_games(&table, &server);
    assert_eq!(read.body["past_games"][0]["players"][0]["name"], "Meera", "one side is left");
    assert_eq!(read.text("/master"), meera.id);
}

on_both_stores!(a_watcher_sees_the_games_and_plays_nothing);
fn a_watcher_sees_the_games_and_plays_nothing(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    let game = start(&table, &asha);
    assert_eq!(meera.send("GET", &game, Value::Null).problem(), (404, "game_not_found"));
    assert_eq!(throw(&meera, &game).problem(), (404, "game_not_found"));
    assert_eq!(table.ask(&meera, "POST", "/watchers", json!({})).status, 200);
    for rest in ["", "/events", "/board", "/legal"] {
        assert_eq!(meera.send("GET", &format!("{game}{rest}"), Value::Null).status, 200, "{rest}");
    }
    for (rest, body) in [("/resignations", json!({})), ("/agreements", json!({"to": "end"})), ("/abort", json!({}))] {
        assert_eq!(meera.send("POST", &format!("{game}{rest}"), body).status, 403, "{rest}");
    }
    assert_eq!(throw(&meera, &game).problem(), (403, "not_allowed"));
    // A player who sits down during a game sees the game, but does not play in it.
    let kiran = TestPlayer::new(&server, "Kiran");
    assert_eq!(kiran.send("GET", &game, Value::Null).problem(), (404, "game_not_found"));
    assert_eq!(table.sit(&kiran, "green").status, 201);
    assert_eq!(kiran.send("GET", &game, Value::Null).status, 200);
    assert_eq!(throw(&kiran, &game).problem(), (403, "not_allowed"));
    assert_eq!(table.ask(&kiran, "DELETE", "/seats/green", Value::Null).status, 204);
    assert_eq!(kiran.send("GET", &game, Value::Null).problem(), (403, "not_allowed"));
    for (rest, body) in [("/games", json!({})), ("/votes", json!({"on": "end"})), ("/link", json!({}))] {
        assert_eq!(table.ask(&meera, "POST", rest, body).status, 403, "{rest}");
    }
    let off = json!({"options": {"spectators_allowed": false}});
    assert_eq!(table.ask(&asha, "PATCH", "/options", off).status, 200);
    assert_eq!(table.read(&server).body["watchers"], json!([]));
    for rest in ["", "/events"] {
        let refused = meera.send("GET", &format!("{game}{rest}"), Value::Null);
        assert_eq!(refused.problem(), (403, "not_allowed"), "{rest}: the former watcher is told why");
        let stranger = TestPlayer::new(&server, "Sunil").send("GET", &format!("{game}{rest}"), Value::Null);
        assert_eq!(stranger.problem(), (404, "game_not_found"), "{rest}: to strangers there is no such game");
    }
    assert_eq!(table.ask(&meera, "GET", "/chat", Value::Null).problem(), (403, "not_allowed"));
    assert_eq!(table.ask(&meera, "POST", "/watchers", json!({})).problem(), (403, "not_allowed"));
    assert_eq!(asha.send("GET", &game, Value::Null).text("/status"), "playing", "the game goes on");
}

on_both_stores!(a_table_is_followed_as_a_game_is);
fn a_table_is_followed_as_a_game_is(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    let path = table.path.clone();
    std::thread::scope(|scope| {
        let read = || {
            let request = server.request("GET", &format!("{path}/events?after=3&wait=20"));
            got(request.timeout(Duration::from_secs(30)).send().unwrap())
        };
        let waiting = server.until_waiting("entity_and_events", || scope.spawn(read));
        table.sit(&ravi, "red");
        let page = waiting.join().unwrap();
        assert_eq!(page.text("/events/0/event"), "seat_taken");
        assert_eq!(page.text("/events/0/table/seats/2/name"), "Ravi", "the newest event has the table");
    });
    let ticket = table.ask(&ravi, "POST", "/tickets", json!({}));
    assert_eq!(ticket.status, 201);
    table.ask(&asha, "DELETE", "/seats/yellow", Value::Null);
    table.ask(&ravi, "DELETE", "/seats/red", Value::Null);
    let stream = server.request("GET", &ticket.text("/url")).header("Accept", "text/event-stream");
    let told = got(stream.timeout(Duration::from_secs(20)).send().unwrap()).raw;
    assert!(told.starts_with("id: ") && told.contains("event: snapshot") && told.contains("event: end"), "{told}");
}

on_both_stores!(a_deleted_player_is_forgotten_by_tables);
fn a_deleted_player_is_forgotten_by_tables(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    table.sit(&meera, "blue");
    table.ask(&ravi, "POST", "/chat", json!({"text": "a word of Ravi's"}));
    let game = start(&table, &asha);
    assert_eq!(ravi.ask("DELETE", "", Value::Null).status, 204);
    until("the table has forgotten the player", || {
        let page = table.ask(&asha, "GET", "/events", Value::Null).raw;
        !table.read(&server).raw.contains(&ravi.id) && !page.contains(&ravi.id)
    });
    let read = table.read(&server);
    assert!(!read.raw.contains("Ravi"), "{}", read.raw);
    assert_eq!(read.body["seats"][2]["taken"], false);
    assert_eq!(table.ask(&asha, "GET", "/chat", Value::Null).body["lines"], json!([]));
    until("the game goes on without the player", || {
        let seen = asha.send("GET", &game, Value::Null);
        !seen.raw.contains("Ravi") && seen.text("/seats/2/control") == "abandoned"
    });
}

on_both_stores!(a_webhook_receives_the_events_of_the_table_in_order);
fn a_webhook_receives_the_events_of_the_table_in_order(data: TestStore) {
    let server = Server::start_with(&data, |config| {
        config.webhooks.allows_private = true;
        config.admin = Some(Token::sent(ADMIN).hash());
    });
    let receiver = Receiver::start();
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    let hook = json!({"url": receiver.url, "events": ["seat_taken", "table_game_started", "table_game_ended"]});
    assert_eq!(table.ask(&ravi, "POST", "/webhooks", hook.clone()).problem(), (403, "not_allowed"));
    assert_eq!(table.ask(&asha, "POST", "/webhooks", hook).status, 201);
    table.sit(&ravi, "red");
    let game = start(&table, &asha);
    assert_eq!(ravi.send("POST", &format!("{game}/resignations"), json!({})).status, 200);
    until("the end of the game was told", || {
        receiver.messages().iter().any(|message| message.body.contains("table_game_ended"))
    });
    let bodies: Vec<Value> =
        receiver.messages().iter().map(|message| serde_json::from_str(&message.body).unwrap()).collect();
    assert!(bodies.iter().all(|body| body["type"] == "table.events" && body["data"]["table"] == json!(table.id)));
    let told = bodies.iter().flat_map(|body| body["data"]["events"].as_array().unwrap());
    let told: Vec<_> = told.map(|event| event["event"].as_str().unwrap().to_owned()).collect();
    assert_eq!(told, ["seat_taken", "table_game_started", "table_game_ended"], "what was asked for, once, in order");

    // When the master leaves, the master's webhook is removed, and the operator's webhook stays.
    let hook = json!({"url": receiver.url, "secret": null});
    let by_operator = server.request("POST", &format!("{}/webhooks", table.path)).bearer_auth(ADMIN);
    let kept = got(by_operator.header("Idempotency-Key", Uuid::now_v7().to_string()).json(&hook).send().unwrap());
    assert_eq!(kept.status, 201, "{}", kept.raw);
    assert_eq!(table.ask(&asha, "GET", "/webhooks", Value::Null).body["webhooks"].as_array().unwrap().len(), 2);
    assert_eq!(table.ask(&asha, "DELETE", "/seats/yellow", Value::Null).status, 204);
    let left = table.ask(&ravi, "GET", "/webhooks", Value::Null).body["webhooks"].clone();
    assert_eq!((left.as_array().unwrap().len(), &left[0]["id"]), (1, &kept.body["webhook"]["id"]));
    assert!(table.words(&ravi).iter().rev().any(|word| word == "table_webhooks_changed"));
}
