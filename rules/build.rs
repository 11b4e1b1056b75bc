//! Lists the rule sets in `sets/`, so that a new file is found by itself.

use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=sets");
    let root = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let mut files: Vec<_> = fs::read_dir(Path::new(&root).join("sets"))
        .expect("the folder of rule sets")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort();
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
