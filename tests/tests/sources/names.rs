//! Checks the names of types: one name stands for one idea, over all crates.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The sources of the crates whose types are compared.
const CRATES: &[&str] = &["rules/src", "api/src", "api/robots/src", "api/pairing/src"];

/// Names that several types may have, because these types stand for one idea: in a request or answer and in the stored
/// form, in the game and in its description, or where one room (a folder of a crate) writes it and another room reads
/// it.
const ONE_IDEA: &[&str] = &[
    "Args",
    "Control",
    "CopiedEvent",
    "DiceHolder",
    "EndedBy",
    "Entrant",
    "EntrantTokens",
    "EntityValue",
    "Game",
    "GameNews",
    "GameTokens",
    "GaveUp",
    "GroupStatus",
    "InboxEvent",
    "NoShow",
    "OptionValue",
    "OwnBye",
    "OwnTable",
    "PlayableTable",
    "Robot",
    "SeedBy",
    "SquareId",
    "TieBreakPart",
    "Tournament",
    "TurnTimer",
    "WhenLate",
];

/// Words with several meanings. The glossary in CONTRIBUTING has a row for each meaning.
const SEVERAL_MEANINGS: &[&str] = &["Event", "Problem", "Table"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace")
}

/// Adds the Rust files of a folder to `found`, except files that only tests compile.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if ["tests", "laws"].contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Macros that declare types. Their types are indented by four spaces.
const DECLARING: &[&str] = &["shape! {", "text_form! {"];

/// Lists the names of the types that a file declares, and of its type aliases. Types inside of modules and functions
/// are left out.
fn declared(text: &str) -> Vec<&str> {
    let (mut declared, mut is_inside) = (Vec::new(), false);
    for line in text.lines() {
        if !line.is_empty() && !line.starts_with(' ') {
            is_inside = DECLARING.contains(&line);
        }
        let inside = line.strip_prefix("    ").filter(|_| is_inside);
        declared.extend(declaration(inside.unwrap_or(line)));
        // The types of `text_form!` are declared without a word.
        declared.extend(inside.and_then(|line| line.strip_suffix(" {")).filter(|line| is_name(line)));
    }
    declared
}

/// Returns the name of the type that a line declares.
fn declaration(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) => {
            rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest).trim_start()
        }
        None => line,
    };
    let name = ["struct ", "enum ", "trait ", "type "].iter().find_map(|word| line.strip_prefix(word))?;
    name.split(|letter: char| !letter.is_alphanumeric()).next()
}

/// Tells whether a text is the name of a type.
fn is_name(text: &str) -> bool {
    text.starts_with(char::is_uppercase) && text.chars().all(char::is_alphanumeric)
}

#[test]
fn types_are_declared_by_words_aliases_and_macros() {
    let text = "struct A;\npub(crate) enum B {\n    C {\n    struct D;\n}\npub type E = u8;\nshape! {\n    pub struct F: \"f\";\n\n    \
                required g: G;\n}\ntext_form! {\n    H {\n    }\n}\nfn f() {\n    struct I;\n    J {\n}";
    assert_eq!(declared(text), ["A", "B", "E", "F", "H"]);
}

#[test]
fn a_name_of_a_type_stands_for_one_idea() {
    let mut types = BTreeMap::<String, Vec<String>>::new();
    for crate_ in CRATES {
        let mut found = Vec::new();
        files(&root().join(crate_), &mut found);
        for path in found {
            let text = fs::read_to_string(&path).expect("a text");
            for name in declared(&text) {
                let path = path.strip_prefix(root()).expect("it lies there").display().to_string();
                types.entry(name.to_owned()).or_default().push(path);
            }
        }
    }
    assert!(types.len() > 1000, "{} types", types.len());
    types.retain(|_, paths| paths.len() > 1);
    let is_known = |name: &str| ONE_IDEA.contains(&name) || SEVERAL_MEANINGS.contains(&name);
    let unknown: Vec<String> = types
        .iter()
        .filter(|(name, _)| !is_known(name))
        .map(|(name, paths)| format!("{name}: {}", paths.join(", ")))
        .collect();
    assert!(unknown.is_empty(), "several types with one name:\n{}", unknown.join("\n"));
    let known = ONE_IDEA.iter().chain(SEVERAL_MEANINGS);
    let gone: Vec<_> = known.filter(|name| !types.contains_key(**name)).collect();
    assert!(gone.is_empty(), "there is only one type with these names now: {gone:?}");
}
