//! The board against what is known of it by other ways.

use super::{SMALL, bundled, ruleset, table, word};
use crate::play::state::{NOWHERE, Seat, WALL};
use crate::ruleset::OptionValue;

#[test]
fn four_bellies_and_a_loop_make_96_squares() {
    let rules = table(&bundled(), &[], None);
    let board = &rules.board;
    assert_eq!((board.squares, board.cells.len(), board.len), (96, 96, 85));
    assert_eq!(board.labels[board.len as usize - 1], "home");
    let place = |label: &str| board.labels.iter().position(|other| other == label).unwrap() as u8;
    assert_eq!(board.len - 1 - place("6"), 78, "from 6 to home");
    assert_eq!(place("8r"), place("75") + 1);
    assert_eq!(board.outward[place("h1") as usize], place("1"));
    assert_eq!(board.outward[place("8r") as usize], place("8"));
    assert_eq!(board.gate_at, place("8r"));
}

#[test]
fn the_loop_is_numbered_alike_from_every_arm() {
    let rules = table(&bundled(), &[], None);
    let seen = &rules.board.seen;
    for own in 8..=75u8 {
        for (k1, row) in seen.iter().enumerate() {
            for (k2, numbering) in row.iter().enumerate() {
                let expected = (i32::from(own) - 8 + 17 * (k1 as i32 - k2 as i32)).rem_euclid(68) + 8;
                assert_eq!(i32::from(numbering[own as usize]), expected, "{own} of {k1} for {k2}");
            }
        }
    }
    assert!(seen[0][1][1..=7].iter().all(|&place| place == 255), "a belly is private");
}

#[test]
fn a_closed_gate_sends_round_again() {
    let rules = table(&bundled(), &[], None);
    let board = &rules.board;
    let (gate, home) = (board.gate_at as usize, board.len as usize - 1);
    assert_eq!(board.labels[board.lands[0][gate + 1] as usize], "9");
    assert_eq!(board.labels[board.lands[1][gate + 1] as usize], "h7");
    assert_eq!(board.square[0][2][gate + 1], board.square[1][2][9]);
    assert_eq!(board.square[1][0][home], NOWHERE);
    assert_eq!(board.square[1][0][home + 1], WALL);
    let waiting = table(&bundled(), &[("if_closed", word("wait"))], None);
    assert_eq!(waiting.board.square[0][0][gate + 1], WALL);
}

#[test]
fn colours_stand_on_the_same_square_where_their_paths_meet() {
    let rules = table(&bundled(), &[], None);
    let board = &rules.board;
    for own in 8..=75usize {
        for colour in 0..4 {
            let theirs = board.seen[0][colour][own] as usize;
            assert_eq!(board.square[1][0][own], board.square[1][colour][theirs]);
        }
    }
}

#[test]
fn a_mark_for_everyone_is_on_every_seats_square() {
    let rules = table(&ruleset(SMALL), &[], None);
    let tag = |name: &str| rules.board.tags.iter().find(|(tag, _)| tag == name).unwrap().1[0];
    assert_eq!(tag("mine"), 0b10);
    assert_eq!(tag("safe"), 0b10_0010, "1, and 5, which the other seat calls 1");
}

#[test]
fn seats_play_in_the_order_asked_for() {
    let backward = [("turn_order", word("backward"))];
    let rules = table(&bundled(), &backward, None);
    assert_eq!(rules.next, [Seat(3), Seat(0), Seat(1), Seat(2)]);
    assert_eq!(rules.right, [Seat(1), Seat(2), Seat(3), Seat(0)]);
    let two = table(&bundled(), &backward, Some(&["yellow", "red"]));
    assert_eq!((two.players.as_slice(), two.next[0], two.next[2]), (&[Seat(0), Seat(2)][..], Seat(2), Seat(0)));
    assert_eq!(two.partner[0], Seat(0));
    let teams = table(&bundled(), &[("mode", word("partnership"))], None);
    assert_eq!((teams.teams, teams.partner), (true, [Seat(2), Seat(3), Seat(0), Seat(1)]));
}

#[test]
fn options_decide_which_places_make_pairs() {
    let plain = table(&bundled(), &[], None);
    let belly = table(&bundled(), &[("belly_pairs", OptionValue::Truth(true))], None);
    assert_eq!(plain.board.pairing >> 7 & 3, 0b10);
    assert_eq!(belly.board.pairing >> 7 & 3, 0b11);
}
