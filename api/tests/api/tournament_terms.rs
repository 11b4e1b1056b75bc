//! Tests the terms of tournaments in their games: dice, seats, options, clock, robots, prizes; and limits on entrants.

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Server, TestStore, got, on_both_stores};
use crate::tournaments::{TestTournament, swiss};

fn game(cup: &TestTournament<'_>, round: &Value, table: usize) -> Value {
    let id = round["tables"][table]["games"][0]["id"].as_str().unwrap();
    cup.server.get(&format!("/v1/games/{id}")).body
}

on_both_stores!(all_tables_of_a_round_get_the_same_throws);
fn all_tables_of_a_round_get_the_same_throws(data: TestStore) {
    let server = Server::start(&data);
    for (same, equal) in [(true, true), (false, false)] {
        let mut cup = TestTournament::new(&server, swiss(2), json!({"same_dice": same}));
        cup.enter(&["Asha", "Bina", "Chitra", "Devi"]);
        assert_eq!(cup.post("/start", json!({})).status, 200);
        let rounds = [1, 2].map(|number| {
            let round = cup.pair();
            let first = cup.read_game(&cup.token, &round["tables"][0]["games"][0]);
            assert_eq!(first.body["seed"], Value::Null, "nobody knows the throws before the end");
            cup.play_round(number);
            until("the games are shown", || game(&cup, &round, 0)["seed"].is_string());
            round
        });
        let seed = |round: usize, table: usize| game(&cup, &rounds[round], table)["seed"].as_str().unwrap().to_owned();
        assert_eq!(seed(0, 0) == seed(0, 1), equal);
        assert_ne!(seed(0, 0), seed(1, 0), "another round has other throws");
    }
}

on_both_stores!(dice_that_other_tables_have_too_stay_hidden_until_all_are_over);
fn dice_that_other_tables_have_too_stay_hidden_until_all_are_over(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, swiss(1), json!({"same_dice": true}));
    cup.enter(&["Asha", "Bina", "Chitra", "Devi"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    let round = cup.pair();
    let [first, second] = [0, 1].map(|table| &round["tables"][table]["games"][0]);
    let path = |game: &Value, rest: &str| format!("/v1/games/{}{rest}", game["id"].as_str().unwrap());
    until("the games exist", || cup.read_game(&cup.token, second).status == 200);
    cup.resign_all_but_one(first);
    until("the first table is over", || cup.round(1)["tables"][0]["result"].is_object());
    let own = cup.entrant_token(first["seats"][0]["entrant"].as_u64().unwrap());
    let dice = got(server.request("GET", &path(first, "/dice")).bearer_auth(own).send().unwrap());
    assert_eq!((dice.status, &dice.body["seed"]), (200, &Value::Null), "{}", dice.raw);
    let record = got(server.request("GET", &path(first, "/record")).bearer_auth(own).send().unwrap());
    assert!(record.status == 200 && !record.raw.contains("seed:"), "{}", record.raw);
    // The players of the other table, and strangers, see neither the game nor its throws.
    let other = cup.entrant_token(second["seats"][0]["entrant"].as_u64().unwrap());
    for rest in ["", "/dice", "/record", "/events"] {
        assert_eq!(cup.server.get(&path(first, rest)).problem(), (404, "game_not_found"));
        let seen = got(server.request("GET", &path(first, rest)).bearer_auth(other).send().unwrap());
        assert_eq!(seen.problem(), (404, "game_not_found"), "{}", seen.raw);
        assert!(seen.raw.contains("same dice"), "{}", seen.raw);
    }
    let group = format!("/v1/groups/{}/events", round["group"].as_str().unwrap());
    assert_eq!(cup.server.get(&group).status, 404);
    assert!(!cup.get("/export?records=true").raw.contains("\"throw\""));
    let listed = |id: &Value| server.get("/v1/games").body["games"].as_array().unwrap().iter().any(|g| g["id"] == *id);
    assert!(!listed(&first["id"]));
    cup.play_round(1);
    until("the games are shown", || game(&cup, &round, 0)["seed"].is_string());
    until("the group is shown", || cup.server.get(&group).status == 200);
    let seeds = [0, 1].map(|table| cup.server.get(&path(&round["tables"][table]["games"][0], "/dice")));
    until("the second game is shown", || game(&cup, &round, 1)["seed"].is_string());
    assert_eq!(seeds[0].body["seed_hash"], game(&cup, &round, 1)["seed_hash"]);
    assert!(listed(&first["id"]));
}

on_both_stores!(nobody_begins_more_often_than_needed_and_games_have_the_terms);
fn nobody_begins_more_often_than_needed_and_games_have_the_terms(data: TestStore) {
    let server = Server::start(&data);
    let more = json!({
        "options": {"if_closed": "wait"}, "turn_timer": {"seconds": 90, "forfeit_after": 3},
        "boards": [["red", "yellow"]],
    });
    let mut cup = TestTournament::new(&server, json!({"kind": "round_robin", "cycles": 2}), more);
    cup.enter(&["Asha", "Bina", "Chitra", "Devi"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    let (mut begun, mut seats) = ([0_i32; 5], Vec::new());
    for number in 1..=6 {
        let round = cup.pair();
        for table in 0..2 {
            let game = game(&cup, &round, table);
            assert_eq!((&game["options"]["if_closed"], &game["turn_timer"]["seconds"]), (&json!("wait"), &json!(90)));
            assert_eq!(game["turn_timer"]["forfeit_after"], 3);
            let placed = round["tables"][table]["games"][0]["seats"].as_array().unwrap();
            seats.extend(placed.iter().map(|seat| seat["seat"].as_str().unwrap().to_owned()));
            let first = placed.iter().find(|seat| seat["seat"] == game["turn"]).unwrap();
            assert_eq!(first["entrant"], round["tables"][table]["entrants"][0]);
            begun[usize::try_from(first["entrant"].as_u64().unwrap()).unwrap()] += 1;
        }
        cup.play_round(number);
    }
    assert_eq!(begun[1..], [3, 3, 3, 3], "each begins half of six games");
    assert!(seats.iter().all(|seat| ["red", "yellow"].contains(&seat.as_str())));
    assert_eq!(cup.post("/rounds", json!({})).problem(), (409, "tournament_over"));
}

on_both_stores!(the_first_four_have_their_prizes);
fn the_first_four_have_their_prizes(data: TestStore) {
    let server = Server::start(&data);
    let prizes = json!(["The golden pawn", "First runner-up", "Second runner-up", "A book"]);
    let format = json!({"kind": "knock_out", "third_place": true});
    let mut cup = TestTournament::new(&server, format, json!({"automatic": true, "prizes": prizes}));
    cup.enter(&["Asha", "Bina", "Chitra", "Devi", "=Esha"]);
    assert_eq!(cup.get("").body["prizes"], prizes);
    assert!(!cup.get("/standings").raw.contains("prizes"), "nothing is won before the first round");
    assert_eq!(cup.post("/start", json!({})).status, 200);
    cup.play_to_the_end();
    let standings = cup.get("/standings").body["standings"].clone();
    let won: Vec<_> = standings.as_array().unwrap().iter().map(|row| row["prizes"][0].clone()).collect();
    assert_eq!(won[..4], prizes.as_array().unwrap()[..]);
    assert_eq!(won[4], Value::Null);
    assert_eq!(cup.get("/export").body["standings"], standings);
    let csv = got(server.request("GET", &cup.path("/standings")).header("Accept", "text/csv").send().unwrap());
    let lines: Vec<_> = csv.raw.lines().collect();
    assert_eq!(lines[0], "place,entrant,name,reached,points,buchholz,direct_meeting,wins,score_difference,lots,prizes");
    assert!(lines[1].starts_with("1,1,Asha,") && lines[1].ends_with(",The golden pawn"), "{}", lines[1]);
    assert!(lines[5].contains("\"'=Esha\""), "{}", lines[5]);
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
}

on_both_stores!(entrants_who_share_a_place_share_its_prizes);
fn entrants_who_share_a_place_share_its_prizes(data: TestStore) {
    let server = Server::start(&data);
    let more = json!({"tie_breaks": ["wins"], "prizes": ["Gold", "Silver", "Bronze"]});
    let mut cup = TestTournament::new(&server, swiss(1), more);
    cup.enter(&["Asha", "Bina", "Chitra", "Devi"]);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    cup.pair();
    cup.play_round(1);
    let standings = cup.get("/standings").body["standings"].clone();
    let of = |row: usize| (standings[row]["place"].clone(), standings[row]["prizes"].clone());
    assert_eq!((of(0), of(1)), ((json!(1), json!(["Gold", "Silver"])), (json!(1), json!(["Gold", "Silver"]))));
    assert_eq!((of(2), of(3)), ((json!(3), json!(["Bronze"])), (json!(3), json!(["Bronze"]))));
}

on_both_stores!(a_tournament_without_robots_refuses_them);
fn a_tournament_without_robots_refuses_them(data: TestStore) {
    let server = Server::start(&data);
    let cup = TestTournament::new(&server, swiss(1), json!({"robots": false}));
    let robots = json!({"entrants": [{"name": "Asha"}, {"name": "Hari", "robot": "hunter"}]});
    let refused = cup.post("/entrants", robots);
    assert_eq!(refused.problem(), (422, "body_invalid"));
    assert_eq!(refused.body["problems"][0]["pointer"], "/entrants/1/robot");
    let late = json!({"rule_set": "pagade", "format": swiss(1), "robots": false,
        "turn_timer": {"seconds": 60, "then": "hunter"}});
    for robot in ["runner", "hunter", "thinker", "learned"] {
        let mut late = late.clone();
        late["turn_timer"]["then"] = json!(robot);
        let refused = server.post("/v1/tournaments", late);
        assert_eq!((refused.status, &refused.body["problems"][0]["pointer"]), (422, &json!("/turn_timer/then")));
    }
}

on_both_stores!(robots_of_a_tournament_need_not_pause);
fn robots_of_a_tournament_need_not_pause(data: TestStore) {
    let server = Server::start(&data);
    let more = json!({"rule_set": "snakes-and-ladders", "robot_pause_milliseconds": 0, "automatic": true});
    let cup = TestTournament::new(&server, swiss(2), more);
    let robots = ["random", "runner", "hunter", "hunter"].iter().zip(1..);
    let robots: Vec<Value> =
        robots.map(|(robot, number)| json!({"name": number.to_string(), "robot": robot})).collect();
    assert_eq!(cup.post("/entrants", json!({"entrants": robots})).status, 201);
    assert_eq!(cup.get("").body["robot_pause_milliseconds"], 0);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    until("the end of four games", || cup.get("").body["status"] == "finished");
    let round = cup.get("/rounds/2").body;
    assert_eq!(game(&cup, &round, 0)["robot_pause_milliseconds"], 0);
    let usual = TestTournament::new(&server, swiss(3), json!({"robot_pause_milliseconds": 500}));
    assert!(usual.get("").body.get("robot_pause_milliseconds").is_none());
}

on_both_stores!(the_limits_on_entrants_and_absences_are_named);
fn the_limits_on_entrants_and_absences_are_named(data: TestStore) {
    let server = Server::start(&data);
    let cup = TestTournament::new(&server, json!({"kind": "round_robin"}), json!({"most_entrants": 2}));
    for part in 0..4 {
        let names: Vec<_> = (0..512).map(|number| json!({"name": format!("Entrant {part} {number}")})).collect();
        assert_eq!(cup.post("/entrants", json!({"entrants": names})).status, 201);
    }
    let refused = cup.post("/entrants", json!({"entrants": [{"name": "One more"}]}));
    assert_eq!(refused.problem(), (409, "tournament_full"));
    assert!(refused.text("/detail").starts_with("2048 entrants are listed"), "{}", refused.raw);
    for round in 1..=64 {
        assert_eq!(cup.post("/entrants/1/absences", json!({"round": round})).status, 200);
    }
    let events = cup.get("").body["events"].clone();
    assert_eq!(cup.post("/entrants/1/absences", json!({"round": 7})).status, 200, "it is noted already");
    assert_eq!(cup.get("").body["events"], events);
    assert_eq!(cup.post("/entrants/1/absences", json!({"round": 65})).problem(), (409, "absences_full"));
    assert_eq!(cup.post("/entrants/2/absences", json!({"round": 65})).status, 200);
    let started = TestTournament::new(&server, swiss(1), json!({"most_entrants": 2}));
    assert_eq!(started.post("/entrants", json!({"entrants": [{"name": "A"}, {"name": "B"}]})).status, 201);
    assert_eq!(started.post("/entrants/1/absences", json!({"round": 2})).problem(), (422, "body_invalid"));
    assert_eq!(started.post("/start", json!({})).status, 200);
    let refused = started.post("/entrants", json!({"entrants": [{"name": "C"}]}));
    assert_eq!(refused.text("/detail"), "the tournament has 2 entrants");
}

on_both_stores!(entrants_who_come_late_change_no_group_that_was_drawn_by_lot);
fn entrants_who_come_late_change_no_group_that_was_drawn_by_lot(data: TestStore) {
    let server = Server::start(&data);
    let format = json!({"kind": "groups", "groups": 3, "advance": 1});
    let groups = |round: &Value| {
        let mut seen: Vec<(String, Vec<u64>)> = Vec::new();
        for table in round["tables"].as_array().unwrap() {
            let why = table["why"].as_str().unwrap();
            let at = why.find("group").unwrap();
            let entrants = table["entrants"].as_array().unwrap().iter().map(|entrant| entrant.as_u64().unwrap());
            seen.push((why[at..at + 7].to_owned(), entrants.collect()));
        }
        seen
    };
    for number in 0..6 {
        let seed = format!("{number:064x}");
        let mut cup = TestTournament::new(&server, format.clone(), json!({"seeding": "lots", "seed": seed}));
        cup.enter_many(9);
        assert_eq!(cup.post("/start", json!({})).status, 200);
        let first = groups(&cup.pair());
        cup.enter(&["Late", "Later"]);
        for round in [cup.pair(), cup.pair()] {
            for (group, entrants) in groups(&round) {
                for (known, members) in &first {
                    let is_other = *known != group && entrants.iter().any(|entrant| members.contains(entrant));
                    assert!(!is_other, "seed {number}: {entrants:?} play in {group}, not in {known}");
                }
            }
        }
    }
}

on_both_stores!(an_arena_goes_on_without_an_entrant_who_is_absent);
fn an_arena_goes_on_without_an_entrant_who_is_absent(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, json!({"kind": "arena", "seconds": 600}), json!({}));
    cup.enter(&["Asha", "Bina", "Chitra"]);
    assert_eq!(cup.post("/entrants/2/absences", json!({"round": 1})).status, 200);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    until("the others are paired", || !cup.get("").body["rounds"].as_array().unwrap().is_empty());
    let mut entrants: Vec<u64> =
        cup.round(1)["tables"][0]["entrants"].as_array().unwrap().iter().map(|e| e.as_u64().unwrap()).collect();
    entrants.sort_unstable();
    assert_eq!(entrants, [1, 3]);
}

on_both_stores!(people_who_are_invited_enter_with_the_invitation);
fn people_who_are_invited_enter_with_the_invitation(data: TestStore) {
    let server = Server::start(&data);
    let wish = json!({"rule_set": "pagade", "format": swiss(1), "registration": "invited"});
    let created = server.post("/v1/tournaments", wish);
    let path = format!("/v1/tournaments/{}", created.text("/tournament/id"));
    let (token, invitation) = (created.text("/token"), created.text("/invitation"));
    let enter = |name: &str, invitation: Option<&str>| {
        let mut body = json!({"entrants": [{"name": name}]});
        if let Some(invitation) = invitation {
            body["invitation"] = json!(invitation);
        }
        server.post(&format!("{path}/entrants"), body)
    };
    assert_eq!(enter("Asha", None).problem(), (403, "not_allowed"));
    assert_eq!(enter("Asha", Some("pagade_guessed")).problem(), (403, "not_allowed"));
    assert_eq!(enter("Asha", Some(&invitation)).status, 201);
    let player = server.post("/v1/players", json!({"name": "Bina"}));
    let own = server.request("POST", &format!("{path}/entrants")).bearer_auth(player.text("/token"));
    let own = got(own.json(&json!({"entrants": [{}], "invitation": invitation})).send().unwrap());
    assert_eq!((own.status, &own.body["entrants"][0]["tokens"]), (201, &json!([])), "{}", own.raw);
    let renew = got(server.request("POST", &format!("{path}/invitation")).bearer_auth(&token).send().unwrap());
    assert_eq!(enter("Chitra", Some(&invitation)).problem(), (403, "not_allowed"), "it was renewed");
    assert_eq!(enter("Chitra", Some(&renew.text("/token"))).status, 201);
    let organiser = server.request("POST", &format!("{path}/entrants")).bearer_auth(&token);
    assert_eq!(organiser.json(&json!({"entrants": [{"name": "Devi"}]})).send().unwrap().status(), 201);
    assert!(!server.get(&path).raw.contains("invitation\":\"pagade"), "no other answer shows it");
    let open = TestTournament::new(&server, swiss(1), json!({}));
    assert_eq!(open.post("/invitation", json!({})).problem(), (409, "not_private"));
}
