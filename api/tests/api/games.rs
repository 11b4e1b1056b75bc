//! Tests /v1/games.

use serde_json::json;

use crate::harness::{Server, TestStore, got, on_both_stores};

on_both_stores!(a_whole_game_is_played_over_http_and_survives_a_restart);
fn a_whole_game_is_played_over_http_and_survives_a_restart(data: TestStore) {
    let mut server = Server::start(&data);
    let mut game = server.hot_seat(json!({"players": ["red", "yellow"], "seed": "a seed"}));
    assert_eq!(game.view["seed"], json!(null));
    game.finish();
    let view = game.view.clone();
    assert_eq!(view["status"], "finished");
    assert_eq!(view["ranking"].as_array().unwrap().len(), 2);
    assert_eq!(view["seed"], "a seed");
    let path = game.path("");
    let again = game.throw("1+3");
    assert_eq!(again.problem(), (409, "game_over"));
    server.stop();
    let server = Server::start(&data);
    assert_eq!(server.get(&path).body, view);
}

on_both_stores!(the_same_seed_gives_the_same_throws);
fn the_same_seed_gives_the_same_throws(data: TestStore) {
    let server = Server::start(&data);
    let throws = || {
        let mut game = server.hot_seat(json!({"seed": "fate"}));
        let mut thrown = Vec::new();
        while thrown.len() < 5 {
            if game.view["awaits"] == "throw" {
                thrown.push(game.send("/throws", json!({})).text("/events/0/throw"));
            } else {
                let action = game.view["legal"][0].as_str().unwrap().to_owned();
                game.play(&[&action]);
            }
        }
        thrown
    };
    assert_eq!(throws(), throws());
}

on_both_stores!(a_game_that_cannot_be_created_names_the_field);
fn a_game_that_cannot_be_created_names_the_field(data: TestStore) {
    let server = Server::start(&data);
    let refused = [
        (json!({}), "/rule_set"),
        (json!({"rule_set": "chess"}), "/rule_set"),
        (json!({"rule_set": "pagade", "colour": 1}), "/colour"),
        (json!({"rule_set": "pagade", "options": {"dice_uze": "any"}}), "/options/dice_uze"),
        (json!({"rule_set": "pagade", "options": {"min_cuts": 99}}), "/options/min_cuts"),
        (json!({"rule_set": "pagade", "players": ["red", "black", "yellow"]}), "/players"),
        (json!({"rule_set": "pagade", "players": ["red", "mauve"]}), "/players"),
        (json!({"rule_set": "pagade", "title": ""}), "/title"),
        (json!({"rule_set": "pagade", "dice": "loaded"}), "/dice"),
    ];
    for (body, pointer) in refused {
        let got = server.post("/v1/games", body.clone());
        assert_eq!(got.problem(), (422, "body_invalid"), "{body}");
        assert_eq!(got.body["problems"][0]["pointer"], pointer, "{body}: {}", got.raw);
    }
}

on_both_stores!(games_are_listed_newest_first_in_pages);
fn games_are_listed_newest_first_in_pages(data: TestStore) {
    let server = Server::start(&data);
    let open = |title: &str| server.post("/v1/games", json!({"rule_set": "pagade", "title": title}));
    for title in ["one", "two", "three"] {
        open(title);
    }
    server.hot_seat(json!({"title": "played"}));
    server.post("/v1/games", json!({"rule_set": "pagade", "title": "secret", "private": true}));
    let titles = |path: &str| {
        let page = server.get(path);
        let games = page.body["games"].as_array().unwrap().clone();
        (games.iter().map(|view| view["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>(), page)
    };
    assert_eq!(titles("/v1/games").0, ["played", "three", "two", "one"]);
    assert_eq!(titles("/v1/games?status=playing").0, ["played"]);
    assert_eq!(titles("/v1/games?rule_set=chopat").0.len(), 0);
    let (first, page) = titles("/v1/games?status=open&rule_set=pagade&limit=2");
    assert_eq!(first, ["three", "two"]);
    let next = page.header("link").split(['<', '>']).nth(1).unwrap().to_owned();
    let (second, page) = titles(&next);
    assert_eq!((second, page.header("link")), (vec!["one".to_owned()], ""));
    assert_eq!(server.get("/v1/games?cursor=zebra").problem(), (400, "bad_query"));
    assert_eq!(server.get("/v1/games?limit=0").problem(), (400, "bad_query"));
    assert_eq!(server.get("/v1/games?page=2").problem(), (400, "bad_query"));
}

on_both_stores!(the_past_is_read_by_steps);
fn the_past_is_read_by_steps(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let opening = game.view.clone();
    game.throw("3+4");
    let thrown = game.view.clone();
    game.play(&["6-9:3", "7-11:4"]);
    let at = |steps: u64| server.get(&game.path(&format!("?at={steps}"))).body;
    for (steps, then) in [(0, &opening), (1, &thrown), (3, &game.view)] {
        for field in ["position", "legal", "turn", "hand", "steps", "awaits"] {
            assert_eq!(at(steps)[field], then[field], "{field} after {steps}");
        }
    }
    assert_eq!(at(2)["hand"], json!(["4"]));
    assert_eq!(server.get(&game.path("?at=4")).problem(), (404, "step_not_found"));
    let svg = server.get(&game.path("/board?at=1&seat=red"));
    assert_eq!(svg.header("content-type"), "image/svg+xml");
    assert!(svg.raw.contains("<svg"));
    assert_eq!(server.get(&game.path("/board?seat=mauve")).problem(), (404, "seat_not_found"));
}

on_both_stores!(a_private_game_is_answered_like_no_game);
fn a_private_game_is_answered_like_no_game(data: TestStore) {
    let server = Server::start(&data);
    let created = server.post("/v1/games", json!({"rule_set": "pagade", "private": true}));
    let path = format!("/v1/games/{}", created.text("/game/id"));
    let unknown = server.get("/v1/games/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11");
    assert_eq!(unknown.problem(), (404, "game_not_found"));
    for request in [server.request("GET", &path), server.request("GET", &path).bearer_auth("pagade_guess")] {
        let refused = got(request.send().unwrap());
        assert_eq!(refused.problem(), (404, "game_not_found"));
        assert_eq!(refused.body["detail"], unknown.body["detail"]);
    }
    for token in ["/token", "/invitation"] {
        let seen = server.request("GET", &path).bearer_auth(created.text(token)).send().unwrap();
        assert_eq!(seen.status(), 200);
    }
}
