//! Checks the rooms of the service, which are the folders of its crate: dependencies between rooms point one way. There
//! are no large circles of files, neither in the service nor in the crates that it is made of.
//!
//! The tests see `use` paths only. They do not see a circle by methods: if the methods of one type lie in several files,
//! such as the `impl Service` blocks of `service/`, these files may call each other without a path.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pagade_tests::use_paths::{UsePath, circles, room, use_paths};

use crate::layers::ROOMS_OF_RULES;

/// The rooms of `api/src`, the lowest first. Each room may use the rooms before it.
const ROOMS: &[&str] = &[
    "ground",
    "telemetry",
    "score",
    "config",
    "store",
    "error",
    "metrics",
    "limits",
    "model",
    "rule_sets",
    "identity",
    "follow",
    "game",
    "group",
    "player",
    "bank",
    "table",
    "tournament",
    "archive",
    "service",
    "http",
    "routes",
    "openapi",
    "app",
    "serve",
    "tournament_file",
    "tournament_simulation",
    "cli",
    "main",
];

/// The rooms whose files may name actix-web.
const WEB: &[&str] = &["http", "routes", "openapi", "app"];

/// Maximum number of files in a circle of dependencies inside a room. A type and the code that makes it may be two
/// files.
const LARGEST_CIRCLE: usize = 2;

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").join(path)
}

fn source() -> PathBuf {
    folder("api/src")
}

/// The height of a module's room: its index in [`ROOMS`]. A file beside `lib.rs` is a room of its own.
fn height(module: &str) -> usize {
    let room = room(module);
    ROOMS.iter().position(|known| *known == room).unwrap_or_else(|| panic!("`{room}` is no room: add it to ROOMS"))
}

fn paths_in(folder: &Path, at_least: usize) -> Vec<UsePath> {
    let paths: Vec<_> =
        use_paths(folder).into_iter().filter(|path| !path.from.is_empty() && !path.to.is_empty()).collect();
    assert!(paths.len() > at_least, "{} paths were found", paths.len());
    paths
}

fn paths() -> Vec<UsePath> {
    paths_in(&source(), 300)
}

fn listed<'p>(paths: impl Iterator<Item = &'p UsePath>) -> String {
    paths.map(|path| format!("{path}\n")).collect()
}

#[test]
fn no_room_names_a_higher_one() {
    let paths = paths();
    let up = listed(paths.iter().filter(|path| height(&path.from) < height(&path.to)));
    assert!(up.is_empty(), "arrows that point up:\n{up}");
}

/// Lists the rooms of a crate in the order of the map in CONTRIBUTING, the highest first. `begin` is the beginning of
/// the crate's line in the map; the name of each room comes after `prefix`.
fn rooms_of_the_map(begin: &str, prefix: &str) -> Vec<String> {
    let text = fs::read_to_string(folder("CONTRIBUTING.md")).expect("a text");
    let lines = text.lines().skip_while(|line| !line.starts_with(begin)).skip(1);
    let entries = lines.take_while(|line| line.starts_with("  ")).filter_map(|line| line.strip_prefix("  "));
    let names = entries.filter(|entry| !entry.starts_with(' ')).flat_map(|entry| {
        let names = entry.split(' ').filter_map(|word| word.strip_prefix(prefix));
        names.map_while(|name| name.strip_suffix('/').or_else(|| name.strip_suffix(".rs")))
    });
    names.map(str::to_owned).collect()
}

/// Lists the rooms in the sources of a crate: its folders, and the files beside `lib.rs`.
fn rooms_of_the_sources(source: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder(source)).expect("a folder").map(|entry| entry.expect("an entry").path());
    let names = entries.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned());
    names.filter(|name| name != "lib").collect()
}

#[test]
fn the_map_of_rooms_is_complete_and_in_the_order_of_these_tests() {
    for (crate_, begin, prefix, rooms) in [("api", "api/src/", "", ROOMS), ("rules", "rules/ ", "src/", ROOMS_OF_RULES)]
    {
        let map = rooms_of_the_map(begin, prefix);
        let order: Vec<&str> = rooms.iter().rev().copied().collect();
        assert_eq!(map, order, "CONTRIBUTING lists the rooms of `{crate_}` in another order");
        let known: BTreeSet<String> = rooms.iter().map(|room| (*room).to_owned()).collect();
        assert_eq!(rooms_of_the_sources(&format!("{crate_}/src")), known, "rooms of `{crate_}`");
    }
}

#[test]
fn no_circle_leads_through_rooms() {
    let paths = paths();
    let between = paths.iter().map(|path| (room(&path.from), room(&path.to))).filter(|(from, to)| from != to);
    let found = circles(between);
    assert!(found.is_empty(), "rooms in circles: {found:?}");
}

/// Lists the circles of more files than a crate may have, with the paths that make them.
fn large_circles(paths: &[UsePath]) -> String {
    let mut found = circles(paths.iter().map(|path| (path.from.as_str(), path.to.as_str())));
    found.retain(|circle| circle.len() > LARGEST_CIRCLE);
    let within =
        |circle: &[&str], path: &&UsePath| circle.contains(&path.from.as_str()) && circle.contains(&path.to.as_str());
    found.iter().map(|circle| listed(paths.iter().filter(|path| within(circle, path))) + "\n").collect()
}

#[test]
fn no_circle_inside_a_room_has_more_than_two_files() {
    let found = large_circles(&paths());
    assert!(found.is_empty(), "circles of files:\n{found}");
}

#[test]
fn no_circle_of_robots_or_pairings_has_more_than_two_files() {
    for crate_ in ["api/robots/src", "api/pairing/src"] {
        let found = large_circles(&paths_in(&folder(crate_), 30));
        assert!(found.is_empty(), "circles of files in {crate_}:\n{found}");
    }
}

#[test]
fn only_what_is_above_the_service_knows_the_web_framework() {
    let (mut folders, mut wrong) = (vec![source()], Vec::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(source()).expect("it lies there").to_string_lossy().into_owned();
            let is_web = WEB.iter().any(|room| inside.starts_with(&format!("{room}/")));
            if !is_web && fs::read_to_string(&path).expect("a text").contains("actix") {
                wrong.push(inside);
            }
        }
    }
    assert!(wrong.is_empty(), "these files speak of actix: {wrong:?}");
}
