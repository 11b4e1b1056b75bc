//! Tests the deletion and the export of players.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::events::messages;
use crate::harness::{Server, TestStore, got, on_both_stores};
use crate::player_games::{command, play, played};
use crate::players::TestPlayer;
use crate::table_games::start;
use crate::tables::TestTable;
use crate::tournaments::{TestTournament, swiss};

const NEVER: &str = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11";

/// Reads the first 1,000 events at `path` with the token of a player. Returns them as JSON text.
fn all_events(player: &TestPlayer<'_>, path: &str) -> String {
    player.send("GET", &format!("{path}/events?limit=1000"), Value::Null).body["events"].to_string()
}

on_both_stores!(a_deleted_player_is_like_one_who_never_was);
fn a_deleted_player_is_like_one_who_never_was(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let path = format!("/v1/players/{}", asha.id);
    assert_eq!(got(server.request("DELETE", &path).send().unwrap()).problem(), (401, "token_missing"));
    assert_eq!(ravi.send("DELETE", &path, Value::Null).problem(), (404, "player_not_found"));
    let stale = server.request("DELETE", &path).bearer_auth(&asha.token).header("If-Match", "\"7\"");
    assert_eq!(got(stale.send().unwrap()).problem(), (412, "version_conflict"));
    assert_eq!(asha.ask("GET", "", Value::Null).status, 200, "nothing of this has deleted the player");
    assert_eq!(asha.ask("DELETE", "", Value::Null).status, 204);
    let hook = json!({"url": "https://club.example/pagade"});
    for (method, rest, body) in [
        ("GET", "", Value::Null),
        ("PATCH", "", json!({"name": "x"})),
        ("DELETE", "", Value::Null),
        ("GET", "/export", Value::Null),
        ("GET", "/games", Value::Null),
        ("GET", "/events", Value::Null),
        ("GET", "/webhooks", Value::Null),
        ("POST", "/webhooks", hook),
        ("POST", "/token", json!({})),
        ("POST", "/tickets", json!({})),
    ] {
        let gone = asha.ask(method, rest, body.clone());
        let never = asha.send(method, &format!("/v1/players/{NEVER}{rest}"), body);
        assert_eq!(gone.full_problem(), never.full_problem(), "{method} {rest}");
        assert_eq!(gone.problem(), (404, "player_not_found"), "{method} {rest}");
    }
    let guess =
        TestPlayer { token: format!("pagade_player_{}_00", NEVER.replace('-', "")), id: NEVER.to_owned(), ..ravi };
    let me = |player: &TestPlayer<'_>| player.send("GET", "/v1/me", Value::Null).full_problem();
    assert_eq!(me(&asha), me(&guess));
    for player in [&asha, &guess] {
        let create = player.send("POST", "/v1/games", json!({"rule_set": "pagade", "my_seat": "red"}));
        assert_eq!(create.problem(), (401, "token_unknown"), "the token is that of no player");
    }
}

on_both_stores!(games_forget_a_deleted_player_and_can_be_replayed);
fn games_forget_a_deleted_player_and_can_be_replayed(data: TestStore) {
    let server = Server::start(&data);
    let name = "Asha of Bijapur";
    let (asha, ravi) = (TestPlayer::new(&server, name), TestPlayer::new(&server, "Ravi"));
    let mira = TestPlayer::new(&server, "Mira");
    let is_named = |text: &str| text.contains(name) || text.contains(&asha.id);
    // Asha has a game that is over, one in play and one that is open, and has left another one before it started.
    let (over, _) = played(&asha, &ravi, json!({"private": true}));
    play(&[("red", &asha), ("yellow", &ravi)], &over, 20);
    assert_eq!(command(&ravi, &format!("{over}/resignations"), json!({})).status, 200);
    let (playing, joined) = played(&mira, &asha, json!({}));
    let seat_token = joined.text("/token");
    let halfway = play(&[("red", &mira), ("yellow", &asha)], &playing, 12);
    let wish = json!({"rule_set": "pagade", "my_seat": "red", "title": "Sunday"});
    let open = format!("/v1/games/{}", ravi.send("POST", "/v1/games", wish.clone()).text("/game/id"));
    let contributes = json!({"contribution": "nine tamarind seeds"});
    assert_eq!(asha.send("POST", &format!("{open}/seats/yellow"), contributes.clone()).status, 201);
    let left = format!("/v1/games/{}", ravi.send("POST", "/v1/games", wish).text("/game/id"));
    assert_eq!(asha.send("POST", &format!("{left}/seats/yellow"), contributes).status, 201);
    assert_eq!(asha.send("DELETE", &format!("{left}/seats/yellow"), Value::Null).status, 204);
    let games = [&over, &playing, &open, &left];
    let reader = |path: &str| if path == playing { &mira } else { &ravi };
    for path in games {
        assert!(is_named(&all_events(reader(path), path)), "{path}");
    }
    let before = ravi.send("GET", &format!("{over}?at=10"), Value::Null).body["position"].clone();
    let stream = server.request("GET", &format!("/v1/players/{}/events", asha.id)).bearer_auth(&asha.token);
    let stream = stream.header("Accept", "text/event-stream").timeout(Duration::from_secs(30)).send().unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    assert_eq!(messages(&mut lines, 1)[0].1, "snapshot");

    assert_eq!(asha.ask("DELETE", "", Value::Null).status, 204);
    assert!(lines.any(|line| line == "event: end"), "the own stream ends");
    until("all games have forgotten the player", || {
        games.iter().all(|path| {
            let game = reader(path).send("GET", path, Value::Null);
            !is_named(&game.raw) && !is_named(&all_events(reader(path), path))
        })
    });
    let seat = |path: &str, index: usize| reader(path).send("GET", path, Value::Null).body["seats"][index].clone();
    for (path, index) in [(&over, 0), (&playing, 1)] {
        let seat = seat(path, index);
        assert_eq!((&seat["name"], &seat["taken"], seat.get("player")), (&json!("deleted player"), &json!(true), None));
    }
    assert_eq!((&seat(&open, 1)["taken"], seat(&open, 1).get("name")), (&json!(false), None), "the seat is free again");
    assert_eq!(ravi.send("GET", &format!("{over}?at=10"), Value::Null).body["position"], before);
    assert_eq!(ravi.send("GET", &format!("{over}/record"), Value::Null).status, 200);
    let game = mira.send("GET", &playing, Value::Null).body;
    assert_eq!((&game["status"], &game["ended_by"]), (&json!("finished"), &json!("resignation")));
    assert_eq!(game["ranking"][0]["seat"], "red", "nobody has to wait for a player who is gone");
    let again = mira.send("GET", &format!("{playing}?at=12"), Value::Null).body;
    assert_eq!(again["position"], halfway["position"]);
    let seat = server.request("GET", &playing).bearer_auth(&seat_token);
    assert_eq!(got(seat.send().unwrap()).problem(), (401, "token_revoked"));
    assert_eq!(asha.send("GET", &over, Value::Null).problem(), (404, "game_not_found"));
    until("the other player is told", || {
        let events = mira.ask("GET", "/events?limit=1000", Value::Null).body["events"].clone();
        events.as_array().unwrap().iter().any(|event| event["event"] == "game_ended")
    });
    for other in [&ravi, &mira] {
        assert!(!is_named(&other.ask("GET", "/export", Value::Null).raw), "no trace in what others have");
    }
}

on_both_stores!(the_group_of_a_deleted_game_forgets_a_deleted_player);
fn the_group_of_a_deleted_game_forgets_a_deleted_player(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha of Bijapur");
    let group = server.post("/v1/groups", json!({"title": "Round 1"}));
    let (path, owner) = (format!("/v1/groups/{}", group.text("/group/id")), group.text("/token"));
    let ask = |method: &str, path: &str| server.request(method, path).bearer_auth(&owner);
    let wish = json!({"games": [{"rule_set": "pagade", "players": ["red", "yellow"]}]});
    let key = uuid::Uuid::now_v7().to_string();
    let created = ask("POST", &format!("{path}/games")).header("Idempotency-Key", key).json(&wish);
    let created = got(created.send().unwrap());
    let game = format!("/v1/games/{}", created.text("/games/0/id"));
    let joined = asha.send("POST", &format!("{game}/seats/red"), json!({}));
    assert_eq!(joined.status, 201, "{}", joined.raw);
    let group_text = || got(ask("GET", &format!("{path}/events?limit=1000")).send().unwrap()).raw;
    until("the group has the event", || group_text().contains("Asha of Bijapur"));
    until("the inbox has the group", || asha.ask("GET", "/events", Value::Null).raw.contains("group_id"));
    let deleted = got(server.request("DELETE", &game).bearer_auth(created.text("/games/0/token")).send().unwrap());
    assert_eq!(deleted.status, 204, "{}", deleted.raw);
    until("the player has left the deleted game", || asha.ask("GET", "/events", Value::Null).raw.contains("game_left"));
    assert_eq!(asha.ask("DELETE", "", Value::Null).status, 204);
    until("the group has forgotten the player", || {
        let group_text = group_text();
        !group_text.contains("Asha of Bijapur") && !group_text.contains(&asha.id)
    });
}

on_both_stores!(a_group_forgets_a_deleted_player);
fn a_group_forgets_a_deleted_player(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha of Bijapur");
    let group = server.post("/v1/groups", json!({"title": "Round 1"}));
    assert_eq!(group.status, 201, "{}", group.raw);
    let (path, owner) = (format!("/v1/groups/{}", group.text("/group/id")), group.text("/token"));
    let ask = |method: &str, path: &str| server.request(method, path).bearer_auth(&owner);
    let wish = json!({"games": [{"rule_set": "pagade", "players": ["red", "yellow"]}]});
    let key = uuid::Uuid::now_v7().to_string();
    let created = ask("POST", &format!("{path}/games")).header("Idempotency-Key", key).json(&wish);
    let created = got(created.send().unwrap());
    assert_eq!(created.status, 201, "{}", created.raw);
    let game = format!("/v1/games/{}", created.text("/games/0/id"));
    assert_eq!(asha.send("POST", &format!("{game}/seats/red"), json!({})).status, 201);
    let group_text = || {
        let (events, games) = (format!("{path}/events?limit=1000"), format!("{path}/games"));
        [&events, &games].map(|path| got(ask("GET", path).send().unwrap()).raw).concat()
    };
    let is_named = || group_text().contains("Asha of Bijapur") || group_text().contains(&asha.id);
    until("the group has the event", || {
        got(ask("GET", &format!("{path}/events")).send().unwrap()).raw.contains(&asha.id)
    });
    assert_eq!(asha.ask("DELETE", "", Value::Null).status, 204);
    until("the group has forgotten the player", || !is_named());
}

on_both_stores!(an_export_has_everything_about_the_player_and_no_secret);
fn an_export_has_everything_about_the_player_and_no_secret(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let seed = "nine tamarind seeds";
    let secret = "whsec_bmluZSB0YW1hcmluZCBzZWVkcyBhbmQgb25l";
    let hook = asha.ask("POST", "/webhooks", json!({"url": "https://app.example/push", "secret": secret}));
    assert_eq!(hook.status, 201, "{}", hook.raw);
    let wish = json!({"rule_set": "pagade", "my_seat": "red", "seats": {"red": {"contribution": seed}}});
    let created = asha.send("POST", "/v1/games", wish);
    assert_eq!(created.status, 201, "{}", created.raw);
    until("the inbox is told", || asha.ask("GET", "/events", Value::Null).raw.contains("game_joined"));
    let export = asha.ask("GET", "/export", Value::Null);
    assert_eq!(export.status, 200, "{}", export.raw);
    let part = |rest: &str, field: &str| asha.ask("GET", rest, Value::Null).body[field].clone();
    assert_eq!(export.body["player"], asha.send("GET", "/v1/me", Value::Null).body["player"]);
    // The service may try the first delivery to the webhook between the two reads, which changes the webhook's status.
    until("both show the same webhooks", || {
        asha.ask("GET", "/export", Value::Null).body["webhooks"] == part("/webhooks", "webhooks")
    });
    let mut game = export.body["games"][0].clone();
    assert_eq!(game.as_object_mut().unwrap().remove("my_contribution"), Some(json!(seed)));
    assert_eq!(json!([game]), part("/games", "games"));
    let words = |events: &Value| {
        let events = events.as_array().unwrap().iter();
        events.map(|event| (event["id"].clone(), event["event"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(words(&export.body["events"]), words(&part("/events", "events")));
    for hidden in [secret, &asha.token, &created.text("/token")] {
        assert!(!export.raw.contains(hidden), "{hidden}");
    }
    assert_eq!(
        ravi.send("GET", &format!("/v1/players/{}/export", asha.id), Value::Null).problem(),
        (404, "player_not_found")
    );
}

on_both_stores!(an_export_says_what_a_player_did_at_tables_and_in_tournaments);
fn an_export_says_what_a_player_did_at_tables_and_in_tournaments(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let wish = || json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0, "competitive": false}});
    let at = |table: &TestTable, by: &TestPlayer<'_>, method: &str, rest: &str, body: Value| {
        let answer = table.ask(by, method, rest, body);
        assert!((200..300).contains(&answer.status), "{}", answer.raw);
    };
    // Asha plays at one table, is muted there, invites, and reports a line; another one has invited her, and she
    // watches the third one.
    let played = TestTable::new(&ravi, wish());
    at(&played, &asha, "POST", "/seats/red", json!({"name": "Asha K"}));
    at(&played, &ravi, "POST", "/chat", json!({"text": "a word of another"}));
    at(&played, &asha, "POST", "/chat", json!({"text": "a word"}));
    at(&played, &asha, "POST", "/chat/1/reports", json!({}));
    at(&played, &asha, "POST", "/invitations", json!({"player": meera.id}));
    at(&played, &ravi, "PATCH", &format!("/mutes/{}", asha.id), json!({"muted": true}));
    let game = start(&played, &ravi);
    at(&played, &asha, "POST", "/votes", json!({"on": "end"}));
    let invited = TestTable::new(&ravi, wish());
    at(&invited, &ravi, "POST", "/invitations", json!({"player": asha.id}));
    let watched = TestTable::new(&ravi, wish());
    at(&watched, &meera, "POST", "/seats/red", json!({}));
    at(&watched, &asha, "POST", "/watchers", json!({}));
    let seen = start(&watched, &ravi);
    let cup = TestTournament::new(&server, swiss(1), json!({}));
    assert_eq!(cup.ask(&asha.token, "POST", "/entrants", json!({"entrants": [{"name": "A"}]})).status, 201);

    until("the watcher may see the game", || asha.send("GET", &seen, Value::Null).status == 200);
    let export = asha.ask("GET", "/export", Value::Null);
    assert_eq!(export.status, 200, "{}", export.raw);
    let tables = export.body["tables"].as_array().unwrap();
    let table = |wanted: &TestTable| tables.iter().find(|table| table["id"] == wanted.id.as_str()).unwrap();
    assert_eq!(tables.len(), 3);
    let of_played = table(&played);
    assert_eq!((&of_played["my_roles"], &of_played["my_seat"]), (&json!(["seated"]), &json!("red")));
    assert_eq!((&of_played["my_name"], &of_played["muted"]), (&json!("Asha K"), &json!(true)));
    assert_eq!((&of_played["my_lines"][0]["line"], &of_played["my_lines"][0]["text"]), (&json!(2), &json!("a word")));
    assert_eq!((of_played["my_lines"].as_array().unwrap().len(), &of_played["my_reports"]), (1, &json!([1])));
    assert_eq!(of_played["invited_by_me"][0]["player"], meera.id.as_str());
    assert_eq!((&of_played["my_vote"]["on"], &of_played["my_vote"]["opened"]), (&json!("end"), &json!(true)));
    assert_eq!(of_played["my_games"][0]["id"], game.rsplit('/').next().unwrap());
    assert_eq!(
        (&of_played["my_games"][0]["me"]["seat"], of_played["my_games"].as_array().unwrap().len()),
        (&json!("red"), 1)
    );
    let events = of_played["events"].as_array().unwrap();
    let words: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert!(words.starts_with(&["seat_taken"]) && words.contains(&"vote_opened"), "{words:?}");
    assert!(events.iter().all(|event| event["player"] == asha.id.as_str()), "{events:?}");
    assert_eq!(
        (&table(&invited)["my_roles"], &table(&invited)["invitation"]["by"]),
        (&json!(["invited"]), &json!(ravi.id))
    );
    assert_eq!(table(&watched)["my_roles"], json!(["watching"]));
    assert_eq!(export.body["watched_games"], json!([seen.rsplit('/').next().unwrap()]));
    let entered = &export.body["tournaments"][0];
    assert_eq!((&entered["id"], &entered["my_entries"][0]["number"]), (&json!(cup.id), &json!(1)));
    assert_eq!(entered["my_entries"][0]["name"], "A");
    assert!(!export.raw.contains("a word of another"), "what others said is theirs");
}

on_both_stores!(a_player_who_is_deleted_is_not_paired_any_more);
fn a_player_who_is_deleted_is_not_paired_any_more(data: TestStore) {
    let server = Server::start(&data);
    let players: Vec<TestPlayer<'_>> =
        ["Asha", "Bina", "Chitra", "Devi"].map(|name| TestPlayer::new(&server, name)).into();
    let cup = TestTournament::new(&server, swiss(3), json!({"turn_timer": {"seconds": 600}}));
    let open = TestTournament::new(&server, swiss(3), json!({}));
    for player in &players {
        for cup in [&cup, &open] {
            let body = json!({"entrants": [{}]});
            let entered = server.request("POST", &cup.path("/entrants")).bearer_auth(&player.token);
            assert_eq!(got(entered.json(&body).send().unwrap()).status, 201);
        }
    }
    assert_eq!(cup.post("/start", json!({})).status, 200);
    cup.pair();
    let gone = &players[3];
    assert_eq!(gone.send("DELETE", &format!("/v1/players/{}", gone.id), Value::Null).status, 204);
    let names = |cup: &TestTournament<'_>| cup.get("").body["entrants"].to_string();
    until("the player is erased", || !names(&cup).contains("Devi") && !names(&open).contains("Devi"));
    assert_eq!(open.get("").body["entrants"].as_array().unwrap().len(), 3, "before the start, the entry ends");
    assert_eq!(cup.get("").body["entrants"][3]["left_before_round"], 2);
    until("the game of the player is over", || {
        let tables = cup.round(1)["tables"].clone();
        let table = tables.as_array().unwrap().iter().find(|table| table["entrants"].to_string().contains('4'));
        table.unwrap()["games"][0]["status"] == "finished"
    });
    let tables = cup.round(1)["tables"].as_array().unwrap().len();
    for table in 1..=tables {
        if cup.round(1)["tables"][table - 1]["result"].is_null() {
            let seats = cup.round(1)["tables"][table - 1]["entrants"].clone();
            let pair = [(seats[0].as_u64().unwrap(), 1), (seats[1].as_u64().unwrap(), 2)];
            assert_eq!(cup.result(&cup.arbiter, [1, table], &pair).status, 200);
        }
    }
    let second = cup.pair();
    let tables = second["tables"].as_array().unwrap().iter();
    let mut seated = tables.flat_map(|table| table["entrants"].as_array().unwrap());
    assert!(seated.all(|entrant| *entrant != 4), "{second}");
}
