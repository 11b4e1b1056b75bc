//! Tests of players with several colours: the seats of a table, and the problems of such files.

use super::problems::found_in;
use super::{ruleset, table};
use crate::ruleset::{Options, PlayableTable};
use crate::units::Seat;

const FOUR: &str = include_str!("../../../tests/semantics/sets/two-colours.yaml");

/// The problems of the game after the text `from` is replaced by `to`, each with the text that it marks.
fn found(from: &str, to: &str) -> Vec<(&'static str, String)> {
    assert!(FOUR.contains(from), "{from}");
    found_in(&FOUR.replacen(from, to, 1))
}

fn names(lists: &[&[&str]]) -> Vec<Vec<String>> {
    lists.iter().map(|names| names.iter().map(|&name| name.to_owned()).collect()).collect()
}

#[test]
fn the_first_colour_of_a_player_is_its_seat() {
    let set = ruleset(FOUR);
    let rules = table(&set, &[], None);
    let seating = &rules.seating;
    assert_eq!(seating.players, [Seat(0), Seat(1)]);
    assert_eq!(seating.colours, [0, 1, 2, 3].map(Seat));
    assert_eq!(seating.player[..4], [0, 1, 0, 1].map(Seat));
    assert_eq!(seating.next[..2], [1, 0].map(Seat));
    assert!(seating.shares && !seating.teams);
    assert!(seating.is_friend(Seat(0), Seat(2)) && !seating.is_friend(Seat(0), Seat(1)));
    let tables = set.playable_tables(&Options::new()).unwrap();
    let (players, colours) = (names(&[&["south", "east"]]).remove(0), names(&[&["south", "north"], &["east", "west"]]));
    assert_eq!(tables, [PlayableTable { players, teams: Vec::new(), colours }]);
}

#[test]
fn a_table_may_be_asked_for_by_its_players_or_by_all_its_colours() {
    let set = ruleset(FOUR);
    for names in [&["south", "east"][..], &["north", "east", "west", "south"]] {
        assert_eq!(table(&set, &[], Some(names)).seating.players, [Seat(0), Seat(1)], "{names:?}");
    }
    for names in [&["south", "north"][..], &["south", "east", "north"]] {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(set.rules(&Options::new(), Some(&names)).unwrap_err()[0].code, "seats-not-playable", "{names:?}");
    }
}

#[test]
fn colours_are_checked_where_they_stand() {
    let cases = [
        ("[east, west]], when: colours = two", "[esat, west]], when: colours = two", "unknown-seat", "esat"),
        ("[east, west]], when: colours = two", "[east, north]], when: colours = two", "seat-count", "north"),
        ("[[south, north], [east, west]]", "[[south, north]]", "too-few-items", "[[south, north]]"),
        ("[[south, north], [east, west]]", "[[south, north], []]", "too-few-items", "[]"),
        (
            "[[south, north], [east, west]]",
            "[[south, north], [east, west]], any: 2",
            "keys-exclude-each-other",
            "{colours: [[south, north], [east, west]], any: 2, when: colours = two}",
        ),
        ("use_dice: most", "use_dice: most, once_per_throw: forced", "not-with-colours", "forced"),
        ("use_dice: most", "use_dice: most, reunite: turn", "not-with-colours", "turn"),
    ];
    for (from, to, code, marked) in cases {
        assert!(found(from, to).contains(&(code, marked.to_owned())), "{to}: {:?}", found(from, to));
    }
    let choice = "choices:\n  - {id: show, ask: before_turn_end, argument: own_pair, do: []}\nfinish:";
    assert_eq!(found("finish:", choice)[0], ("not-with-colours", "own_pair".to_owned()));
}
