//! Facts that documents state about the project are compared with the files that decide them.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What a Cargo command prints.
fn cargo(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The packages that the lock file names for this machine; those of other systems need not be on its disk.
fn packages() -> Vec<Value> {
    let about = String::from_utf8(cargo(&["-vV"])).unwrap();
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("Cargo names its host");
    let metadata = cargo(&["metadata", "--offline", "--locked", "--filter-platform", host, "--format-version", "1"]);
    let mut metadata: Value = serde_json::from_slice(&metadata).unwrap();
    metadata["packages"].as_array_mut().unwrap().drain(..).collect()
}

/// Major and minor number of a Rust version.
fn rust(version: &str) -> (u32, u32) {
    let mut numbers = version.split('.').map(|number| number.parse().expect("a number"));
    (numbers.next().expect("a major number"), numbers.next().expect("a minor number"))
}

#[test]
fn the_stated_rust_version_is_the_highest_that_a_dependency_needs() {
    let packages = packages();
    assert!(packages.len() > 200, "{} packages", packages.len());
    let needed = packages.iter().filter_map(|package| Some((rust(package["rust_version"].as_str()?), &package["id"])));
    let (own, others): (Vec<_>, Vec<_>) = needed.partition(|(_, id)| id.as_str().unwrap().starts_with("path+"));
    let (highest, by) = others.into_iter().max_by_key(|(version, _)| *version).expect("some packages name a version");
    assert_eq!(own.len(), 3, "{own:?}");
    assert!(own.iter().all(|(stated, _)| *stated == highest), "{by} needs {highest:?}, {own:?}");
}

#[test]
fn documents_image_and_workflow_name_the_stated_rust_version() {
    let manifest = text("Cargo.toml");
    let stated = manifest.split("\nrust-version = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    for (path, named) in [
        ("README.md", format!("a Rust toolchain ({stated} or newer)")),
        ("deploy/Dockerfile", format!("FROM rust:{stated}-")),
        (".github/workflows/ci.yml", format!("RUST: \"{stated}\"")),
    ] {
        assert!(text(path).contains(&named), "{path} does not say `{named}`");
    }
}
