//! Tests the problems that a check finds in terms and tags. Also tests that a file with terms gives the same table as a
//! file in which the terms are written out.

use super::problems::{found, one};
use super::{SMALL, ruleset, table};

/// The problems of the small game with these terms, after `taken < 2` is replaced by `used`.
fn with_terms(terms: &str, used: &str) -> Vec<(&'static str, String)> {
    let text = SMALL.replacen("taken < 2", used, 1);
    super::problems::found_in(&text.replacen("counters:", &format!("terms: {terms}\ncounters:"), 1))
}

#[test]
fn a_table_with_terms_is_the_table_without_them() {
    let plain = SMALL.replacen("taken < 2", "(taken + 1) * 2 < 6 and mode = hard", 1).replacen(
        "walls and not",
        "(taken + 1) * 2 < 6 and walls and not",
        1,
    );
    let named = SMALL
        .replacen("taken < 2", "few and mode = hard", 1)
        .replacen("walls and not", "few and walls and not", 1)
        .replacen("counters:", "terms:\n  next: taken + 1\n  few: next * 2 < 6\ncounters:", 1);
    let code = |text: &str| format!("{:?}", table(&ruleset(text), &[], None).code);
    assert_eq!(code(&plain), code(&named));
}

#[test]
fn terms_that_use_each_other_in_a_circle_are_refused_where_the_circle_closes() {
    assert_eq!(with_terms("{few: not few}", "few"), [("term-uses-itself", "few".to_owned())]);
    let circle = "{one_more: two_more + 1, two_more: three_more + 1, three_more: one_more + 1}";
    assert_eq!(with_terms(circle, "two_more < 2"), [("term-uses-itself", "one_more".to_owned())]);
}

#[test]
fn names_that_mean_something_else_already_are_refused() {
    for name in ["mode", "taken", "fresh", "total", "pawns", "numbers_left"] {
        let found = with_terms(&format!("{{{name}: 3 < 4}}"), "taken < 2");
        assert!(found.contains(&("name-taken", name.to_owned())), "{name}: {found:?}");
    }
    let text = SMALL.replacen("finish:", "choices: [{id: sit, ask: before_throw, do: end turn}]\nfinish:", 1);
    let text = text.replacen("counters:", "terms: {sit: 1 < 2}\ncounters:", 1);
    assert!(super::problems::found_in(&text).contains(&("name-taken", "sit".to_owned())));
    let help = |terms: &str| {
        let text = SMALL.replacen("counters:", &format!("terms: {terms}\ncounters:"), 1);
        super::problems::problems(&text)[0].help.clone().unwrap()
    };
    assert_eq!(help("{walls: 1 < 2}"), "it is declared in line 7: choose another name");
}

#[test]
fn a_term_that_nothing_uses_is_warned_about() {
    assert_eq!(with_terms("{few: taken < 2, idle: taken > 3}", "few"), [("term-unused", "idle".to_owned())]);
}

#[test]
fn a_term_is_checked_where_it_stands_and_where_it_is_used() {
    let cases = [
        ("{few: takne < 2}", "few", "unknown-name", "takne"),
        ("{few: taken + doublet}", "few < 2", "wrong-type", "doublet"),
        ("{few: mode}", "few = hard", "wrong-type", "mode"),
        ("{few: taken + 1}", "few", "wrong-type", "few"),
        ("{few: victims < 2}", "few", "not-here", "few"),
        ("{some: victims, few: some < 2}", "few", "not-here", "few"),
        ("{few: taken < 2}", "fwe", "unknown-name", "fwe"),
    ];
    for (terms, used, code, marked) in cases {
        let found = with_terms(terms, used);
        assert!(found.contains(&(code, marked.to_owned())), "{terms}: {found:?}");
    }
    let text = SMALL.replacen("counters:", "terms: {full: players = 2}\ncounters:", 1);
    let text = text.replacen("{seats: [one, two]}", "{seats: [one, two], when: full}", 1);
    assert!(super::problems::found_in(&text).contains(&("not-here", "full".to_owned())));
}

#[test]
fn terms_that_double_each_other_are_refused_before_they_fill_the_memory() {
    let doubled = |count: usize| {
        let terms: Vec<String> = (1..count).map(|n| format!("t{n}: t{0} + t{0}", n - 1)).collect();
        format!("{{t0: taken, {}}}", terms.join(", "))
    };
    let found = with_terms(&doubled(40), "t39 < 2");
    assert_eq!(found[0], ("expression-too-long", "t7 + t7".to_owned()));
    let used = "t6 + t6 < 2";
    let lines: Vec<String> =
        (0..70).map(|id| format!("  - {{id: x{id}, event: moved, when: {used}, do: taken += {used}}}\n")).collect();
    let text = SMALL.replacen("counters:", &format!("terms: {}\ncounters:", doubled(7)), 1);
    let text = text.replacen("on:\n", &format!("on:\n{}", lines.concat().replace("+= t6 + t6 < 2", "+= t6 + t6")), 1);
    assert_eq!(super::problems::found_in(&text), [("too-many", "t6".to_owned())]);
}

#[test]
fn a_deep_term_in_a_deep_expression_is_too_deep_and_no_more() {
    let deep = ["taken"; 120].join(" + ");
    let wide = ["deep"; 60].join(" + ");
    let used = format!("{wide} < 2");
    assert_eq!(with_terms(&format!("{{deep: {deep}}}"), "deep < 2"), []);
    assert_eq!(with_terms(&format!("{{deep: {deep}}}"), &used), [("too-deep", used)]);
}

#[test]
fn a_chain_of_else_if_is_no_deeper_than_its_links() {
    let links: String = (0..24).map(|count| format!("if throws = {count} then {} else ", 40 - count)).collect();
    assert_eq!(with_terms("{most: 12}", &format!("({links}9) < most")), []);
}

#[test]
fn a_tag_or_zone_of_one_place_is_a_place() {
    assert_eq!(found("exactly: 3, to: 1}", "exactly: 3, to: mine}"), []);
    assert_eq!(one("exactly: 3, to: 1}", "exactly: 3, to: ring}"), ("not-one-place", "ring".to_owned()));
    assert_eq!(one("lap_to: 1", "lap_to: safe"), ("not-one-place", "safe".to_owned()));
    assert_eq!(found("start: [off, off]", "start: [mine, end]"), []);
}

#[test]
fn a_tag_without_an_owner_is_a_name_that_pictures_do_not_show() {
    let text = SMALL.replacen("for: owner}", "for: owner}\n    - {tag: short, squares: [mine, 3..4]}", 1);
    let rules = table(&ruleset(&text), &[], None);
    let shown: Vec<&str> = rules.board.tags.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(shown, ["safe", "mine"]);
}

#[test]
fn a_line_for_several_kinds_of_numbers_is_as_many_ways() {
    let ways = |with: &str| {
        let text = SMALL.replacen("from: ring, with: die", &format!("from: ring, with: {with}"), 1);
        table(&ruleset(&text), &[], None).moves.spend.len()
    };
    assert_eq!((ways("die"), ways("[die]"), ways("[die, sum]")), (2, 2, 3));
    assert_eq!(
        one("from: ring, with: die", "from: ring, with: [die, triplet]"),
        ("way-never-used", "triplet".to_owned())
    );
    let lines: String =
        (0..18).map(|id| format!("  - {{id: x{id}, move: [pawn, pair], from: ring, with: [die, sum]}}\n")).collect();
    let found = found("landing:", &format!("{lines}landing:"));
    assert!(found.len() == 1 && found[0].0 == "too-many" && found[0].1.contains("x15"), "{found:?}");
}
