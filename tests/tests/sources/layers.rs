//! Checks that dependencies point one way: from tests to service, to robots and pairings, to rules, and inside the
//! rules from a higher room to a lower one. A room is a folder of a crate, or a file beside `lib.rs`. The rules use no
//! clock, no chance and no network.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pagade_tests::use_paths::{UsePath, circles, room, use_paths};
use serde_json::Value;

/// Crates that only the service may use: async code, web, stores, logs.
const SERVICE: &[&str] =
    &["actix-web", "tokio", "futures-util", "hyper", "reqwest", "redis", "redb", "uuid", "tracing"];

/// More crates on which the rules must not depend: clocks and chance.
const OUTSIDE: &[&str] = &["rand", "rand_chacha", "rand_xoshiro", "getrandom", "chrono", "time", "cpu-time"];

/// Modules of the standard library that the engine must not use while it runs.
const MACHINE: &[&str] = &["time", "fs", "net", "thread", "env", "process"];

/// The rooms of the rules, the lowest first. Each room may use the rooms before it.
pub(crate) const ROOMS_OF_RULES: &[&str] = &[
    "nearest",
    "source",
    "yaml",
    "written",
    "units",
    "word",
    "option_value",
    "tables",
    "layout",
    "expr",
    "language",
    "document",
    "texts",
    "ruleset",
    "compare",
    "schema",
    "read",
    "build",
    "check",
    "bundled",
    "play",
    "table",
    "encoding",
    "notation",
    "position",
    "perft",
    "picture",
    "scenario",
    "record",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace")
}

/// The dependencies of every crate of the workspace, by the crate's name. Dependencies of builds and tests are left
/// out.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--no-deps", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter().map(|package| {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let names = dependencies
            .filter(|dependency| dependency["kind"].is_null())
            .map(|dependency| dependency["name"].as_str().unwrap().to_owned());
        (package["name"].as_str().unwrap().to_owned(), names.collect())
    });
    packages.collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn dependencies_point_one_way() {
    let dependencies = dependencies();
    let layers = ["pagade-pairing", "pagade-rules", "pagade-robots", "pagade", "pagade-tests"];
    assert_eq!(dependencies.keys().map(String::as_str).collect::<BTreeSet<_>>(), BTreeSet::from(layers));
    for (height, layer) in layers.iter().enumerate() {
        for above in &layers[height..] {
            assert!(!dependencies[*layer].contains(*above), "{layer} depends on {above}");
        }
    }
    assert!(!dependencies["pagade-robots"].contains("pagade-pairing"), "robots know no tournament");
    assert!(dependencies["pagade"].contains("pagade-rules"), "dependencies were looked for in the wrong place");
}

#[test]
fn rules_depend_on_nothing_outside_the_game() {
    let dependencies = &dependencies()["pagade-rules"];
    let wrong: Vec<&&str> = SERVICE.iter().chain(OUTSIDE).filter(|name| dependencies.contains(**name)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn robots_and_pairings_depend_on_no_store_and_no_network() {
    let dependencies = dependencies();
    for layer in ["pagade-robots", "pagade-pairing"] {
        let wrong: Vec<&&str> = SERVICE.iter().filter(|name| dependencies[layer].contains(**name)).collect();
        assert!(wrong.is_empty(), "{layer}: {wrong:?}");
    }
}

#[test]
fn rules_use_neither_clock_nor_files_nor_threads() {
    let mut paths = Vec::new();
    sources(&root().join("rules/src"), &mut paths);
    assert!(paths.len() > 50, "{} files of source", paths.len());
    let mut wrong = Vec::new();
    // Code that only tests compile may use the clock.
    for path in paths.iter().filter(|path| path.file_name().is_none_or(|name| name != "tests.rs")) {
        for (index, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
            if line.contains("std::{") {
                wrong.push(format!("{}:{}: write one `use` for each module of std", path.display(), index + 1));
            }
            for module in MACHINE {
                let named = format!("std::{module}");
                let is_it =
                    line.split(&named).skip(1).any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
                if is_it {
                    wrong.push(format!("{}:{}: {named}", path.display(), index + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rooms_of_the_rules_name_only_lower_rooms() {
    let paths = use_paths(&root().join("rules/src"));
    assert!(paths.len() > 500, "{} paths", paths.len());
    let height = |module: &str| ROOMS_OF_RULES.iter().position(|known| *known == room(module));
    let points_up = |path: &&UsePath| match (height(&path.from), height(&path.to)) {
        (Some(from), Some(to)) => from < to,
        // A room that is missing in `ROOMS_OF_RULES` counts as an error.
        _ => true,
    };
    let wrong: Vec<String> = paths.iter().filter(points_up).map(UsePath::to_string).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_circle_inside_a_room_of_the_rules_is_of_more_than_two_files() {
    let paths = use_paths(&root().join("rules/src"));
    let long = circles(paths.iter().map(|path| (&*path.from, &*path.to))).into_iter().filter(|circle| circle.len() > 2);
    let in_circle = |path: &UsePath, circle: &[&str]| circle.contains(&&*path.from) && circle.contains(&&*path.to);
    let told = long.map(|circle| {
        let among = paths.iter().filter(|path| in_circle(path, &circle)).map(UsePath::to_string);
        format!("{}\n{}", circle.join(", "), among.collect::<Vec<_>>().join("\n"))
    });
    let told: Vec<String> = told.collect();
    assert!(told.is_empty(), "{}", told.join("\n\n"));
}
