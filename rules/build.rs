//! Writes lists for `src/bundled.rs`: all rule sets in `sets/` and `sets/variants/`, all translations in `sets/texts/`,
//! and all pages in `clauses/`. A new file in these folders becomes part of the program without any change of code.

use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=sets");
    println!("cargo::rerun-if-changed=clauses");
    let root = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let out = env::var("OUT_DIR").expect("set by cargo");
    for (name, folders, extension) in [
        ("sets.rs", &["sets", "sets/variants"][..], "yaml"),
        ("translations.rs", &["sets/texts"], "yaml"),
        ("clauses.rs", &["clauses"], "md"),
    ] {
        fs::write(Path::new(&out).join(name), list(Path::new(&root), folders, extension))
            .expect("the output folder can be written");
    }
}

/// The list of the files with this extension in these folders: their names and texts.
fn list(root: &Path, folders: &[&str], extension: &str) -> String {
    let folders = folders.iter().map(|folder| root.join(folder)).collect::<Vec<_>>();
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder of files"));
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort_by_key(|path| path.file_stem().map(ToOwned::to_owned));
    let mut list = String::from("&[\n");
    for path in &files {
        println!("cargo::rerun-if-changed={}", path.display());
        let id = path.file_stem().expect("a file name").to_string_lossy();
        list.push_str(&format!("    ({id:?}, include_str!({:?})),\n", path.display().to_string()));
    }
    list.push(']');
    list
}
