//! Tests which names a condition may use if it chooses pawns, for an effect or to count them.

use super::problems::{found, one};

fn effect(effect: &str) -> (&'static str, String) {
    one("do: [pawn.fresh = no]", &format!("do: \"{effect}\""))
}

#[test]
fn a_condition_may_ask_about_the_pawn_that_it_chooses() {
    let events = "do: [pawn.fresh = no]";
    for sound in [
        "send each to off",
        "send each to mine where from in ring and own_there = 1 and not pawn.fresh",
        "send each enemy to off where taken < other.taken and other_pawns(ring) > 0 and to_as_other > at(2)",
        "jump each to 3 where group = 1",
    ] {
        // The line sets the mark `fresh`, because the check reports a mark that no line sets. The tested effect
        // follows.
        assert_eq!(found(events, &format!("do: [pawn.fresh = no, \"{sound}\"]")), [], "{sound}");
    }
}

#[test]
fn what_is_not_known_there_is_told() {
    for (written, code, marked) in [
        ("send each to ring where from in ring", "not-one-place", "ring"),
        ("send each to off where other.taken > 1", "not-here", "other.taken"),
        ("jump each to 3 where victims > 1", "not-here", "victims"),
        ("send each enemy to off where taken", "wrong-type", "taken"),
    ] {
        assert_eq!(effect(written), (code, marked.to_owned()), "{written}");
    }
}

#[test]
fn a_condition_may_choose_the_pawns_that_are_counted() {
    for sound in ["pawns(where pawn.fresh) = 1", "pawns(ring where own_there > 1 and from > at(2)) < 2"] {
        assert_eq!(found("taken < 2", sound), [], "{sound}");
    }
    for (written, code, marked) in [
        ("pawns(ring where from) < 2", "wrong-type", "from"),
        ("pawns(rnig where pawn.fresh) < 2", "unknown-label", "rnig"),
        ("pawns(ring where victims > 0) < 2", "not-here", "victims"),
        ("pawns(ring where pawn.fersh) < 2", "unknown-name", "pawn.fersh"),
        ("pawns(ring where pawns(where pawn.fresh) > 0) < 2", "nested-count", "pawns(where pawn.fresh)"),
    ] {
        assert_eq!(one("taken < 2", written), (code, marked.to_owned()), "{written}");
    }
}
