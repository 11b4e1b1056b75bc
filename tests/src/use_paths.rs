//! Finds the dependencies between the modules of a crate from the paths in its sources.
//!
//! - A path to a re-exported name counts as a path to the module that declares the name: `crate::play::State` leads to
//!   `play::state`.
//! - A module that re-exports names of its own inner modules does not depend on them for that reason.
//! - A `use` of a whole module is no dependency. Paths that begin with the name of the module are dependencies.
//! - Code that only tests compile is left out. Paths that a macro puts together are not found.

mod sources;
#[cfg(test)]
mod tests;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sources::{Found, Sources};

/// A path in the source of one module that leads to another module. The root of the crate has the empty name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsePath {
    /// The module whose source contains the path, such as `play::turn`.
    pub from: String,
    /// The module that declares the target of the path.
    pub to: String,
    /// The path as it is written. A `use` with braces has several paths; this is one of them.
    pub path: String,
    /// The file and the line of the path.
    pub position: String,
}

impl std::fmt::Display for UsePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: `{}` leads from `{}` to `{}`", self.position, self.path, self.from, self.to)
    }
}

/// Lists every path of a crate that leads from one module to another, sorted. `root` is the folder of `lib.rs`.
///
/// # Panics
/// If a file cannot be read, or is not Rust.
#[must_use]
pub fn use_paths(root: &Path) -> Vec<UsePath> {
    let mut sources = Sources::default();
    sources.read_folder(root, &mut Vec::new());
    let is_test = |name: &str| sources.tests.iter().any(|test| is_inside(name, test));
    let mut paths: Vec<UsePath> = Vec::new();
    for written in sources.written.iter().filter(|written| !is_test(&written.module.join("::"))) {
        let Some(Found { module: to, is_whole }) = sources.resolve(&written.module, &written.segments, 0) else {
            continue;
        };
        let (from, to) = (sources.file_of(&written.module), sources.file_of(&to));
        let hands_on = written.is_public && is_inside(&to, &from);
        let imports_module = is_whole && written.is_import;
        if from != to && !hands_on && !imports_module && !is_test(&to) {
            paths.push(UsePath { from, to, path: written.segments.join("::"), position: written.position.clone() });
        }
    }
    paths.sort();
    paths.dedup();
    paths
}

/// Finds the circles of a graph that is given by its edges. A circle is a set of names each of which leads to all
/// others. The names of a circle are sorted.
pub fn circles<'n>(edges: impl IntoIterator<Item = (&'n str, &'n str)>) -> Vec<Vec<&'n str>> {
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(from).or_default().insert(to);
    }
    let reached = |start: &'n str| {
        let mut found = BTreeSet::new();
        let mut open = vec![start];
        while let Some(name) = open.pop() {
            open.extend(next.get(name).into_iter().flatten().copied().filter(|name| found.insert(*name)));
        }
        found
    };
    let from: BTreeMap<&str, BTreeSet<&str>> = next.keys().map(|name| (*name, reached(name))).collect();
    let leads = |one: &str, other: &str| from.get(one).is_some_and(|found| found.contains(other));
    let mut circles: Vec<Vec<&str>> = Vec::new();
    for &name in next.keys() {
        if leads(name, name) && !circles.iter().flatten().any(|known| *known == name) {
            circles.push(next.keys().copied().filter(|other| leads(name, other) && leads(other, name)).collect());
        }
    }
    circles.retain(|circle| circle.len() > 1);
    circles
}

/// The room of a module: the first name in its path. A file beside `lib.rs` is a room of its own.
pub fn room(module: &str) -> &str {
    module.split("::").next().unwrap_or_default()
}

/// Whether a module is `outer` or lies inside of it.
fn is_inside(module: &str, outer: &str) -> bool {
    outer.is_empty() || module.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}
