//! Reads a rule file and the files that it extends into a [`Document`], and reports all problems at once.
//!
//! Each text becomes a tree of YAML values. The tree of a variant is laid over the tree of the file that it extends.
//! The result is parsed to the document.

mod extend;
mod flat;

use crate::document::Document;
use crate::language::Value;
use crate::ruleset::RuleFiles;
use crate::source::{Problem, Report, Severity, Source};

/// The result of reading a rule file.
#[derive(Debug)]
pub struct Reading {
    /// The document, with variants merged, without the parts that have errors in their structure. `None` if nothing of
    /// it can be checked further.
    pub document: Option<Document>,
    /// The rule set as one text that extends nothing, in normal form. Empty if there is no document.
    pub flattened: String,
    /// The files that were read, and the problems found so far.
    pub report: Report,
}

/// Reads a file and the files that it extends.
pub fn read(source: &Source, library: &dyn RuleFiles) -> Reading {
    let mut report = Report::default();
    let mut document = None;
    let mut flattened = String::new();
    if let Some((tree, extends)) = extend::load(source, library, &mut report) {
        let is_sound = report.problems().iter().all(is_harmless);
        document = Document::parse(&tree, "a rule file", &mut report).filter(|_| is_sound);
        if let Some(document) = &mut document {
            document.extends = extends;
            if !report.is_partial() {
                flattened = flat::flat(&tree);
            }
        }
    }
    Reading { document, flattened, report }
}

/// Whether the document can be checked further in spite of the problem.
fn is_harmless(problem: &Problem) -> bool {
    problem.severity == Severity::Warning
        || matches!(
            problem.code,
            "unknown-key"
                | "duplicate-key"
                | "anchor-refused"
                | "tag-refused"
                | "missing-key"
                | "only-in-variants"
                | "unknown-line"
        )
}
