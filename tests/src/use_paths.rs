//! Reads the sources of a crate and says which module names which other module.
//!
//! A name that is handed on by `use` counts for the module that declares it: `crate::play::State` is a path to
//! `play::state`. A module that hands on names of the modules inside it does not depend on them by that, and a `use` of
//! a whole module counts where something of it is named. What only tests compile is left out. What macros paste
//! together is not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path in the source of one module that leads to another module; the root of the crate is the empty name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsePath {
    /// The module that names the other one, such as `play::turn`.
    pub from: String,
    /// The module that declares what is named.
    pub to: String,
    /// The path as it is written, braces written out.
    pub path: String,
    /// File and line.
    pub position: String,
}

impl std::fmt::Display for UsePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: `{}` leads from `{}` to `{}`", self.position, self.path, self.from, self.to)
    }
}

/// Every path of a crate that leads from one module to another, in order. `root` is the folder of `lib.rs`.
///
/// # Panics
/// A file cannot be read, or is no Rust.
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

/// The circles among names: those that lead to one another, each circle in order. Names come from edges of a graph.
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

/// The first folder of a module's path: its room. Files beside `lib.rs` are rooms by themselves.
pub fn room(module: &str) -> &str {
    module.split("::").next().unwrap_or_default()
}

/// Whether a module is another one or lies inside it.
fn is_inside(module: &str, outer: &str) -> bool {
    outer.is_empty() || module.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// A path as it stands in the source.
#[derive(Debug)]
struct Written {
    module: Vec<String>,
    segments: Vec<String>,
    /// It is a `use`.
    is_import: bool,
    is_public: bool,
    position: String,
}

/// Where a path leads.
struct Found {
    module: Vec<String>,
    /// It names the module itself, nothing in it.
    is_whole: bool,
}

/// The modules of a crate, by their paths.
#[derive(Debug, Default)]
struct Sources {
    /// Every module; of one inside a file, the module that the file is.
    files: BTreeMap<Vec<String>, Vec<String>>,
    /// What each module declares.
    declared: BTreeMap<Vec<String>, BTreeSet<String>>,
    /// Names that a module takes from elsewhere.
    imports: BTreeMap<Vec<String>, BTreeMap<String, Vec<String>>>,
    /// Modules from which another one takes every name.
    globs: BTreeMap<Vec<String>, Vec<Vec<String>>>,
    /// Modules that only tests compile.
    tests: BTreeSet<String>,
    written: Vec<Written>,
}

impl Sources {
    fn read_folder(&mut self, folder: &Path, module: &mut Vec<String>) {
        let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            let is_own = matches!(&*stem, "mod" | "lib" | "main");
            if !is_own {
                module.push(stem);
            }
            if path.is_dir() {
                self.read_folder(&path, module);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.read_file(&path, module);
            }
            if !is_own {
                module.pop();
            }
        }
    }

    fn read_file(&mut self, path: &Path, module: &[String]) {
        let text = fs::read_to_string(path).unwrap();
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file = File { path, module };
        self.files.insert(module.to_vec(), module.to_vec());
        self.read_tokens(&file, tokens, module);
    }

    fn read_tokens(&mut self, file: &File<'_>, tokens: TokenStream, module: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = self.read_item(file, &tokens, at, module);
        }
    }

    /// Reads what stands at a token; answers where to go on.
    fn read_item(&mut self, file: &File<'_>, tokens: &[TokenTree], at: usize, module: &[String]) -> usize {
        if is_test_attribute(tokens, at) {
            return self.skip_item(tokens, at + 2, module);
        }
        let token = &tokens[at];
        let TokenTree::Ident(ident) = token else {
            if let TokenTree::Group(group) = token {
                self.read_tokens(file, group.stream(), module);
            }
            return at + 1;
        };
        let word = ident.to_string();
        let name = tokens.get(at + 1).and_then(as_ident);
        match (&*word, name) {
            ("mod", Some(name)) if is_brace(tokens.get(at + 2)) => {
                let inner = joined(module, &name);
                self.files.insert(inner.clone(), file.module.to_vec());
                if let Some(TokenTree::Group(group)) = tokens.get(at + 2) {
                    self.read_tokens(file, group.stream(), &inner);
                }
                at + 3
            }
            ("use", _) => {
                let end = (at..tokens.len()).find(|&i| is_punct(&tokens[i], ';')).unwrap_or(tokens.len());
                let is_public = at > 0 && is_public(tokens, at - 1);
                let position = file.position(token);
                for (segments, name) in written_out(&tokens[at + 1..end]) {
                    match name.as_deref() {
                        Some("*") => self.globs.entry(module.to_vec()).or_default().push(segments.clone()),
                        Some(name) => {
                            let imports = self.imports.entry(module.to_vec()).or_default();
                            imports.insert(name.to_owned(), segments.clone());
                        }
                        None => {}
                    }
                    let position = position.clone();
                    let module = module.to_vec();
                    self.written.push(Written { module, segments, is_import: true, is_public, position });
                }
                end + 1
            }
            ("fn" | "struct" | "enum" | "trait" | "type" | "const" | "static", Some(name)) => {
                self.declared.entry(module.to_vec()).or_default().insert(name);
                at + 2
            }
            _ => {
                let (segments, end) = path_at(tokens, at);
                if segments.len() > 1 {
                    let (module, position) = (module.to_vec(), file.position(token));
                    self.written.push(Written { module, segments, is_import: false, is_public: false, position });
                }
                end
            }
        }
    }

    /// Passes over an item that only tests compile, further attributes included.
    fn skip_item(&mut self, tokens: &[TokenTree], mut at: usize, module: &[String]) -> usize {
        while at < tokens.len() {
            if as_ident(&tokens[at]).as_deref() == Some("mod")
                && let Some(name) = tokens.get(at + 1).and_then(as_ident)
            {
                self.tests.insert(joined(module, &name).join("::"));
            }
            if is_punct(&tokens[at], ';') || is_brace(tokens.get(at)) {
                return at + 1;
            }
            at += 1;
        }
        at
    }

    /// The module that declares what a path names. `None`: it leads out of the crate, or is no module's path.
    fn resolve(&self, module: &[String], segments: &[String], depth: usize) -> Option<Found> {
        if depth > 8 {
            return None;
        }
        let mut rest = segments;
        let mut at = match rest.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => module.to_vec(),
            first => {
                let child = self.files.contains_key(&joined(module, first));
                let import = self.imports.get(module).and_then(|imports| imports.get(first));
                return match import {
                    // A name may be taken from a module of the same name.
                    Some(import) if import.first().is_none_or(|root| root != first) => {
                        self.resolve(module, &[import, &rest[1..]].concat(), depth + 1)
                    }
                    _ if child => self.descend(module.to_vec(), rest, depth),
                    _ => None,
                };
            }
        };
        while rest.first().is_some_and(|segment| segment == "super") {
            at.pop();
            rest = &rest[1..];
        }
        if matches!(rest.first().map(String::as_str), Some("crate" | "self")) {
            rest = &rest[1..];
        }
        self.descend(at, rest, depth)
    }

    /// Follows a path from a module on, through names that are handed on.
    fn descend(&self, mut at: Vec<String>, mut rest: &[String], depth: usize) -> Option<Found> {
        while let Some(segment) = rest.first() {
            let child = joined(&at, segment);
            if self.files.contains_key(&child) {
                (at, rest) = (child, &rest[1..]);
                continue;
            }
            let is_declared =
                |module: &[String]| self.declared.get(module).is_some_and(|names| names.contains(segment));
            if !is_declared(&at) {
                if let Some(import) = self.imports.get(&at).and_then(|imports| imports.get(segment)) {
                    let found = self.resolve(&at, &[import, &rest[1..]].concat(), depth + 1);
                    return Some(found.unwrap_or(Found { module: at, is_whole: false }));
                }
                let globs = self.globs.get(&at).into_iter().flatten();
                let mut modules = globs.filter_map(|glob| self.resolve(&at, glob, depth + 1));
                if let Some(glob) = modules.find(|glob| is_declared(&glob.module)) {
                    return Some(Found { is_whole: false, ..glob });
                }
            }
            break;
        }
        Some(Found { module: at, is_whole: rest.is_empty() })
    }

    /// The name of the module that the file of a module is.
    fn file_of(&self, module: &[String]) -> String {
        self.files.get(module).map_or(String::new(), |file| file.join("::"))
    }
}

/// A source file and the module that it is.
struct File<'f> {
    path: &'f Path,
    module: &'f [String],
}

impl File<'_> {
    fn position(&self, token: &TokenTree) -> String {
        format!("{}:{}", self.path.display(), token.span().start().line)
    }
}

fn joined(module: &[String], name: &str) -> Vec<String> {
    module.iter().map(String::as_str).chain([name]).map(str::to_owned).collect()
}

fn as_ident(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn is_brace(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

fn is_test_attribute(tokens: &[TokenTree], at: usize) -> bool {
    let attribute = match tokens.get(at + 1) {
        Some(TokenTree::Group(group)) if is_punct(&tokens[at], '#') => group.stream().to_string(),
        _ => return false,
    };
    attribute.replace(' ', "") == "cfg(test)"
}

/// Whether the token before a `use` makes it public, to the crate or to anybody.
fn is_public(tokens: &[TokenTree], at: usize) -> bool {
    match &tokens[at] {
        TokenTree::Ident(ident) => ident == "pub",
        TokenTree::Group(_) => at > 0 && as_ident(&tokens[at - 1]).as_deref() == Some("pub"),
        _ => false,
    }
}

/// The path that begins at a token, and where it ends.
fn path_at(tokens: &[TokenTree], mut at: usize) -> (Vec<String>, usize) {
    let mut segments = Vec::new();
    while let Some(name) = tokens.get(at).and_then(as_ident) {
        segments.push(name);
        at += 1;
        let is_path = tokens.get(at).is_some_and(|token| is_punct(token, ':'))
            && tokens.get(at + 1).is_some_and(|token| is_punct(token, ':'))
            && tokens.get(at + 2).and_then(as_ident).is_some();
        if !is_path {
            break;
        }
        at += 2;
    }
    (segments, at)
}

/// The paths of a `use`, braces written out, each with the name that it gets here; of a glob that is `*`.
fn written_out(tokens: &[TokenTree]) -> Vec<(Vec<String>, Option<String>)> {
    let mut found = Vec::new();
    for tree in tokens.split(|token| is_punct(token, ',')).filter(|tree| !tree.is_empty()) {
        let (mut segments, end) = path_at(tree, tree.iter().position(|token| as_ident(token).is_some()).unwrap_or(0));
        let rest: Vec<&TokenTree> = tree[end..].iter().filter(|token| !is_punct(token, ':')).collect();
        match rest.as_slice() {
            [TokenTree::Group(group)] => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for (more, name) in written_out(&inner) {
                    found.push(([&segments[..], &more[..]].concat(), name));
                }
            }
            [star] if is_punct(star, '*') => found.push((segments, Some("*".to_owned()))),
            [TokenTree::Ident(word), TokenTree::Ident(name)] if word == "as" => {
                found.push((segments, Some(name.to_string())));
            }
            _ => {
                let name = segments.last().cloned();
                if name.as_deref() == Some("self") && segments.len() > 1 {
                    segments.pop();
                }
                let name = segments.last().cloned();
                found.push((segments, name));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{circles, room, use_paths};

    /// A crate in a folder of its own, gone with the test.
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
}
