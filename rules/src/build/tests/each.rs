//! Tests which names a condition may use if it chooses pawns for an effect.

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
        // The line sets the mark `fresh` as before, and then has the effect that is tested.
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
