//! Tests mistakes of organisers and races between them: each has a clear answer, and nothing is lost.

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores, village};
use crate::tournaments::{TestTournament, swiss};

fn started<'s>(server: &'s Server, format: Value, more: Value, names: &[&str]) -> TestTournament<'s> {
    let mut cup = TestTournament::new(server, format, more);
    cup.enter(names);
    assert_eq!(cup.post("/start", json!({})).status, 200);
    cup
}

fn correct(cup: &TestTournament<'_>, at: [usize; 2], places: [(u64, usize); 2], etag: &str) -> Answer {
    let seats = places.map(|(entrant, place)| json!({"entrant": entrant, "place": place}));
    let path = cup.path(&format!("/rounds/{}/tables/{}/result", at[0], at[1]));
    let request = cup.server.request("PUT", &path).bearer_auth(&cup.arbiter).header("If-Match", etag);
    got(request.json(&json!({"seats": seats, "reason": "the score sheet was read wrongly"})).send().unwrap())
}

/// Corrects a result in the newest version of the tournament. The service may change the tournament at the same moment,
/// for example when it notes that the games of a round are over; then the test reads the tournament again.
fn correct_now(cup: &TestTournament<'_>, at: [usize; 2], places: [(u64, usize); 2]) -> Answer {
    loop {
        let answer = correct(cup, at, places, cup.get("").header("etag"));
        if answer.status != 412 {
            return answer;
        }
    }
}

fn pair_of(round: &Value, table: usize) -> [u64; 2] {
    [0, 1].map(|seat| round["tables"][table]["entrants"][seat].as_u64().unwrap())
}

on_both_stores!(a_tournament_starts_once_and_takes_nobody_after_its_end);
fn a_tournament_starts_once_and_takes_nobody_after_its_end(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, swiss(1), json!({"late_entries": true}));
    cup.enter(&["Asha", "Bina"]);
    // Two organisers press the button at the same moment.
    let both: Vec<u16> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..2).map(|_| scope.spawn(|| cup.post("/start", json!({})).status)).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert_eq!(both.iter().filter(|status| **status == 200).count(), 1, "{both:?}");
    assert_eq!(cup.post("/start", json!({})).problem(), (409, "tournament_started"));
    cup.pair();
    cup.play_round(1);
    assert_eq!(cup.post("/finish", json!({})).status, 200);
    let late = json!({"entrants": [{"name": "Late"}]});
    assert_eq!(cup.post("/entrants", late).problem(), (409, "tournament_over"));
    assert_eq!(cup.post("/start", json!({})).problem(), (409, "tournament_over"));
    assert_eq!(cup.post("/rounds", json!({})).problem(), (409, "tournament_over"));
    assert_eq!(cup.post("/finish", json!({})).problem(), (409, "tournament_over"));
    assert_eq!(cup.get("").body["entrants"].as_array().unwrap().len(), 2);
}

on_both_stores!(a_tournament_ends_before_its_last_round_only_on_purpose);
fn a_tournament_ends_before_its_last_round_only_on_purpose(data: TestStore) {
    let server = Server::start(&data);
    let forms = [swiss(2), json!({"kind": "round_robin"}), json!({"kind": "knock_out"})];
    for format in forms {
        let cup = started(&server, format, json!({}), &["Asha", "Bina", "Chitra", "Devi"]);
        assert_eq!(cup.post("/finish", json!({})).problem(), (409, "rounds_left"), "before the first round");
        cup.pair();
        assert_eq!(cup.post("/finish", json!({"early": true})).problem(), (409, "results_missing"));
        cup.play_round(1);
        let refused = cup.post("/finish", json!({}));
        assert_eq!(refused.problem(), (409, "rounds_left"));
        assert!(refused.text("/detail").contains("round 2 can be paired"), "{}", refused.raw);
        assert_eq!(cup.get("").text("/status"), "running");
        assert_eq!(cup.ask(&cup.arbiter, "POST", "/finish", json!({"early": true})).problem(), (403, "not_allowed"));
        assert_eq!(cup.post("/finish", json!({"early": true})).text("/status"), "finished");
        assert_eq!(cup.post("/finish", json!({"early": true})).problem(), (409, "tournament_over"));
    }
}

on_both_stores!(a_tournament_that_nobody_enters_is_ended_unplayed);
fn a_tournament_that_nobody_enters_is_ended_unplayed(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = TestTournament::new(&server, swiss(2), json!({"prizes": ["a cup"]}));
    assert_eq!(cup.post("/start", json!({})).problem(), (409, "pairing_impossible"));
    assert_eq!(cup.post("/finish", json!({})).problem(), (409, "tournament_not_started"));
    cup.enter(&["Asha"]);
    let ended = cup.post("/finish", json!({"early": true}));
    assert_eq!((ended.status, ended.text("/status")), (200, "finished".to_owned()), "{}", ended.raw);
    assert_eq!(cup.words().last().map(String::as_str), Some("tournament_over"));
    assert!(!cup.get("/standings").raw.contains("a cup"), "nobody wins a prize");
    assert_eq!(cup.post("/start", json!({})).problem(), (409, "tournament_over"));
    assert!(!server.get("/v1/tournaments?status=open").raw.contains(&cup.id));
}

on_both_stores!(of_two_arbiters_at_once_one_is_told_to_look_again);
fn of_two_arbiters_at_once_one_is_told_to_look_again(data: TestStore) {
    let server = Server::start(&data);
    let cup = started(&server, swiss(2), json!({}), &["Asha", "Bina", "Chitra", "Devi"]);
    // Of two requests at once to pair a round, one succeeds.
    let both: Vec<(u16, String)> = std::thread::scope(|scope| {
        let pair = || cup.post("/rounds", json!({"round": 1}));
        let asked: Vec<_> = (0..2).map(|_| scope.spawn(pair)).collect();
        let answers = asked.into_iter().map(|asked| asked.join().unwrap());
        answers.map(|answer| (answer.status, answer.raw)).collect()
    });
    assert_eq!(both.iter().filter(|(status, _)| *status == 201).count(), 1, "{both:?}");
    assert!(both.iter().any(|(status, raw)| *status == 409 && raw.contains("round_paired")), "{both:?}");
    let round = cup.round(1);
    let [a, b] = pair_of(&round, 0);
    let both: Vec<Answer> = std::thread::scope(|scope| {
        let enter = |places: [(u64, usize); 2]| cup.result(&cup.arbiter, [1, 1], &places);
        let asked = [[(a, 1), (b, 2)], [(a, 2), (b, 1)]].map(|places| scope.spawn(move || enter(places)));
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    let refused: Vec<_> = both.iter().filter(|answer| answer.status != 200).collect();
    assert_eq!(refused.len(), 1, "{both:?}");
    assert_eq!(refused[0].problem(), (428, "version_needed"));
    assert_eq!(cup.words().iter().filter(|word| *word == "table_result").count(), 1);
    let old = cup.get("").header("etag").to_owned();
    assert_eq!(correct_now(&cup, [1, 1], [(a, 1), (b, 2)]).status, 200);
    assert_eq!(correct(&cup, [1, 1], [(a, 2), (b, 1)], &old).problem(), (412, "version_conflict"));
}

on_both_stores!(the_game_of_an_entrant_who_withdraws_still_counts);
fn the_game_of_an_entrant_who_withdraws_still_counts(data: TestStore) {
    let server = Server::start(&data);
    let cup = started(&server, swiss(2), json!({}), &["Asha", "Bina", "Chitra", "Devi"]);
    let round = cup.pair();
    let [a, b] = pair_of(&round, 0);
    let own = |rest: &str| cup.ask(cup.entrant_token(a), "DELETE", rest, Value::Null);
    assert_eq!(own(&format!("/entrants/{b}")).problem(), (403, "not_allowed"));
    assert_eq!(own(&format!("/entrants/{a}")).status, 200);
    assert_eq!(own(&format!("/entrants/{a}")).problem(), (409, "entrant_withdrawn"));
    // The game goes on, and its players can still send commands: here one of them resigns.
    let game = format!("/v1/games/{}", round["tables"][0]["games"][0]["id"].as_str().unwrap());
    assert_eq!(server.get(&game).text("/status"), "playing");
    let resign = server.request("POST", &format!("{game}/resignations")).bearer_auth(cup.entrant_token(a));
    assert_eq!(got(resign.header("If-Match", "*").json(&json!({})).send().unwrap()).status, 200);
    cup.play_round(1);
    let result = cup.round(1)["tables"][0]["result"]["seats"].clone();
    let winner = result.as_array().unwrap().iter().find(|seat| seat["place"] == 1).unwrap();
    assert_eq!(winner["entrant"], b);
    let second = cup.pair();
    assert!(!second.to_string().contains(&format!("\"entrant\":{a},")), "{second}");
    assert_eq!(cup.post(&format!("/entrants/{a}/absences"), json!({"round": 3})).problem(), (409, "entrant_withdrawn"));
}

on_both_stores!(a_new_version_of_the_rule_set_changes_no_tournament);
fn a_new_version_of_the_rule_set_changes_no_tournament(data: TestStore) {
    let server = Server::start(&data);
    let text = |version: &str| {
        let text = village(7)["text"].as_str().unwrap().replace("1.0.0", version);
        json!({ "text": text })
    };
    assert_eq!(server.post("/v1/rule-sets", text("1.0.0")).status, 201);
    let cup = started(&server, swiss(2), json!({"rule_set": "village-7"}), &["Asha", "Bina"]);
    let before = cup.pair();
    assert_eq!(server.post("/v1/rule-sets", text("2.0.0")).status, 201);
    cup.play_round(1);
    let after = cup.pair();
    let rules = |round: &Value| {
        let id = round["tables"][0]["games"][0]["id"].as_str().unwrap();
        server.get(&format!("/v1/games/{id}")).body["rule_set"].clone()
    };
    assert_eq!((rules(&before), rules(&after)["version"].as_str()), (rules(&after), Some("1.0.0")));
    assert_eq!(cup.get("").body["rule_set"], rules(&after));
}

on_both_stores!(a_correction_after_the_next_round_changes_standings_but_no_pairing);
fn a_correction_after_the_next_round_changes_standings_but_no_pairing(data: TestStore) {
    let server = Server::start(&data);
    let cup = started(&server, swiss(3), json!({}), &["Asha", "Bina", "Chitra", "Devi"]);
    let first = cup.pair();
    cup.play_round(1);
    let second = cup.pair();
    cup.play_round(2);
    let [a, b] = pair_of(&first, 0);
    let points = |entrant: u64| {
        let standings = cup.get("/standings").body;
        let rows = standings["standings"].as_array().unwrap().clone();
        rows.iter().find(|row| row["entrant"] == entrant).unwrap()["points"].as_f64().unwrap()
    };
    let (winner, loser) = (a.min(b), a.max(b));
    let before = [points(winner), points(loser)];
    assert_eq!(correct_now(&cup, [1, 1], [(winner, 2), (loser, 1)]).status, 200);
    assert_eq!([points(winner), points(loser)], [before[0] - 6.0, before[1] + 6.0]);
    let now = cup.round(2);
    assert_eq!((pair_of(&now, 0), pair_of(&now, 1)), (pair_of(&second, 0), pair_of(&second, 1)), "it stays as played");
    assert!(cup.words().contains(&"table_result_corrected".to_owned()));
    // The next round follows from the corrected result.
    let third = cup.pair();
    assert!(third["tables"][0]["why"].as_str().unwrap().contains("points"));
    assert_eq!(cup.round(1)["tables"][0]["result"]["reason"], "the score sheet was read wrongly");
}

on_both_stores!(a_result_from_which_a_bracket_follows_is_fixed);
fn a_result_from_which_a_bracket_follows_is_fixed(data: TestStore) {
    let server = Server::start(&data);
    let knock_out = json!({"kind": "knock_out"});
    let cup = started(&server, knock_out, json!({}), &["Asha", "Bina", "Chitra", "Devi"]);
    let first = cup.pair();
    cup.play_round(1);
    let [a, b] = pair_of(&first, 0);
    let (winner, loser) = (a.min(b), a.max(b));
    assert_eq!(correct_now(&cup, [1, 1], [(winner, 2), (loser, 1)]).status, 200, "nothing follows yet");
    let last = cup.pair();
    assert!(pair_of(&last, 0).contains(&loser));
    let refused = correct_now(&cup, [1, 1], [(winner, 1), (loser, 2)]);
    assert_eq!(refused.problem(), (409, "result_fixed"));
    let kept = cup.round(1)["tables"][0]["result"]["seats"].clone();
    assert!(kept.as_array().unwrap().iter().any(|seat| seat["entrant"] == loser && seat["place"] == 1));
    until("the final is played", || {
        cup.play(2);
        cup.round_is_over(2)
    });
}

fn taking_back(cup: &TestTournament<'_>, at: [usize; 2], places: [(u64, usize); 2]) -> Answer {
    let seats = places.map(|(entrant, place)| json!({"entrant": entrant, "place": place}));
    let version = cup.round(at[0])["tables"][at[1] - 1]["version"].clone();
    let path = cup.path(&format!("/rounds/{}/tables/{}/result", at[0], at[1]));
    let request =
        cup.server.request("PUT", &path).bearer_auth(&cup.arbiter).header("If-Match", format!("\"{version}\""));
    let body = json!({"seats": seats, "reason": "the score sheet was read wrongly", "take_back": true});
    got(request.json(&body).send().unwrap())
}

on_both_stores!(a_round_is_taken_back_and_paired_anew_from_the_right_result);
fn a_round_is_taken_back_and_paired_anew_from_the_right_result(data: TestStore) {
    let server = Server::start(&data);
    let more = json!({"automatic": true});
    let cup = started(&server, json!({"kind": "knock_out"}), more, &["Asha", "Bina", "Chitra", "Devi"]);
    until("the first round is there", || cup.round(1)["tables"][0]["games"][0]["status"] == "playing");
    cup.play_round(1);
    until("the final is there", || cup.round(2)["tables"][0]["games"][0]["status"] == "playing");
    let wrong = cup.round(2);
    let [a, b] = pair_of(&cup.round(1), 0);
    let (winner, loser) = (a.min(b), a.max(b));
    assert!(pair_of(&wrong, 0).contains(&winner));
    let corrected = taking_back(&cup, [1, 1], [(winner, 2), (loser, 1)]);
    assert_eq!(corrected.status, 200, "{}", corrected.raw);
    until("the final is paired anew", || cup.round(2)["group"] != wrong["group"] && cup.round(2)["group"].is_string());
    let right = cup.round(2);
    assert!(pair_of(&right, 0).contains(&loser) && !pair_of(&right, 0).contains(&winner), "{right}");
    let old = format!("/v1/games/{}", wrong["tables"][0]["games"][0]["id"].as_str().unwrap());
    until("the game of the wrong final is aborted", || server.get(&old).body["ended_by"] == "abort");
    let group = format!("/v1/groups/{}", wrong["group"].as_str().unwrap());
    until("its group is over", || server.get(&group).text("/status") == "finished");
    cup.play_to_the_end();
    assert_eq!(cup.words().iter().filter(|word| *word == "round_taken_back").count(), 1);
    assert_eq!(Some(cup.places()[0].0), pair_of(&right, 0).into_iter().min(), "the higher number resigns");
    // After the end of the tournament, a round is taken back once more. The tournament then goes on.
    let again = taking_back(&cup, [1, 1], [(winner, 1), (loser, 2)]);
    assert_eq!((again.status, cup.get("").text("/status")), (200, "running".to_owned()), "{}", again.raw);
    cup.play_to_the_end();
    assert!(cup.places().iter().take(2).any(|(entrant, _)| *entrant == winner));
    // In an arena no round can be taken back.
    let arena = json!({"kind": "arena", "seconds": 600});
    let arena = started(&server, arena, json!({}), &["Asha", "Bina"]);
    until("they meet", || arena.round(1)["tables"][0]["games"][0]["status"] == "playing");
    arena.play_round(1);
    let [a, b] = pair_of(&arena.round(1), 0);
    let refused = taking_back(&arena, [1, 1], [(a, 1), (b, 2)]);
    assert_eq!(refused.problem(), (422, "body_invalid"), "{}", refused.raw);
}

on_both_stores!(an_arbiter_corrects_what_they_have_seen_while_other_tables_go_on);
fn an_arbiter_corrects_what_they_have_seen_while_other_tables_go_on(data: TestStore) {
    let server = Server::start(&data);
    let cup = started(&server, swiss(1), json!({}), &["Asha", "Bina", "Chitra", "Devi"]);
    let round = cup.pair();
    let [a, b] = pair_of(&round, 0);
    let [c, d] = pair_of(&round, 1);
    assert_eq!(cup.result(&cup.arbiter, [1, 1], &[(a, 1), (b, 2)]).status, 200);
    let seen = cup.get("").header("etag").to_owned();
    let of_table = format!("\"{}\"", cup.round(1)["tables"][0]["version"]);
    // After the organiser has read these versions, the other table gets its result, and the tournament ends.
    assert_eq!(cup.result(&cup.arbiter, [1, 2], &[(c, 1), (d, 2)]).status, 200);
    assert_eq!(cup.post("/finish", json!({})).status, 200);
    assert_eq!(correct(&cup, [1, 1], [(a, 2), (b, 1)], &seen).status, 200, "also after the end");
    assert_eq!(cup.places()[..2].iter().filter(|(entrant, _)| [b, c].contains(entrant)).count(), 2);
    // Corrections by clients that have not seen this correction are refused.
    for old in [&seen, &of_table] {
        assert_eq!(correct(&cup, [1, 1], [(a, 1), (b, 2)], old).problem(), (412, "version_conflict"));
    }
    assert_eq!(cup.get("").text("/status"), "finished");
}

on_both_stores!(every_step_has_one_effect_however_often_it_is_sent);
fn every_step_has_one_effect_however_often_it_is_sent(data: TestStore) {
    let server = Server::start(&data);
    let strong = |step: usize| format!("0b3e6c1f-7a52-4d0c-9a3e-{step:012}");
    let send = |method: &str, path: &str, token: &str, step: usize, body: &Value| {
        let request = server.request(method, path).header("Idempotency-Key", strong(step));
        let request = if body.is_null() { request } else { request.json(body) };
        got(if token.is_empty() { request } else { request.bearer_auth(token) }.send().unwrap())
    };
    let wish = json!({"rule_set": "pagade", "format": swiss(1), "late_entries": true});
    let [created, again] = [0; 2].map(|step| send("POST", "/v1/tournaments", "", step, &wish));
    assert_eq!((created.status, again.header("idempotency-replayed")), (201, "true"));
    assert_eq!(created.raw, again.raw, "the same tournament and the same tokens");
    assert_eq!(server.get("/v1/tournaments").body["tournaments"].as_array().unwrap().len(), 1);
    let path = |rest: &str| format!("/v1/tournaments/{}{rest}", created.text("/tournament/id"));
    let version = || server.get(&path("")).body["version"].clone();

    let names =
        |names: &[&str]| json!({"entrants": names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>()});
    let place = |first: u64| {
        let seats = [1, 2].map(|entrant| json!({"entrant": entrant, "place": if entrant == first { 1 } else { 2 }}));
        json!({"seats": seats, "reason": "seen at the table"})
    };
    // For each step: method, path, body, another body for the same key, status.
    let steps = [
        ("POST", "/entrants", names(&["Asha", "Bina"]), names(&["Asha"]), 201),
        ("POST", "/start", json!({}), json!({}), 200),
        ("POST", "/entrants", names(&["Late"]), names(&["Later"]), 201),
        ("POST", "/entrants/3/absences", json!({"round": 1}), json!({"round": 2}), 200),
        ("DELETE", "/entrants/3", Value::Null, Value::Null, 200),
        ("POST", "/rounds", json!({"round": 1}), json!({}), 201),
        ("PUT", "/rounds/1/tables/1/result", place(1), place(2), 200),
        ("POST", "/finish", json!({}), json!({}), 200),
    ];
    let token = created.text("/token");
    for (step, (method, rest, body, other, status)) in (1..).zip(steps) {
        let first = send(method, &path(rest), &token, step, &body);
        assert_eq!(first.status, status, "{rest}: {}", first.raw);
        // Changes that the service makes by itself, such as creating the games of a round, raise the version, too.
        until("nothing more follows", || {
            let before = version();
            std::thread::sleep(std::time::Duration::from_millis(300));
            version() == before
        });
        let before = version();
        let again = send(method, &path(rest), &token, step, &body);
        assert_eq!((&again.raw, again.header("idempotency-replayed")), (&first.raw, "true"), "{rest}");
        assert_eq!(version(), before, "{rest} has one effect");
        if body != other {
            let other = send(method, &path(rest), &token, step, &other);
            assert_eq!(other.problem(), (422, "idempotency_key_reused"), "{rest}");
        }
    }
    assert_eq!(server.get(&path("")).text("/status"), "finished");
}
