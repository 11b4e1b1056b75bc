//! Tests which places expressions may compute, and which problems are reported if an expression computes none.

use super::problems::{found, one};

/// The text of a spend line of the small game. Tests replace it to give the line another goal.
const ENTER: &str = "from: off, with: die, exactly: 3, to: 1";

fn effect(effect: &str) -> (&'static str, String) {
    one("do: [pawn.fresh = no]", &format!("do: \"{effect}\""))
}

#[test]
fn places_and_numbers_are_added_and_compared() {
    for sound in [
        "jump this by 2 * number - 1",
        "jump nearest to from + number",
        "jump 2 by 1",
        "send this to at(2) + 1",
        "send last_moved to to - (at(home) - from)",
        "send this to taken",
        "jump each by 2 where own_at(from + 1) = 0 and enemies_at(taken) = 0",
        "send each enemy to to - 1 where pawns_at(at(2)) > 0",
    ] {
        // The line sets the mark `fresh`, because the check reports a mark that no line sets. The tested effect
        // follows.
        let events = "do: [pawn.fresh = no]";
        assert_eq!(found(events, &format!("do: [pawn.fresh = no, \"{sound}\"]")), [], "{sound}");
    }
}

#[test]
fn what_is_no_place_is_told_where_it_stands() {
    for (written, code, marked) in [
        ("send this to 2 * to", "wrong-type", "to"),
        ("send this to from + at(1)", "wrong-type", "from"),
        ("send this to 4 + 1", "wrong-type", "4 + 1"),
        ("send this to doublet", "wrong-type", "doublet"),
        ("send this to nowhere", "unknown-label", "nowhere"),
        ("send this to at(2) + 40", "out-of-range", "at(2) + 40"),
        ("send this to at(2) - 3", "out-of-range", "at(2) - 3"),
        ("jump this by to", "wrong-type", "to"),
        ("jump each to 3 where own_at(number > 1)", "wrong-type", "own_at(number > 1)"),
        ("jump each to 3 where own_at(3) > 0", "wrong-type", "3"),
        ("send each to from + victims", "not-here", "victims"),
        ("jump nearest to off", "out-of-range", "jump nearest to off"),
        ("jump each to at(1) - 1", "out-of-range", "jump each to at(1) - 1"),
        ("jump 2 to offf", "unknown-label", "offf"),
    ] {
        let (found_code, found_text) = found("do: [pawn.fresh = no]", &format!("do: \"{written}\"")).remove(0);
        assert_eq!((found_code, found_text), (code, marked.to_owned()), "{written}");
    }
    assert_eq!(effect("jump argument to 3"), ("unknown-label", "argument".to_owned()));
}

#[test]
fn a_spend_line_goes_to_a_computed_place() {
    assert_eq!(found(ENTER, "from: off, with: die, exactly: 3, to: from + number - 1"), []);
    for (to, code, marked) in [
        ("to + 1", "not-here", "to"),
        ("at(9)", "unknown-label", "9"),
        ("at(home) + 1", "out-of-range", "at(home) + 1"),
    ] {
        let written = format!("from: off, with: die, exactly: 3, to: {to}");
        assert_eq!(one(ENTER, &written), (code, marked.to_owned()), "{to}");
    }
}
