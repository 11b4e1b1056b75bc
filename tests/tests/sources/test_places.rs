//! Checks that `tests/README.md` names every place of tests in the project.

use std::collections::BTreeSet;
use std::fs;

use crate::documents::{files, root, text};

/// Lists the places of tests: the entries of the folders of tests, and unit tests in files or folders of their own.
fn places_of_tests() -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    for folder in ["tests", "tests/tests/processes", "tests/tests/sources", "api/tests", "rules/tests"] {
        let entries = fs::read_dir(root().join(folder)).expect("a folder of tests");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        places.extend(names.map(|name| format!("{folder}/{name}")));
    }
    for source in ["api/src", "api/robots/src", "api/pairing/src", "rules/src", "tests/src"] {
        for path in files(&root().join(source), "rs") {
            let path = path.strip_prefix(root()).expect("it lies there").to_string_lossy().into_owned();
            let folder =
                ["/lamp/", "/tests/", "/laws/"].iter().find_map(|name| path.split_once(name).map(|it| (it.0, name)));
            if let Some((before, name)) = folder {
                places.insert(format!("{before}{}", name.trim_end_matches('/')));
            } else if ["/tests.rs", "/laws.rs"].iter().any(|name| path.ends_with(name)) {
                places.insert(path);
            }
        }
    }
    places
}

#[test]
fn the_page_about_tests_names_every_place() {
    let page = text(&root().join("tests/README.md"));
    // Files without tests of their own, and the folder that is listed itself.
    let others = ["tests/Cargo.toml", "tests/README.md", "tests/tests"];
    let places = places_of_tests().into_iter();
    let places: Vec<_> = places
        .filter(|place| !others.contains(&place.as_str()) && !place.ends_with("/main.rs") && !place.contains("/__"))
        .collect();
    assert!(places.len() > 60, "{places:?}");
    for place in places {
        // Links lead from the folder of the page; other paths begin at the root.
        let linked = place.strip_prefix("tests/").map(|inside| format!("]({inside})"));
        let is_named = [format!("`{place}`"), format!("`{place}/`")].iter().any(|named| page.contains(named))
            || linked.is_some_and(|linked| page.contains(&linked));
        assert!(is_named, "tests/README.md does not name {place}");
    }
}
