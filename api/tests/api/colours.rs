//! Tests games in which a player has several colours.

use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};

const TWO: &str = "rules: ludo-for-two\nversion: 1.0.0\ntitle: Ludo for two\nextends: ludo\n\
    players:\n  - {colours: [[red, yellow], [green, blue]]}\nturn: {first: red}\nfinish: {play_on: no}\n";

fn publish(server: &Server, text: &str) {
    let published = server.post("/v1/rule-sets", json!({"text": text}));
    assert_eq!(published.status, 201, "{}", published.raw);
}

fn names(list: &Value, field: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item[field].as_str().unwrap().to_owned()).collect()
}

/// The seats of a layout with pawns on the board, each with its player.
fn players(layout: &Answer) -> Vec<(String, String)> {
    let seats = layout.body["seats"].as_array().unwrap().iter().filter(|seat| seat["plays"] == true);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    seats.map(|seat| (text(&seat["seat"]), text(&seat["player"]))).collect()
}

on_both_stores!(a_throw_is_played_with_either_colour_of_the_player);
fn a_throw_is_played_with_either_colour_of_the_player(data: TestStore) {
    let server = Server::start(&data);
    publish(&server, TWO);
    let layout = server.get("/v1/rule-sets/ludo-for-two/layout");
    let pairs = [("red", "red"), ("green", "green"), ("yellow", "red"), ("blue", "green")];
    assert_eq!(players(&layout), pairs.map(|(seat, player)| (seat.to_owned(), player.to_owned())));
    let table = json!({"players": ["red", "green"], "teams": [], "colours": [["red", "yellow"], ["green", "blue"]]});
    assert_eq!(layout.body["tables"], json!([table]));

    let mut game = server.hot_seat(json!({"rule_set": "ludo-for-two", "dice": "players"}));
    assert_eq!(names(&game.view["seats"], "seat"), ["red", "green"]);
    let red = names(&game.view["seats"][0]["pawns"], "id");
    assert_eq!((&red[0], &red[4], red.len()), (&"red-1".to_owned(), &"yellow-1".to_owned(), 8));
    assert_eq!(game.view["position"].as_object().unwrap().len(), 4);

    assert_eq!(game.throw("6").status, 200);
    assert_eq!(game.view["legal"], json!(["red.yard-1:6", "yellow.yard-1:6"]));
    let legal = server.get(&game.path("/legal"));
    assert_eq!(legal.body["legal"][1]["movers"], json!(["yellow-1"]));
    let yellows = json!(["yellow-1", "yellow-2", "yellow-3", "yellow-4"]);
    assert_eq!(legal.body["legal"][1]["pawns"], yellows);
    assert_eq!(game.play(&["yard-1:6"]).problem(), (409, "action_not_legal"));
    let told = game.play(&["green.yard-1:6"]);
    assert_eq!(told.status / 100, 4, "{}", told.raw);

    assert_eq!(game.play(&["yellow.yard-1:6"]).status, 200);
    assert_eq!(game.view["position"]["yellow"], json!(["1", "yard", "yard", "yard"]));
    assert_eq!(game.view["seats"][0]["pawns"][4]["place"], "1");
    assert_eq!(game.view["turn"], "red");
    assert_eq!(game.throw("3").status, 200);
    // The text of an action may leave out the colour if only one colour of the player has a pawn there: red has none on
    // 1.
    assert_eq!(game.play(&["1-4:3"]).status, 200);
    assert_eq!((&game.view["turn"], &game.view["position"]["yellow"][0]), (&json!("green"), &json!("4")));
    let refused = game.throw("2");
    assert_eq!((refused.status, &game.view["turn"]), (200, &json!("red")), "nobody of green can move");
    let moved = server.get(&game.path("/events"));
    let moved = moved.body["events"].as_array().unwrap().iter().find(|event| event["event"] == "moved").unwrap();
    assert_eq!((&moved["seat"], &moved["pawn"]), (&json!("yellow"), &json!("yellow-1")));
}

on_both_stores!(who_has_brought_all_colours_home_wins_and_the_record_follows);
fn who_has_brought_all_colours_home_wins_and_the_record_follows(data: TestStore) {
    let server = Server::start(&data);
    publish(&server, &TWO.replace("turn:", "pawns: {start: [home, home, home, 50]}\nturn:"));
    let mut game = server.hot_seat(json!({"rule_set": "ludo-for-two"}));
    for _ in 0..500 {
        if game.view["awaits"] == "nothing" {
            break;
        }
        assert_eq!(game.step().status, 200);
    }
    let winner = game.view["ranking"][0]["seat"].as_str().unwrap().to_owned();
    let colours = if winner == "red" { ["red", "yellow"] } else { ["green", "blue"] };
    assert!(
        colours.iter().all(|colour| game.view["position"][colour] == json!(["home", "home", "home", "home"])),
        "{}",
        game.view
    );
    for format in ["application/x-ndjson", "text/plain"] {
        let record = server.request("GET", &game.path("/record")).header("Accept", format).send().unwrap();
        let record = record.text().unwrap();
        let imported = server.request("POST", "/v1/records").header("Content-Type", format).body(record);
        let imported = got(imported.send().unwrap());
        assert_eq!(imported.status, 201, "{}", imported.raw);
        assert_eq!(imported.body["game"]["position"], game.view["position"]);
    }
}
