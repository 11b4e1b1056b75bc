//! Tests /v1/quick-play: strangers find each other.

use std::collections::BTreeSet;

use pagade_tests::wait::until;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::players::TestPlayer;

fn quick(player: &TestPlayer<'_>, wish: Value) -> Answer {
    player.send("POST", "/v1/quick-play", wish)
}

on_both_stores!(one_request_finds_a_seat_or_opens_a_table);
fn one_request_finds_a_seat_or_opens_a_table(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera, kiran] = ["Asha", "Ravi", "Meera", "Kiran"].map(|name| TestPlayer::new(&server, name));
    let wish = json!({"rule_set": "pagade"});
    let opened = quick(&asha, wish.clone());
    assert_eq!((opened.status, opened.header("location")), (201, &*format!("/v1/tables/{}", opened.text("/id"))));
    assert_eq!(opened.body["seats"].as_array().unwrap().len(), 2, "the smallest number of players");
    let again = quick(&asha, wish.clone());
    assert_eq!((again.status, again.text("/id")), (200, opened.text("/id")), "who waits stays there");
    // A request with another rule set, number of players, option or clock gets another table.
    let others = [
        json!({"rule_set": "chopat"}),
        json!({"rule_set": "pagade", "players": 4}),
        json!({"rule_set": "pagade", "options": {"time_per_turn": 60}}),
        json!({"rule_set": "pagade", "options": {"play_on": false}}),
    ];
    let ids: BTreeSet<_> = others
        .iter()
        .map(|other| quick(&meera, other.clone()))
        .collect::<Vec<_>>()
        .iter()
        .map(|other| {
            assert_eq!(other.status, 201, "{}", other.raw);
            other.text("/id")
        })
        .collect();
    assert_eq!(ids.len(), 4);
    let joined = quick(&ravi, wish.clone());
    assert_eq!((joined.status, joined.text("/id")), (200, opened.text("/id")));
    let path = format!("/v1/tables/{}", opened.text("/id"));
    until("the game begins by itself", || server.get(&path).text("/status") == "playing");
    let next = quick(&kiran, wish.clone());
    assert_eq!(next.status, 201, "the first table is full");
    assert_ne!(next.text("/id"), opened.text("/id"));
    for (wrong, pointer) in [
        (json!({"rule_set": "chess"}), "/rule_set"),
        (json!({"rule_set": "pagade", "players": 3}), "/players"),
        (json!({"rule_set": "pagade", "players": 9}), "/players"),
        (json!({"rule_set": "pagade", "options": {"private": true}}), "/options/private"),
        (json!({"rule_set": "pagade", "options": {"colour": "red"}}), "/options/colour"),
        (json!({"rule_set": "pagade", "name": "\u{202e}"}), "/name"),
    ] {
        let refused = quick(&kiran, wrong);
        assert_eq!((refused.problem(), refused.text("/problems/0/pointer").as_str()), ((422, "body_invalid"), pointer));
    }
}

on_both_stores!(strangers_find_a_table_that_a_person_opened);
fn strangers_find_a_table_that_a_person_opened(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let create = |player: &TestPlayer<'_>, more: Value| {
        let mut wish = json!({"rule_set": "pagade", "seats": ["red", "yellow"]});
        wish.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        player.send("POST", "/v1/tables", wish).text("/id")
    };
    create(&asha, json!({"options": {"private": true}}));
    let open = create(&asha, json!({"options": {"spectators_allowed": false}}));
    let named = quick(&ravi, json!({"rule_set": "pagade", "name": "Asha"}));
    assert_eq!((named.status, named.text("/id")), (200, open), "strangers meet, also if they have one name");
    let names = |table: &Answer| {
        let seats = table.body["seats"].as_array().unwrap().clone();
        seats.into_iter().map(|seat| seat["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&named), [json!("Asha"), Value::Null], "the second one sits there without a name");
    let again = quick(&meera, json!({"rule_set": "pagade"}));
    assert_eq!(again.status, 201, "that table is full");
    // A player who was blocked is not brought to the same table.
    let kiran = TestPlayer::new(&server, "Kiran");
    for waiting in [&asha, &ravi, &meera] {
        waiting.ask("PUT", &format!("/blocked/{}", kiran.id), Value::Null);
    }
    assert_eq!(quick(&kiran, json!({"rule_set": "pagade"})).status, 201);
}

on_both_stores!(strangers_play_again_after_a_game);
fn strangers_play_again_after_a_game(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let wish = json!({"rule_set": "pagade"});
    let key = Uuid::now_v7().to_string();
    let keyed = |player: &TestPlayer<'_>| {
        let request = server.request("POST", "/v1/quick-play").bearer_auth(&player.token);
        got(request.header("Idempotency-Key", &key).json(&wish).send().unwrap())
    };
    let first = quick(&asha, wish.clone()).text("/id");
    let path = format!("/v1/tables/{first}");
    let joined = keyed(&ravi);
    assert_eq!((joined.status, joined.text("/id")), (200, first.clone()));
    until("the game begins", || server.get(&path).text("/status") == "playing");
    let again = keyed(&ravi);
    assert_eq!((again.status, again.header("idempotency-replayed"), &again.raw), (200, "true", &joined.raw));
    assert_eq!(quick(&ravi, wish.clone()).text("/id"), first, "who plays stays there");
    assert_eq!(keyed(&ravi).raw, again.raw);
    let game = server.get(&path).text("/game/id");
    assert_eq!(ravi.send("POST", &format!("/v1/games/{game}/resignations"), json!({})).status, 200);
    until("the game is over", || server.get(&path).text("/status") == "open");
    assert_eq!(keyed(&ravi).raw, again.raw, "a repeated request does nothing, also after the game");
    // Quick play brings nobody to a table that has had a game, because the players who still sit there may be away. So
    // Asha does not meet Ravi again.
    let next = quick(&asha, wish.clone());
    assert_eq!((next.status, next.text("/id") == first), (201, false));
    let seats = server.get(&path).body["seats"].clone();
    let sitters: Vec<_> = seats.as_array().unwrap().iter().filter_map(|seat| seat["player"].as_str()).collect();
    assert_eq!(sitters, [ravi.id.as_str()], "she has left the old table");
    let met = quick(&meera, wish.clone());
    assert_eq!((met.status, met.text("/id")), (200, next.text("/id")));
    // When Ravi comes back, he leaves the old table, too, and it is closed.
    let back = quick(&ravi, wish.clone());
    assert_eq!(back.status, 201, "{}", back.raw);
    assert_eq!(server.get(&path).text("/status"), "closed");
}

on_both_stores!(a_player_who_asks_twice_at_the_same_moment_sits_once);
fn a_player_who_asks_twice_at_the_same_moment_sits_once(data: TestStore) {
    let one = Server::start(&data);
    let other = data.store().map(|_| Server::start(&data));
    let servers = [&one, other.as_ref().unwrap_or(&one)];
    for round in 0..6 {
        let asha = TestPlayer::new(&one, &format!("Asha {round}"));
        // The clock differs in each round, so quick play does not bring players to a table of an earlier round.
        let wish = json!({"rule_set": "pagade", "options": {"time_per_turn": 40 + round}});
        let key = Uuid::now_v7().to_string();
        let ask = |server: &Server| {
            let request = server.request("POST", "/v1/quick-play").bearer_auth(&asha.token);
            // In half of the rounds both requests have the same idempotency key: one request that is sent twice.
            let request = if round % 2 == 0 { request.header("Idempotency-Key", &key) } else { request };
            got(request.json(&wish).send().unwrap())
        };
        let answers: Vec<_> = std::thread::scope(|scope| {
            let asked = servers.map(|server| scope.spawn(move || ask(server)));
            asked.into_iter().map(|asked| asked.join().unwrap()).collect()
        });
        assert!(answers.iter().all(|answer| answer.status < 300), "{answers:?}");
        if round % 2 == 0 {
            assert_eq!((answers[0].status, &answers[0].raw), (answers[1].status, &answers[1].raw));
        }
        let tables = asha.ask("GET", "/tables", Value::Null).body["tables"].as_array().unwrap().len();
        assert_eq!(tables, 1, "round {round}");
    }
}

on_both_stores!(callers_who_come_at_the_same_moment_meet);
fn callers_who_come_at_the_same_moment_meet(data: TestStore) {
    let one = Server::start(&data);
    // On Redis, two processes serve the callers.
    let other = data.store().map(|_| Server::start(&data));
    let servers = [&one, other.as_ref().unwrap_or(&one)];
    for (rule_set, count) in [("pagade", 2), ("parcheesi", 4)] {
        let players: Vec<_> =
            (0..8).map(|number| TestPlayer::new(servers[number % 2], &format!("Player {number}"))).collect();
        let wish = json!({"rule_set": rule_set, "players": count});
        let tables: Vec<String> = std::thread::scope(|scope| {
            let asked: Vec<_> = players.iter().map(|player| scope.spawn(|| quick(player, wish.clone()))).collect();
            asked.into_iter().map(|asked| asked.join().unwrap().text("/id")).collect()
        });
        let different: BTreeSet<_> = tables.iter().collect();
        assert_eq!(different.len(), 8 / count, "nobody waits alone: {tables:?}");
        for table in different {
            until("the game begins", || one.get(&format!("/v1/tables/{table}")).text("/status") == "playing");
        }
    }
}
