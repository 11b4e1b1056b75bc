//! Tests scenario files: their steps, and the messages of failures.

use std::cell::Cell;
use std::sync::Arc;

use pagade_rules::bundled::Bundled;
use pagade_rules::play::HappeningKind;
use pagade_rules::ruleset::RuleSet;
use pagade_rules::scenario::{FileReport, ScenarioFile, run, run_while};
use pagade_rules::source::Source;

use crate::common::rule_set;

fn report(script: &str) -> FileReport {
    let script = if script.contains("script:") { script.to_owned() } else { format!("{script}    script: []\n") };
    let text = format!("ruleset: pagade\nscenarios:\n  - name: it is so\n{script}");
    run("set.yaml", &text, &|id| rule_set(id)).unwrap()
}

fn failure(script: &str) -> String {
    let report = report(script);
    assert_eq!((report.passed(), report.failed()), (0, 1));
    report.failures().next().unwrap().to_string()
}

const OUT_OF_THE_WAY: &str = "black: [1, 1, 1, 1], yellow: [1, 1, 1, 1], green: [1, 1, 1, 1]";

#[test]
fn everything_that_a_script_can_say() {
    let report = report(&format!(
        "    clauses: [PG-36]
    options: {{min_cuts: 2}}
    turn: red
    pieces: {{red: [30, h1, black.33, home], {OUT_OF_THE_WAY}}}
    state: {{red: {{cuts: 1}}}}
    script:
      - pieces: {{red: [30, h1, home, 50]}}
      - throw: 4+1
      - legal: [30-34:4, 30-31:1, 30-35, 50-51, 50-54, 50-55, h1-home]
      - allows: [30-34]
      - forbids: [pass, 30-34x]
      - play: [30-34, 50-51:1]
      - events: [moved, moved, turn]
      - state: {{red: {{cuts: 1}}}}
      - turn: black
      - throw: 1+1
      - events: [thrown]
      - ranking: []
"
    ));
    assert_eq!(report.failures().map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
    assert_eq!(report.outcomes[0].clauses, ["PG-36"]);
    assert!(report.outcomes[0].fired.contains(&"spend.die".to_string()));
}

#[test]
fn a_throw_of_which_nothing_can_be_played_reads_either_way() {
    for said in ["[pass]", "[]"] {
        let report = report(&format!(
            "    pieces: {{red: [h1, home, home, home], {OUT_OF_THE_WAY}}}
    script:
      - throw: 3+4
      - legal: {said}
      - play: [pass]
      - turn: black
"
        ));
        assert_eq!(report.failed(), 0, "{said}");
    }
}

#[test]
fn a_colour_can_be_taken_off_the_table() {
    let report = report(
        "    pieces: {black: none, green: none}
    script:
      - throw: 3+6
      - play: [6-15:3+6]
      - turn: yellow
",
    );
    assert_eq!(report.failures().map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn what_does_not_hold_is_told_with_its_line() {
    let told = failure("    script:\n      - throw: 3+6\n      - legal: [6-9:3, 1-2:1]\n");
    assert!(told.starts_with("set.yaml:6: it is so: expected legal [6-9:3, 1-2:1], found [6-9:3, "), "{told}");
    let told = failure("    script:\n      - turn: green\n");
    assert_eq!(told, "set.yaml:5: it is so: expected turn of green, found red");
    let told = failure("    script:\n      - throw: 3+5\n");
    assert!(told.contains("no die shows 5"), "{told}");
    let told = failure("    script:\n      - throw: 3+6\n      - play: [6-10:4]\n");
    assert!(told.contains("`6-10:4` is not legal here"), "{told}");
    let told = failure("    script:\n      - throw: 3+6\n      - forbids: [6-h9]\n");
    assert!(told.contains("no square is called `h9`"), "{told}");
    let told = failure("    script:\n      - pieces: {red: [6, 7, 12, 13]}\n");
    assert_eq!(told, "set.yaml:5: it is so: expected red: [6, 7, 12, 13], found [6, 7, 12, 12]");
    let told = failure("    script:\n      - state: {red: {cuts: 1}}\n");
    assert_eq!(told, "set.yaml:5: it is so: expected red cuts: 1, found 0");
    let told = failure("    script:\n      - throw: 3+6\n      - events: [turn]\n");
    assert!(told.contains("expected events [turn], found [thrown]"), "{told}");
    let told = failure("    script:\n      - ranking: [red]\n");
    assert_eq!(told, "set.yaml:5: it is so: expected ranking [red], found []");
    let told = failure("    pieces: {red: [6, 7]}\n");
    assert!(told.contains("`red` has 2 pawns, 4 are wanted"), "{told}");
    for (part, line, what) in [
        ("    pieces: {red: [6, 7, 8, 9]}\n    state:\n      red: {cutz: 1}\n", 6, "no counter is called `cutz`"),
        ("    state: {red: {cuts: 1}}\n    turn: purple\n", 5, "no seat `purple` plays"),
        ("    state: {red: {cuts: 1}}\n    pieces: {red: [6, 7, 8, 999]}\n", 5, "no square is called `999`"),
        ("    state: {red: {cuts: 1}}\n    marks: {red: {old: [6]}}\n", 5, "no mark of pawns is called `old`"),
    ] {
        let told = failure(part);
        assert!(told.starts_with(&format!("set.yaml:{line}: ")) && told.contains(what), "{told}");
    }
    let told = failure("    options: {min_cuts: 99}\n");
    assert!(told.contains("expected options and seats that the rule set allows"), "{told}");
}

#[test]
fn files_that_cannot_be_read() {
    let read = |text: &str| run("set.yaml", text, &|id| rule_set(id)).unwrap_err();
    assert_eq!(read("ruleset: [").line, 1);
    assert_eq!(read("ruleset: pagade\nscenarios:\n  - name: x\n    script:\n      - trow: 3\n").line, 5);
    assert_eq!(read("ruleset: no-such-set\nscenarios: []\n").message, "no rule set is called `no-such-set`");
}

#[test]
fn lines_that_refuse_or_stop_a_pawn_short_are_told_as_having_fired() {
    let text = "ruleset: ludo
scenarios:
  - name: played
    options: {meeting: before}
    turn: red
    pieces: {red: [8, 10, h1, h4]}
    script:
      - throw: 2
      - play: [8-9:2]
  - name: kept from moving
    options: {meeting: before}
    turn: red
    pieces: {red: [10, 11, h1, home]}
    script:
      - throw: 1
      - legal: [11-12:1, h1-h2:1]
  - name: refused
    options: {meeting: refused}
    turn: red
    pieces: {red: [10, 12, h1, home]}
    script:
      - throw: 2
      - legal: [12-14:2, h1-h3:2]
";
    let report = run("set.yaml", text, &|id| rule_set(id)).unwrap();
    assert_eq!(report.failures().map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
    let fired: Vec<bool> = ["landing.before", "landing.before", "landing.refused"]
        .iter()
        .zip(&report.outcomes)
        .map(|(line, outcome)| outcome.fired.contains(&line.to_string()))
        .collect();
    assert_eq!(fired, [true, true, true]);
}

#[test]
fn a_mark_or_a_counter_of_the_game_is_not_sought_among_the_counters_of_a_seat() {
    let said = |state: &str| {
        let text = format!("ruleset: chopat\nscenarios:\n  - name: it is so\n    state: {state}\n    script: []\n");
        let report = run("set.yaml", &text, &|id| rule_set(id)).unwrap();
        report.failures().next().unwrap().to_string()
    };
    let mark = said("{black: {returned: yes}}");
    assert!(mark.contains("`returned` is a mark of pawns"), "{mark}");
}

#[test]
fn marks_are_set_and_expected_by_place() {
    let run = |setup: &str, expected: &str| {
        let text = format!(
            "ruleset: chopat\nscenarios:\n  - name: it is so\n    pieces: {{black: [8, 8, 20, home]}}\n    \
             marks: {{black: {setup}}}\n    script:\n      - marks: {{black: {expected}}}\n"
        );
        let report = run("set.yaml", &text, &|id| rule_set(id)).unwrap();
        report.failures().next().map(ToString::to_string).unwrap_or_default()
    };
    assert_eq!(run("{returned: [8, 20]}", "{returned: [20, 8]}"), "");
    assert_eq!(run("{returned: [8, 8]}", "{returned: [8, 8]}"), "");
    assert!(run("{returned: [8]}", "{returned: [8, 8]}").ends_with("expected black returned: [8, 8], found [8]"));
    let cases = [
        ("{returned: [21]}", "no pawn of `black` without this mark stands on `21`"),
        ("{returned: [20, 20]}", "no pawn of `black` without this mark stands on `20`"),
        ("{retruned: [20]}", "no mark of pawns is called `retruned`; there are"),
        ("{declared: [20]}", "`declared` is a counter: list it under `state`"),
    ];
    for (setup, message) in cases {
        assert!(run(setup, "{}").contains(message), "{}", run(setup, "{}"));
    }
}

#[test]
fn a_marked_pawn_may_be_named_by_the_count_of_another_seat() {
    let run = |expected: &str| {
        let text = format!(
            "ruleset: chopat\nscenarios:\n  - name: it is so\n    pieces: {{black: [8, 8, 20, home]}}\n    \
             marks: {{black: {{returned: [8, 20]}}}}\n    script:\n      - marks: {{black: {{returned: {expected}}}}}\n"
        );
        let report = run("set.yaml", &text, &|id| rule_set(id)).unwrap();
        report.failures().next().map(ToString::to_string).unwrap_or_default()
    };
    assert_eq!(run("[20, black.8]"), "");
    assert_eq!(run("[black.20, black.8]"), "");
    assert!(run("[black.8, black.8]").ends_with("found [8, 20]"), "{}", run("[black.8, black.8]"));
    assert!(run("[99, 8]").contains("no square is called `99`"));
}

#[test]
fn a_counter_takes_and_has_values_of_its_own_kind_only() {
    let run = |state: &str, script: &str| {
        let text = format!(
            "ruleset: chopat\nscenarios:\n  - name: it is so\n    state: {{black: {state}}}\n    script: [{script}]\n"
        );
        let report = run("set.yaml", &text, &|id| rule_set(id)).unwrap();
        report.failures().next().map(ToString::to_string).unwrap_or_default()
    };
    assert_eq!(run("{ool: yes}", "{state: {black: {ool: yes}}}"), "");
    assert_eq!(run("{}", "{state: {black: {ool: no}}}"), "");
    assert!(run("{ool: 1}", "").ends_with("`ool` is yes or no, it cannot be 1"), "{}", run("{ool: 1}", ""));
    let told = run("{}", "{state: {black: {ool: 0}}}");
    assert!(told.ends_with("expected black ool: 0, found `ool` is yes or no, it cannot be 0"), "{told}");
    let told = run("{ool: yes}", "{state: {black: {ool: no}}}");
    assert!(told.ends_with("expected black ool: no, found yes"), "{told}");
    let told = failure("    state: {red: {cuts: yes}}\n    script: []\n");
    assert!(told.ends_with("`cuts` is a number, it cannot be yes"), "{told}");
    let told = failure("    script:\n      - state: {red: {cuts: no}}\n");
    assert!(told.ends_with("`cuts` is a number, it cannot be no"), "{told}");
}

#[test]
fn mistakes_of_form_are_told_in_the_words_of_the_page() {
    let told = |scenario: &str| {
        let text = format!("ruleset: pagade\nscenarios:\n  - name: it is so\n{scenario}");
        run("set.yaml", &text, &|id| rule_set(id)).unwrap_err().message
    };
    let script = |lines: &str| told(&format!("    script: [{lines}]\n"));
    assert_eq!(script("{trow: 1+1}"), "unknown key `trow`; did you mean `throw`?");
    assert_eq!(told("    tunr: red\n    script: []\n"), "unknown key `tunr`; did you mean `turn`?");
    assert_eq!(told("    turn: red\n"), "the key `script` is missing");
    assert_eq!(
        script("{throw: 1+1, play: [6-7]}"),
        "a line of a script has one key; write further keys as lines of their own"
    );
    assert_eq!(script("{throw: 1+1}, {play: 0-2}, {legal: []}"), "`play` is a list: `[0-2]`");
    assert_eq!(told("    script:\n      - legal: 6-7:1  # one\n"), "`legal` is a list: `[6-7:1]`");
    assert_eq!(told("    script:\n      - throw:\n"), "`throw` has no value");
    assert_eq!(told("    turn: red\n    turn: red\n    script: []\n"), "the key `turn` stands twice");
    assert_eq!(told("    state: {cuts: 1}\n    script: []\n"), "`cuts` has keys of its own, as in `{KEY: 1}`");
    assert!(script("{throw: [1, 2]}").starts_with("`throw` is one text"));
    assert!(told("    turn: red: yes\n    script: []\n").ends_with("a text with a colon in it stands in quotes"));
    let misspelt = ScenarioFile::read("ruleset: pagade\nscenario:\n  - {name: it is so, script: []}\n").unwrap_err();
    assert_eq!(misspelt.all().count(), 1);
    assert_eq!(misspelt.to_string(), "2: unknown key `scenario`; did you mean `scenarios`?");
}

#[test]
fn what_is_due_is_told_once() {
    let text = "ruleset: ludo
scenarios:
  - name: it is so
    players: [red, yellow]
    pieces: {red: [home, home, home, h4], yellow: [1, 1, 1, 1]}
    script:
      - throw: 2
      - play: [h4-home:2]
      - throw: 1
";
    let report = run("set.yaml", text, &|id| rule_set(id)).unwrap();
    let told = report.failures().map(ToString::to_string).collect::<String>();
    assert_eq!(told.matches("the game is over").count(), 1, "{told}");
}

const PAGE: &str = include_str!("../../SCENARIOS.md");

/// Reads the list of allowed keys from a message about an unknown key.
fn known_keys(message: &str) -> Vec<String> {
    let (_, keys) = message.split_once("expected one of ").unwrap();
    let keys = keys.split(" at line").next().unwrap().split(", ");
    keys.map(|key| key.trim_matches('`').to_owned()).collect()
}

#[test]
fn the_page_of_scenarios_names_every_key_and_event() {
    let scenario = "ruleset: pagade\nscenarios:\n  - name: it is so\n";
    let unknown = [
        "nothing: 1\n".to_owned(),
        format!("{scenario}    nothing: 1\n"),
        format!("{scenario}    script:\n      - nothing: 1\n"),
    ];
    let mut keys = Vec::new();
    for text in unknown {
        let message = run("set.yaml", &text, &|id| rule_set(id)).unwrap_err().message;
        keys.extend(known_keys(&message));
    }
    assert!(keys.len() > 20 && keys.contains(&"marks".to_owned()), "{keys:?}");
    let is_described =
        |key: &&String| PAGE.lines().any(|line| line.starts_with("- ") && line.contains(&format!("`{key}`")));
    let left_out: Vec<_> = keys.iter().filter(|key| !is_described(key)).collect();
    assert!(left_out.is_empty(), "{left_out:?}");
    let events = HappeningKind::ALL.iter().map(|kind| format!("`{}`", kind.word()));
    let left_out: Vec<_> = events.filter(|event| !PAGE.contains(event)).collect();
    assert!(left_out.is_empty(), "{left_out:?}");
}

/// The code blocks of `SCENARIOS.md` that begin with this fence.
fn blocks(fence: &str) -> impl Iterator<Item = &'static str> {
    PAGE.split(fence).skip(1).filter_map(|rest| Some(rest.split_once("```")?.0))
}

#[test]
fn the_examples_of_the_page_pass() {
    let file = blocks("```yaml\n").next().expect("the rule file `bulls.yaml`");
    let sets = |id: &str| match id {
        "bulls.yaml" => {
            let checked = RuleSet::check(&Source { name: id.to_owned(), text: file.to_owned() }, &Bundled);
            assert_eq!(checked.problems, []);
            Ok(Arc::new(checked.ruleset.expect("a file without problems is a rule set")))
        }
        _ => rule_set(id),
    };
    let mut passed = 0;
    for text in blocks("```yaml scenario\n") {
        let report = run("SCENARIOS.md", text, &sets).unwrap();
        assert_eq!(report.failures().map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
        passed += report.passed();
    }
    assert_eq!(passed, 2);
}

#[test]
fn a_run_can_be_stopped_before_any_throw() {
    let text = "ruleset: pagade\nscenarios:\n  - {name: one, script: [{throw: 3+4}]}\n  - {name: two, script: [{throw: 1+1 1+1}]}\n";
    let file = ScenarioFile::read(text).unwrap();
    let set = rule_set("pagade").unwrap();
    assert_eq!(run_while("x", &file, &set, &|| true).unwrap().outcomes.len(), 2);
    let asked = Cell::new(0);
    let stopped = run_while("x", &file, &set, &|| {
        asked.set(asked.get() + 1);
        asked.get() < 4
    });
    assert!(stopped.is_none() && asked.get() == 4, "asked at each scenario and each throw: {}", asked.get());
}

#[test]
fn all_errors_of_a_file_are_told() {
    let text = "ruleset: pagade
scenarios:
  - name: the first
    script:
      - trow: 3
      - throw: 3+4
      - legal: {red: 6}
  - nmae: the second
    script:
      - throw: 3+4
  - name: the third
    script: [{throw: 3+4}]
    turns: red
  - name: the fourth
    script:
      - pieces: {red: 7}
colour: red
";
    let error = run("set.yaml", text, &|id| rule_set(id)).unwrap_err();
    let lines: Vec<u64> = error.all().map(|error| error.line).collect();
    assert_eq!(lines, [5, 7, 8, 13, 16, 17], "{error:#?}");
    assert!(error.all().all(|error| !error.message.contains("left out")), "{error:#?}");
}

#[test]
fn a_list_of_actions_says_that_a_throw_is_owed() {
    let text = "ruleset: ashta-chamma-5
scenarios:
  - name: thrown again
    turn: south
    script:
      - throw: \"4(4)\"
      - legal: LEGAL
";
    let told = |legal: &str| -> Vec<String> {
        let report = run("set.yaml", &text.replace("LEGAL", legal), &|id| rule_set(id)).unwrap();
        report.failures().map(ToString::to_string).collect()
    };
    assert!(told("[]").is_empty(), "nothing can be played before the throw");
    let wrong = told("[pass]");
    assert!(wrong.len() == 1 && wrong[0].contains("a throw is still owed: south is to throw"), "{wrong:?}");
}
