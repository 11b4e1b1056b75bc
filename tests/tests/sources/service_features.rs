//! Checks the table of service features: every requirement has a row, and every test that a row names exists.

use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

/// The numbers of the requirements.
const NUMBERS: [RangeInclusive<u32>; 10] =
    [1..=9, 10..=15, 20..=22, 30..=35, 40..=45, 50..=52, 60..=62, 70..=75, 80..=88, 90..=98];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace")
}

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    id: String,
    tests: Vec<String>,
    open: String,
}

fn rows(table: &str) -> Vec<Row> {
    let cells = table.lines().filter(|line| line.starts_with("| SF-")).map(|line| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 3, "{line}");
        cells
    });
    let tests = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    cells.map(|cells| Row { id: cells[0].to_owned(), tests: tests(cells[1]), open: cells[2].to_owned() }).collect()
}

/// Adds the names of all tests in the Rust files under a folder.
fn tests_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            tests_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a text");
            found.extend(tests_of(&text));
        }
    }
}

/// Returns the names of the functions of a Rust file that are tests: by an attribute such as `#[test]`, or by the macro
/// that runs a test on both stores.
fn tests_of(text: &str) -> Vec<String> {
    let (mut found, mut is_test) = (Vec::new(), false);
    for line in text.lines().map(str::trim_start) {
        if let Some(name) = line.strip_prefix("on_both_stores!(").and_then(|rest| rest.split(')').next()) {
            found.push(name.to_owned());
        }
        if line.starts_with("#[") {
            is_test |= line.ends_with("test]");
        } else if !line.starts_with("//") {
            let name = line.trim_start_matches("async ").strip_prefix("fn ").and_then(|rest| rest.split('(').next());
            found.extend(name.filter(|_| is_test).map(str::to_owned));
            is_test = false;
        }
    }
    found
}

#[test]
fn only_tests_prove_a_service_feature() {
    let text = "on_both_stores!(one);\nfn one() {}\n#[test]\n// why\nfn two() {}\nfn three() {}\n#[cfg(test)]\nmod x {}\n\
                #[tokio::test]\nasync fn four() {}\n#[cfg(test)]\npub fn five() {}";
    assert_eq!(tests_of(text), ["one", "two", "four"]);
}

#[test]
fn every_service_feature_has_a_test_or_is_said_to_be_open() {
    let table = fs::read_to_string(root().join("tests/service-features.md")).expect("the table");
    let rows = rows(&table);
    let expected: BTreeSet<_> = NUMBERS.into_iter().flatten().map(|number| format!("SF-{number:02}")).collect();
    let known: BTreeSet<_> = rows.iter().map(|row| row.id.clone()).collect();
    assert_eq!((known, rows.len()), (expected.clone(), expected.len()), "one row for each requirement");
    let mut names = BTreeSet::new();
    for folder in
        ["api/src", "api/robots/src", "api/pairing/src", "api/tests", "rules/src", "rules/tests", "tests/tests"]
    {
        tests_in(&root().join(folder), &mut names);
    }
    let mut wrong = Vec::new();
    for Row { id, tests, open } in &rows {
        wrong.extend(tests.iter().filter(|test| !names.contains(*test)).map(|test| format!("{id}: no test `{test}`")));
        if tests.is_empty() && open.is_empty() {
            wrong.push(format!("{id} has neither a test nor a reason why it is open"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_row_has_an_id_tests_and_what_is_open() {
    let read = rows("| SF-07 | `one`, `two` | the third |\n| SF-08 | | |\n| id | tests | open |");
    let row = |id: &str, tests: &[&str], open: &str| Row {
        id: id.to_owned(),
        tests: tests.iter().map(|test| (*test).to_owned()).collect(),
        open: open.to_owned(),
    };
    assert_eq!(read, [row("SF-07", &["one", "two"], "the third"), row("SF-08", &[], "")]);
}
