use std::fs;
use std::path::PathBuf;

use super::{circles, room, use_paths};

/// The sources of a small crate in a temporary folder, which is removed with the test.
struct Crate(PathBuf);

impl Crate {
    fn of(name: &str, files: &[(&str, &str)]) -> Crate {
        let root = std::env::temp_dir().join(format!("pagade-use-paths-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Crate(root)
    }

    fn edges(&self) -> Vec<String> {
        let mut edges: Vec<String> =
            use_paths(&self.0).iter().map(|path| format!("{} -> {}", path.from, path.to)).collect();
        edges.dedup();
        edges
    }
}

impl Drop for Crate {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn every_way_to_write_a_path_is_found() {
    let sources = Crate::of(
        "ways",
        &[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a/mod.rs", "mod x; mod y; pub(crate) use x::X; pub(crate) use y::*; pub struct A;"),
            ("a/x.rs", "use super::{A, y::{self, Y as Z}}; pub struct X; fn f(z: Z) -> y::Y { z }"),
            ("a/y.rs", "pub struct Y; #[cfg(test)] mod tests { use crate::c; }"),
            ("b.rs", "use crate::a; fn f() { a::X; let _ = crate::a::Y; println!(\"{}\", crate::c::g()); }"),
            ("c.rs", "#[cfg(test)] use crate::a::A; pub fn g() -> u8 { 1 } mod inner { use super::super::b; }"),
        ],
    );
    let edges = ["a::x -> a", "a::x -> a::y", "b -> a::x", "b -> a::y", "b -> c"].map(str::to_owned);
    assert_eq!(sources.edges(), edges);
}

#[test]
fn a_circle_is_named_by_its_members() {
    let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d"), ("f", "f")];
    assert_eq!(circles(edges), [vec!["a", "b", "c"], vec!["d", "e"]]);
    assert_eq!(room("play::ahead::memo"), "play");
}
