//! Tests games that are played with the tokens of players, and the list of a player's games.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::events::messages;
use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::players::TestPlayer;

/// Creates a game of two in which `red` sits from the beginning, and joins it with the other player.
pub(crate) fn played<'s>(red: &TestPlayer<'s>, yellow: &TestPlayer<'s>, more: Value) -> (String, Answer) {
    let mut wish = json!({"rule_set": "pagade", "players": ["red", "yellow"], "my_seat": "red"});
    wish.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let created = red.send("POST", "/v1/games", wish);
    assert_eq!(created.status, 201, "{}", created.raw);
    let path = format!("/v1/games/{}", created.text("/game/id"));
    let mut joins = json!({});
    if let Some(invitation) = created.body["invitation"].as_str() {
        joins["invitation"] = json!(invitation);
    }
    let joined = yellow.send("POST", &format!("{path}/seats/yellow"), joins);
    assert_eq!(joined.status, 201, "{}", joined.raw);
    let start = red.server.request("POST", &format!("{path}/start")).bearer_auth(created.text("/token"));
    assert_eq!(got(start.send().unwrap()).status, 200);
    (path, joined)
}

pub(crate) fn command(player: &TestPlayer<'_>, path: &str, body: Value) -> Answer {
    let request = player.server.request("POST", path).bearer_auth(&player.token).header("If-Match", "*");
    got(request.json(&body).send().unwrap())
}

/// Plays the game with the tokens of its players until it has this many steps, or is over.
pub(crate) fn play(players: &[(&str, &TestPlayer<'_>)], path: &str, steps: u64) -> Value {
    loop {
        let game = players[0].1.send("GET", path, Value::Null).body;
        if game["status"] == "finished" || game["steps"].as_u64().unwrap() >= steps {
            return game;
        }
        let (_, due) = players.iter().find(|(seat, _)| game["turn"] == *seat).unwrap();
        let answer = match game["legal"].get(0) {
            Some(action) => command(due, &format!("{path}/actions"), json!({"actions": [action]})),
            None => command(due, &format!("{path}/throws"), json!({})),
        };
        assert_eq!(answer.status, 200, "{}", answer.raw);
    }
}

on_both_stores!(players_play_a_game_with_their_own_tokens);
fn players_play_a_game_with_their_own_tokens(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let stranger = TestPlayer::new(&server, "Stranger");
    let (path, joined) = played(&asha, &ravi, json!({"private": true}));
    let seat = |index: usize| joined.body["game"]["seats"][index].clone();
    assert_eq!((seat(0)["player"].as_str(), seat(0)["name"].as_str()), (Some(asha.id.as_str()), Some("Asha")));
    assert_eq!((seat(1)["player"].as_str(), seat(1)["name"].as_str()), (Some(ravi.id.as_str()), Some("Ravi")));
    assert_eq!(stranger.send("GET", &path, Value::Null).problem(), (404, "game_not_found"));
    let game = play(&[("red", &asha), ("yellow", &ravi)], &path, 12);
    let (due, waiting) = if game["turn"] == "red" { (&asha, &ravi) } else { (&ravi, &asha) };
    let throw = |player: &TestPlayer<'_>| command(player, &format!("{path}/throws"), json!({}));
    assert_eq!(throw(waiting).problem(), (409, "not_your_turn"));
    assert_eq!(throw(&stranger).problem(), (404, "game_not_found"), "a private game does not exist for others");
    assert_eq!(command(due, &format!("{path}/start"), json!({})).problem(), (403, "not_allowed"));
    let resigned = command(waiting, &format!("{path}/resignations"), json!({}));
    assert_eq!((resigned.status, resigned.text("/status").as_str()), (200, "finished"));
}

on_both_stores!(a_player_has_one_seat_in_a_game_and_leaves_it_before_the_start);
fn a_player_has_one_seat_in_a_game_and_leaves_it_before_the_start(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let created = asha.send("POST", "/v1/games", json!({"rule_set": "pagade", "my_seat": "red"}));
    let path = format!("/v1/games/{}", created.text("/game/id"));
    let join =
        |player: &TestPlayer<'_>, seat: &str, body: Value| player.send("POST", &format!("{path}/seats/{seat}"), body);
    assert_eq!(join(&asha, "yellow", json!({})).problem(), (409, "seated_already"));
    let other = TestPlayer::new(&server, "ASHA");
    assert_eq!(join(&other, "red", json!({})).problem(), (409, "seat_taken"));
    assert_eq!(join(&other, "yellow", json!({})).problem(), (409, "name_taken"), "names in a game differ");
    let deceives = json!({"name": "\u{410}sh\u{430}"});
    assert_eq!(
        join(&other, "yellow", deceives).problem(),
        (409, "name_taken"),
        "Cyrillic letters look like Latin ones"
    );
    assert_eq!(join(&other, "yellow", json!({"name": "Asha the second"})).status, 201);
    assert_eq!(other.send("DELETE", &format!("{path}/seats/red"), Value::Null).problem(), (403, "not_allowed"));
    assert_eq!(asha.send("DELETE", &format!("{path}/seats/red"), Value::Null).status, 204);
    let seats = server.get(&path).body["seats"].clone();
    assert_eq!((&seats[0]["taken"], seats[0].get("player")), (&json!(false), None));
    assert_eq!(asha.ask("GET", "/games", Value::Null).body["games"], json!([]));
    assert_eq!(join(&asha, "red", json!({})).status, 201, "she may come back");
    assert_eq!(asha.ask("GET", "/games", Value::Null).text("/games/0/my_seat"), "red");
    for (wish, pointer) in [
        (json!({"rule_set": "pagade", "my_seat": "pink"}), "/my_seat"),
        (json!({"rule_set": "pagade", "my_seat": "red", "hot_seat": true}), "/my_seat"),
        (json!({"rule_set": "pagade", "seats": {"red": {"invitation": "x"}}}), "/seats/red/invitation"),
    ] {
        let refused = asha.send("POST", "/v1/games", wish);
        assert_eq!((refused.problem(), refused.text("/problems/0/pointer").as_str()), ((422, "body_invalid"), pointer));
    }
    let refused = server.post("/v1/games", json!({"rule_set": "pagade", "my_seat": "red"}));
    assert_eq!((refused.problem(), refused.text("/problems/0/pointer")), ((422, "body_invalid"), "/my_seat".into()));
}

on_both_stores!(my_games_are_listed_with_seat_turn_and_status);
fn my_games_are_listed_with_seat_turn_and_status(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let mut paths: Vec<_> = (0..5).map(|number| played(&asha, &ravi, json!({"private": number % 2 == 0})).0).collect();
    server.hot_seat(json!({}));
    assert_eq!(command(&ravi, &format!("{}/resignations", paths[1]), json!({})).status, 200);
    paths.reverse();
    let ids = |answer: &Answer| {
        let games = answer.body["games"].as_array().unwrap().iter();
        games.map(|game| format!("/v1/games/{}", game["id"].as_str().unwrap())).collect::<Vec<_>>()
    };
    let all = asha.ask("GET", "/games", Value::Null);
    assert_eq!(ids(&all), paths, "newest first, private ones too, and no game of others");
    let first = &all.body["games"][0];
    assert_eq!((&first["my_seat"], &first["rule_set"]["id"]), (&json!("red"), &json!("pagade")));
    assert_eq!((&first["status"], &first["awaits"]), (&json!("playing"), &json!("throw")));
    assert!(first["turn"].is_string(), "{first}");
    let finished = ravi.ask("GET", "/games?status=finished", Value::Null);
    assert_eq!(ids(&finished), [paths[3].clone()]);
    assert_eq!(finished.body["games"][0]["ranking"][0]["seat"], "red");
    assert_eq!(ids(&ravi.ask("GET", "/games?status=playing", Value::Null)).len(), 4);
    assert_eq!(ids(&ravi.ask("GET", "/games?status=open", Value::Null)).len(), 0);
    let (mut paged, mut next) = (Vec::new(), format!("/v1/players/{}/games?limit=2&status=playing", asha.id));
    while !next.is_empty() {
        let page = asha.send("GET", &next, Value::Null);
        paged.extend(ids(&page));
        next = page.header("link").trim_start_matches('<').split('>').next().unwrap().to_owned();
    }
    assert_eq!(paged, [&paths[..3], &paths[4..]].concat());
    // The list of public games shows no games of a player, even if `rule_set` looks like the store's tag of this
    // player.
    let tag = format!("/v1/games?rule_set=player/{}", asha.id.replace('-', ""));
    assert_eq!(server.get(&tag).body["games"], json!([]));
    assert_eq!(ravi.send("GET", &format!("/v1/players/{}/games", asha.id), Value::Null).status, 404);
    assert_eq!(asha.ask("GET", "/games?status=over", Value::Null).problem(), (400, "bad_query"));
}

on_both_stores!(a_renewed_token_of_a_player_plays_and_the_old_one_does_not);
fn a_renewed_token_of_a_player_plays_and_the_old_one_does_not(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let (path, _) = played(&asha, &ravi, json!({}));
    let renewed = asha.ask("POST", "/token", json!({})).text("/token");
    let new = TestPlayer { token: renewed, id: asha.id.clone(), server: &server };
    let game = play(&[("red", &new), ("yellow", &ravi)], &path, 3);
    assert!(game["steps"].as_u64() >= Some(3));
    assert_eq!(command(&asha, &format!("{path}/resignations"), json!({})).problem(), (401, "token_unknown"));
    assert_eq!(command(&new, &format!("{path}/resignations"), json!({})).status, 200);
}

on_both_stores!(a_ticket_of_a_player_opens_the_stream_of_a_private_game);
fn a_ticket_of_a_player_opens_the_stream_of_a_private_game(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let (path, _) = played(&asha, &ravi, json!({"private": true}));
    let ticket = asha.send("POST", &format!("{path}/tickets"), json!({}));
    let request = server.request("GET", &ticket.text("/url")).header("Accept", "text/event-stream");
    let mut lines =
        BufReader::new(request.timeout(Duration::from_secs(30)).send().unwrap()).lines().map_while(Result::ok);
    assert_eq!(messages(&mut lines, 1)[0].1, "snapshot");
    until("the player is present at the own seat", || {
        ravi.send("GET", &format!("{path}/presence"), Value::Null).body["seats"][0]["connected"] == true
    });
    let turn = asha.send("GET", &path, Value::Null).text("/turn");
    let due = if turn == "red" { &asha } else { &ravi };
    assert_eq!(command(due, &format!("{path}/throws"), json!({})).status, 200);
    assert_eq!(messages(&mut lines, 1)[0].1, "thrown");
}
