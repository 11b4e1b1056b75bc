//! Tables: what options make of the lines.

use super::{SMALL, bundled, ruleset, table, word};
use crate::perft::perft;
use crate::play::state::Seat;
use crate::ruleset::{OptionValue, Options};
use crate::tables::{Event, First, Op, Route, With};

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
fn what_no_pawn_decides_is_asked_once() {
    let rules = table(&bundled(), &[], None);
    let names: Vec<&str> = rules.spend.iter().map(|line| rules.lines[line.line as usize].name.as_str()).collect();
    assert_eq!(names, ["spend.enter", "spend.enter-sum", "spend.die", "spend.sum", "spend.joint"]);
    assert!(rules.spend[1].open.is_some() && rules.spend[1].when.is_none());
    assert!(rules.spend.iter().all(|line| line.steps.is_none()));
    assert_eq!((rules.must[0].actions, rules.first), (0b11, First::Seat(Seat(0))));
    assert_eq!(rules.on[Event::Cut as usize].len(), 1);
    let total = table(&bundled(), &[("pair_distance", word("total")), ("sum_move", word("two_hops"))], None);
    let joint = total.spend.iter().find(|line| line.with == With::Doublet).unwrap();
    let steps = joint.steps.unwrap();
    let code = &total.code[steps.start as usize..][..steps.len as usize];
    assert_eq!(code, [Op::Push(2), Op::Fact(crate::tables::Fact::Number), Op::Mul]);
    assert!(!total.spend.iter().any(|line| line.with == With::Sum && line.from != 1));
}

#[test]
fn options_and_seats_that_do_not_fit_are_all_named() {
    let ruleset = bundled();
    let wrong = Options::from([
        ("mdoe".to_owned(), word("partnership")),
        ("min_cuts".to_owned(), OptionValue::Number(9)),
        ("play_on".to_owned(), word("sometimes")),
    ]);
    let problems = ruleset.table(&wrong, None).unwrap_err();
    let told: Vec<_> = problems.iter().map(|problem| (problem.code, problem.field.as_str())).collect();
    assert_eq!(told, [("unknown-option", "mdoe"), ("bad-option-value", "min_cuts"), ("bad-option-value", "play_on")]);
    assert_eq!(problems[0].help.as_deref(), Some("did you mean `mode`?"));
    let seats = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        ruleset.table(&Options::new(), Some(&names)).map(|_| ()).map_err(|problems| problems[0].code)
    };
    assert_eq!(seats(&["red", "black"]), Err("seats-not-playable"));
    assert_eq!(seats(&["red", "red", "yellow"]), Err("seats-not-playable"));
    assert_eq!(seats(&["red", "yelow"]), Err("unknown-seat"));
    assert_eq!(seats(&["yellow", "red"]), Ok(()));
}

#[test]
fn the_first_moves_are_as_many_as_counted_elsewhere() {
    let rules = table(&bundled(), &[], None);
    assert_eq!(perft(&rules, &rules.opening(Seat(0)), 2), 6345);
    let rules = table(&bundled(), &[], Some(&["red", "yellow"]));
    assert_eq!(perft(&rules, &rules.opening(Seat(0)), 2), 6345);
}
