//! Tests that messages and help texts name what is wrong, and say what to write instead.

use super::SMALL;
use super::problems::{found, problems, told};

/// The messages and help texts of the small game's problems, after each text is replaced by the one beside it.
fn told_after(changes: &[(&str, &str)]) -> Vec<String> {
    let text = changes.iter().fold(SMALL.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let told = problems(&text).into_iter();
    told.map(|problem| format!("{}; {}", problem.message, problem.help.unwrap_or_default())).collect()
}

#[test]
fn places_in_square_brackets_are_told_how_to_stand_in_round_ones() {
    for quoted in ["\"pawns([3, 5]) < 2\"", "\"pairs([3]) < 2\""] {
        let told = told("taken < 2", quoted);
        assert!(told[0].contains("places stand in the round brackets alone, as in `pa"), "{told:?}");
    }
    let unquoted = told("taken < 2", "pawns([3, 5]) < 2");
    assert!(unquoted[0].contains("stands in quotes; places of a function"), "{unquoted:?}");
    assert!(unquoted[0].contains("as in \"pawns(31, 52)\""), "{unquoted:?}");
    let other = told("sources: [a test]", "sources: {a: b [c]: d}");
    assert!(!other[0].contains("round brackets"), "{other:?}");
}

#[test]
fn a_place_that_is_compared_with_a_number_is_named_with_its_term() {
    let terms = ("counters:", "terms:\n  way: at(5) - taken\n  near: way > 0\ncounters:");
    let line = SMALL.lines().position(|line| line == "counters:").unwrap() + 2;
    let told = told_after(&[terms, ("taken < 2", "near")]);
    let expected =
        format!("`way` is a place, and is compared with a number; the term `way` is declared in line {line}");
    assert!(told[0].starts_with(&expected), "{told:?}");
    assert!(told[0].contains("a place minus a place is a number"), "{told:?}");
    let equal = told_after(&[("counters:", "terms: {way: at(5) - taken}\ncounters:"), ("taken < 2", "0 = way")]);
    assert!(equal[0].starts_with("`way` is a place"), "{equal:?}");
    let added = told_after(&[("counters:", "terms: {way: at(5) - taken}\ncounters:"), ("taken < 2", "2 * way < 2")]);
    assert!(added[0].starts_with("this is a place, where a number is needed; the term `way`"), "{added:?}");
}

#[test]
fn a_label_that_stands_as_a_number_is_told_how_a_place_is_written() {
    for condition in ["to = 3", "3 = to", "to > 3"] {
        let told = told("taken < 2", condition);
        let expected = "this is a number, and `to` is a place; a place is written `at(LABEL)`";
        assert!(told[0].starts_with(expected), "{told:?}");
    }
}

#[test]
fn a_counter_that_is_not_known_here_is_told_with_its_qualifier() {
    let told = told("{id: old, event: moved, do: [", "{id: old, event: moved, do: [other.taken += 1, ");
    assert_eq!(
        told,
        ["`other.taken` cannot be used here; \
          there is no `other` seat at this point of the game, so `other.taken` has no value"]
    );
}

#[test]
fn a_counter_that_players_see_change_is_of_use() {
    let with = |counters: &str, effect: &str| {
        told_after(&[("    taken: {from", &format!("{counters}\n    taken: {{from")), ("[taken += victims", effect)])
    };
    let changed = "[taken += victims, score += 1";
    assert_eq!(with("    score: {from: 0, to: 3}", changed), Vec::<String>::new());
    let hidden = with("    score: {from: 0, to: 3, hidden: yes}", changed);
    assert_eq!(hidden, ["nothing reads `score`, and players do not see it; use it, or leave it out"]);
    let still = with("    score: {from: 0, to: 3}", "[taken += victims");
    assert_eq!(still, ["nothing reads `score`, and nothing changes it; use it, or leave it out"]);
    let game = ("  pawn:\n", "  game: {score: {from: 0, to: 3}}\n  pawn:\n    seen: {truth: yes}\n");
    let told = told_after(&[game, ("[taken += victims]", "[taken += victims, game.score += 1, pawn.seen = yes]")]);
    assert_eq!(told, Vec::<String>::new());
}

#[test]
fn a_part_of_a_line_that_is_not_used_is_told_as_a_part() {
    let bonus = told("from: ring, with: die", "from: ring, with: [die, bonus]");
    let expected = "`die` is used, but never with a `bonus`: no line grants one that fits; leave `bonus` out of `with`";
    assert_eq!(bonus, [expected]);
    let triplet = told("from: ring, with: die", "from: ring, with: [die, triplet]");
    assert!(triplet[0].contains("never with a `triplet`: no throw gives one that fits"), "{triplet:?}");
    let pair = told("move: pawn, from: ring, with: die", "move: [pawn, pair], from: ring, with: [die, triplet]");
    assert!(pair.iter().any(|told| told.contains("`triplet` for a `pair`")), "{pair:?}");
}

#[test]
fn a_term_that_is_too_long_names_the_longest_term_in_it() {
    let sum = |count: usize| vec!["taken"; count].join(" + ");
    let terms = format!("terms:\n  short: {}\n  long: {}\n  both: short + long + long\ncounters:", sum(2), sum(70));
    let told = told_after(&[("counters:", &terms), ("taken < 2", "both < 2")]);
    let expected = "with the terms that it uses, `both` has 283 names and operators; \
                    at most 256; its largest term is `long` with 139, counted wherever it stands";
    assert!(told[0].starts_with(expected), "{told:?}");
    assert!(found("taken < 2", "taken < 2").is_empty());
}
