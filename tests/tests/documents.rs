//! Documents name tests: they are there.

use std::collections::BTreeSet;
use std::path::Path;

/// Every function in the Rust files under a folder.
fn functions(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            functions(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a text");
            let names = text.lines().filter_map(|line| line.trim_start().strip_prefix("fn ")?.split('(').next());
            found.extend(names.map(str::to_owned));
        }
    }
}

#[test]
fn every_test_that_is_named_as_proof_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = BTreeSet::new();
    functions(&root.join("api/tests"), &mut found);
    functions(&root.join("tests/tests"), &mut found);
    let guide = std::fs::read_to_string(root.join("deploy/README.md")).expect("the guide");
    let is_test =
        |word: &&str| word.matches('_').count() > 3 && !word.contains(|c: char| !c.is_lowercase() && c != '_');
    let named: Vec<&str> = guide.split('`').skip(1).step_by(2).filter(is_test).collect();
    assert!(named.len() > 5, "{named:?}");
    for name in named {
        assert!(found.contains(name), "`{name}` is no test");
    }
}
