//! Tests /v1/tournaments.

use std::collections::BTreeMap;

use pagade_tests::wait::until;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};

/// A tournament as its organiser's client sees it.
pub(crate) struct TestTournament<'s> {
    pub(crate) server: &'s Server,
    pub(crate) id: String,
    pub(crate) token: String,
    pub(crate) arbiter: String,
    /// The tokens of entrants without accounts, by number.
    tokens: BTreeMap<u64, Vec<String>>,
}

impl<'s> TestTournament<'s> {
    pub(crate) fn new(server: &'s Server, format: Value, more: Value) -> Self {
        let mut wish = json!({"rule_set": "pagade", "format": format, "seeding": "as_listed"});
        wish.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let created = server.post("/v1/tournaments", wish);
        assert_eq!(created.status, 201, "{}", created.raw);
        let id = created.text("/tournament/id");
        assert_eq!(created.header("location"), format!("/v1/tournaments/{id}"));
        let (token, arbiter) = (created.text("/token"), created.text("/arbiter_token"));
        Self { server, id, token, arbiter, tokens: BTreeMap::new() }
    }

    /// Returns a function that makes a client of the same tournament at another server. So a test can stop the first
    /// server.
    pub(crate) fn detached(&self) -> impl for<'o> Fn(&'o Server) -> TestTournament<'o> + use<> {
        let (id, token, arbiter, tokens) =
            (self.id.clone(), self.token.clone(), self.arbiter.clone(), self.tokens.clone());
        move |server| TestTournament {
            server,
            id: id.clone(),
            token: token.clone(),
            arbiter: arbiter.clone(),
            tokens: tokens.clone(),
        }
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/v1/tournaments/{}{rest}", self.id)
    }

    pub(crate) fn ask(&self, token: &str, method: &str, rest: &str, body: Value) -> Answer {
        let request = self.server.request(method, &self.path(rest)).bearer_auth(token);
        got(if body.is_null() { request } else { request.json(&body) }.send().unwrap())
    }

    pub(crate) fn post(&self, rest: &str, body: Value) -> Answer {
        self.ask(&self.token, "POST", rest, body)
    }

    pub(crate) fn get(&self, rest: &str) -> Answer {
        self.server.get(&self.path(rest))
    }

    /// The first token of an entrant without an account.
    pub(crate) fn entrant_token(&self, number: u64) -> &str {
        &self.tokens[&number][0]
    }

    pub(crate) fn enter(&mut self, names: &[&str]) {
        let entrants: Vec<_> = names.iter().map(|name| json!({"name": name})).collect();
        let entered = self.post("/entrants", json!({"entrants": entrants}));
        assert_eq!(entered.status, 201, "{}", entered.raw);
        for entrant in entered.body["entrants"].as_array().unwrap() {
            let tokens = entrant["tokens"].as_array().unwrap().iter().map(|token| token.as_str().unwrap().to_owned());
            self.tokens.insert(entrant["number"].as_u64().unwrap(), tokens.collect());
        }
    }

    pub(crate) fn enter_many(&mut self, count: usize) {
        let names: Vec<_> = (1..=count).map(|number| format!("Entrant {number}")).collect();
        self.enter(&names.iter().map(String::as_str).collect::<Vec<_>>());
    }

    pub(crate) fn pair(&self) -> Value {
        let paired = self.post("/rounds", json!({}));
        assert_eq!(paired.status, 201, "{}", paired.raw);
        paired.body["round"].clone()
    }

    pub(crate) fn round(&self, number: usize) -> Value {
        self.get(&format!("/rounds/{number}")).body
    }

    /// Ends the games in play of a round: in each game, all entrants but the one with the least number resign.
    pub(crate) fn play(&self, number: usize) {
        for table in self.round(number)["tables"].as_array().into_iter().flatten() {
            let games = table["games"].as_array().unwrap();
            for game in games.iter().filter(|game| game["status"] == "playing" || game["status"] == "planned") {
                self.resign_all_but_one(game);
            }
        }
    }

    pub(crate) fn read_game(&self, token: &str, game: &Value) -> Answer {
        let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
        got(self.server.request("GET", &path).bearer_auth(token).send().unwrap())
    }

    pub(crate) fn resign_all_but_one(&self, game: &Value) {
        let seats = game["seats"].as_array().unwrap();
        let least = seats.iter().map(|seat| seat["entrant"].as_u64().unwrap()).min().unwrap();
        let mut losers: Vec<u64> = seats.iter().map(|seat| seat["entrant"].as_u64().unwrap()).collect();
        losers.sort_unstable();
        for loser in losers.into_iter().rev().filter(|entrant| *entrant != least) {
            let path = format!("/v1/games/{}/resignations", game["id"].as_str().unwrap());
            let request =
                self.server.request("POST", &path).bearer_auth(&self.tokens[&loser][0]).header("If-Match", "*");
            let resigned = got(request.json(&json!({})).send().unwrap());
            // The game may not exist yet (404), or be over already (409).
            assert!([200, 404, 409].contains(&resigned.status), "{}", resigned.raw);
        }
    }

    /// Plays every round until the tournament is over.
    pub(crate) fn play_to_the_end(&self) {
        until("the tournament is over", || {
            let read = self.get("").body;
            self.play(read["rounds"].as_array().unwrap().len().max(1));
            read["status"] == "finished"
        });
    }

    /// Plays a round by its games, and waits until the tournament has all results.
    pub(crate) fn play_round(&self, number: usize) {
        until("all results are in", || {
            self.play(number);
            self.round_is_over(number)
        });
    }

    pub(crate) fn round_is_over(&self, number: usize) -> bool {
        self.round(number)["tables"].as_array().unwrap().iter().all(|table| table["result"].is_object())
    }

    pub(crate) fn result(&self, token: &str, at: [usize; 2], places: &[(u64, usize)]) -> Answer {
        let seats: Vec<_> = places.iter().map(|(entrant, place)| json!({"entrant": entrant, "place": place})).collect();
        let path = format!("/rounds/{}/tables/{}/result", at[0], at[1]);
        self.ask(token, "PUT", &path, json!({"seats": seats, "reason": "seen at the table"}))
    }

    pub(crate) fn places(&self) -> Vec<(u64, u64)> {
        let standings = self.get("/standings").body;
        let rows = standings["standings"].as_array().unwrap();
        rows.iter().map(|row| (row["entrant"].as_u64().unwrap(), row["place"].as_u64().unwrap())).collect()
    }

    pub(crate) fn words(&self) -> Vec<String> {
        let events = self.get("/events?limit=1000").body;
        events["events"].as_array().unwrap().iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
    }
}

pub(crate) fn swiss(rounds: u32) -> Value {
    json!({"kind": "swiss", "rounds": rounds})
}

on_both_stores!(a_swiss_tournament_is_played_from_entry_to_standings);
fn a_swiss_tournament_is_played_from_entry_to_standings(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, swiss(2), json!({"title": " Village cup "}));
    assert_eq!(cup.get("").text("/title"), "Village cup");
    cup.enter(&["Asha", "Bina", "Chitra", "Devi", "Esha"]);
    let started = cup.post("/start", json!({}));
    assert_eq!((started.status, started.text("/status")), (200, "running".to_owned()));
    let round = cup.pair();
    assert_eq!((round["tables"].as_array().unwrap().len(), round["byes"].as_array().unwrap().len()), (2, 1));
    let (table, game) = (&round["tables"][0], &round["tables"][0]["games"][0]);
    let read = server.get(&format!("/v1/games/{}", game["id"].as_str().unwrap()));
    assert_eq!((read.text("/status"), read.text("/tournament")), ("playing".to_owned(), cup.id.clone()));
    let begins = game["seats"].as_array().unwrap().iter().find(|seat| seat["seat"] == read.body["turn"]).unwrap();
    assert_eq!(begins["entrant"], table["entrants"][0], "the first entrant of the table begins");
    assert!(table["why"].as_str().unwrap().contains("begins"));
    // The group of the round lists the games.
    let group = format!("/v1/groups/{}/games", round["group"].as_str().unwrap());
    until("the group has the games", || server.get(&group).body["games"].as_array().unwrap().len() == 2);
    assert_eq!(cup.post("/rounds", json!({})).problem(), (409, "results_missing"));
    cup.play_round(1);
    let first = &cup.round(1)["tables"][0]["result"];
    assert_eq!((&first["by"], &first["seats"][0]["no_show"]), (&json!("games"), &json!(false)));
    cup.pair();
    cup.play_round(2);
    assert_eq!(cup.post("/rounds", json!({})).problem(), (409, "tournament_over"));
    let standings = cup.get("/standings").body;
    let rows = standings["standings"].as_array().unwrap();
    assert_eq!((&rows[0]["points"], &rows[0]["place"]), (&json!(12.0), &json!(1)));
    assert!(rows.iter().any(|row| row["name"] == "Asha" && row["points"] == 12.0), "Asha has won twice: {standings}");
    assert_eq!(rows[0]["tie_breaks"][0]["tie_break"], "buchholz");
    let points: f64 = rows.iter().map(|row| row["points"].as_f64().unwrap()).sum();
    assert!((points - 36.0).abs() < 1e-9, "two tables and a bye with 6 points each in both rounds: {points}");
    assert!(cup.get("/standings?round=1").body["standings"][0]["points"].as_f64().unwrap() <= 6.0);
    let over = cup.post("/finish", json!({}));
    assert_eq!((over.text("/status"), over.body["seed"].is_string()), ("finished".to_owned(), true));
    let words = cup.words();
    let count = |word: &str| words.iter().filter(|known| *known == word).count();
    assert_eq!(
        [count("entrant_entered"), count("round_paired"), count("table_result"), count("round_over")],
        [5, 2, 4, 2]
    );
    assert_eq!(words.last().unwrap(), "tournament_over");
    let page = server.get("/v1/tournaments?status=finished").body;
    assert_eq!(page["tournaments"][0]["id"], cup.id.as_str());
    assert_eq!(server.get("/v1/tournaments?status=open").body["tournaments"], json!([]));
    until("the group is over", || {
        server.get(&format!("/v1/groups/{}", round["group"].as_str().unwrap())).body["status"] == "finished"
    });
}

on_both_stores!(rounds_follow_by_themselves_until_the_end);
fn rounds_follow_by_themselves_until_the_end(data: TestStore) {
    let server = Server::start(&data);
    let format = json!({"kind": "knock_out", "best_of": 3, "third_place": true});
    let mut cup = TestTournament::new(&server, format, json!({"automatic": true}));
    cup.enter_many(4);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    until("the first round is paired", || cup.get("").body["rounds"].as_array().unwrap().len() == 1);
    cup.play_to_the_end();
    for round in 1..=2 {
        let games = &cup.round(round)["tables"][0]["games"];
        assert_eq!(games.as_array().unwrap().len(), 2, "two wins decide a series of three");
        let firsts = [0, 1].map(|game| games[game]["seats"][0]["entrant"].clone());
        assert_ne!(firsts[0], firsts[1], "the entrants begin in turn");
    }
    until("the tournament is over", || cup.get("").body["status"] == "finished");
    assert_eq!(cup.places(), [(1, 1), (2, 2), (3, 3), (4, 4)]);
    assert_eq!(cup.ask(&cup.token, "DELETE", "/entrants/1", Value::Null).problem(), (409, "tournament_over"));
}

on_both_stores!(what_a_dead_process_left_is_finished_by_another);
fn what_a_dead_process_left_is_finished_by_another(data: TestStore) {
    let mut first = Server::start(&data);
    let mut cup = TestTournament::new(&first, json!({"kind": "round_robin"}), json!({"automatic": true}));
    cup.enter_many(4);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    until("the first round is paired", || cup.get("").body["rounds"].as_array().unwrap().len() == 1);
    let detached = cup.detached();
    first.stop();
    let second = Server::start(&data);
    let cup = detached(&second);
    cup.play_to_the_end();
    assert_eq!(cup.places(), [(1, 1), (2, 2), (3, 3), (4, 4)]);
}

on_both_stores!(mistakes_of_organisers_have_clear_answers);
fn mistakes_of_organisers_have_clear_answers(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, swiss(3), json!({"most_entrants": 4}));
    assert_eq!(cup.post("/start", json!({})).problem(), (409, "pairing_impossible"));
    assert_eq!(cup.post("/rounds", json!({})).problem(), (409, "tournament_not_started"));
    assert_eq!(cup.post("/finish", json!({})).problem(), (409, "tournament_not_started"));
    cup.enter(&["Asha", "Bina", "Chitra", "Devi", "Esha"]);
    assert_eq!(cup.get("").body["entrants"][4]["waiting"], true);
    let twice = cup.post("/entrants", json!({"entrants": [{"name": "Farah"}, {"name": "ASHA"}]}));
    assert_eq!(twice.problem(), (409, "name_taken"));
    assert_eq!(cup.get("").body["entrants"].as_array().unwrap().len(), 5, "all entrants of a request, or none");
    assert_eq!(cup.ask(&cup.token, "DELETE", "/entrants/2", Value::Null).status, 200);
    assert_eq!(cup.get("").body["entrants"][3]["waiting"], false, "the one who waited has the place");
    assert_eq!(cup.ask(&cup.arbiter, "POST", "/start", json!({})).problem(), (403, "not_allowed"));
    assert_eq!(cup.post("/start", json!({})).status, 200);
    assert_eq!(cup.post("/start", json!({})).problem(), (409, "tournament_started"));
    let alone = got(server
        .request("POST", &cup.path("/entrants"))
        .json(&json!({"entrants": [{"name": "Gita"}]}))
        .send()
        .unwrap());
    assert_eq!(alone.problem(), (409, "entries_closed"));
    assert_eq!(cup.post("/rounds", json!({"round": 2})).problem(), (409, "round_paired"));
    let round = cup.pair();
    assert_eq!(cup.post("/rounds", json!({"round": 1})).problem(), (409, "round_paired"), "not paired twice");
    let seats = |table: usize| {
        let entrants = round["tables"][table]["entrants"].as_array().unwrap();
        [entrants[0].as_u64().unwrap(), entrants[1].as_u64().unwrap()]
    };
    let [one, other] = seats(0);
    // An arbiter decides the table. A second arbiter who has not seen it does not overwrite it.
    assert_eq!(cup.result(&cup.arbiter, [1, 1], &[(one, 1), (99, 2)]).problem(), (422, "body_invalid"));
    assert_eq!(cup.result(&cup.arbiter, [1, 1], &[(one, 2), (other, 2)]).problem(), (422, "body_invalid"));
    assert_eq!(cup.result(&cup.arbiter, [1, 3], &[(one, 1), (other, 2)]).problem(), (404, "round_not_found"));
    let entered = cup.result(&cup.arbiter, [1, 1], &[(one, 1), (other, 2)]);
    assert_eq!(entered.status, 200, "{}", entered.raw);
    assert_eq!(cup.result(&cup.arbiter, [1, 1], &[(one, 2), (other, 1)]).problem(), (428, "version_needed"));
    let correct = |version: &str| {
        let request = server.request("PUT", &cup.path("/rounds/1/tables/1/result")).bearer_auth(&cup.arbiter);
        let seats = json!([{"entrant": one, "place": 2}, {"entrant": other, "place": 1}]);
        let body = json!({"seats": seats, "reason": "the board was read wrongly"});
        got(request.header("If-Match", version).json(&body).send().unwrap())
    };
    assert_eq!(correct("\"1\"").problem(), (412, "version_conflict"));
    assert_eq!(correct(entered.header("etag")).status, 200);
    assert_eq!(cup.words().last().unwrap(), "table_result_corrected");
    let [winner, loser] = seats(1);
    assert_eq!(cup.result(&cup.token, [1, 2], &[(winner, 1), (loser, 2)]).status, 200);
    let places: BTreeMap<_, _> = cup.places().into_iter().collect();
    assert!(places[&other] <= 2 && places[&one] >= 3, "{places:?}");
    // A game that goes on after the arbiter's result does not change it.
    cup.resign_all_but_one(&round["tables"][0]["games"][0]);
    assert_eq!(cup.ask(&cup.token, "DELETE", &format!("/entrants/{one}"), Value::Null).status, 200);
    assert_eq!(
        cup.ask(&cup.token, "DELETE", &format!("/entrants/{one}"), Value::Null).problem(),
        (409, "entrant_withdrawn")
    );
    let second = cup.pair();
    assert_eq!(second["byes"].as_array().unwrap().len(), 1, "three are left");
    assert_eq!(cup.round(1)["tables"][0]["result"]["by"], "arbiter");
    assert_eq!(cup.get("/rounds/9").problem(), (404, "round_not_found"));
    for number in ["-1", "0", "01", "99999999999999999999", "one"] {
        let unknown = cup.ask(&cup.token, "DELETE", &format!("/entrants/{number}"), Value::Null);
        assert_eq!(unknown.problem(), (404, "entrant_not_found"));
        assert_eq!(unknown.text("/detail"), format!("no entrant has the number {number}"));
    }
    assert_eq!(server.get(&format!("/v1/tournaments/{}", Uuid::now_v7())).problem(), (404, "tournament_not_found"));
}

on_both_stores!(the_terms_are_checked_with_the_place_of_each_mistake);
fn the_terms_are_checked_with_the_place_of_each_mistake(data: TestStore) {
    let server = Server::start(&data);
    let pointers = |wish: Value| {
        let refused = server.post("/v1/tournaments", wish);
        assert_eq!(refused.problem(), (422, "body_invalid"));
        let parts = refused.body["problems"].as_array().unwrap().iter();
        parts.map(|part| part["pointer"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let format = json!({"kind": "swiss", "cycles": 2, "groups": 2, "best_of": 2});
    let found = pointers(json!({"rule_set": "pagade", "format": format}));
    assert_eq!(found, ["/format/rounds", "/format/cycles", "/format/groups", "/format/best_of", "/format/best_of"]);
    let found = pointers(json!({"rule_set": "pagade", "format": {"kind": "knock_out", "table": 3}}));
    assert_eq!(found, ["/format/table"]);
    let found = pointers(json!({"rule_set": "pagade", "format": swiss(3), "boards": [["red", "blue"]]}));
    assert_eq!(found, ["/boards/0"]);
    let points = json!({"two": [0, 6], "three": [6, 3, 3], "four": [6, 4, 0, 2], "bye": 6, "absent": 9});
    let found = pointers(json!({"rule_set": "pagade", "format": swiss(3), "points": points,
        "tie_breaks": ["wins", "lots", "wins"]}));
    assert_eq!(found, ["/tie_breaks/2", "/points/two/1", "/points/four/3"]);
    assert_eq!(pointers(json!({"rule_set": "none", "format": swiss(3)})), ["/rule_set"]);
    assert_eq!(pointers(json!({"rule_set": "pagade", "format": swiss(3), "options": {"none": 1}})), ["/options/none"]);
}

on_both_stores!(players_enter_themselves_and_play_with_their_own_tokens);
fn players_enter_themselves_and_play_with_their_own_tokens(data: TestStore) {
    let server = Server::start(&data);
    let cup = TestTournament::new(&server, swiss(1), json!({"automatic": true}));
    let player = |name: &str| {
        let created = server.post("/v1/players", json!({"name": name}));
        (created.text("/token"), created.text("/player/id"))
    };
    let (asha, bina) = (player("Asha"), player("Bina"));
    for (token, _) in [&asha, &bina] {
        let entered = cup.ask(token, "POST", "/entrants", json!({"entrants": [{}]}));
        assert_eq!((entered.status, &entered.body["entrants"][0]["tokens"]), (201, &json!([])), "{}", entered.raw);
        let again = cup.ask(token, "POST", "/entrants", json!({"entrants": [{"name": "Another"}]}));
        assert_eq!(again.problem(), (409, "entered_already"));
    }
    assert_eq!(cup.ask(&asha.0, "DELETE", "/entrants/2", Value::Null).problem(), (403, "not_allowed"));
    assert_eq!(cup.ask("pagade_nobody", "DELETE", "/entrants/2", Value::Null).problem(), (401, "token_unknown"));
    assert_eq!(cup.post("/start", json!({})).status, 200);
    until("the games exist", || {
        let rounds = cup.get("/rounds/1").body;
        rounds["tables"][0]["games"][0]["status"] == "playing"
    });
    let games =
        got(server.request("GET", &format!("/v1/players/{}/games", asha.1)).bearer_auth(&asha.0).send().unwrap());
    let game = games.body["games"][0].clone();
    assert_eq!(game["title"], "Round 1, table 1");
    let path = format!("/v1/games/{}/resignations", game["id"].as_str().unwrap());
    let request = server.request("POST", &path).bearer_auth(&asha.0).header("If-Match", "*").json(&json!({}));
    assert_eq!(got(request.send().unwrap()).status, 200);
    until("the tournament is over", || cup.get("").body["status"] == "finished");
    assert_eq!(cup.places(), [(2, 1), (1, 2)]);
    let me = got(server.request("GET", "/v1/me").bearer_auth(&cup.arbiter).send().unwrap());
    assert_eq!((me.text("/role"), me.text("/tournament/id")), ("arbiter".to_owned(), cup.id.clone()));
}

on_both_stores!(teams_sit_at_one_table_and_groups_lead_to_a_knock_out);
fn teams_sit_at_one_table_and_groups_lead_to_a_knock_out(data: TestStore) {
    let server = Server::start(&data);
    let wish = json!({"rule_set": "pagade", "format": swiss(1), "team_size": 2});
    let refused = server.post("/v1/tournaments", wish);
    assert_eq!(refused.problem(), (422, "body_invalid"), "the seats are no partners");
    let part = &refused.body["problems"][0];
    assert_eq!(part["pointer"], "/team_size", "{}", refused.raw);
    assert_eq!(part["help"], "choose `partnership` for the option `mode`");
    let partners = json!({"team_size": 2, "options": {"mode": "partnership"}});
    let cup = TestTournament::new(&server, swiss(1), partners);
    let teams = json!({"entrants": [
        {"name": "North", "members": ["Asha", "Bina"]}, {"name": "South", "members": ["Chitra", "Devi"]}
    ]});
    let entered = cup.post("/entrants", teams);
    assert_eq!(entered.status, 201, "{}", entered.raw);
    assert_eq!(entered.body["entrants"][0]["tokens"].as_array().unwrap().len(), 2);
    assert_eq!(cup.post("/entrants", json!({"entrants": [{"name": "East"}]})).problem(), (422, "body_invalid"));
    assert_eq!(cup.post("/start", json!({})).status, 200);
    let seats = cup.pair()["tables"][0]["games"][0]["seats"].clone();
    let of = |seat: usize| seats[seat]["entrant"].as_u64().unwrap();
    assert_eq!((seats.as_array().unwrap().len(), of(0) == of(2), of(1) == of(3)), (4, true, true), "{seats}");

    let format = json!({"kind": "groups", "table": 4, "groups": 2, "advance": 2, "knock_out_table": 4});
    let mut cup = TestTournament::new(&server, format, json!({"automatic": true}));
    cup.enter_many(8);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    cup.play_to_the_end();
    let places = cup.places();
    assert_eq!(places[0], (1, 1), "{places:?}");
    assert_eq!(places.iter().filter(|(_, place)| *place <= 4).count(), 4, "{places:?}");
}

on_both_stores!(robots_play_a_tournament_by_themselves);
fn robots_play_a_tournament_by_themselves(data: TestStore) {
    let server = Server::start(&data);
    let wish = json!({"rule_set": "royal-game-of-ur", "automatic": true});
    let cup = TestTournament::new(&server, json!({"kind": "round_robin"}), wish);
    let robots: Vec<_> = ["Runa", "Hari"].iter().zip(["runner", "hunter"]).collect();
    let robots: Vec<_> = robots.iter().map(|(name, robot)| json!({"name": name, "robot": robot})).collect();
    let body = json!({"entrants": [robots[0]]});
    let request = server.request("POST", &cup.path("/entrants")).bearer_auth("pagade_nobody");
    assert_eq!(got(request.json(&body).send().unwrap()).problem(), (401, "token_unknown"));
    assert_eq!(cup.ask(&cup.arbiter, "POST", "/entrants", body).problem(), (403, "not_allowed"));
    let entered = cup.post("/entrants", json!({"entrants": robots}));
    assert_eq!((entered.status, &entered.body["entrants"][1]["tokens"]), (201, &json!([])), "{}", entered.raw);
    assert_eq!(entered.body["tournament"]["entrants"][1]["robot"], "hunter");
    assert_eq!(cup.post("/start", json!({})).status, 200);
    until("the robots have a game", || cup.get("/rounds/1").body["tables"][0]["games"][0]["status"] == "playing");
    let round = cup.round(1);
    let game = format!("/v1/games/{}", round["tables"][0]["games"][0]["id"].as_str().unwrap());
    until("the robots play", || server.get(&game).body["steps"].as_u64().unwrap() > 2);
    let export = cup.get("/export").body;
    assert_eq!(export["rounds"][0]["tables"][0]["entrants"], round["tables"][0]["entrants"]);
    let csv = got(server.request("GET", &cup.path("/export")).header("Accept", "text/csv").send().unwrap());
    assert_eq!(csv.raw.lines().count(), 3, "{}", csv.raw);
}

on_both_stores!(an_absence_of_somebody_who_leaves_or_waits_does_not_stop_the_pairing);
fn an_absence_of_somebody_who_leaves_or_waits_does_not_stop_the_pairing(data: TestStore) {
    let server = Server::start(&data);
    let swiss = json!({"kind": "swiss", "rounds": 2});
    let mut tournament = TestTournament::new(&server, swiss, json!({"most_entrants": 4}));
    tournament.enter(&["Asha", "Ravi", "Meera", "Kiran", "Latha", "Vijay"]);
    for number in [4, 6] {
        let noted = tournament.post(&format!("/entrants/{number}/absences"), json!({"round": 1}));
        assert_eq!(noted.status, 200, "{}", noted.raw);
    }
    let left = tournament.ask(&tournament.token, "DELETE", "/entrants/4", Value::Null);
    assert_eq!(left.status, 200, "{}", left.raw);
    assert_eq!(tournament.post("/start", Value::Null).status, 200);
    let round = tournament.pair();
    assert_eq!(round["tables"].as_array().map(Vec::len), Some(2), "{round}");
    assert_eq!(tournament.get("/standings").status, 200);
}

on_both_stores!(entrants_come_and_go_in_an_arena);
fn entrants_come_and_go_in_an_arena(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, json!({"kind": "arena", "seconds": 20}), json!({"late_entries": true}));
    cup.enter_many(4);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    until("the first games are paired", || !cup.get("").body["rounds"].as_array().unwrap().is_empty());
    cup.enter(&["Late", "Later"]);
    assert_eq!(cup.ask(&cup.token, "DELETE", "/entrants/4", Value::Null).status, 200);
    until("those who came late play", || {
        let rounds = cup.get("").body["rounds"].as_array().unwrap().len();
        (1..=rounds).for_each(|round| cup.play(round));
        let all = (1..=rounds).map(|round| cup.round(round).to_string()).collect::<String>();
        all.contains("\"entrant\":5") && rounds > 1
    });
    until("the arena is over", || {
        let read = cup.get("").body;
        (1..=read["rounds"].as_array().unwrap().len()).for_each(|round| cup.play(round));
        read["status"] == "finished"
    });
    assert_eq!(cup.places()[0].1, 1);
}
