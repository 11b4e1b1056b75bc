//! Checks that the engine is made for no single game: its sources contain no term of a single rule set.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Terms of single games.
const TERMS: &[&str] = &[
    "kajalvun",
    "khado",
    "jugne",
    "ool",
    "sthal",
    "gatti",
    "tollu",
    "chowka",
    "laal",
    "parchesi",
    "parcheesi",
    "superparcheesi",
    "chaukabara",
    "chopat",
    "pachisi",
    "ludo",
];

/// Names of the crate and of the program, which are allowed.
const PROGRAM: &[&str] = &["pagade_rules", "pagade-rules"];

/// Words that are allowed although they name seats of some rule sets: the engine uses them as directions on the grid.
const COMPASS: &[&str] = &["north", "south", "east", "west"];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Adds every file with this extension below a folder to `found`.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Collects the ids, titles and seats of every rule set, and the terms. A name of several words counts as a whole.
fn forbidden() -> BTreeSet<Vec<String>> {
    let mut sets = Vec::new();
    for name in ["sets", "sets/variants"] {
        for entry in fs::read_dir(folder(name)).into_iter().flatten() {
            sets.push(entry.unwrap().path());
        }
    }
    let mut names: BTreeSet<Vec<String>> = TERMS.iter().map(|term| words(term).collect()).collect();
    for path in sets.iter().filter(|path| path.extension().is_some_and(|extension| extension == "yaml")) {
        for line in fs::read_to_string(path).unwrap().lines() {
            let line = line.split(" #").next().unwrap();
            if let Some(name) = line.strip_prefix("rules:").or_else(|| line.strip_prefix("title:")) {
                names.insert(words(name).collect());
            }
            if let Some(seats) = line.strip_prefix("  seats:") {
                names.extend(words(seats).map(|seat| vec![seat]));
            }
        }
    }
    names.retain(|name| !COMPASS.contains(&name.join(" ").as_str()));
    assert!(names.contains(["pagade".to_owned()].as_slice()), "the names were looked for in the wrong place");
    assert!(names.contains(["red".to_owned()].as_slice()), "the seats were looked for in the wrong place");
    names
}

#[test]
fn the_engine_names_no_rule_set_no_colour_and_no_term_of_one_game() {
    let forbidden = forbidden();
    let mut sources = Vec::new();
    files(&folder("src"), "rs", &mut sources);
    assert!(sources.len() > 50, "{} files of source", sources.len());
    let mut found = Vec::new();
    for path in sources {
        for (index, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let line = PROGRAM.iter().fold(line.to_owned(), |line, name| line.replace(name, ""));
            let words: Vec<String> = words(&line).collect();
            for name in &forbidden {
                if words.windows(name.len()).any(|window| window == name) {
                    found.push(format!("{}:{}: {}", path.display(), index + 1, name.join(" ")));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
