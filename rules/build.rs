//! Lists the rule sets in `sets/` and `sets/variants/`, so that a new file is found by itself.

use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=sets");
    let root = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let folders = ["sets", "sets/variants"].map(|folder| Path::new(&root).join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder of rule sets"));
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort_by_key(|path| path.file_stem().map(ToOwned::to_owned));
    let mut list = String::from("&[\n");
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let id = path.file_stem().expect("a file name").to_string_lossy();
        list.push_str(&format!("    ({id:?}, include_str!({:?})),\n", path.display().to_string()));
    }
    list.push(']');
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("sets.rs");
    fs::write(out, list).expect("the output folder can be written");
}
