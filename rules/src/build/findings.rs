//! Collects the problems that building finds in a rule file. A problem that several tables share is reported once.

use crate::nearest::nearest;
use crate::source::{Problem, Report, Severity, Span};
use crate::texts::{Sentence, sentence};

/// Maximum number of problems that are stored. Further problems are only counted, which limits the report of a hostile
/// file.
const MOST: usize = 200;

/// The problems found so far, and the number of errors.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    problems: Vec<Problem>,
    errors: usize,
}

impl Findings {
    pub(super) fn error(&mut self, code: &'static str, span: Span, message: String, help: Option<String>) {
        self.errors += 1;
        self.add(Severity::Error, code, span, message, help);
    }

    pub(super) fn warning(&mut self, code: &'static str, span: Span, message: String, help: Option<String>) {
        self.add(Severity::Warning, code, span, message, help);
    }

    fn add(&mut self, severity: Severity, code: &'static str, span: Span, message: String, help: Option<String>) {
        if self.problems.len() >= MOST {
            return;
        }
        self.problems.push(Problem {
            severity,
            code,
            message,
            help,
            span,
            file: String::new(),
            excerpt: String::new(),
            excerpt_column: 1,
        });
    }

    /// The number of errors.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    /// Adds those problems of another report that are new. `note` names the options with which they occur, and is added
    /// to their messages.
    pub(super) fn absorb(&mut self, other: Findings, note: Option<&str>) {
        for mut problem in other.problems {
            if self.problems.len() >= MOST {
                self.errors += usize::from(problem.severity == Severity::Error);
                continue;
            }
            let known = self.problems.iter().any(|known| known.code == problem.code && known.span == problem.span);
            if !known {
                if let Some(note) = note {
                    problem.message = format!("{}, where {note}", problem.message);
                }
                self.errors += usize::from(problem.severity == Severity::Error);
                self.problems.push(problem);
            }
        }
    }

    /// The message of the first error.
    pub(super) fn first_error(&self) -> Option<&str> {
        let error = self.problems.iter().find(|problem| problem.severity == Severity::Error);
        error.map(|problem| problem.message.as_str())
    }

    /// Moves the problems to the report of the file.
    pub(super) fn pour(self, report: &mut Report) {
        for Problem { severity, code, span, message, help, .. } in self.problems {
            report.add(severity, code, span, message, help);
        }
    }
}

/// Help for an unknown word in a rule file: the nearest candidate, or a list of all candidates if they are few.
pub(crate) fn meant<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    match nearest(word, candidates.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None if candidates.is_empty() || candidates.len() > MOST_LISTED => None,
        None => Some(format!("one of: {}", candidates.join(", "))),
    }
}

/// Help for an unknown word in a request for a table, like [`meant`].
pub(super) fn meant_for_table<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Sentence> {
    let candidates: Vec<String> = candidates.into_iter().map(str::to_owned).collect();
    match nearest(word, candidates.iter().map(String::as_str)) {
        Some(near) => Some(sentence!("did you mean `{word}`?", word = near)),
        None if candidates.is_empty() || candidates.len() > MOST_LISTED => None,
        None => Some(sentence!("one of: {words}", words = candidates)),
    }
}

/// Maximum number of candidates that a help text lists.
const MOST_LISTED: usize = 16;
