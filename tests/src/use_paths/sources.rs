//! Reads the modules of a crate, the names that they declare and import, and the paths in their sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

use super::tokens::{as_ident, is_brace, is_public, is_punct, is_test_attribute, path_at, written_out};

/// A path in the sources, with the module that contains it.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) module: Vec<String>,
    pub(super) segments: Vec<String>,
    /// Whether the path is part of a `use`.
    pub(super) is_import: bool,
    /// Whether the `use` is `pub` or `pub(..)`.
    pub(super) is_public: bool,
    /// The file and the line of the path.
    pub(super) position: String,
}

/// The target to which a path leads.
pub(super) struct Found {
    /// The module that declares the target.
    pub(super) module: Vec<String>,
    /// Whether the target is the module itself and not an item in it.
    pub(super) is_whole: bool,
}

/// The modules of a crate. A module is given by its path, a list of names.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// For each module, the module of the file whose text contains it.
    files: BTreeMap<Vec<String>, Vec<String>>,
    /// For each module, the names of the items that it declares.
    declared: BTreeMap<Vec<String>, BTreeSet<String>>,
    /// For each module, its imports: the local name, and the path to which it leads.
    imports: BTreeMap<Vec<String>, BTreeMap<String, Vec<String>>>,
    /// For each module, the paths of its imports with `*`.
    globs: BTreeMap<Vec<String>, Vec<Vec<String>>>,
    /// The modules that only tests compile.
    pub(super) tests: BTreeSet<String>,
    /// All paths in the sources of all modules.
    pub(super) written: Vec<Written>,
}

impl Sources {
    /// Reads all sources in a folder. `module` is the path of the folder's module.
    pub(super) fn read_folder(&mut self, folder: &Path, module: &mut Vec<String>) {
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

    /// Reads the item that begins at a token. Returns the index of the first token after the item.
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

    /// Skips an item that only tests compile, with its other attributes. Returns the index of the first token after it.
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

    /// Finds the module that declares the target of a path. Returns `None` if the path leads out of the crate or does
    /// not begin with a module.
    pub(super) fn resolve(&self, module: &[String], segments: &[String], depth: usize) -> Option<Found> {
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
                    // The path of an import such as `use round::round` begins with the imported name itself. Following
                    // it would not end, so the name is then taken as the module.
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

    /// Follows the segments `rest` of a path from the module `at` on, through re-exports.
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

    /// Finds the file that contains a module. Returns the path of the module that is the whole file, such as `a::b`.
    /// Returns an empty text if no file contains the module.
    pub(super) fn file_of(&self, module: &[String]) -> String {
        self.files.get(module).map_or(String::new(), |file| file.join("::"))
    }
}

/// A source file and the path of its module.
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
