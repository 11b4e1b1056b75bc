//! Tests which places a check reports as places where pawns are stuck, and which not because a rule leads on from them.

use super::problems::problems;

/// A game on a row of six squares. No number leads on from the squares 5 and 6.
const ROW: &str = "\
rules: row
version: 1.0.0
title: A row
sources: [a test]
board:
  grid: 6 x 2
  seats: [one, two]
  turned: mirrored
  path:
    - {zone: off, squares: off, off_board: yes}
    - {zone: row, squares: 1..6, walk: \"from 0,1 E5\"}
    - {zone: end, squares: home}
pawns: {each: 2, start: [1, 2]}
dice: {count: 1, faces: [1, 2, 3]}
turn: {first: one, use_dice: any}
spend:
  - {id: enter, move: pawn, from: off, with: die, to: 1}
  - {id: go, move: pawn, from: 1..4, with: die}
landing:
  - {id: join, on: pawn, then: join}
on: []
finish: {play_on: no}
";

/// The warnings about the row after a part of it is replaced.
fn warnings_after(from: &str, to: &str) -> Vec<String> {
    assert!(ROW.contains(from), "{from}");
    let problems = problems(&ROW.replacen(from, to, 1)).into_iter();
    problems.map(|problem| format!("{}: {}", problem.code, problem.message)).collect()
}

fn stuck(places: &str) -> [String; 1] {
    [format!("no-way-home: pawns come to {places}, and no number brings them home from there")]
}

#[test]
fn places_that_no_number_leaves_are_told() {
    assert_eq!(warnings_after("from: 1..4", "from: 1..4"), stuck("`5` and 1 more"));
    assert_eq!(warnings_after("from: 1..4", "from: row"), [""; 0]);
    assert_eq!(warnings_after("from: 1..4, with: die", "from: [1..4, 6], with: die"), stuck("`5`"));
    assert_eq!(warnings_after("from: 1..4, with: die", "from: row, with: die, when: from < at(5)"), [""; 0]);
}

#[test]
fn places_from_which_only_other_such_places_are_reached_are_told() {
    // A captured pawn enters on 1 or 2, and the number 2 leads home from 1 only.
    let even = ROW.replace("from: 1..4", "from: row").replace("faces: [1, 2, 3]", "faces: [2]");
    let even = even.replace("start: [1, 2]", "start: [1, 1]").replace("{id: join, on: pawn", "{id: cut, on: enemy");
    let even = even.replace("then: join", "then: cut");
    let even = even.replace("  - {id: go,", "  - {id: second, move: pawn, from: off, with: die, to: 2}\n  - {id: go,");
    let codes: Vec<_> = problems(&even).into_iter().map(|problem| (problem.code, problem.message)).collect();
    assert_eq!(codes, [("no-way-home", stuck("`2` and 2 more")[0]["no-way-home: ".len()..].to_owned())]);
}

#[test]
fn captured_pawns_that_no_line_brings_in_are_told() {
    let enter = "  - {id: enter, move: pawn, from: off, with: die, to: 1}\n";
    let row = ROW.replace("from: 1..4", "from: row").replace(enter, "");
    assert_eq!(problems(&row), []);
    let row = row.replace("  - {id: join,", "  - {id: cut, on: enemy, then: cut}\n  - {id: join,");
    let told: Vec<_> = problems(&row).into_iter().map(|problem| problem.message).collect();
    assert_eq!(told, ["pawns come to `off`, and no number brings them home from there"]);
}

#[test]
fn a_place_that_an_effect_leaves_is_not_told() {
    for (event, effect) in [
        ("moved, when: to > at(4)", "jump this to home"),
        ("moved, when: to > at(4)", "send this to off"),
        ("moved, when: to > at(4)", "send this by -3"),
        ("moved, when: to > at(4)", "jump this by 0 - number"),
        ("turn_start", "[jump 5 to home, jump 6 to home]"),
        ("throw, when: total = 3", "send nearest to off"),
        ("throw, when: total = 3", "send each to off where from > at(4)"),
        ("throw, when: total = 3", "jump each to from - total where from > at(4)"),
        ("throw, when: total = 3", "send each enemy by -4"),
        ("throw, when: total = 3", "[drop throw, undo turn]"),
        ("moved, when: to < at(4)", "[send this to 5, send this to 6, send this to home]"),
    ] {
        let line = format!("on:\n  - {{id: x, event: {event}, do: {effect}}}");
        assert_eq!(warnings_after("on: []", &line), [""; 0], "{event}: {effect}");
    }
}

#[test]
fn an_effect_leaves_the_places_where_its_condition_may_hold() {
    for (event, effect) in [
        ("moved, when: to = at(5)", "jump this to home"),
        ("moved, when: to = at(5)", "send this by -4"),
        ("turn_start", "jump 5 to home"),
        ("throw, when: total = 3", "send each to off where from in [1..5]"),
        ("throw, when: total = 3", "jump each by 2 where from < at(6)"),
    ] {
        let line = format!("on:\n  - {{id: x, event: {event}, do: \"{effect}\"}}");
        assert_eq!(warnings_after("on: []", &line), stuck("`6`"), "{event}: {effect}");
    }
}

#[test]
fn a_pawn_that_begins_where_it_is_stuck_keeps_its_seat_from_finishing() {
    let text = ROW.replace("start: [1, 2]", "start: [5, 2]");
    let told: Vec<_> = problems(&text).into_iter().map(|problem| (problem.code, problem.message)).collect();
    let message = "a pawn that begins on `5` cannot come home, so its seat never finishes".to_owned();
    assert_eq!(told, [("home-out-of-reach", message)]);
    // A captured pawn enters on 1, and comes home from there.
    let text = text.replace("  - {id: join,", "  - {id: cut, on: enemy, then: cut}\n  - {id: join,");
    let codes: Vec<_> = problems(&text).into_iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["no-way-home"]);
}

#[test]
fn a_swap_and_a_condition_for_the_end_leave_nobody_stuck() {
    assert_eq!(warnings_after("on: pawn, then: join", "on: pawn, then: swap"), [""; 0]);
    assert_eq!(warnings_after("{play_on: no}", "{play_on: no, when: \"pawns(5, 6) > 0\"}"), [""; 0]);
}

#[test]
fn a_value_of_an_option_that_leads_on_is_enough() {
    let options = "options: {long: {yes_no: no, text: Is it long}}\nboard:";
    let line = "  - {id: on, move: pawn, from: row, with: die, when: long}\nlanding:";
    let text = ROW.replacen("board:", options, 1).replacen("landing:", line, 1);
    assert_eq!(problems(&text), []);
}
