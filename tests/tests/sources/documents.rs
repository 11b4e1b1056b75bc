//! Checks the documents: the tests that they name exist, their links lead to existing files and headings, and no line
//! is too long to read. The page has each of its texts in every language.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, iter};

/// Maximum number of characters in a line of a document.
const COLUMNS: usize = 120;

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace")
}

pub(crate) fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Lists every file with this extension under a folder. Build output, packages of others and hidden folders are left
/// out.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && !["target", "node_modules"].contains(&name.as_str()) && !name.starts_with('.') {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}

/// The lines of a document with their numbers, and for each whether it is part of a code block.
fn lines(text: &str) -> Vec<(usize, &str, bool)> {
    let mut in_block = false;
    let numbered = iter::zip(1.., text.lines());
    numbered
        .map(|(number, line)| {
            let is_fence = line.trim_start().starts_with("```");
            in_block ^= is_fence;
            (number, line, in_block || is_fence)
        })
        .collect()
}

/// A line without the texts between backticks.
fn prose(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The anchors that the headings of a document get.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = lines(text).into_iter().filter(|(_, line, is_code)| !is_code && line.starts_with('#'));
    headings
        .map(|(_, line, _)| {
            let heading = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            heading.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect()
        })
        .collect()
}

/// The targets of the links and pictures in a line.
fn targets(line: &str) -> Vec<String> {
    let prose = prose(line);
    let links = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let pictures = prose.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.chain(pictures).map(str::to_owned).collect()
}

/// Whether a relative link leads to a file and, if it names an anchor, to a heading in the file.
fn leads_somewhere(document: &Path, target: &str) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { document.to_owned() } else { document.with_file_name(file) };
    path.exists() && (anchor.is_empty() || anchors(&text(&path)).contains(anchor))
}

#[test]
fn every_relative_link_leads_to_a_file_and_a_heading() {
    let (mut checked, mut broken) = (0, Vec::new());
    for document in files(root(), "md") {
        for (number, line, is_code) in lines(&text(&document)) {
            for target in targets(line).iter().filter(|target| !is_code && !target.contains("://")) {
                checked += 1;
                if !leads_somewhere(&document, target) {
                    broken.push(format!("{}:{number}: {target}", document.display()));
                }
            }
        }
    }
    assert!(checked > 80, "{checked} links");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Rows of the tables in `rules/clauses` may be longer: a test reads each sentence of a source from one line.
#[test]
fn no_line_of_a_document_is_too_long_to_read() {
    let clauses = root().join("rules/clauses");
    let mut long = Vec::new();
    for document in files(root(), "md") {
        for (number, line, _) in lines(&text(&document)) {
            let is_clause = line.starts_with('|') && document.starts_with(&clauses);
            if line.chars().count() > COLUMNS && !is_clause {
                long.push(format!("{}:{number}", document.display()));
            }
        }
    }
    assert!(long.is_empty(), "longer than {COLUMNS} columns:\n{}", long.join("\n"));
}

/// The names of all functions in the Rust files under a folder.
fn functions(folder: &Path) -> BTreeSet<String> {
    let name = |line: &str| Some(line.trim_start().strip_prefix("fn ")?.split('(').next()?.to_owned());
    files(folder, "rs").iter().flat_map(|path| text(path).lines().filter_map(name).collect::<Vec<_>>()).collect()
}

/// The names of all unit tests in the Rust files under a folder.
fn unit_tests(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in files(folder, "rs") {
        let text = text(&path);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let tests = lines.windows(2).filter(|pair| pair[0] == "#[test]");
        found.extend(tests.filter_map(|pair| Some(pair[1].strip_prefix("fn ")?.split('(').next()?.to_owned())));
    }
    found
}

/// The names of all tests of the API and of this crate.
fn tests() -> BTreeSet<String> {
    let mut found = functions(&root().join("api/tests"));
    for crate_ in ["api/src", "api/pairing/src", "api/robots/src"] {
        found.extend(unit_tests(&root().join(crate_)));
    }
    found.extend(functions(&root().join("tests/tests")));
    found
}

#[test]
fn every_defect_has_a_test_that_exists() {
    let (found, page) = (tests(), text(&root().join("tests/api-defects.md")));
    // In `tests/api-defects.md`, each defect is a numbered line. Each line below it names a test of the defect, or
    // links to a program.
    let mut points: Vec<(usize, Vec<&str>)> = Vec::new();
    for line in page.lines() {
        let number = line.split_once(". ").and_then(|(number, _)| number.parse().ok());
        if let Some(number) = number {
            points.push((number, Vec::new()));
        } else if let (Some((_, named)), Some(name)) = (points.last_mut(), line.trim_start().strip_prefix("- ")) {
            named.push(name);
        }
    }
    assert_eq!(points.iter().map(|(number, _)| *number).collect::<Vec<_>>(), (1..=17).collect::<Vec<_>>());
    for (number, named) in points {
        assert!(!named.is_empty(), "{number} has no test");
        // Links are left out here, because another test checks all links.
        for name in named.iter().filter(|name| !name.starts_with('[')) {
            assert!(found.contains(name.trim_matches('`')), "{number}: {name} is no test");
        }
    }
}

#[test]
fn every_test_that_is_named_as_proof_exists() {
    let found = tests();
    let guide = text(&root().join("deploy/README.md"));
    let is_test =
        |word: &&str| word.matches('_').count() > 3 && !word.contains(|c: char| !c.is_lowercase() && c != '_');
    let named: Vec<&str> = guide.split('`').skip(1).step_by(2).filter(is_test).collect();
    assert!(named.len() > 5, "{named:?}");
    for name in named {
        assert!(found.contains(name), "`{name}` is no test");
    }
}

/// The folders directly inside a folder, as paths.
fn folders(path: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(path)).expect("a folder of the repository");
    let folders = entries.map(|entry| entry.expect("an entry")).filter(|entry| entry.path().is_dir());
    folders.map(|entry| format!("{path}{}/", entry.file_name().to_string_lossy())).collect()
}

/// Lists the paths that the map of the rooms in CONTRIBUTING.md names. A line that begins in the first column names the
/// folder of the lines after it.
fn mapped(guide: &str) -> BTreeSet<String> {
    let map = guide.split("\n## The rooms\n").nth(1).and_then(|rest| rest.split("```").nth(1)).expect("the map");
    let (mut folder, mut mapped) = ("", BTreeSet::new());
    for line in map.lines().skip(1) {
        match line.strip_prefix("  ") {
            None => {
                folder = line.split(' ').next().unwrap_or_default();
                mapped.insert(folder.to_owned());
            }
            Some(rooms) if rooms.starts_with(' ') => {}
            Some(rooms) => {
                let rooms = rooms.split("  ").next().unwrap_or_default();
                mapped.extend(rooms.split(' ').map(|room| format!("{folder}{room}")));
            }
        }
    }
    mapped
}

#[test]
fn the_map_names_every_room_and_no_other() {
    let mapped = mapped(&text(&root().join("CONTRIBUTING.md")));
    let rooms = ["api/src/", "rules/src/", "api/robots/src/", "api/pairing/src/"];
    for room in rooms.map(folders).concat() {
        assert!(mapped.contains(&room), "{room} is not on the map");
    }
    // Of a folder of `api`, the map may name only the sources.
    for folder in folders("api/") {
        assert!(mapped.iter().any(|path| path.starts_with(&folder)), "{folder} is not on the map");
    }
    for path in &mapped {
        assert!(root().join(path).exists(), "{path} is on the map only");
    }
    assert!(mapped.len() > 30, "{mapped:?}");
}

#[test]
fn every_row_of_the_glossary_has_a_cell_for_each_column() {
    let guide = text(&root().join("CONTRIBUTING.md"));
    let (_, glossary) = guide.split_once("\n## Glossary\n").expect("a glossary");
    let (mut columns, mut rows) = (None, 0);
    for line in glossary.lines() {
        let cells = line.split('|').count();
        columns = if line.starts_with('|') { columns.or(Some(cells)) } else { None };
        assert!(columns.is_none_or(|columns| columns == cells), "{line}");
        rows += usize::from(columns.is_some());
    }
    assert!(rows > 150, "{rows} rows");
}

#[test]
fn every_language_of_the_page_has_every_text_once() {
    let folder = root().join("api/web/src/texts");
    let keys = |path: &Path| {
        let written = text(path);
        let keys: Vec<_> = written.lines().filter_map(|line| line.strip_prefix("  \"")?.split('"').next()).collect();
        let distinct: BTreeSet<_> = keys.iter().map(|key| (*key).to_owned()).collect();
        let twice: Vec<_> = distinct.iter().filter(|key| keys.iter().filter(|one| one == key).count() > 1).collect();
        assert!(twice.is_empty(), "{}: {twice:?} are there twice, the second hides the first", path.display());
        distinct
    };
    let english = keys(&folder.join("en.json"));
    assert!(english.len() > 400, "{}", english.len());
    let values = |path: &Path| -> BTreeMap<String, BTreeSet<String>> {
        let texts: BTreeMap<String, String> = serde_json::from_str(&text(path)).unwrap();
        let named = |text: String| {
            text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0.to_owned())).collect()
        };
        texts.into_iter().map(|(key, text)| (key, named(text))).collect()
    };
    let of_english = values(&folder.join("en.json"));
    for path in files(&folder, "json").into_iter().filter(|path| !path.ends_with("en.json")) {
        let mut own = keys(&path);
        assert!(own.remove("checked"), "{}: `checked` says who has read the translation", path.display());
        let missing: Vec<_> = english.symmetric_difference(&own).cloned().collect();
        assert!(missing.is_empty(), "{}: {missing:?} are not both here and in en.json", path.display());
        let translated = values(&path);
        let differ: Vec<_> = of_english.iter().filter(|(key, values)| translated[*key] != **values).collect();
        assert!(differ.is_empty(), "{}: {differ:?} have other values in braces than in en.json", path.display());
    }
}
