//! Tests competitive games: stakes, pots and the bank, experience, statistics, addresses.

use pagade::config::{Oidc, Rates, ServeConfig};
use pagade::ground::token::Token;
use pagade_tests::issuer::{TestIssuer, TestKey};
use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::tokens::{ADMIN, ask, bearer};

/// Chips of a new player.
pub(crate) const CHIPS: u64 = 1_000;
/// The seats of the rule set that is played, in the order of travel.
pub(crate) const SEATS: [&str; 4] = ["yellow", "blue", "red", "green"];

/// A service with an identity provider, behind one proxy.
pub(crate) struct Club {
    pub server: Server,
    issuer: TestIssuer,
    key: TestKey,
}

/// A registered player, who sends requests from an address of the player's own.
pub(crate) struct Member {
    pub id: String,
    pub token: String,
    pub address: String,
}

impl Club {
    pub(crate) fn new(data: &TestStore) -> Self {
        Self::with(data, |_| ())
    }

    pub(crate) fn with(data: &TestStore, change: impl FnOnce(&mut ServeConfig)) -> Self {
        let (issuer, key) = (TestIssuer::start(), TestKey::ed("one"));
        issuer.has(&[&key]);
        let server = Server::start_with(data, |config| {
            config.oidc = Some(Oidc::new(&issuer.url, "pagade"));
            config.rates = Rates { proxies: 1, ..Rates::unlimited() };
            config.admin = Some(Token::sent(ADMIN).hash());
            change(config);
        });
        Self { server, issuer, key }
    }

    /// Signs a player in. `number` is the last part of the player's network address.
    pub(crate) fn member(&self, name: &str, number: u32) -> Member {
        let token = self.key.sign(&self.issuer.claims_with(json!({"sub": name, "name": name})));
        let mut member = Member { id: String::new(), token, address: format!("10.0.0.{number}") };
        member.id = self.me(&member).text("/player/id");
        member
    }

    pub(crate) fn members<const N: usize>(&self, names: [&str; N]) -> [Member; N] {
        let mut number = 0;
        names.map(|name| {
            number += 1;
            self.member(name, number)
        })
    }

    pub(crate) fn send(&self, member: &Member, method: &str, path: &str, body: Value) -> Answer {
        let request = self.server.request(method, path).bearer_auth(&member.token).header("If-Match", "*");
        let request = request.header("X-Forwarded-For", &member.address);
        got(if body.is_null() { request } else { request.json(&body) }.send().unwrap())
    }

    pub(crate) fn me(&self, member: &Member) -> Answer {
        self.send(member, "GET", "/v1/me", Value::Null)
    }

    /// Returns the balance of a player, and the chips in escrow.
    pub(crate) fn chips(&self, member: &Member) -> (u64, u64) {
        let player = &self.me(member).body["player"];
        (player["balance"].as_u64().unwrap(), player["staked"].as_u64().unwrap())
    }

    pub(crate) fn bank(&self) -> u64 {
        let read = ask(&self.server, "GET", "/v1/bank", bearer(ADMIN).as_deref(), &Value::Null);
        read.body["chips"].as_u64().unwrap()
    }

    pub(crate) fn statistics(&self, member: &Member) -> Value {
        self.server.get(&format!("/v1/players/{}/statistics", member.id)).body
    }

    /// Creates a table with these options, at which these players sit down. Returns the path of the table.
    pub(crate) fn table(&self, members: &[&Member], options: Value) -> String {
        let wish = json!({"rule_set": "parcheesi", "options": options});
        let created = self.send(members[0], "POST", "/v1/tables", wish);
        assert_eq!(created.status, 201, "{}", created.raw);
        let path = format!("/v1/tables/{}", created.text("/id"));
        for (member, seat) in members.iter().zip(SEATS).skip(1) {
            let sat = self.send(member, "POST", &format!("{path}/seats/{seat}"), json!({}));
            assert_eq!(sat.status, 201, "{}", sat.raw);
        }
        path
    }

    /// Starts a game at a table, and returns its path.
    pub(crate) fn start(&self, master: &Member, table: &str) -> String {
        let started = self.send(master, "POST", &format!("{table}/games"), json!({}));
        assert_eq!(started.status, 201, "{}", started.raw);
        format!("/v1/games/{}", started.text("/game/id"))
    }

    pub(crate) fn resign(&self, member: &Member, game: &str) {
        let resigned = self.send(member, "POST", &format!("{game}/resignations"), json!({}));
        assert_eq!(resigned.status, 200, "{}", resigned.raw);
    }

    /// Waits until the game of a table is settled, and returns it.
    pub(crate) fn settled(&self, table: &str) -> Value {
        until("the game is settled", || self.server.get(table).body.get("game").is_none());
        self.server.get(table).body["past_games"][0].clone()
    }

    /// Plays a game in which all players but the first one resign. Returns the settled game.
    pub(crate) fn play(&self, members: &[&Member], table: &str) -> Value {
        let game = self.start(members[0], table);
        members[1..].iter().for_each(|member| self.resign(member, &game));
        self.settled(table)
    }
}

on_both_stores!(a_registered_player_has_chips_and_a_guest_has_none);
fn a_registered_player_has_chips_and_a_guest_has_none(data: TestStore) {
    let club = Club::with(&data, |config| config.scoring.chips = 250);
    let asha = club.member("Asha", 1);
    assert_eq!(club.chips(&asha), (250, 0));
    let guest = club.server.post("/v1/players", json!({"name": "Ravi"}));
    assert_eq!((&guest.body["player"]["balance"], &guest.body["player"]["staked"]), (&json!(0), &json!(0)));
}

on_both_stores!(the_winner_gets_the_pot_without_the_share_of_the_bank);
fn the_winner_gets_the_pot_without_the_share_of_the_bank(data: TestStore) {
    let club = Club::with(&data, |config| config.scoring.season = Some("autumn-2026".to_owned()));
    let all = club.members(["Asha", "Ravi", "Meera", "Kiran"]);
    let [asha, ravi, meera, kiran] = &all;
    let everybody = [asha, ravi, meera, kiran];
    let table = club.table(&everybody, json!({"bet": 100, "time_per_turn": 0}));
    assert_eq!(club.server.get(&table).body["icon"], "competitive");
    let game = club.start(asha, &table);
    for member in everybody {
        assert_eq!(club.chips(member), (CHIPS - 100, 100), "the stake is in escrow");
    }
    let seen = club.send(asha, "GET", &game, Value::Null);
    assert_eq!(seen.body["scoring"], json!({"counts": true, "bet": 100, "pot": 400}));
    assert_eq!(
        club.server.get(&table).body["game"]["stakes"],
        json!({"bet": 100, "pot": 400, "season": "autumn-2026", "paid": false})
    );
    [ravi, meera, kiran].iter().for_each(|member| club.resign(member, &game));
    let past = club.settled(&table);
    assert_eq!((club.chips(asha), club.bank()), ((CHIPS + 200, 0), 100));
    for member in [ravi, meera, kiran] {
        assert_eq!(club.chips(member), (CHIPS - 100, 0));
    }
    assert_eq!((&past["players"][0]["chips"], &past["players"][0]["experience"]), (&json!(200), &json!(40)));
    assert_eq!((&past["players"][3]["chips"], &past["players"][3]["experience"]), (&json!(-100), &json!(5)));
    let (winner, loser) = (club.statistics(asha), club.statistics(kiran));
    let record = |statistics: &Value, field: &str| statistics["rule_sets"][0][field].clone();
    assert_eq!(
        (record(&winner, "rule_set"), record(&winner, "won"), record(&winner, "lost")),
        (json!("parcheesi"), json!(1), json!(0))
    );
    assert_eq!((record(&loser, "won"), record(&loser, "lost"), &loser["experience"]), (json!(0), json!(1), &json!(5)));
    assert_eq!(record(&winner, "seasons"), json!([{"season": "autumn-2026", "experience": 40}]));
    let rating = |statistics: &Value| statistics["rule_sets"][0]["rating"]["value"].as_f64().unwrap();
    // The player who resigned first has the last of the four places.
    let last = club.statistics(ravi);
    assert!(rating(&winner) > 25.0 && rating(&last) < 25.0, "{winner} {last}");
    until("the inbox tells it", || {
        let events = club.send(asha, "GET", &format!("/v1/players/{}/events", asha.id), Value::Null);
        let of_word = |word: &str| {
            let events = events.body["events"].as_array().unwrap().clone().into_iter();
            events.filter(|event| event["event"] == word).collect::<Vec<_>>()
        };
        let (staked, settled) = (of_word("chips_staked"), of_word("game_settled"));
        assert!(staked.len() <= 1 && settled.len() <= 1, "{}", events.raw);
        settled.first().is_some_and(|settled| {
            settled["chips"] == 300
                && settled["balance"] == 1_200
                && staked[0]["chips"] == -100
                && settled["experience"] == 40
                && settled["badges"] == json!(["first-game", "first-win"])
        })
    });
    let small = club.table(&[ravi, meera], json!({"bet": 5, "time_per_turn": 0}));
    club.play(&[ravi, meera], &small);
    assert_eq!((club.chips(ravi).0, club.chips(meera).0, club.bank()), (CHIPS - 100 + 3, CHIPS - 105, 102));
    let export = club.send(ravi, "GET", &format!("/v1/players/{}/export", ravi.id), Value::Null);
    assert_eq!((&export.body["statistics"]["won"], &export.body["stakes"]), (&json!(1), &json!([])));
}

on_both_stores!(a_winning_pair_divides_the_pot);
fn a_winning_pair_divides_the_pot(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi", "Meera", "Kiran"]);
    let [asha, ravi, meera, kiran] = &all;
    let options = json!({"bet": 100, "time_per_turn": 0, "pairs": true});
    let table = club.table(&[asha, ravi, meera, kiran], options);
    let game = club.start(asha, &table);
    club.resign(ravi, &game);
    club.resign(kiran, &game);
    club.settled(&table);
    for (member, chips, experience) in [(asha, 1_050, 20), (meera, 1_050, 20), (ravi, 900, 5), (kiran, 900, 5)] {
        assert_eq!((club.chips(member).0, &club.statistics(member)["experience"]), (chips, &json!(experience)));
    }
    assert_eq!(club.bank(), 100);
}

on_both_stores!(without_enough_chips_nobody_sits_down_and_no_game_begins);
fn without_enough_chips_nobody_sits_down_and_no_game_begins(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi"]);
    let [asha, ravi] = &all;
    let wish = json!({"rule_set": "parcheesi", "options": {"bet": 1_001}});
    assert_eq!(club.send(asha, "POST", "/v1/tables", wish).problem(), (409, "insufficient_chips"));
    let table = club.table(&[asha, ravi], json!({"bet": 600, "time_per_turn": 0}));
    let other = club.table(&[ravi, asha], json!({"bet": 600, "time_per_turn": 0}));
    let game = club.start(asha, &table);
    let refused = club.send(ravi, "POST", &format!("{other}/games"), json!({}));
    assert_eq!(refused.problem(), (409, "insufficient_chips"));
    assert_eq!(refused.body["args"], json!({"bet": 600, "balance": 400}), "the player learns the own balance");
    let vote = club.send(asha, "POST", &format!("{other}/votes"), json!({"on": "next_game"}));
    assert_eq!(vote.problem(), (409, "insufficient_chips"));
    assert_eq!(vote.body["args"], json!({"bet": 600, "seat": "yellow"}), "not that of another player");
    assert_eq!((club.chips(asha), club.chips(ravi)), ((400, 600), (400, 600)), "nobody has paid twice");
    let third = club.member("Meera", 3);
    let table_of_third = club.table(&[&third], json!({"bet": 401}));
    let refused = club.send(asha, "POST", &format!("{table_of_third}/seats/red"), json!({}));
    assert_eq!(refused.problem(), (409, "insufficient_chips"));
    club.resign(ravi, &game);
    club.settled(&table);
    assert_eq!((club.chips(asha), club.chips(ravi)), ((1_300, 0), (400, 0)));
}

on_both_stores!(a_practice_game_takes_no_stake_and_counts_for_nothing);
fn a_practice_game_takes_no_stake_and_counts_for_nothing(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi"]);
    let [asha, ravi] = &all;
    let table = club.table(&[asha, ravi], json!({"bet": 100, "competitive": false, "time_per_turn": 0}));
    assert_eq!(club.server.get(&table).body["icon"], "practice");
    let before = club.statistics(asha);
    let game = club.start(asha, &table);
    assert_eq!(club.chips(asha), (CHIPS, 0));
    assert_eq!(club.send(asha, "GET", &game, Value::Null).body.get("scoring"), None);
    club.resign(ravi, &game);
    let past = club.settled(&table);
    assert_eq!((past.get("bet"), past["players"][0].get("chips")), (None, None));
    assert_eq!((club.chips(asha).0, club.chips(ravi).0, club.bank()), (CHIPS, CHIPS, 0));
    assert_eq!(club.statistics(asha), before, "no experience, no level, no badge");
    // The option acts on the next game.
    let changed = club.send(asha, "PATCH", &format!("{table}/options"), json!({"options": {"competitive": true}}));
    assert_eq!(changed.status, 200, "{}", changed.raw);
    club.play(&[asha, ravi], &table);
    assert_eq!((club.chips(asha).0, club.chips(ravi).0, club.bank()), (CHIPS + 50, CHIPS - 100, 50));
}

on_both_stores!(the_icon_of_a_table_says_if_its_game_counts);
fn the_icon_of_a_table_says_if_its_game_counts(data: TestStore) {
    let club = Club::new(&data);
    let [asha, ravi] = club.members(["Asha", "Ravi"]);
    let table = club.table(&[&asha, &ravi], json!({"bet": 100, "time_per_turn": 0}));
    let icon = || {
        let listed = club.server.get("/v1/tables").text("/tables/0/icon");
        assert_eq!(listed, club.server.get(&table).text("/icon"), "the list and the table say the same");
        listed
    };
    let robot = |method: &str, rest: &str, body: Value| {
        let answer = club.send(&asha, method, &format!("{table}/seats/{}{rest}", SEATS[2]), body);
        assert!(answer.status < 300, "{}", answer.raw);
    };
    let option = |value: bool| {
        let body = json!({"options": {"competitive": value}});
        assert_eq!(club.send(&asha, "PATCH", &format!("{table}/options"), body).status, 200);
    };
    assert_eq!(icon(), "competitive");
    robot("POST", "/robot", json!({"robot": "runner"}));
    assert_eq!(icon(), "practice", "the next game has a robot");
    let game = club.start(&asha, &table);
    robot("DELETE", "", Value::Null);
    assert_eq!(icon(), "practice", "the game in play has a robot");
    assert_eq!(club.send(&asha, "GET", &table, Value::Null).body["game"].get("stakes"), None);
    club.resign(&ravi, &game);
    club.resign(&asha, &game);
    club.settled(&table);
    assert_eq!(icon(), "competitive", "the next game has none");
    let game = club.start(&asha, &table);
    option(false);
    assert_eq!(icon(), "competitive", "the option acts on the next game");
    club.resign(&ravi, &game);
    club.settled(&table);
    assert_eq!(icon(), "practice");
}

on_both_stores!(an_amicable_end_returns_the_stakes_and_counts_for_nothing);
fn an_amicable_end_returns_the_stakes_and_counts_for_nothing(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi", "Meera"]);
    let [asha, ravi, meera] = &all;
    let table = club.table(&[asha, ravi, meera], json!({"bet": 100, "time_per_turn": 0}));
    let before = club.statistics(asha);
    club.start(asha, &table);
    let left = club.send(meera, "DELETE", &format!("{table}/seats/red"), Value::Null);
    assert_eq!(left.status, 204, "{}", left.raw);
    assert_eq!(club.send(asha, "POST", &format!("{table}/votes"), json!({"on": "end"})).status, 201);
    let voted = club.send(ravi, "POST", &format!("{table}/votes/current"), json!({"agree": true}));
    assert_eq!(voted.status, 200, "{}", voted.raw);
    let past = club.settled(&table);
    assert_eq!(past["ended_by"], "abort");
    let chips = [asha, ravi, meera].map(|member| club.chips(member).0);
    assert_eq!((chips, club.bank()), ([CHIPS, CHIPS, CHIPS - 100], 100), "the stake of the one who left is lost");
    assert_eq!(club.statistics(asha), before);
}

on_both_stores!(the_chips_of_a_deleted_player_go_to_the_bank);
fn the_chips_of_a_deleted_player_go_to_the_bank(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi"]);
    let [asha, ravi] = &all;
    let table = club.table(&[asha, ravi], json!({"bet": 100, "time_per_turn": 0, "stand_in": "none"}));
    club.start(asha, &table);
    let deleted = club.send(ravi, "DELETE", &format!("/v1/players/{}", ravi.id), Value::Null);
    assert_eq!(deleted.status, 204, "{}", deleted.raw);
    club.settled(&table);
    assert_eq!(club.chips(asha), (CHIPS + 50, 0));
    until("the bank has the chips", || club.bank() == 50 + CHIPS - 100);
    assert_eq!(club.server.get(&format!("/v1/players/{}/statistics", ravi.id)).problem(), (404, "player_not_found"));
}

on_both_stores!(two_players_at_one_address_play_for_chips_only);
fn two_players_at_one_address_play_for_chips_only(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi"]);
    let [asha, ravi] = all;
    let table = club.table(&[&asha, &ravi], json!({"bet": 100, "time_per_turn": 0}));
    let game = club.start(&asha, &table);
    let scoring = || club.send(&asha, "GET", &game, Value::Null).body["scoring"].clone();
    assert_eq!(scoring()["counts"], true);
    // One player sends a request from the other player's address, in another notation. `6.6.6.6` is the address that
    // the client itself has put into the header; it is not believed.
    let turn = club.send(&asha, "GET", &game, Value::Null).text("/turn");
    let (mover, other) = if turn == "yellow" { (&asha, &ravi) } else { (&ravi, &asha) };
    let address = format!("6.6.6.6, ::ffff:{}", other.address);
    let moved = Member { id: mover.id.clone(), token: mover.token.clone(), address };
    assert_eq!(club.send(&moved, "POST", &format!("{game}/throws"), json!({})).status, 200);
    assert_eq!(scoring(), json!({"counts": false, "reason": "shared_ip", "bet": 100, "pot": 200}));
    club.resign(&ravi, &game);
    let past = club.settled(&table);
    assert_eq!(past["not_scored"], "shared_ip");
    assert_eq!((club.chips(&asha).0, club.chips(&ravi).0, club.bank()), (CHIPS + 50, CHIPS - 100, 50));
    for member in [&asha, &ravi] {
        let statistics = club.statistics(member);
        assert_eq!((&statistics["experience"], &statistics["rule_sets"]), (&json!(0), &json!([])));
    }
    let board = club.server.get("/v1/leaderboards/parcheesi");
    assert_eq!((board.status, &board.body["players"]), (200, &json!(0)));
    // Asha sits down from an address and then chats from another one. Only after that, Kiran sits down from Asha's
    // first address. This does not count as one address for two players.
    let third = club.table(&[&asha], json!({"time_per_turn": 0}));
    let away = Member { id: asha.id.clone(), token: asha.token.clone(), address: "10.0.0.77".to_owned() };
    assert_eq!(club.send(&away, "POST", &format!("{third}/chat"), json!({"text": "I have moved"})).status, 201);
    let guest = Member { address: asha.address.clone(), ..club.member("Kiran", 4) };
    assert_eq!(club.send(&guest, "POST", &format!("{third}/seats/red"), json!({})).status, 201);
    let game = club.start(&away, &third);
    assert_eq!(club.send(&away, "GET", &game, Value::Null).body["scoring"]["counts"], true);
    // A player who sits down from the same address is detected from the start.
    let neighbour = Member { address: asha.address.clone(), ..club.member("Meera", 3) };
    let second = club.table(&[&asha, &neighbour], json!({"time_per_turn": 0}));
    let game = club.start(&asha, &second);
    assert_eq!(club.send(&asha, "GET", &game, Value::Null).body["scoring"]["reason"], "shared_ip");
}

on_both_stores!(who_speaks_at_the_table_from_the_address_of_another_plays_for_chips_only);
fn who_speaks_at_the_table_from_the_address_of_another_plays_for_chips_only(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi"]);
    let [asha, ravi] = &all;
    let elsewhere =
        |of: &Member| Member { id: of.id.clone(), token: of.token.clone(), address: "10.0.0.77".to_owned() };
    let shared = json!({"counts": false, "reason": "shared_ip", "bet": 100, "pot": 200});
    for speaks_twice in [true, false] {
        let table = club.table(&[asha, ravi], json!({"bet": 100, "time_per_turn": 0}));
        let say = |by: &Member| {
            let said = club.send(by, "POST", &format!("{table}/chat"), json!({"text": "Well played"}));
            assert_eq!(said.status, 201, "{}", said.raw);
        };
        let game = club.start(asha, &table);
        let seen = || club.send(asha, "GET", &game, Value::Null).body;
        let last_event = || {
            let events = club.send(asha, "GET", &format!("{game}/events"), Value::Null).body["events"].clone();
            events.as_array().unwrap().last().unwrap().clone()
        };
        let (mover, other) = if seen()["turn"] == "yellow" { (asha, ravi) } else { (ravi, asha) };
        say(mover);
        say(&elsewhere(other));
        assert_eq!(seen()["scoring"]["counts"], true, "nobody else was there");
        let event = last_event();
        assert_eq!((&event["event"], &event["version"]), (&json!("terms_changed"), &seen()["version"]));
        say(&elsewhere(other));
        assert_eq!(last_event(), event, "the game knows this address");
        if speaks_twice {
            say(&elsewhere(mover));
            assert_eq!(last_event()["id"].as_u64(), event["id"].as_u64().map(|id| id + 1));
        } else {
            let thrown = club.send(&elsewhere(mover), "POST", &format!("{game}/throws"), json!({}));
            assert_eq!(thrown.status, 200, "{}", thrown.raw);
        }
        assert_eq!(seen()["scoring"], shared);
        club.resign(ravi, &game);
        assert_eq!(club.settled(&table)["not_scored"], "shared_ip");
    }
    assert_eq!(club.statistics(asha)["experience"], 0);
}

on_both_stores!(a_game_that_cannot_begin_says_why);
fn a_game_that_cannot_begin_says_why(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi", "Meera"]);
    let [asha, ravi, meera] = &all;
    let open = |by: &Member, options: Value| {
        let wish = json!({"rule_set": "parcheesi", "seats": ["yellow", "red"], "options": options});
        format!("/v1/tables/{}", club.send(by, "POST", "/v1/tables", wish).text("/id"))
    };
    let sit = |by: &Member, table: &str| club.send(by, "POST", &format!("{table}/seats/red"), json!({}));
    // Before the second table is full, its master stakes almost all chips at the first one.
    let first = open(asha, json!({"bet": 900, "time_per_turn": 0}));
    let second = open(asha, json!({"bet": 900, "time_per_turn": 0, "start_when_full": true}));
    assert_eq!(sit(ravi, &first).status, 201);
    club.start(asha, &first);
    assert_eq!(sit(meera, &second).status, 201);
    let dropped = || {
        let events = club.send(meera, "GET", &format!("{second}/events"), Value::Null).body["events"].clone();
        events.as_array().unwrap().iter().find(|event| event["event"] == "table_game_dropped").cloned()
    };
    until("the table tells that no game begins", || dropped().is_some());
    let told = dropped().unwrap();
    assert_eq!((&told["reason"], &told["player"]), (&json!("insufficient_chips"), &json!(asha.id)));
    assert_eq!(club.send(meera, "GET", &second, Value::Null).text("/status"), "open");
    let vote = club.send(meera, "POST", &format!("{second}/votes"), json!({"on": "next_game"}));
    assert_eq!(vote.problem(), (409, "insufficient_chips"), "nobody has to vote on what cannot be played");
}

on_both_stores!(levels_and_badges_follow_from_a_file);
fn levels_and_badges_follow_from_a_file(data: TestStore) {
    let text = "levels: [0, 20, 60]\nbadges: [{id: twice, text: Has won twice, when: {won: 2, level: 2}}]\n";
    let club = Club::with(&data, |config| {
        config.scoring.awards = pagade::score::awards::Awards::parse(text).unwrap();
    });
    let all = club.members(["Asha", "Ravi"]);
    let [asha, ravi] = &all;
    let table = club.table(&[asha, ravi], json!({"time_per_turn": 0}));
    let level = || {
        let statistics = club.statistics(asha);
        (statistics["level"].as_u64().unwrap(), statistics["badges"].as_array().unwrap().len())
    };
    assert_eq!(level(), (1, 0));
    club.play(&[asha, ravi], &table);
    assert_eq!(level(), (2, 0));
    club.play(&[asha, ravi], &table);
    assert_eq!(level(), (2, 1));
    let statistics = club.statistics(asha);
    assert_eq!((&statistics["next_level"], &statistics["streak"]), (&json!(60), &json!(2)));
    assert_eq!(
        (&statistics["badges"][0]["id"], &statistics["badges"][0]["text"]),
        (&json!("twice"), &json!("Has won twice"))
    );
    club.send(asha, "PATCH", &format!("{table}/options"), json!({"options": {"competitive": false}}));
    club.play(&[asha, ravi], &table);
    assert_eq!(club.statistics(asha), statistics, "practice changes neither");
}
