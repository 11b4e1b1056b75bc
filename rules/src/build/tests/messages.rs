//! Tests that messages and help texts name what is wrong, and say what to write instead.

use super::SMALL;
use super::problems::{found, messages_after, problems};

/// The messages and help texts of the small game's problems, after each text is replaced by its partner.
fn messages_after_all(changes: &[(&str, &str)]) -> Vec<String> {
    let text = changes.iter().fold(SMALL.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let messages = problems(&text).into_iter();
    messages.map(|problem| format!("{}; {}", problem.message, problem.help.unwrap_or_default())).collect()
}

#[test]
fn places_in_square_brackets_are_told_how_to_stand_in_round_ones() {
    for quoted in ["\"pawns([3, 5]) < 2\"", "\"pairs([3]) < 2\""] {
        let messages = messages_after("taken < 2", quoted);
        assert!(messages[0].contains("places stand in the round brackets alone, as in `pa"), "{messages:?}");
    }
    let unquoted = messages_after("taken < 2", "pawns([3, 5]) < 2");
    assert!(unquoted[0].contains("stands in quotes; places of a function"), "{unquoted:?}");
    assert!(unquoted[0].contains("as in \"pawns(31, 52)\""), "{unquoted:?}");
    let other = messages_after("sources: [a test]", "sources: {a: b [c]: d}");
    assert!(!other[0].contains("round brackets"), "{other:?}");
}

#[test]
fn a_place_that_is_compared_with_a_number_is_named_with_its_term() {
    let terms = ("counters:", "terms:\n  way: at(5) - taken\n  near: way > 0\ncounters:");
    let line = SMALL.lines().position(|line| line == "counters:").unwrap() + 2;
    let messages = messages_after_all(&[terms, ("taken < 2", "near")]);
    let expected =
        format!("`way` is a place, and is compared with a number; the term `way` is declared in line {line}");
    assert!(messages[0].starts_with(&expected), "{messages:?}");
    assert!(messages[0].contains("a place minus a place is a number"), "{messages:?}");
    let equal =
        messages_after_all(&[("counters:", "terms: {way: at(5) - taken}\ncounters:"), ("taken < 2", "0 = way")]);
    assert!(equal[0].starts_with("`way` is a place"), "{equal:?}");
    let added =
        messages_after_all(&[("counters:", "terms: {way: at(5) - taken}\ncounters:"), ("taken < 2", "2 * way < 2")]);
    assert!(added[0].starts_with("this is a place, where a number is needed; the term `way`"), "{added:?}");
}

#[test]
fn a_label_that_stands_as_a_number_is_told_how_a_place_is_written() {
    for condition in ["to = 3", "3 = to", "to > 3"] {
        let messages = messages_after("taken < 2", condition);
        let expected = "this is a number, and `to` is a place; a place is written `at(LABEL)`";
        assert!(messages[0].starts_with(expected), "{messages:?}");
    }
}

#[test]
fn signs_and_words_of_other_languages_are_told_what_to_write() {
    let of = |condition: &str| messages_after("taken < 2", condition).remove(0);
    assert!(of("taken =< 2").ends_with("; write `<=`"), "{}", of("taken =< 2"));
    assert!(of("taken => 2").ends_with("; write `>=`"), "{}", of("taken => 2"));
    assert!(of("taken; joint").contains("several effects as `["), "{}", of("taken; joint"));
    assert!(of("taken is 2").ends_with("; `is` is written `=`"), "{}", of("taken is 2"));
    assert!(of("taken where to = 3").contains("`pawns(PLACES where ..)`"), "{}", of("taken where to = 3"));
    assert!(of("joint = 1").ends_with("; `joint` is yes or no: write `joint` or `not joint`"), "{}", of("joint = 1"));
}

#[test]
fn a_counter_that_is_not_known_here_is_told_with_its_qualifier() {
    let messages = messages_after("{id: old, event: moved, do: [", "{id: old, event: moved, do: [other.taken += 1, ");
    assert_eq!(
        messages,
        ["`other.taken` cannot be used here; \
          there is no `other` seat at this point of the game, so `other.taken` has no value"]
    );
}

#[test]
fn a_counter_that_players_see_change_is_of_use() {
    let with = |counters: &str, effect: &str| {
        messages_after_all(&[
            ("    taken: {from", &format!("{counters}\n    taken: {{from")),
            ("[taken += victims", effect),
        ])
    };
    let changed = "[taken += victims, score += 1";
    assert_eq!(with("    score: {from: 0, to: 3}", changed), Vec::<String>::new());
    let hidden = with("    score: {from: 0, to: 3, hidden: yes}", changed);
    assert_eq!(hidden, ["nothing reads `score`, and players do not see it; use it, or leave it out"]);
    let still = with("    score: {from: 0, to: 3}", "[taken += victims");
    assert_eq!(still, ["nothing reads `score`, and nothing changes it; use it, or leave it out"]);
    let game = ("  pawn:\n", "  game: {score: {from: 0, to: 3}}\n  pawn:\n    seen: {truth: yes}\n");
    let messages =
        messages_after_all(&[game, ("[taken += victims]", "[taken += victims, game.score += 1, pawn.seen = yes]")]);
    assert_eq!(messages, Vec::<String>::new());
}

#[test]
fn a_part_of_a_line_that_is_not_used_is_told_as_a_part() {
    let bonus = messages_after("from: ring, with: die", "from: ring, with: [die, bonus]");
    let expected = "`die` is used, but never with a `bonus`: no line grants one that fits; leave `bonus` out of `with`";
    assert_eq!(bonus, [expected]);
    let triplet = messages_after("from: ring, with: die", "from: ring, with: [die, triplet]");
    assert!(triplet[0].contains("never with a `triplet`: no throw gives one that fits"), "{triplet:?}");
    let pair =
        messages_after("move: pawn, from: ring, with: die", "move: [pawn, pair], from: ring, with: [die, triplet]");
    assert!(pair.iter().any(|message| message.contains("`triplet` for a `pair`")), "{pair:?}");
}

#[test]
fn a_term_that_is_too_long_names_the_longest_term_in_it() {
    let sum = |count: usize| vec!["taken"; count].join(" + ");
    let terms = format!("terms:\n  short: {}\n  long: {}\n  both: short + long + long\ncounters:", sum(2), sum(70));
    let messages = messages_after_all(&[("counters:", &terms), ("taken < 2", "both < 2")]);
    let expected = "with the terms that it uses, `both` has 283 names and operators; \
                    at most 256; its largest term is `long` with 139, counted wherever it stands";
    assert!(messages[0].starts_with(expected), "{messages:?}");
    assert!(found("taken < 2", "taken < 2").is_empty());
}

#[test]
fn an_error_of_one_section_hides_none_of_the_others() {
    let text = SMALL.replacen("taken: {from: 0, to: 9}", "taken: {from: 0, to: many}", 1);
    let text = text.replacen("in: safe", "in: sfae", 1).replacen("on: own, then: join", "on: own, then: jion", 1);
    let text = text.replacen("version: 1.0.0", "version: 1.0", 1).replacen("first: one", "first: oen", 1);
    let codes: Vec<_> = problems(&text).iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["bad-version", "not-a-number", "unknown-word", "unknown-label", "unknown-word"]);
}

#[test]
fn a_name_whose_declaration_is_refused_is_not_told_as_unknown() {
    let cases = [
        ("taken: {from: 0, to: 9}", "taken: {from: 0, to: many}", "not-a-number"),
        ("    fresh: {truth: yes}", "    fresh: {truth: maybe}", "not-a-truth-value"),
        ("mode: {one_of: [hard, soft], default: hard", "mode: {one_of: [hard, soft], default: hrad", "bad-default"),
        ("counters:\n", "cuonters:\n", "unknown-key"),
        ("{tag: safe, squares: 1, for: everyone}", "{tag: safe, squares: 1, for: all}", "unknown-word"),
    ];
    for (from, to, code) in cases {
        let codes: Vec<_> = found(from, to).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, [code], "{to}");
    }
}

#[test]
fn terms_in_a_circle_hide_no_other_error() {
    let terms = ("counters:", "terms: {one_more: other_one + 1, other_one: one_more - 1}\ncounters:");
    let messages = messages_after_all(&[terms, ("taken < 2", "one_more < 2"), ("in: safe", "in: sfae")]);
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("uses itself") && messages[1].contains("`sfae`"), "{messages:?}");
}

#[test]
fn one_cause_is_told_once() {
    let messages = messages_after("{zone: ring,", "{zone: rign,");
    assert_eq!(messages, ["no square, zone or tag is named `ring`; also in line 34; did you mean `rign`?"]);
    let text = SMALL.replacen("taken: {from: 0, to: 9}", "other: {from: 0, to: 9}", 1);
    let messages: Vec<String> = problems(&text).into_iter().map(|problem| problem.message).collect();
    assert_eq!(messages, ["there is no name `taken`; also in the lines 37, 43"]);
    let line = |id: usize| format!("  - {{id: x{id}, move: pawn, from: ring, with: [die, bonus]}}\n");
    let lines: String = (0..40).map(line).collect();
    let codes: Vec<_> = found("landing:", &format!("{lines}landing:")).into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes, ["too-many"]);
    for condition in ["mdoe = hard", "hard = mdoe", "mdoe != soft"] {
        assert_eq!(found("mode = hard", condition), [("unknown-name", "mdoe".to_owned())], "{condition}");
    }
    assert_eq!(found("mode = hard", "mdoe = hadr").len(), 2);
}

#[test]
fn a_number_with_an_error_is_no_further_error() {
    let codes = |key: &str| -> Vec<_> {
        let found = found("from: ring, with: die", &format!("from: ring, with: die, {key}"));
        found.into_iter().map(|(code, _)| code).collect()
    };
    assert_eq!(codes("steps: number / 3"), ["bad-divisor"]);
    assert_eq!(codes("steps: 2 * (number % 0) - 1"), ["bad-divisor"]);
    assert_eq!(codes("steps: nubmer - 1"), ["unknown-name"]);
    assert_eq!(codes("steps: to"), ["not-here"]);
    assert_eq!(codes("steps: doublet"), ["wrong-type"]);
    assert_eq!(codes("steps: 4 - 4"), ["bad-steps"]);
    assert_eq!(codes("to: from + number / 3"), ["bad-divisor"]);
}

#[test]
fn an_error_of_a_pattern_hides_no_error_of_the_meaning() {
    let text = SMALL.replacen("on: own, then: join", "on: owns, then: join", 1);
    let text = text.replacen("{id: count, event: cut, do: [", "{id: count, event: turn_end, do: [throw after, ", 1);
    let codes: Vec<_> = problems(&text).iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["bad-pattern", "not-here", "not-here"]);
}

#[test]
fn an_error_of_the_path_hides_no_error_of_the_meaning() {
    for (from, to, code) in [
        ("walk: \"from 0,2 E2 N2 W2 S1\"", "walk: \"form 0,2 E2\"", "bad-walk"),
        ("{zone: end, squares: home}", "{zone: end, squares: h-ome}", "bad-label"),
        ("  seats: [one, two]\n", "  seats: [one, two]\n  paints: [\"#000\", no colour]\n", "bad-paint"),
    ] {
        let text = SMALL.replacen(from, to, 1).replacen("taken < 2", "takne < 2", 1);
        let text = text.replacen("[taken += victims]", "[taken += victims, drop hand, send this to at(8) + 3]", 1);
        let codes: Vec<_> = problems(&text).iter().map(|problem| problem.code).collect();
        // If the paints are wrong, the path is known, so `at(8) + 3` is found to be out of range. With a wrong path,
        // the whole path is left out, and its length is unknown.
        let more = ["unknown-name", "not-here", "out-of-range"];
        let expected = if code == "bad-paint" { &more[..] } else { &more[..2] };
        assert_eq!(codes, [&[code], expected].concat(), "{to}");
    }
}

#[test]
fn an_error_hides_no_error_that_only_an_option_brings() {
    let broken = SMALL.replacen("{seats: [one, two]}", "{seats: [one, two], when: mode = hard}", 1);
    for (from, to, code) in [("taken < 2", "takne < 2", "unknown-name"), ("on: own,", "on: owns,", "bad-pattern")] {
        let codes: Vec<_> = problems(&broken.replacen(from, to, 1)).iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["nobody-plays", code], "{to}");
    }
}

#[test]
fn the_text_of_a_line_that_is_refused_is_no_further_error() {
    let texts = "texts: {spend: {die: A die}, landing: {cut: A hit}}\nfinish:";
    let text = SMALL.replacen("finish:", texts, 1).replacen("from: ring, with: die", "from: ring, with: dei", 1);
    let codes: Vec<_> = problems(&text).iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["unknown-word"]);
}

#[test]
fn a_line_that_never_fits_or_is_never_used_says_why() {
    let partner = messages_after("  - {id: join,", "  - {id: friend, on: partner, then: join}\n  - {id: join,");
    let expected = "nobody has a partner in this file, so `friend` never fits; leave it out, or give the file `teams`";
    assert_eq!(partner, [expected]);
    let bonus = messages_after("landing:", "  - {id: more, move: pawn, from: ring, with: bonus}\nlanding:");
    let expected = "`more` spends a bonus, and no line grants one; \
                    grant it by an effect `bonus STEPS` of `on` or `choices`";
    assert_eq!(bonus, [expected]);
}

#[test]
fn an_effect_that_means_nothing_says_where_it_means_something() {
    let cases = [
        (
            "drop throw",
            "`drop throw` means nothing here: the dice are thrown at another event; a throw is dropped at the event `throw`",
        ),
        ("pounce from 1", "`pounce` means nothing here: no choice has asked for a pawn before; write it in a choice"),
        ("send argument to 1", "`argument` means nothing here: no choice has asked for a pawn before"),
    ];
    for (effect, expected) in cases {
        let messages = messages_after("[taken += victims]", &format!("[taken += victims, {effect}]"));
        assert!(messages[0].starts_with(expected), "{messages:?}");
    }
    let messages = messages_after(
        "{id: count, event: cut,",
        "{id: x, event: turn_end, do: end turn}\n  - {id: count, event: cut,",
    );
    assert!(messages[0].starts_with("`end turn` means nothing at `turn_end`: the turn is over"), "{messages:?}");
}

#[test]
fn comparisons_with_the_same_result_in_every_game_are_told() {
    let cases = [
        ("pawns(end) = 3", "never-holds", "pawns(end) = 3"),
        ("pawns(end) < 3", "always-holds", "pawns(end) < 3"),
        ("3 > pawns(end)", "always-holds", "3 > pawns(end)"),
        ("pawns(end) != 3", "always-holds", "pawns(end) != 3"),
        ("pawns(where from = to) = 1", "always-holds", "from = to"),
        ("taken < taken", "never-holds", "taken < taken"),
        ("own_there > 3", "never-holds", "own_there > 3"),
        ("\"total in [7, 8]\"", "never-holds", "total"),
        ("taken + pawns(end) > 11", "never-holds", "taken + pawns(end) > 11"),
    ];
    for (condition, code, marked) in cases {
        assert_eq!(found("taken < 2", condition), [(code, marked.to_owned())], "{condition}");
    }
    for condition in
        ["pawns(end) = 2", "taken = need", "from = to", "total = 6", "pairs(ring) = 1", "\"total in [6, 7]\""]
    {
        assert_eq!(found("taken < 2", condition), [], "{condition}");
    }
    assert_eq!(found("finish: {play_on: no}", "finish: {play_on: no, when: pawns(end) = 3}")[0].0, "never-holds");
}

#[test]
fn marks_of_enemies_on_a_line_about_own_pawns_are_told() {
    let line = |when: &str| found("on: own, then: join", &format!("on: own, when: {when}, then: join"));
    assert_eq!(line("there.fresh"), [("asks-enemies", "there.fresh".to_owned())]);
    assert_eq!(line("enemies_there > 0 and there.fresh"), []);
    assert_eq!(line("pawn.fresh"), []);
}

#[test]
fn a_divisor_is_any_power_of_two() {
    assert_eq!(found("taken < 2", "throws / 16 < 2"), []);
    assert!(messages_after("taken < 2", "total / 3 < 2")[0].contains("2, 4, 8, 16"));
}

#[test]
fn who_cannot_come_home_is_told_how_far_one_comes() {
    let message = |faces: &str| messages_after("faces: [1, 2, 3]", faces).remove(0);
    let only = message("faces: 2");
    assert!(only.starts_with("no pawn can come home: none can leave the place off the board"), "{only}");
    assert!(only.ends_with("every face of a die is 2: `faces` lists all faces, as in [1, 2, 3, 4, 5, 6]"), "{only}");
}

#[test]
fn one_mistake_of_a_line_with_several_goals_is_told_once() {
    let messages = messages_after("exactly: 3, to: 1", "exactly: 3, to: [1, 2], bounce_at: 4");
    assert_eq!(messages, ["only a move that bounces turns back at a place; add `route: bounce`"]);
}

#[test]
fn what_authors_write_by_mistake_is_told_as_it_is_written_here() {
    for (from, to, told) in [
        ("dice: {count: 2, faces: [1, 2, 3]}", "dice: {lots: 4, values: [6, 1, 2, 3]}", "4 lots need 5 values"),
        ("faces: [1, 2, 3]", "faces: 1..3", "several stand in a list"),
        ("when: walls and", "when: walls = on and", "write `yes`"),
        ("number > 1}", "other.seat_number > 1}", "`other.` stands before counters only"),
        ("number > 1}", "die > 1}", "the number that is spent is `number`"),
        ("number > 1}", "number = 2 or 3}", "`total in [1, 6]`"),
        ("number > 1}", "2 number > 2}", "a product is written `2 * number`"),
        ("pawn.fresh = no", "pawn.worn = no", "counters: {pawn: {worn: {truth: yes}}}"),
        ("pawn.fresh = no", "other.pawn.fresh = no", "only the marks of the own pawns"),
        ("pawn.fresh = no", "each enemy.fresh = no", "`send each enemy to ..`"),
        ("start: [off, off]", "start: {south: [off, off]}", "`- {pawns: .., seats: .., when: ..}`"),
        ("pawn.fresh = no", "send this off", "write `to off` for a place"),
        ("pawn.fresh = no", "send enemy to off", "`send each enemy to ..`"),
        ("pawn.fresh = no", "taken++", "`taken += 1`"),
        ("pawn.fresh = no", "total += 1", "the value of `total` cannot be set"),
        ("do: [pawn.fresh = no", "then: [pawn.fresh = no", "did you mean `do`?"),
        ("number > 1}", "number > 1 AND walls}", "`AND` is written `and`"),
        ("number > 1}", "walls oder total > 1}", "`oder` is written `or`"),
        ("number > 1}", "1}", "write `yes` or `no`"),
        ("number > 1}", "pawns > 1}", "it is written with brackets: `pawns(..)`"),
        ("  seats: [one, two]\n  turned", "  seats: [one, one]\n  turned", "`one` is named a second time"),
        ("pawn.fresh = no", "throw agian", "did you mean `throw again`?"),
        ("pawn.fresh = no", "sned this to off", "did you mean `send`?"),
        ("pawn.fresh = no", "capture this", "effects are `NAME = VALUE`"),
        ("pawn.fresh = no", "taken =+ 1", "raised by `+=`"),
        ("pawn.fresh = no", "if taken > 0 then taken = 1", "is the `when` of its line"),
        ("number > 1}", "kills > 1}", "counters: {seat: {kills: {from: 0, to: 99}}}"),
        ("exactly: 3", "exactly: number > 2", "a condition stands in `when`"),
        ("number > 1}", "to = at 1}", "`at(1)`"),
        ("turn: {", "first: south\nturn: {", "`first` is a key of `turn`"),
        ("  seats: [", "    seats: [", "indented deeper than the one before"),
        ("pawn.fresh = no", "taken += victims", "`victims` has a value in `cut`, `lost`"),
        ("on: own, then: join", "on: own", "It is one of `cut`, `cut last`"),
    ] {
        let messages = messages_after(from, to);
        assert!(messages.iter().any(|message| message.contains(told)), "{to}: {messages:?}");
    }
}
