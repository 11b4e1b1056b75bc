//! Counting sequences of actions: numbers that an independent program found too.

mod common;

use common::table;
use pagade_rules::perft::perft;

#[test]
fn sequences_from_the_opening_of_four() {
    let rules = table("pagade", None);
    let opening = rules.opening(rules.first_seat());
    assert_eq!([0, 1, 2, 3].map(|depth| perft(&rules, &opening, depth)), [1, 126, 6345, 332_451]);
}

#[test]
fn sequences_from_the_opening_of_two() {
    let rules = table("pagade", Some(&["red", "yellow"]));
    let opening = rules.opening(rules.first_seat());
    assert_eq!([1, 2, 3].map(|depth| perft(&rules, &opening, depth)), [126, 6345, 376_992]);
}

#[test]
fn longer_sequences() {
    let four = table("pagade", None);
    assert_eq!(perft(&four, &four.opening(four.first_seat()), 4), 17_375_094);
    let two = table("pagade", Some(&["red", "yellow"]));
    assert_eq!(perft(&two, &two.opening(two.first_seat()), 4), 21_989_828);
}
