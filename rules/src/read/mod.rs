//! Reading: from the text of a rule file (and of what it extends) to the [`Document`] as written, with every
//! problem of its structure at once.

pub(crate) mod clauses;
mod extend;
mod flat;
mod parts;
mod place;
mod sections;
mod table_lines;
pub(crate) mod tree;
mod values;
mod yaml;

use crate::document::Document;
use crate::language::FILE;
use crate::language::check::check_map;
use crate::ruleset::Library;
use crate::source::{Report, Severity, Source};

/// What reading found.
#[derive(Debug)]
pub struct Reading {
    /// The file as written, variants laid over what they extend; `None` where it cannot be understood.
    pub document: Option<Document>,
    /// The rule set as one text that extends nothing, in one way of writing; empty without a document.
    pub flattened: String,
    /// The files that spans name, and the problems found so far.
    pub report: Report,
}

/// Reads a file and what it extends.
pub fn read(source: &Source, library: &dyn Library) -> Reading {
    let mut report = Report::default();
    let tree = extend::load(source, library, &mut report);
    let mut document = None;
    let mut flattened = String::new();
    if let Some((tree, extends)) = tree {
        check_map(&tree, &FILE, &mut report);
        if report.problems().iter().all(is_harmless) {
            flattened = flat::flat(&tree);
            document = sections::document(&tree, extends, &mut report);
        }
    }
    Reading { document, flattened, report }
}

/// Whether the rest of the file can be understood all the same.
fn is_harmless(problem: &crate::source::Problem) -> bool {
    problem.severity == Severity::Warning
        || matches!(problem.code, "unknown-key" | "duplicate-key" | "anchor-refused" | "tag-refused")
}
