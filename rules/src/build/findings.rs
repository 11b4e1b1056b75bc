//! The problems that building finds in a rule file, each told once for all options.

use crate::nearest::nearest;
use crate::source::{Problem, Report, Severity, Span};

/// Most problems that are kept; further ones are only counted, so that a hostile file cannot make a large answer.
const MOST: usize = 200;

/// Problems found so far.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    problems: Vec<Problem>,
    errors: usize,
}

impl Findings {
    /// Adds an error.
    pub fn error(&mut self, code: &'static str, span: Span, message: String, help: Option<String>) {
        self.errors += 1;
        self.add(Severity::Error, code, span, message, help);
    }

    /// Adds a warning.
    pub fn warning(&mut self, code: &'static str, span: Span, message: String, help: Option<String>) {
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
        });
    }

    /// How many errors were reported.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Adds the problems of another report that are not known yet; `note` names the options that bring them about.
    pub fn absorb(&mut self, other: Findings, note: Option<&str>) {
        for mut problem in other.problems {
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
    pub fn first_error(&self) -> Option<&str> {
        let error = self.problems.iter().find(|problem| problem.severity == Severity::Error);
        error.map(|problem| problem.message.as_str())
    }

    /// Moves the problems to the report of the file.
    pub fn pour(self, report: &mut Report) {
        for Problem { severity, code, span, message, help, .. } in self.problems {
            report.add(severity, code, span, message, help);
        }
    }
}

/// Help with the nearest candidate, or with the list of them where none is near.
pub(crate) fn meant<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    match nearest(word, candidates.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None if candidates.is_empty() || candidates.len() > 16 => None,
        None => Some(format!("one of: {}", candidates.join(", "))),
    }
}
