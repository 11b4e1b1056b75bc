//! Tables: what options make of the lines and of the board.

use super::{SMALL, ruleset, table, word};
use crate::ruleset::OptionValue;
use crate::tables::Route;

#[test]
fn a_mark_for_everyone_is_on_every_seats_square() {
    let rules = table(&ruleset(SMALL), &[], None);
    let tag = |name: &str| rules.board.tags.iter().find(|(tag, _)| tag == name).unwrap().1[0];
    assert_eq!(tag("mine"), 0b10);
    assert_eq!(tag("safe"), 0b10_0010, "1, and 5, which the other seat calls 1");
}

#[test]
fn lines_exist_only_where_their_options_let_them() {
    let ruleset = ruleset(SMALL);
    let plain = table(&ruleset, &[], None);
    assert!(plain.passing.is_empty);
    assert_eq!(plain.spend[0].route, Route::To(1));
    assert!(plain.spend[1].open.is_none() && plain.spend[1].when.is_some());
    let soft = table(&ruleset, &[("mode", word("soft")), ("walls", OptionValue::Truth(true))], None);
    assert!(soft.spend[1].when.is_none(), "it holds for every pawn and number");
    assert!(!soft.passing.is_empty);
    assert_eq!(soft.options[2], ("need".to_owned(), "1".to_owned()));
}

#[test]
fn an_answer_counts_where_only_unmet_conditions_lead_to_it() {
    let text = SMALL.replacen("on: enemy pair, when: taken < 2", "on: enemy, when: taken < 2", 1);
    let text = text.replacen("on: enemy, then: cut}", "on: enemy, then: cut last}", 1);
    assert!(table(&ruleset(&text), &[], None).tracks_newest);
    assert!(!table(&ruleset(SMALL), &[], None).tracks_newest);
}
