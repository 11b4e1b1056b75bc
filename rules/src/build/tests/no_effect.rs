//! Tests the warnings about parts that mean nothing, numbers that nobody can spend, and comparisons of fixed numbers.

use super::SMALL;
use super::problems::{found, found_in, messages_after, problems};

#[test]
fn parts_about_pairs_mean_nothing_without_pairs() {
    let small = SMALL.replacen("  pairs_on: ring\n", "", 1);
    assert_eq!(found_in(&small), []);
    let swear = "choices:\n  - {id: swear, ask: before_throw, argument: own_pair, do: end turn}\nfinish:";
    for (from, to, marked) in [
        ("move: pawn, from: ring", "move: [pawn, pair], from: ring", "pair"),
        ("move: pawn, from: ring", "move: [group, pawn], from: ring", "group"),
        ("over: enemy pair, when", "over: enemy pair, by: pair, when", "pair"),
        ("{id: cut, on: enemy,", "{id: cut, on: enemy, by: pair,", "pair"),
        ("event: moved", "event: [moved, pair_formed]", "pair_formed"),
        ("event: moved", "event: [moved, pair_moved]", "pair_moved"),
        ("event: moved", "event: [moved, passed_own_pair]", "passed_own_pair"),
        ("finish:", swear, "own_pair"),
    ] {
        assert!(small.contains(from), "{from}");
        assert_eq!(found_in(&small.replacen(from, to, 1)), [("no-effect", marked.to_owned())], "{to}");
    }
}

#[test]
fn a_pair_that_never_forms_brings_nobody_home() {
    let only_pairs = SMALL.replacen("move: pawn, from: ring", "move: pair, from: ring", 1);
    assert_eq!(found_in(&only_pairs), []);
    let told = problems(&only_pairs.replacen("  pairs_on: ring\n", "", 1));
    assert_eq!(told[0].code, "home-out-of-reach");
    assert!(told[0].help.as_ref().is_some_and(|help| help.contains("`pairs_on`")), "{told:?}");
    let elsewhere = SMALL.replacen("pairs_on: ring", "pairs_on: 1", 1);
    let line = "  - {id: two, move: pair, from: 2..8, with: die}\nlanding:";
    assert_eq!(found_in(&elsewhere.replacen("landing:", line, 1))[0].0, "line-never-used");
}

#[test]
fn what_nothing_takes_up_is_told() {
    for (from, to, marked) in [
        ("[taken += victims]", "[taken += victims, bonus 5]", "bonus 5"),
        ("event: moved", "event: [moved, stayed]", "stayed"),
        ("play_on: no", "play_on: no, help: yes", "yes"),
        ("play_on: no", "play_on: no, ranks: [gold, silver, tin, lead]", "tin"),
    ] {
        assert_eq!(found(from, to), [("no-effect", marked.to_owned())], "{to}");
    }
    assert_eq!(found("play_on: no", "play_on: no, ranks: [gold, silver]"), []);
    assert_eq!(found("start: [off, off]", "start: [end, home]"), [("all-home", "end".to_owned())]);
    assert_eq!(found("start: [off, off]", "start: [off, home]"), []);
    let ends = SMALL.replacen("play_on: no", "play_on: no, when: taken > 2", 1);
    assert_eq!(found_in(&ends.replacen("start: [off, off]", "start: [end, home]", 1)), []);
}

#[test]
fn comparisons_of_fixed_numbers_are_told() {
    for (condition, code) in [
        ("1 = 1", "always-holds"),
        ("1 = 2", "never-holds"),
        ("1 != 2", "always-holds"),
        ("2 * 3 - 7 >= 0", "never-holds"),
        ("players = 2", "always-holds"),
        ("players > 2", "never-holds"),
    ] {
        assert_eq!(found("taken < 2", condition), [(code, condition.to_owned())], "{condition}");
        let line = format!("event: cut, when: {condition}, do:");
        assert_eq!(found("event: cut, do:", &line), [(code, condition.to_owned())], "{line}");
    }
    for condition in ["need = 1", "need > 3 - players", "mode = soft", "total > 2"] {
        assert_eq!(found("taken < 2", condition), [], "{condition}");
    }
    let told = messages_after("taken < 2", "players = 2").remove(0);
    assert!(told.starts_with("this comparison always holds: `players` is 2 at every table"), "{told}");
}

#[test]
fn numbers_that_nobody_can_spend_are_refused() {
    let line = |number: &str| found("landing:", &format!("numbers:\n  - {{id: z, numbers: [{number}]}}\nlanding:"));
    for number in ["total * 1000", "0 - total", "-1", "33", "need - 4"] {
        assert_eq!(line(number), [("out-of-range", number.to_owned())], "{number}");
    }
    for number in ["total * 10", "32", "0", "if doublet then 40 else 1", "total - 4"] {
        assert_eq!(line(number), [], "{number}");
    }
}

#[test]
fn words_of_other_languages_are_told_in_this_one() {
    let told = |from: &str, to: &str, help: &str| {
        let messages = messages_after(from, to);
        assert!(messages.len() == 1 && messages[0].ends_with(&format!("; {help}")), "{messages:?}");
    };
    told("taken < 2", "sum < 2", "the sum of a throw is `total`");
    told("taken < 2", "total < six", "numbers are written in digits: `6`");
    let at_throw = "here the throw is `total`, or `face(1)` for its first face";
    told("finish:", "  - {id: six, event: throw, when: number = 6, do: throw after}\nfinish:", at_throw);
    let declared = "declare it: `counters: {seat: {cuts: {from: 0, to: 99}}}`";
    told("[taken += victims]", "[taken += victims, cuts += 1]", declared);
    let declared = "declare it: `counters: {game: {round: {from: 0, to: 99}}}`";
    told("[taken += victims]", "[taken += victims, game.round += 1]", declared);
    told("when: walls and", "when: “walls” and", "write straight quotes, `\"`");
    told("squares: 1..8", "squares: a..h", "a range counts by its number: `h1..h4`");
}
