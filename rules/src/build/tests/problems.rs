//! Tests which problems a check finds, and which text each problem marks.

use super::{Nothing, SMALL};
use crate::ruleset::RuleSet;
use crate::source::{Problem, Severity, Source};
use crate::tables::First;
use crate::units::Seat;

/// The problems of a rule file.
pub(super) fn problems(text: &str) -> Vec<Problem> {
    RuleSet::check(&Source { name: "test.yaml".into(), text: text.to_owned() }, &Nothing).problems
}

/// The code of each problem of a rule file, with the text that the problem marks.
pub(super) fn found_in(text: &str) -> Vec<(&'static str, String)> {
    let marked = |problem: &Problem| {
        let line = text.lines().nth(problem.span.line as usize - 1).unwrap();
        line.chars().skip(problem.span.column as usize - 1).take(problem.span.width as usize).collect()
    };
    problems(text).iter().map(|problem| (problem.code, marked(problem))).collect()
}

/// The problems of the small game after the text `from` is replaced by `to`.
pub(super) fn found(from: &str, to: &str) -> Vec<(&'static str, String)> {
    assert!(SMALL.contains(from), "{from}");
    found_in(&SMALL.replacen(from, to, 1))
}

pub(super) fn one(from: &str, to: &str) -> (&'static str, String) {
    let mut found = found(from, to);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn sound_rule_sets_have_no_problems() {
    assert_eq!(found("small", "small"), []);
}

#[test]
fn names_and_types_are_checked_where_they_stand() {
    let cases = [
        ("taken < 2", "takne < 2", "unknown-name", "takne"),
        ("taken < 2", "mode < 2", "wrong-type", "mode"),
        ("mode = hard", "mode = hrad", "never-equal", "hrad"),
        ("mode = hard", "mode = 3", "never-equal", "3"),
        ("taken < 2", "doublet < 2", "wrong-type", "doublet"),
        ("taken < 2", "total / 3 < 2", "bad-divisor", "3"),
        ("taken < 2", "face(3) < 2", "no-such-face", "3"),
        ("taken < 2", "to = 3", "wrong-type", "3"),
        ("taken < 2", "victims < 2", "not-here", "victims"),
        ("or number > 1", "or there.fresh", "not-here", "there.fresh"),
        ("in: safe", "in: sfae", "unknown-label", "sfae"),
        ("lap_to: 1", "lap_to: 9", "unknown-label", "9"),
        ("[taken += victims]", "[taken += doublet]", "wrong-type", "doublet"),
        ("[taken += victims]", "[taken += victims, drop hand]", "not-here", "drop hand"),
        ("cut, do: [taken += victims]", "any_turn_end, do: [taken += 1, throw again]", "not-here", "throw again"),
        ("cut, do: [taken += victims]", "turn_end, do: [taken += 1, bonus 3]", "not-here", "bonus 3"),
        ("number > 1}", "number > 100000}", "number-too-large", "mode = soft or not pawn.fresh or number > 100000"),
    ];
    for (from, to, code, marked) in cases {
        assert_eq!(one(from, to), (code, marked.to_owned()), "{to}");
    }
}

#[test]
fn boards_that_cannot_be_are_refused() {
    let cases = [
        ("W2 S1", "W2 S2", "label-count"),
        ("W2 S1", "W3 S1", "off-grid"),
        ("W2 S1", "W2 E1", "walked-twice"),
        ("seats: [one, two]\n", "seats: [one, two, three]\n", "too-many-seats"),
        ("walk: \"from 0,2 E2 N2 W2 S1\"", "walk: \"from 0,2 E2 N2 W2 S1\", private: yes", "not-private"),
        ("{zone: off, squares: off, off_board: yes}", "{zone: off, squares: off, walk: \"from 1,1\"}", "bad-path"),
        ("squares: home", "squares: 8", "duplicate-label"),
        ("exactly: 3", "exactly: 4", "home-out-of-reach"),
        ("squares: home", "squares: max", "bad-label"),
        ("faces: [1, 2, 3]", "faces: [0, 0]", "bad-face"),
    ];
    for (from, to, code) in cases {
        assert_eq!(found(from, to)[0].0, code, "{to}");
    }
    let text = SMALL.replace("3 x 3", "3 x 4").replace("turned: half", "turned: clockwise");
    let checked = RuleSet::check(&Source { name: "test.yaml".into(), text }, &Nothing);
    assert_eq!(checked.problems[0].code, "grid-not-square");
}

#[test]
fn a_board_with_arms_is_turned_by_one_arm_or_by_half() {
    let codes = |arms: &str, turned: &str, seats: &str| {
        let text = SMALL.replace("  grid: 3 x 3\n", &format!("  grid: {arms}\n"));
        let text = text.replace("turned: half", &format!("turned: {turned}")).replace("[one, two]", seats);
        assert_ne!(text, SMALL);
        let checked = RuleSet::check(&Source { name: "test.yaml".into(), text }, &Nothing);
        checked.problems.into_iter().map(|problem| problem.code).collect::<Vec<_>>()
    };
    assert!(codes("3 x 3\n  arms: 6", "mirrored", "[one, two]").contains(&"bad-turn"));
    assert!(codes("3 x 3\n  arms: 5", "half", "[one, two]").contains(&"bad-turn"));
    assert!(codes("3 x 3\n  arms: 3", "clockwise", "[one, two, three, four]").contains(&"too-many-seats"));
    assert!(codes("60 x 3\n  arms: 8", "clockwise", "[one, two]").contains(&"too-many"));
    let three = codes("3 x 3\n  arms: 3", "clockwise", "[one, two, three]");
    assert!(!three.contains(&"bad-turn") && !three.contains(&"too-many-seats"), "{three:?}");
}

#[test]
fn the_least_number_of_a_compulsion_is_one_of_each_action() {
    let cases = [
        ("least: number", None),
        ("least: to - from, within: moment", None),
        ("least: number, within: hand", Some(("bad-least", "number"))),
        ("least: doublet", Some(("wrong-type", "doublet"))),
        ("least: victims", Some(("not-here", "victims"))),
    ];
    for (keys, problem) in cases {
        let must = format!("must:\n  - {{id: first, actions: [die], {keys}}}\nlanding:");
        let problem = problem.map(|(code, marked)| (code, marked.to_owned()));
        assert_eq!(found("landing:", &must), Vec::from_iter(problem), "{keys}");
    }
}

#[test]
fn a_place_that_turns_pawns_back_is_one_that_they_can_reach_by_a_bounce() {
    let line = |keys: &str| format!("from: ring, with: die, {keys}, when");
    let cases = [
        ("bounce_at: 2", "bad-route", "2"),
        ("route: back, bounce_at: obstacle", "bad-route", "obstacle"),
        ("route: bounce, bounce_at: 99", "unknown-label", "99"),
        ("route: bounce, bounce_at: ring", "not-one-place", "ring"),
        ("route: bounce, bounce_at: off", "bad-route", "off"),
    ];
    for (keys, code, marked) in cases {
        assert_eq!(one("from: ring, with: die, when", &line(keys)), (code, marked.to_owned()), "{keys}");
    }
    assert_eq!(one("exactly: 3, to: 1", "exactly: 3, to: 1, bounce_at: 2"), ("bad-route", "2".to_owned()));
    assert_eq!(one("exactly: 3, to: 1", "exactly: 3, to: 1, along: [1, 2]"), ("bad-route", "1".to_owned()));
    assert_eq!(one("exactly: 3, to: 1", "exactly: 3, along: 1..3, route: back"), ("bad-route", "back".to_owned()));
    assert_eq!(one("exactly: 3, to: 1", "exactly: 3, along: 99"), ("unknown-label", "99".to_owned()));
    let obstacle = "route: bounce, bounce_at: obstacle";
    assert_eq!(found("from: ring, with: die, when", &line(obstacle)), []);
    let text = SMALL.replacen("from: ring, with: die, when", &line(obstacle), 1);
    let text = text.replace("walls and not pawn.fresh, then: refuse", "walls and not pawn.fresh, then: cut");
    assert_eq!(found_in(&text), [("bad-route", "obstacle".to_owned())]);
}

#[test]
fn a_wall_before_home_keeps_everybody_out() {
    let line = "from: ring, with: die, route: bounce, bounce_at: 5, when";
    assert_eq!(found("from: ring, with: die, when", line)[0].0, "home-out-of-reach");
    let back = "from: ring, with: die, route: back, when";
    assert_eq!(found("from: ring, with: die, when", back)[0].0, "home-out-of-reach");
}

#[test]
fn walks_of_the_seats_are_checked_one_by_one() {
    let walks = |turned: &str, walks: &str| {
        let text = SMALL.replacen("turned: half", &format!("turned: {turned}"), 1);
        let own = "\"from 0,2 E2 N2 W2 S1\"";
        found_in(&text.replacen(own, &format!("[{own}{walks}]"), 1))
    };
    let second = "\"from 2,0 W2 S2 E2 N1\"";
    assert_eq!(walks("same", &format!(", {second}")), []);
    assert_eq!(walks("half", ""), []);
    let first = |turned: &str, list: &str| walks(turned, list)[0].0;
    assert_eq!(first("half", &format!(", {second}")), "bad-walk");
    assert_eq!(first("same", &format!(", {second}, {second}")), "bad-walk");
    assert_eq!(first("same", ", \"from 2,0 W2 S2 E2\""), "label-count");
    assert_eq!(first("same", ", \"from 2,0 E2 S2 W2 N1\""), "off-grid");
    assert_eq!(first("same", ", \"from 2,0 W2 S2 E2 W1\""), "walked-twice");
    let two_zones = SMALL.replacen("turned: half", "turned: same", 1).replacen(
        "squares: 1..8, walk: \"from 0,2 E2 N2 W2 S1\"}",
        "squares: 1..4, walk: [\"from 0,2 E2 N1\", \"from 2,0 W2 S1\"]}\n    \
         - {zone: rest, squares: 5..8, walk: [\"N1 W2 S1\", \"S1 E2 N1\", \"S1 E2 N1\"]}",
        1,
    );
    assert_eq!(found_in(&two_zones)[0].0, "bad-walk", "a later zone is checked, too");
    let tag = "{tag: safe, squares: 1, for: everyone}".to_owned();
    assert_eq!(walks("same", ", \"from 0,1 S1 E2 N2 W1\"")[0].0, "label-count");
    assert_eq!(walks("same", ", \"from 0,1 S1 E2 N2 W2\""), [("bad-path", tag)]);
}

#[test]
fn words_that_read_like_moves_are_refused() {
    let cases = [
        ("{id: sit-out, ask: before_throw, do: end turn}", "sit-out"),
        ("{id: sit, word: pass, ask: before_throw, do: end turn}", "pass"),
        ("{id: pass, ask: before_throw, do: end turn}", "pass"),
    ];
    for (line, marked) in cases {
        let choices = format!("choices:\n  - {line}\nfinish:");
        assert_eq!(one("finish:", &choices), ("bad-word", marked.to_owned()), "{line}");
    }
    assert_eq!(
        found("finish:", "choices:\n  - {id: sit-out, word: sit, ask: before_throw, do: end turn}\nfinish:"),
        []
    );
}

#[test]
fn what_is_probably_not_meant_is_warned_about() {
    let cases = [
        ("then: cut}", "then: cut}\n  - {id: late, on: enemy pair, then: refuse}", "line-never-fits"),
        ("when: walls and", "when: walls and not walls and", "never-holds"),
        ("  walls: {yes_no", "  idle: {yes_no: no, text: Nothing}\n  walls: {yes_no", "option-unread"),
        ("    taken: {from", "    idle: {from: 0, to: 3}\n    taken: {from", "counter-unread"),
        ("landing:", "  - {id: six, move: pawn, from: ring, with: die, exactly: 6}\nlanding:", "line-never-used"),
        (
            "landing:",
            "  - {id: back, move: pawn, from: ring, with: die, steps: 0 - number}\nlanding:",
            "line-never-used",
        ),
        ("with: die, when", "with: sum, exactly: 4, when", "out-of-reach"),
    ];
    for (from, to, code) in cases {
        assert_eq!(one(from, to).0, code, "{to}");
    }
}

#[test]
fn what_only_one_option_breaks_is_found_before_anybody_plays() {
    let text = SMALL.replacen("{seats: [one, two]}", "{seats: [one, two], when: mode = hard}", 1);
    let checked = RuleSet::check(&Source { name: "test.yaml".into(), text }, &Nothing);
    let problem = &checked.problems[0];
    assert_eq!((problem.severity, problem.code), (Severity::Error, "nobody-plays"));
    assert!(problem.message.ends_with("where `mode` is `soft`"), "{}", problem.message);
}

#[test]
fn a_counter_may_keep_a_place_and_a_label_is_no_number() {
    let counter = "    taken: {from: 0, to: 9}\n    kept: {from: 0, to: 120}";
    let text = SMALL.replacen("    taken: {from: 0, to: 9}", counter, 1);
    let text = text.replacen("[taken += victims]", "[taken += victims, kept = to]", 1);
    let text = text.replacen("taken < 2", "taken < 2 and kept = to", 1);
    let checked = RuleSet::check(&Source { name: "test.yaml".into(), text }, &Nothing);
    assert_eq!(checked.problems, []);
}

/// The messages and help texts of the small game's problems after the text `from` is replaced by `to`.
pub(super) fn messages_after(from: &str, to: &str) -> Vec<String> {
    assert!(SMALL.contains(from), "{from}");
    let text = SMALL.replacen(from, to, 1);
    let checked = RuleSet::check(&Source { name: "test.yaml".into(), text }, &Nothing);
    let messages = checked.problems.into_iter();
    messages.map(|problem| format!("{}; {}", problem.message, problem.help.unwrap_or_default())).collect()
}

#[test]
fn a_range_is_always_told_in_the_same_words() {
    let told: Vec<String> = ["faces: [99]", "faces: [x]", "faces: [[1]]", "faces: {a: 1}"]
        .into_iter()
        .flat_map(|faces| messages_after("faces: [1, 2, 3]", faces))
        .collect();
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told.iter().all(|told| told.contains("a number from 0 to 32")), "{told:?}");
}

#[test]
fn a_number_of_seats_that_the_board_lacks_hides_no_other_problem() {
    let from = "{seats: [one, two]}";
    let text = SMALL.replacen(from, "{any: 5}", 1).replacen("taken < 2", "takne < 2", 1);
    let checked = RuleSet::check(&Source { name: "test.yaml".into(), text }, &Nothing);
    let codes: Vec<_> = checked.problems.iter().map(|problem| problem.code).collect();
    assert!(codes.contains(&"seat-count") && codes.contains(&"unknown-name"), "{codes:?}");
}

#[test]
fn help_names_the_line_or_the_kind_where_a_name_is_known() {
    let option = messages_after("    taken: {from", "    walls: {from: 0, to: 3}\n    taken: {from");
    let line = SMALL.lines().position(|line| line.trim_start().starts_with("walls:")).unwrap() + 1;
    let expected = format!("`walls` names a table option already; it is declared in line {line}: choose another name");
    assert!(option.contains(&expected), "{option:?}");
    let language = messages_after("    taken: {from", "    total: {from: 0, to: 3}\n    taken: {from");
    assert!(language[0].contains("Expressions"), "{language:?}");
    let mark = messages_after("[taken += victims]", "[fresh = yes]");
    assert!(mark[0].ends_with("; write `pawn.fresh`"), "{mark:?}");
}

#[test]
fn a_setting_with_a_word_or_a_name_lists_its_words_and_a_seat_may_have_the_name_of_a_word() {
    let messages = |text: &str| {
        problems(text).iter().map(|problem| format!("{} {:?}", problem.message, problem.help)).collect::<Vec<_>>()
    };
    let told = messages(&SMALL.replacen("first: one", "first: [one]", 1)).concat();
    assert!(told.contains("`random`, `highest`") && told.contains("`$option`"), "{told}");
    let line = "from: ring, with: die, route: bounce, bounce_at: [5], when";
    let told = messages(&SMALL.replacen("from: ring, with: die, when", line, 1)).concat();
    assert!(told.contains("`obstacle`"), "{told}");
    assert_eq!(one("first: one", "first: hihgest"), ("unknown-word", "hihgest".to_owned()));
    let first = |text: &str| super::table(&super::ruleset(text), &[], None).seating.first;
    let highest = SMALL.replacen("first: one", "first: highest", 1);
    assert_eq!(first(&highest), First::Highest);
    let seat = highest.replace("[one, two]", "[two, highest]");
    assert_eq!(first(&seat), First::Seat(Seat(1)), "a seat of this name begins");
}
