//! Tests /v1/rule-sets/{id}/layout.

use std::collections::{BTreeMap, BTreeSet};

use pagade_rules::bundled;
use serde_json::{Value, json};

use crate::harness::{Server, TestStore, got};

/// The square of each place of each seat.
fn squares_of_places(layout: &Value) -> BTreeMap<(String, String), Option<String>> {
    let seats = layout["seats"].as_array().unwrap().iter();
    let places = seats.flat_map(|seat| {
        let name = seat["seat"].as_str().unwrap();
        seat["places"].as_array().unwrap().iter().map(move |place| {
            let label = place["place"].as_str().unwrap().to_owned();
            ((name.to_owned(), label), place["square"].as_str().map(str::to_owned))
        })
    });
    places.collect()
}

#[test]
fn every_set_has_a_layout_in_which_its_games_are_played() {
    let data = TestStore::new();
    let server = Server::start(&data);
    for (id, _) in bundled::SETS {
        let layout = server.get(&format!("/v1/rule-sets/{id}/layout"));
        assert_eq!(layout.status, 200, "{id}: {}", layout.raw);
        let layout = layout.body;
        let ids = layout["squares"].as_array().unwrap().iter().map(|square| square["id"].as_str().unwrap());
        let ids = ids.collect::<BTreeSet<_>>();
        let squares = squares_of_places(&layout);
        assert!(squares.values().flatten().all(|square| ids.contains(square.as_str())), "{id}");
        assert_eq!(squares.values().flatten().map(String::as_str).collect::<BTreeSet<_>>(), ids, "{id}");
        for table in layout["tables"].as_array().unwrap() {
            let game = server.hot_seat(json!({"rule_set": id, "players": table["players"]}));
            for seat in game.view["seats"].as_array().unwrap() {
                let name = seat["seat"].as_str().unwrap();
                let path = layout["seats"].as_array().unwrap().iter().find(|path| path["seat"] == name).unwrap();
                assert_eq!((&path["paint"], path["start"].is_array()), (&seat["paint"], true), "{id}");
                for pawn in seat["pawns"].as_array().unwrap() {
                    let place = (name.to_owned(), pawn["place"].as_str().unwrap().to_owned());
                    assert_eq!(squares[&place].as_deref(), pawn["square"].as_str(), "{id}: {pawn}");
                }
            }
        }
    }
}

#[test]
fn a_layout_names_the_lines_that_the_options_leave_in_force() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let full = |options: &str| {
        let layout = server.get(&format!("/v1/rule-sets/pagade/layout{options}")).body;
        let lines = layout["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned());
        lines.filter(|line| line.contains("full") || line.contains("bonus-cut")).collect::<Vec<_>>()
    };
    assert_eq!(full(""), ["landing.full", "landing.pair-full"]);
    let three = full("?options=max_on_square:3,cut_extra_throw:true");
    assert_eq!(three, ["landing.full-3", "landing.pair-full-3", "on.bonus-cut"]);
}

#[test]
fn two_colours_on_one_square_are_seen_to_be_there() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"rule_set": "ashta-chamma-5", "seed": "two on a square"}));
    let mut has_met = false;
    for _ in 0..400 {
        let mut standing = BTreeMap::<String, BTreeSet<(String, String)>>::new();
        for seat in game.view["seats"].as_array().unwrap() {
            for pawn in seat["pawns"].as_array().unwrap().iter().filter(|pawn| pawn["square"].is_string()) {
                let (seat, place) = (seat["seat"].as_str().unwrap(), pawn["place"].as_str().unwrap());
                let square = standing.entry(pawn["square"].as_str().unwrap().to_owned()).or_default();
                square.insert((seat.to_owned(), place.to_owned()));
            }
        }
        has_met |= standing.values().any(|there| {
            let colours = there.iter().map(|(seat, _)| seat).collect::<BTreeSet<_>>();
            let places = there.iter().map(|(_, place)| place).collect::<BTreeSet<_>>();
            colours.len() > 1 && places.len() > 1
        });
        if has_met || game.view["status"] != "playing" {
            break;
        }
        assert_eq!(game.step().status, 200);
    }
    assert!(has_met, "two colours meet on a square that they call by different labels");
}

#[test]
fn a_layout_by_digest_is_kept_for_ever_and_others_are_asked_for_again() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let newest = server.get("/v1/rule-sets/pagade/layout");
    assert_eq!(newest.header("cache-control"), "public, max-age=60");
    let digest = newest.text("/rule_set/digest");
    let path = format!("/v1/rule-sets/pagade/layout?digest={digest}");
    let pinned = server.get(&path);
    assert_eq!(pinned.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!((&pinned.body, pinned.header("etag")), (&newest.body, newest.header("etag")));
    for tag in [pinned.header("etag"), pinned.header("etag").trim_start_matches("W/"), "*"] {
        let again = got(server.request("GET", &path).header("If-None-Match", tag).send().unwrap());
        assert_eq!((again.status, again.raw.as_str(), again.header("etag")), (304, "", pinned.header("etag")));
    }
    let other = got(server.request("GET", &path).header("If-None-Match", "\"other\"").send().unwrap());
    assert_eq!(other.status, 200);
    assert_eq!(
        server.get(&format!("/v1/rule-sets/chopat/layout?digest={digest}")).problem(),
        (404, "rule_set_not_found")
    );
    for path in ["/openapi.json", "/v1/problems", "/v1/rule-sets"] {
        let answer = server.get(&format!("{path}?digest={digest}&version=1.0.0"));
        assert_eq!(answer.header("cache-control"), "public, max-age=60", "{path} does not read the digest");
    }
    let source = server.get("/v1/rule-sets/pagade/source?version=1.0.0");
    assert_eq!(source.header("cache-control"), "public, max-age=86400");
    assert_eq!(server.get("/v1/rule-sets/chess/layout").problem(), (404, "rule_set_not_found"));
    assert_eq!(server.get("/v1/rule-sets/pagade/layout?digest=5d1f").problem(), (400, "bad_query"));
}

#[test]
fn options_and_players_change_the_board() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let read = |query: &str| server.get(&format!("/v1/rule-sets/ludo/layout{query}"));
    let usual = read("").body;
    let cells = read("?options=home_cells:four").body;
    assert_eq!((&usual["jumps"], cells["jumps"].as_array().map(Vec::len)), (&json!([]), Some(4)));
    assert_eq!(cells["options"]["home_cells"], "four");
    let two = read("?players=red,yellow");
    let plays = |layout: &Value| {
        let seats = layout["seats"].as_array().unwrap().iter().filter(|seat| seat["plays"] == true);
        seats.map(|seat| seat["seat"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((plays(&usual).len(), plays(&two.body).len()), (4, 2), "{}", two.raw);
    let drawn = |query: &str| server.get(&format!("/v1/rule-sets/ludo/board{query}")).raw;
    assert_ne!(drawn(""), drawn("?options=home_cells:four"), "the picture is that of the options, too");
    assert!(drawn("").contains(&format!(r#"data-square="{}""#, usual["squares"][0]["id"].as_str().unwrap())));
    let table_invalid = (422, "table_invalid");
    for (query, (status, code), parameter) in [
        ("?options=home_cells:nine", table_invalid, "options"),
        ("?options=colour:red", table_invalid, "options"),
        ("?options=home_cells", (400, "bad_query"), "options"),
        ("?players=red,purple", table_invalid, "players"),
        ("?players=red", table_invalid, "players"),
    ] {
        let refused = read(query);
        assert_eq!(refused.problem(), (status, code), "{query}");
        assert_eq!(refused.body["problems"][0]["parameter"], parameter, "{query}: {}", refused.raw);
    }
}
