//! Tests the paths /throws, /legal, /actions and /dry-runs of a game.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{Server, TestStore, got, on_both_stores};

on_both_stores!(a_turn_is_a_throw_and_its_legal_actions);
fn a_turn_is_a_throw_and_its_legal_actions(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    assert_eq!(game.view["awaits"], "throw");
    assert_eq!(game.play(&["6-9:3"]).problem(), (409, "throw_expected"));
    let thrown = game.throw("3+4");
    assert_eq!(thrown.body["events"][0]["throw"], "3+4");
    assert_eq!(game.view["hand"], json!(["3", "4"]));
    assert_eq!(game.throw("3+4").problem(), (409, "throw_not_expected"));
    let legal = server.get(&game.path("/legal"));
    let actions: Vec<_> = legal.body["legal"].as_array().unwrap().iter().map(|one| one["action"].clone()).collect();
    assert_eq!(json!(actions), game.view["legal"]);
    let played = game.play(&["6-9", "7-11"]);
    assert_eq!(played.status, 200, "{}", played.raw);
    let moved = &played.body["events"][0];
    assert_eq!(
        (&moved["event"], &moved["pawn"], &moved["action"]),
        (&json!("moved"), &json!("red-1"), &json!("6-9:3"))
    );
    assert_ne!(game.view["turn"], "red");
    assert_eq!(game.view["position"]["red"], json!(["9", "11", "12", "12"]));
    let pawn = &game.view["seats"][0]["pawns"][0];
    assert_eq!((&pawn["id"], &pawn["place"], pawn["square"].is_string()), (&json!("red-1"), &json!("9"), true));
}

on_both_stores!(legal_actions_are_read_without_a_change);
fn legal_actions_are_read_without_a_change(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    game.throw("3+4");
    let before = server.get(&game.path(""));
    let first = server.get(&game.path("/legal"));
    assert_eq!(first.header("etag"), before.header("etag"));
    for query in ["", "", "?explain=all", ""] {
        let again = server.get(&game.path(&format!("/legal{query}")));
        assert_eq!((again.status, again.header("etag")), (200, before.header("etag")), "{query}");
        assert_eq!(again.body["legal"], first.body["legal"], "{query}");
    }
    assert_eq!(server.get(&game.path("")).body, before.body, "to select a pawn and to put it back changes nothing");
}

on_both_stores!(all_actions_of_a_request_are_played_or_none);
fn all_actions_of_a_request_are_played_or_none(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    game.throw("3+4");
    let before = server.get(&game.path("")).body;
    let refused = game.play(&["6-9:3", "12-99:4"]);
    assert_eq!(refused.status, 422);
    assert_eq!(refused.body["problems"][0]["pointer"], "/actions/1");
    let refused = game.play(&["6-9:3", "6-10:4"]);
    assert_eq!(refused.problem(), (409, "action_not_legal"));
    assert_eq!(game.play(&["gibberish!"]).problem(), (422, "action_unreadable"));
    assert_eq!(game.play(&[]).problem(), (422, "body_invalid"));
    assert_eq!(server.get(&game.path("")).body, before);
}

on_both_stores!(a_refused_action_says_why);
fn a_refused_action_says_why(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    game.throw("3+4");
    let refused = game.play(&["6-9:3", "7-10:3"]);
    assert_eq!(refused.problem(), (409, "action_not_legal"));
    let mistake = &refused.body["problems"][0];
    assert_eq!((&mistake["pointer"], &mistake["code"]), (&json!("/actions/1"), &json!("not_in_hand")));
    assert_eq!(mistake["args"], json!({"numbers": "3", "hand": ["4"]}));
    assert_eq!(mistake["detail"], "the hand has no `3` left, only `4`");
    assert!(mistake["help"].as_str().unwrap().starts_with("legal are `"), "{mistake}");
    // A dry run gives the same problem, in the language of the client.
    let path = game.path("/dry-runs");
    let request = server.request("POST", &path).header("Accept-Language", "es");
    let tried = got(request.json(&json!({"actions": ["6-9:3", "7-10:3"]})).send().unwrap());
    let said = &tried.body["problems"][0];
    assert_eq!((&said["code"], &said["args"]), (&mistake["code"], &mistake["args"]));
    assert_eq!(said["detail"], "En la mano no queda `3`, solo `4`");
    assert!(said["help"].as_str().unwrap().starts_with("Son legales `"), "{said}");
    for (action, code) in [
        ("5-8:3", "no_pawn"),
        ("6-10:3", "elsewhere"),
        ("6-8", "not_reached"),
        ("6-9x:3", "no_capture"),
        ("pass", "must_play"),
    ] {
        assert_eq!(game.play(&[action]).text("/problems/0/code"), code, "{action}");
    }
}

on_both_stores!(every_attempt_of_a_turn_is_explained_on_request);
fn every_attempt_of_a_turn_is_explained_on_request(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    game.throw("3+4");
    game.play(&["6-9:3"]);
    assert_eq!(server.get(&game.path("/legal")).body["attempts"], json!(null));
    assert_eq!(server.get(&game.path("/legal?explain=some")).problem(), (400, "bad_query"));
    let answer = server.get(&game.path("/legal?explain=all"));
    let attempts = answer.body["attempts"].as_array().unwrap();
    let legal = attempts.iter().filter_map(|attempt| attempt["action"].as_str());
    let listed = game.view["legal"].as_array().unwrap().iter().map(|action| action.as_str().unwrap());
    assert_eq!(legal.collect::<BTreeSet<_>>(), listed.filter(|action| *action != "pass").collect());
    // `attempts` has every pawn with every number, each with an action or a reason.
    for pawn in ["red-1", "red-2", "red-3", "red-4"] {
        let of = |attempt: &&Value| {
            attempt["pawns"].as_array().unwrap().contains(&json!(pawn)) && attempt["spends"] == json!(["4"])
        };
        assert!(attempts.iter().any(|attempt| of(&attempt)), "{pawn}: {}", answer.raw);
    }
    let refused = attempts.iter().filter(|attempt| attempt["action"].is_null()).collect::<Vec<_>>();
    assert!(!refused.is_empty() && refused.iter().all(|attempt| attempt["reason"]["detail"].is_string()));
    let request = server.request("GET", &game.path("/legal?explain=all")).header("Accept-Language", "kn");
    let kannada = got(request.send().unwrap());
    assert_eq!(kannada.header("content-language"), "kn", "the names of lines, too");
    for (one, other) in attempts.iter().zip(kannada.body["attempts"].as_array().unwrap()) {
        assert_eq!((&one["action"], &one["reason"]["args"]), (&other["action"], &other["reason"]["args"]));
        assert!(one["reason"].is_null() || one["reason"]["detail"] != other["reason"]["detail"], "{other}");
    }
}

on_both_stores!(only_the_holder_of_the_dice_throws_them);
fn only_the_holder_of_the_dice_throws_them(data: TestStore) {
    let server = Server::start(&data);
    let mut served = server.hot_seat(json!({}));
    assert_eq!(served.throw("3+4").problem(), (409, "dice_held_by_server"));
    assert_eq!(served.send("/throws", json!({})).status, 200);
    let mut own = server.hot_seat(json!({"dice": "players"}));
    assert_eq!(own.send("/throws", json!({})).problem(), (409, "dice_held_by_players"));
    assert_eq!(own.throw("2+5").problem(), (422, "throw_unreadable"));
    assert_eq!(own.throw("6").problem(), (422, "throw_unreadable"));
    assert_eq!(own.version(), 1);
}

on_both_stores!(a_command_names_the_version_it_saw);
fn a_command_names_the_version_it_saw(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({}));
    let path = game.path("/throws");
    let send = |version: Option<&str>| {
        let request = server.request("POST", &path).bearer_auth(&game.token);
        let request = match version {
            Some(version) => request.header("If-Match", version),
            None => request,
        };
        got(request.send().unwrap())
    };
    assert_eq!(send(None).problem(), (428, "version_needed"));
    assert_eq!(send(Some("7")).problem(), (400, "bad_header"));
    assert_eq!(send(Some("\"0\"")).problem(), (412, "version_conflict"));
    assert_eq!(send(Some("W/\"1\"")).problem(), (412, "version_conflict"));
    assert_eq!(send(Some("\"1\"")).header("etag"), "\"2\"");
    game.view = server.get(&game.path("")).body;
    let seen = got(server.request("GET", &game.path("")).header("If-None-Match", "\"2\"").send().unwrap());
    assert_eq!((seen.status, seen.raw.as_str()), (304, ""));
}

on_both_stores!(of_many_equal_actions_at_once_exactly_one_is_played);
fn of_many_equal_actions_at_once_exactly_one_is_played(data: TestStore) {
    let server = Server::start(&data);
    let game = server.hot_seat(json!({}));
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let throws: Vec<_> =
            (0..8).map(|_| scope.spawn(|| game.command("/throws").send().unwrap().status().as_u16())).collect();
        throws.into_iter().map(|throw| throw.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 412].contains(status)), "{statuses:?}");
}

on_both_stores!(a_dry_run_changes_nothing);
fn a_dry_run_changes_nothing(data: TestStore) {
    let server = Server::start(&data);
    let game = server.hot_seat(json!({}));
    let before = server.get(&game.path("")).body;
    let tried = server.post(&game.path("/dry-runs"), json!({"throw": "3+4", "actions": ["6-9:3"]}));
    assert_eq!(tried.status, 200, "{}", tried.raw);
    assert_eq!(tried.body["game"]["position"]["red"][0], "9");
    assert_eq!(tried.body["game"]["hand"], json!(["4"]));
    assert_eq!(tried.body["game"]["version"], before["version"]);
    let refused = server.post(&game.path("/dry-runs"), json!({"throw": "3+4", "actions": ["6-10:3"]}));
    assert_eq!(refused.body["problems"][0]["pointer"], "/actions/0");
    assert_eq!(server.get(&game.path("")).body, before);
}

on_both_stores!(a_brief_answer_is_the_full_answer_without_its_derived_fields);
fn a_brief_answer_is_the_full_answer_without_its_derived_fields(data: TestStore) {
    const BRIEF: &str = "application/vnd.pagade.brief+json";
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let ask = |rest: &str, accept: &str| {
        let request = game.command(rest).header("Accept", accept).header("Idempotency-Key", "once");
        got(request.json(&json!({"throw": "3+4"})).send().unwrap())
    };
    for (accept, media) in [
        (BRIEF, BRIEF),
        ("application/json;q=0.5, Application/Vnd.Pagade.Brief+JSON", BRIEF),
        ("*/*", "application/json"),
        ("text/html", "application/json"),
        ("application/json, application/vnd.pagade.brief+json", "application/json"),
    ] {
        let tried = ask("/dry-runs", accept);
        assert_eq!((tried.status, tried.header("content-type")), (200, media), "{accept}");
    }
    let thrown = ask("/throws", BRIEF);
    let whole = server.get(&game.path(""));
    assert_eq!(thrown.header("etag"), whole.header("etag"));
    let fields = thrown.body["game"].as_object().unwrap();
    assert!(fields.len() < whole.body.as_object().unwrap().len() / 2, "{fields:?}");
    for (name, value) in fields {
        assert_eq!(*value, whole.body[name], "{name}");
    }
    let needed = ["id", "version", "status", "awaits", "turn", "throw", "hand", "legal", "legal_complete", "events"];
    assert!(needed.iter().all(|name| fields.contains_key(*name)), "{fields:?}");
    // The newest event of a page carries the brief view of the game; the answer to a command has it beside the events.
    let mut page = server.get(&game.path("/events?after=2")).body["events"].clone();
    for event in page.as_array_mut().unwrap() {
        event.as_object_mut().unwrap().remove("game");
    }
    assert_eq!(thrown.body["events"], page);
    let again = ask("/throws", BRIEF);
    assert_eq!((&again.raw, again.header("content-type")), (&thrown.raw, BRIEF));
    game.view = whole.body;
    let refused = got(game.command("/throws").header("Accept", BRIEF).json(&json!({})).send().unwrap());
    assert_eq!(refused.problem(), (409, "dice_held_by_players"));
}

on_both_stores!(legal_actions_are_said_to_be_complete_unless_the_hand_is_too_long_to_look_through);
fn legal_actions_are_said_to_be_complete_unless_the_hand_is_too_long_to_look_through(data: TestStore) {
    let server = Server::start(&data);
    let text = include_str!("../../../rules/tests/long-hands.yaml");
    let published = server.post("/v1/rule-sets", json!({"text": text}));
    assert_eq!(published.status, 201, "{}", published.raw);
    let mut game = server.hot_seat(json!({"rule_set": "long-hands", "dice": "players"}));
    assert_eq!(game.view["legal_complete"], true);
    for throw in ["1+2", "2+3", "1+3", "3+5", "1+2", "2+3", "1+3", "3+5", "1+2"] {
        game.throw(throw);
        assert_eq!((&game.view["legal"], &game.view["legal_complete"]), (&json!([]), &json!(true)));
    }
    let last = json!({"throw": "2+3"});
    let brief = game.command("/dry-runs").header("Accept", "application/vnd.pagade.brief+json");
    let brief = got(brief.json(&last).send().unwrap()).body["game"].clone();
    let thrown = game.send("/throws", last).body["game"].clone();
    let read = server.get(&game.path("")).body;
    let apart = server.get(&game.path("/legal")).body;
    for answer in [brief, thrown, read, apart] {
        assert_eq!(answer["legal_complete"], false, "{answer}");
        assert!(!answer["legal"].as_array().unwrap().is_empty(), "{answer}");
    }
    let first = game.view["legal"][0].as_str().unwrap().to_owned();
    assert_eq!(game.play(&[&first]).status, 200, "what is listed may be played");
}

on_both_stores!(legal_actions_beyond_the_room_of_the_list_are_said_to_be_missing);
fn legal_actions_beyond_the_room_of_the_list_are_said_to_be_missing(data: TestStore) {
    let server = Server::start(&data);
    let line =
        |steps: usize| format!("  - {{id: by-{steps}, move: pawn, from: [yard, loop], with: die, steps: {steps}}}\n");
    let lines = (1..=20).map(line).collect::<String>();
    let head = "rules: many-lines\nversion: 1.0.0\ntitle: Many lines\nextends: ludo\nsources: [A test]\n";
    let dice = "dice: {count: 4, faces: [1, 2, 3, 4]}\npawns: {each: 8, start: [1, 2, 3, 4, 5, 6, 7, 8]}\n";
    let text = format!("{head}{dice}turn: {{use_dice: any, first: red}}\nspend:\n{lines}");
    let published = server.post("/v1/rule-sets", json!({"text": text}));
    assert_eq!(published.status, 201, "{}", published.raw);
    let mut game = server.hot_seat(json!({"rule_set": "many-lines", "dice": "players"}));
    // Eight pawns, four numbers and twenty lines make more actions than a list has room for.
    let thrown = game.throw("1+2+3+4").body["game"].clone();
    let apart = server.get(&game.path("/legal")).body;
    for answer in [thrown, apart] {
        assert_eq!(answer["legal_complete"], false, "{answer}");
        assert_eq!(answer["legal"].as_array().unwrap().len(), 512);
    }
    let first = game.view["legal"][0].as_str().unwrap().to_owned();
    assert_eq!(game.play(&[&first]).status, 200, "what is listed may be played");
    assert_eq!(game.view["legal_complete"], true, "three numbers make fewer actions: {}", game.view);
}

on_both_stores!(a_request_sent_again_is_answered_in_the_form_it_asks_for_now);
fn a_request_sent_again_is_answered_in_the_form_it_asks_for_now(data: TestStore) {
    const FORMS: [&str; 2] = ["application/json", "application/vnd.pagade.brief+json"];
    let server = Server::start(&data);
    for (first, second) in [(FORMS[0], FORMS[1]), (FORMS[1], FORMS[0])] {
        let wish = json!({"seed": "the same game twice", "title": "Twice", "turn_timer": {"seconds": 600}});
        let mut games = [server.hot_seat(wish.clone()), server.hot_seat(wish)];
        for step in 0..12 {
            let mut answers = Vec::new();
            for (game, forms) in games.iter_mut().zip([[first, second], [second, second]]) {
                let (rest, body) = match game.view["legal"].get(0) {
                    None => ("/throws", json!({})),
                    Some(action) => ("/actions", json!({"actions": [action]})),
                };
                let send = |accept: &str| {
                    let request =
                        game.command(rest).header("Accept", accept).header("Idempotency-Key", step.to_string());
                    got(request.json(&body).send().unwrap())
                };
                let sent = forms.map(send);
                assert_eq!(sent.iter().map(|got| got.header("content-type")).collect::<Vec<_>>(), forms);
                assert_eq!((sent[1].status, sent[1].header("idempotency-replayed")), (200, "true"));
                assert_eq!(sent[0].header("etag"), sent[1].header("etag"));
                assert_eq!(sent[0].body["events"], sent[1].body["events"]);
                answers.push(sent[1].body["game"].clone());
                // The next step needs the whole view of the game, which a brief answer does not have.
                game.view = server.get(&game.path("")).body;
            }
            // The repeated answer has the same game, whichever form the first answer had. Ids and times are removed,
            // because they differ between the games of this test.
            for answer in &mut answers {
                for name in ["id", "deadline", "seconds_left", "created_at", "updated_at"] {
                    let known = answer.get(name).is_some();
                    let is_of_one_form = name.ends_with("_at") || name == "seconds_left";
                    assert!(known || is_of_one_form, "{name} in {answer}");
                    answer.as_object_mut().unwrap().remove(name);
                }
            }
            assert_eq!(answers[0], answers[1], "step {step}");
        }
    }
}
