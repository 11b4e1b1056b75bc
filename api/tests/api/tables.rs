//! Tests /v1/tables: sitting down, options, invitations, watchers, lists.

use pagade_tests::wait::until;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::players::TestPlayer;
use crate::table_games::start;

/// A table as its players see it.
pub(crate) struct TestTable {
    pub path: String,
    pub id: String,
}

impl TestTable {
    /// Creates a table whose master is this player.
    pub(crate) fn new(master: &TestPlayer<'_>, wish: Value) -> Self {
        let created = master.send("POST", "/v1/tables", wish);
        assert_eq!(created.status, 201, "{}", created.raw);
        let id = created.text("/id");
        assert_eq!(created.header("location"), format!("/v1/tables/{id}"));
        Self { path: format!("/v1/tables/{id}"), id }
    }

    /// Sends a request of a player about the table. `rest` is the path after that of the table.
    pub(crate) fn ask(&self, player: &TestPlayer<'_>, method: &str, rest: &str, body: Value) -> Answer {
        player.send(method, &format!("{}{rest}", self.path), body)
    }

    pub(crate) fn sit(&self, player: &TestPlayer<'_>, seat: &str) -> Answer {
        self.ask(player, "POST", &format!("/seats/{seat}"), json!({}))
    }

    pub(crate) fn read(&self, server: &Server) -> Answer {
        server.get(&self.path)
    }

    /// The words of the events of a table, which is public or seen by this player.
    pub(crate) fn words(&self, player: &TestPlayer<'_>) -> Vec<String> {
        let page = self.ask(player, "GET", "/events", Value::Null);
        let events = page.body["events"].as_array().unwrap();
        events.iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn option(&self, player: &TestPlayer<'_>, name: &str) -> Value {
        let read = self.ask(player, "GET", "/options", Value::Null);
        let options = read.body["options"].as_array().unwrap();
        options.iter().find(|option| option["name"] == name).unwrap().clone()
    }
}

/// Returns the seats whose field `star` is true.
fn stars(answer: &Answer) -> Vec<String> {
    let seats = answer.body["seats"].as_array().unwrap().iter().filter(|seat| seat["star"] == true);
    seats.map(|seat| seat["seat"].as_str().unwrap().to_owned()).collect()
}

on_both_stores!(the_first_who_sits_down_is_the_master);
fn the_first_who_sits_down_is_the_master(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "title": "Friday", "my_seat": "blue"}));
    let read = table.read(&server);
    assert_eq!((stars(&read), read.text("/master")), (vec!["blue".to_owned()], asha.id.clone()));
    assert_eq!((read.text("/seats/1/name"), read.text("/status")), ("Asha".to_owned(), "open".to_owned()));
    let sat = table.sit(&ravi, "red");
    assert_eq!((sat.status, sat.header("etag"), stars(&sat)), (201, "\"2\"", vec!["blue".to_owned()]));
    assert_eq!(table.words(&asha), ["table_created", "seat_taken", "master_changed", "seat_taken"]);
    let meera = TestPlayer::new(&server, "Asha");
    assert_eq!(table.sit(&meera, "red").problem(), (409, "seat_taken"));
    assert_eq!(table.sit(&meera, "yellow").problem(), (409, "name_taken"));
    assert_eq!(table.sit(&ravi, "yellow").problem(), (409, "seated_already"));
    assert_eq!(table.sit(&meera, "purple").problem(), (404, "seat_not_found"));
    let named = table.ask(&meera, "POST", "/seats/yellow", json!({"name": "Meera"}));
    assert_eq!((named.status, named.text("/seats/0/name").as_str()), (201, "Meera"));
    assert_eq!(table.read(&server).body["version"], 3, "what was refused has changed nothing");
}

on_both_stores!(nobody_at_a_table_has_a_name_that_looks_like_another_one);
fn nobody_at_a_table_has_a_name_that_looks_like_another_one(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    let watch = |player: &TestPlayer<'_>, name: &str| table.ask(player, "POST", "/watchers", json!({"name": name}));
    let sit = |player: &TestPlayer<'_>, name: &str| table.ask(player, "POST", "/seats/red", json!({"name": name}));
    // The first, third and last letters are Cyrillic.
    let deceiving = "\u{410}\u{455}h\u{430}";
    let refused = watch(&ravi, deceiving);
    assert_eq!((refused.problem(), refused.text("/problems/0/pointer").as_str()), ((409, "name_taken"), "/name"));
    assert_eq!(watch(&ravi, "Ravi").status, 200);
    assert_eq!(watch(&ravi, "Ravi").status, 200, "who watches already has no twin");
    assert_eq!(watch(&meera, "R\u{430}vi").problem(), (409, "name_taken"), "a watcher like a watcher");
    let refused = sit(&meera, "R\u{430}vi");
    assert_eq!(refused.problem(), (409, "name_taken"), "a player like a watcher");
    assert_eq!(refused.text("/detail"), "`Ravi` is the name of a watcher");
    assert_eq!(sit(&ravi, "Ravi").status, 201, "a watcher sits down under the same name");
    assert_eq!(watch(&meera, "Meera").status, 200);
}

on_both_stores!(a_name_is_not_free_while_the_chat_or_the_game_still_shows_it);
fn a_name_is_not_free_while_the_chat_or_the_game_still_shows_it(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera, kiran] = ["Asha", "Ravi", "Meera", "Kiran"].map(|name| TestPlayer::new(&server, name));
    let table =
        TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"competitive": false, "time_per_turn": 0}}));
    assert_eq!(table.sit(&ravi, "red").status, 201);
    assert_eq!(table.ask(&meera, "POST", "/watchers", json!({"name": "Meera"})).status, 200);
    assert_eq!(table.ask(&meera, "POST", "/chat", json!({"text": "good luck"})).status, 201);
    start(&table, &asha);
    assert_eq!(table.ask(&ravi, "DELETE", "/seats/red", Value::Null).status, 204);
    assert_eq!(table.ask(&meera, "DELETE", &format!("/watchers/{}", meera.id), Value::Null).status, 204);
    let watch = |name: &str| table.ask(&kiran, "POST", "/watchers", json!({"name": name}));
    for (name, detail) in [
        ("R\u{430}vi", "`Ravi` is the name of a player of the game in play"),
        ("M\u{435}era", "`Meera` is the name of somebody in the chat"),
    ] {
        let refused = watch(name);
        assert_eq!((refused.problem(), refused.text("/detail").as_str()), ((409, "name_taken"), detail));
    }
    assert_eq!(table.ask(&meera, "POST", "/watchers", json!({"name": "Meera"})).status, 200, "her own name");
    assert_eq!(table.ask(&meera, "DELETE", &format!("/watchers/{}", meera.id), Value::Null).status, 204);
    assert_eq!(table.ask(&asha, "DELETE", "/chat/1", Value::Null).status, 204);
    assert_eq!(watch("Meera").status, 200, "the line was removed");
}

on_both_stores!(without_the_token_of_a_player_nobody_sits_down);
fn without_the_token_of_a_player_nobody_sits_down(data: TestStore) {
    let server = Server::start(&data);
    let wish = json!({"rule_set": "pagade"});
    assert_eq!(server.post("/v1/tables", wish.clone()).problem(), (401, "token_missing"));
    let game = server.post("/v1/games", wish.clone());
    let with = server.request("POST", "/v1/tables").bearer_auth(game.text("/token")).json(&wish);
    assert_eq!(got(with.send().unwrap()).problem(), (401, "token_unknown"));
    let asha = TestPlayer::new(&server, "Asha");
    let refused = asha.send(
        "POST",
        "/v1/tables",
        json!({"rule_set": "pagade", "seats": ["red", "pink"],
        "my_seat": "blue", "options": {"private": "yes", "colour": "red"}}),
    );
    assert_eq!(refused.problem(), (422, "body_invalid"));
    let mut pointers: Vec<_> =
        refused.body["problems"].as_array().unwrap().iter().map(|part| part["pointer"].as_str().unwrap()).collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["/my_seat", "/options/colour", "/options/private", "/seats/1"], "every mistake at once");
    assert_eq!(asha.send("POST", "/v1/tables", json!({"rule_set": "chess"})).problem(), (422, "body_invalid"));
    assert_eq!(server.get("/v1/tables/none").problem(), (404, "table_not_found"));
}

on_both_stores!(a_repeated_request_creates_one_table);
fn a_repeated_request_creates_one_table(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let key = Uuid::now_v7().to_string();
    let create = || {
        let request = server.request("POST", "/v1/tables").bearer_auth(&asha.token).header("Idempotency-Key", &key);
        got(request.json(&json!({"rule_set": "pagade"})).send().unwrap())
    };
    let (first, again) = (create(), create());
    assert_eq!((first.status, first.text("/id")), (201, again.text("/id")));
    assert_eq!(again.header("idempotency-replayed"), "true");
    let path = format!("/v1/tables/{}", first.text("/id"));
    let stale =
        server.request("PATCH", &format!("{path}/options")).bearer_auth(&asha.token).header("If-Match", "\"9\"");
    let stale = got(stale.json(&json!({"options": {"private": true}})).send().unwrap());
    assert_eq!(stale.problem(), (412, "version_conflict"));
    let seen = server.request("GET", &path).header("If-None-Match", "\"1\"");
    assert_eq!(got(seen.send().unwrap()).status, 304);
}

on_both_stores!(the_player_who_sat_down_next_becomes_the_master);
fn the_player_who_sat_down_next_becomes_the_master(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "green");
    table.sit(&meera, "blue");
    let leave =
        |player: &TestPlayer<'_>, seat: &str| table.ask(player, "DELETE", &format!("/seats/{seat}"), Value::Null);
    assert_eq!(leave(&meera, "green").problem(), (403, "not_allowed"));
    assert_eq!(leave(&asha, "yellow").status, 204);
    let read = table.read(&server);
    assert_eq!((stars(&read), read.text("/master")), (vec!["green".to_owned()], ravi.id.clone()), "not the next seat");
    table.sit(&asha, "yellow");
    assert_eq!(leave(&ravi, "yellow").status, 204, "the master frees a seat");
    assert_eq!(leave(&ravi, "green").status, 204);
    assert_eq!(table.read(&server).text("/master"), meera.id);
    assert_eq!(leave(&meera, "blue").status, 204);
    let closed = table.read(&server);
    assert_eq!((closed.text("/status").as_str(), closed.body.get("master")), ("closed", None));
    let words = table.words(&meera);
    assert_eq!(words.iter().filter(|word| *word == "master_changed").count(), 3);
    assert_eq!(words.last().unwrap(), "table_closed");
    assert_eq!(table.sit(&asha, "red").problem(), (409, "table_closed"));
    assert_eq!(server.get("/v1/tables").body["tables"], json!([]));
    let page = table.ask(&meera, "GET", "/events?after=3", Value::Null);
    assert_eq!(page.body["complete"], true, "streams end");
}

on_both_stores!(only_the_master_changes_options_and_all_or_none);
fn only_the_master_changes_options_and_all_or_none(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    let change =
        |player: &TestPlayer<'_>, options: Value| table.ask(player, "PATCH", "/options", json!({"options": options}));
    assert_eq!(table.option(&ravi, "private")["value"], false, "any member reads them");
    assert_eq!(change(&ravi, json!({"private": true})).problem(), (403, "not_allowed"));
    for (wrong, pointer) in [
        (json!({"time_per_turn": 60, "sparkles": true}), "/options/sparkles"),
        (json!({"time_per_turn": 60, "private": 1}), "/options/private"),
        (json!({"time_per_turn": -1}), "/options/time_per_turn"),
        (json!({"private": true, "turn_order": "sideways"}), "/options/turn_order"),
        (json!({"pairs": "no"}), "/options/pairs"),
    ] {
        let refused = change(&asha, wrong);
        assert_eq!((refused.problem(), refused.text("/problems/0/pointer").as_str()), ((422, "body_invalid"), pointer));
    }
    assert_eq!(table.read(&server).body["version"], 2, "nothing was changed");
    let changed = change(&asha, json!({"time_per_turn": 60, "private": false, "pairs": true}));
    assert_eq!((changed.status, &changed.body["changed"]), (200, &json!(["time_per_turn", "pairs"])));
    assert_eq!(table.option(&ravi, "pairs")["value"], true);
    assert_eq!(change(&asha, json!({"pairs": true})).body["changed"], json!([]));
}

on_both_stores!(everybody_else_is_marked_until_the_options_are_read);
fn everybody_else_is_marked_until_the_options_are_read(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    assert_eq!(table.ask(&meera, "POST", "/watchers", json!({})).status, 200);
    let marks = || {
        let read = table.read(&server);
        let of = |at: &str| read.body.pointer(at).unwrap().as_bool().unwrap();
        [of("/seats/0/options_changed"), of("/seats/2/options_changed"), of("/watchers/0/options_changed")]
    };
    let change = |seconds: u32| {
        let wish = json!({"options": {"time_per_turn": seconds}});
        assert_eq!(table.ask(&asha, "PATCH", "/options", wish).status, 200);
    };
    change(30);
    assert_eq!(marks(), [false; 3], "the value is the same");
    change(40);
    assert_eq!(marks(), [false, true, true], "not the master's own");
    assert_eq!(table.option(&ravi, "time_per_turn")["value"], 40);
    assert_eq!(marks(), [false, false, true]);
    table.option(&meera, "time_per_turn");
    assert_eq!(marks(), [false; 3]);
    // A marked watcher who sits down is still marked.
    change(50);
    assert_eq!(table.sit(&meera, "blue").status, 201);
    assert_eq!(table.read(&server).body["seats"][1]["options_changed"], true);
    let changed = table.words(&asha).iter().filter(|word| *word == "options_changed").count();
    assert_eq!(changed, 2, "neither reading nor the same value is a change");
}

on_both_stores!(the_catalogue_has_every_option_with_its_default);
fn the_catalogue_has_every_option_with_its_default(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    for (name, default, effective) in [
        ("time_per_turn", json!(30), "now"),
        ("private", json!(false), "now"),
        ("spectators_allowed", json!(true), "now"),
        ("amicable_end", json!(true), "next_game"),
        ("bet", json!(0), "next_game"),
        ("stand_in", json!("hunter"), "next_game"),
        ("start_when_full", json!(false), "now"),
        ("superparcheesi", json!(false), "next_game"),
        ("start_with_one_piece", json!(true), "next_game"),
        ("allow_mixed_blockades", json!(false), "next_game"),
        ("pairs", json!(false), "next_game"),
        ("play_on", json!(false), "next_game"),
    ] {
        let option = table.option(&asha, name);
        assert_eq!(
            (&option["default"], &option["value"], option["effective"].as_str().unwrap()),
            (&default, &default, effective),
            "{name}"
        );
        assert!(!option["text"].as_str().unwrap().is_empty());
    }
    let competitive = table.option(&asha, "competitive");
    assert_eq!((&competitive["default"], &competitive["effective"]), (&json!(true), &json!("next_game")));
    assert_eq!(competitive["value"], false, "the table of a guest begins with practice");
    assert_eq!(table.option(&asha, "bet")["needs"], "competitive");
    assert_eq!(competitive.get("needs"), None);
    let order = table.option(&asha, "turn_order");
    assert_eq!((&order["one_of"], order["group"].as_str()), (&json!(["onward", "backward"]), Some("rules")));
    let time = table.option(&asha, "time_per_turn");
    assert_eq!((&time["from"], &time["to"], time["group"].as_str()), (&json!(0), &json!(1_209_600), Some("table")));
    let other = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"pairs": true, "time_per_turn": 0}}));
    assert_eq!(
        (other.option(&asha, "pairs")["value"].clone(), other.read(&server).body["time_per_turn"].clone()),
        (json!(true), json!(0))
    );
}

on_both_stores!(a_private_table_takes_invited_players_only);
fn a_private_table_takes_invited_players_only(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera, kiran] = ["Asha", "Ravi", "Meera", "Kiran"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    let private = json!({"options": {"private": true}});
    assert_eq!(table.ask(&asha, "PATCH", "/options", private).status, 200);
    assert_eq!(table.read(&server).text("/seats/2/player"), ravi.id, "a player who sits stays");
    assert_eq!(table.sit(&meera, "blue").problem(), (403, "not_allowed"));
    assert_eq!(table.ask(&meera, "POST", "/watchers", json!({})).problem(), (403, "not_allowed"));
    assert_eq!(table.ask(&meera, "GET", "/events", Value::Null).problem(), (403, "not_allowed"));
    let invite = |by: &TestPlayer<'_>, id: &str| table.ask(by, "POST", "/invitations", json!({"player": id}));
    assert_eq!(invite(&meera, &kiran.id).problem(), (403, "not_allowed"));
    for nobody in ["01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11", "nobody"] {
        assert_eq!(invite(&ravi, nobody).problem(), (404, "player_not_found"));
    }
    assert_eq!(invite(&ravi, &asha.id).problem(), (409, "seated_already"));
    let invited = invite(&ravi, &meera.id);
    assert_eq!((invited.status, invited.text("/invitations/0/player")), (201, meera.id.clone()));
    assert_eq!(invite(&asha, &meera.id).body["invitations"].as_array().unwrap().len(), 1, "once is enough");
    let listed = meera.ask("GET", "/tables?role=invited", Value::Null);
    assert_eq!((listed.text("/tables/0/id"), listed.text("/tables/0/role").as_str()), (table.id.clone(), "invited"));
    until("the inbox has the invitation", || {
        let events = meera.ask("GET", "/events", Value::Null);
        let told: Vec<_> = events.body["events"].as_array().unwrap().iter().skip(1).cloned().collect();
        told.len() == 1 && told[0]["event"] == "table_invited" && told[0]["table_id"] == table.id.as_str()
    });
    assert_eq!(table.ask(&meera, "GET", "/events", Value::Null).status, 200);
    for _ in 0..2 {
        assert_eq!(table.ask(&meera, "POST", "/watchers", json!({})).status, 200);
    }
    assert_eq!(table.sit(&meera, "blue").status, 201, "who is invited may watch first");
    assert_eq!(meera.ask("GET", "/tables?role=invited", Value::Null).body["tables"], json!([]));
    assert_eq!(meera.ask("GET", "/tables", Value::Null).text("/tables/0/id"), table.id);
    // Every player who has the link can sit down, until the link is renewed.
    assert_eq!(table.ask(&ravi, "POST", "/link", json!({})).problem(), (403, "not_allowed"));
    let links = [(); 2].map(|()| table.ask(&asha, "POST", "/link", json!({})).text("/link"));
    let sit = |link: &str| table.ask(&kiran, "POST", "/seats/green", json!({"link": link}));
    assert_eq!(sit(&links[0]).problem(), (403, "not_allowed"));
    assert_eq!(sit(&links[1]).status, 201);
    // Anybody may read the events of a public table, which do not name invited players.
    assert!(table.words(&asha).contains(&"player_invited".to_owned()));
    let events = table.ask(&asha, "GET", "/events", Value::Null).body["events"].clone();
    let invitations = events.as_array().unwrap().iter().filter(|event| event["event"] == "player_invited");
    assert!(invitations.clone().all(|event| event["player"].is_null()), "{events}");
    // Invitations end with the table, and the invited player may decline.
    let nila = TestPlayer::new(&server, "Nila");
    invite(&asha, &nila.id);
    assert_eq!(table.ask(&nila, "DELETE", &format!("/invitations/{}", nila.id), Value::Null).status, 204);
    assert_eq!(nila.ask("GET", "/tables?role=invited", Value::Null).body["tables"], json!([]));
    invite(&asha, &nila.id);
    for (player, seat) in [(&asha, "yellow"), (&ravi, "red"), (&meera, "blue"), (&kiran, "green")] {
        assert_eq!(table.ask(player, "DELETE", &format!("/seats/{seat}"), Value::Null).status, 204);
    }
    assert_eq!(nila.ask("GET", "/tables?role=invited", Value::Null).body["tables"], json!([]));
    assert_eq!(table.sit(&nila, "red").problem(), (409, "table_closed"));
}

on_both_stores!(a_repeated_request_is_answered_as_before_although_it_would_be_refused_now);
fn a_repeated_request_is_answered_as_before_although_it_would_be_refused_now(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    table.sit(&ravi, "red");
    let [one, two] = [(); 2].map(|()| Uuid::now_v7().to_string());
    let ask = |path: &str, key: &str, body: &Value| {
        let request = server.request("POST", path).bearer_auth(&ravi.token).header("Idempotency-Key", key);
        got(request.json(body).send().unwrap())
    };
    let invite = || ask(&format!("{}/invitations", table.path), &one, &json!({"player": meera.id}));
    let befriend = || ask(&format!("/v1/players/{}/friends/{}", ravi.id, meera.id), &two, &json!({}));
    let first = [invite(), befriend()];
    assert_eq!([first[0].status, first[1].status], [201, 204], "{} {}", first[0].raw, first[1].raw);
    assert_eq!(table.ask(&ravi, "DELETE", "/seats/red", Value::Null).status, 204);
    assert_eq!(meera.ask("PUT", &format!("/blocked/{}", ravi.id), Value::Null).status, 204);
    for (again, first) in [invite(), befriend()].iter().zip(&first) {
        assert_eq!((again.status, &again.raw), (first.status, &first.raw));
        assert_eq!(again.header("idempotency-replayed"), "true");
    }
}

on_both_stores!(open_tables_are_found_by_rule_set_and_free_seats);
fn open_tables_are_found_by_rule_set_and_free_seats(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let full = TestTable::new(&asha, json!({"rule_set": "pagade", "seats": ["red", "yellow"]}));
    let open = TestTable::new(&asha, json!({"rule_set": "pagade"}));
    let hidden = TestTable::new(&ravi, json!({"rule_set": "parcheesi", "options": {"private": true}}));
    full.sit(&ravi, "yellow");
    let found = |query: &str| {
        let listed = server.get(&format!("/v1/tables{query}"));
        let tables = listed.body["tables"].as_array().unwrap();
        tables.iter().map(|table| table["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let ids = |tables: &[&TestTable]| tables.iter().map(|table| table.id.clone()).collect::<Vec<_>>();
    assert_eq!(found(""), ids(&[&hidden, &open, &full]), "the newest first");
    assert_eq!(found("?free=true"), ids(&[&hidden, &open]));
    assert_eq!(found("?rule_set=pagade"), ids(&[&open, &full]));
    assert_eq!(found("?rule_set=pagade&free=true&private=false"), ids(&[&open]));
    assert_eq!(found("?private=true"), ids(&[&hidden]));
    assert_eq!(found("?time_per_turn=30&rule_set=pagade"), ids(&[&open, &full]));
    assert_eq!(found("?time_per_turn=0"), [""; 0]);
    assert_eq!(found("?rule_set=chess"), [""; 0]);
    let wish = json!({"rule_set": "pagade", "options": {"bet": 100, "competitive": false}});
    let staked = TestTable::new(&asha, wish);
    assert_eq!(found("?bet=100"), ids(&[&staked]));
    assert_eq!(found("?bet=0"), ids(&[&hidden, &open, &full]));
    assert_eq!(found("?bet=0&rule_set=pagade&free=true&private=false&time_per_turn=30"), ids(&[&open]));
    assert_eq!(found("?bet=10"), [""; 0]);
    for wrong in ["1000001", "-1", "free"] {
        assert_eq!(server.get(&format!("/v1/tables?bet={wrong}")).problem(), (400, "bad_query"), "{wrong}");
    }
    let first = server.get("/v1/tables?limit=2&bet=0");
    let next = first.header("link").trim_start_matches('<').split('>').next().unwrap().to_owned();
    assert_eq!(server.get(&next).text("/tables/0/id"), full.id, "{next}");
    staked.ask(&asha, "PATCH", "/options", json!({"options": {"bet": 10}}));
    assert_eq!((found("?bet=10"), found("?bet=100")), (ids(&[&staked]), vec![]), "the bet was changed");
    staked.ask(&asha, "DELETE", &format!("/seats/{}", seat_of(&server, &staked)), Value::Null);
    let first = server.get("/v1/tables?limit=2&free=false");
    assert_eq!(first.text("/tables/1/free_seats/0"), open_seat(&server, &open));
    let next = first.header("link").trim_start_matches('<').split('>').next().unwrap().to_owned();
    assert_eq!(server.get(&next).text("/tables/0/id"), full.id);
    full.ask(&ravi, "DELETE", "/seats/yellow", Value::Null);
    assert_eq!(found("?rule_set=pagade&free=true"), ids(&[&open, &full]), "a seat is free again");
    assert_eq!(server.get("/v1/tables?limit=0").problem(), (400, "bad_query"));
}

/// Returns the first seat with a player.
fn seat_of(server: &Server, table: &TestTable) -> String {
    let read = table.read(server);
    let mut seats = read.body["seats"].as_array().unwrap().iter();
    seats.find(|seat| seat["player"].is_string()).unwrap()["seat"].as_str().unwrap().to_owned()
}

fn open_seat(server: &Server, table: &TestTable) -> String {
    let read = table.read(server);
    let seats = read.body["seats"].as_array().unwrap();
    seats.iter().find(|seat| seat["taken"] == false).unwrap()["seat"].as_str().unwrap().to_owned()
}
