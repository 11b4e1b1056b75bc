//! What building finds wrong with a rule file, told apart from what only some options bring about.

use crate::nearest::nearest;
use crate::source::{Problem, Report, Severity, Span};

/// More problems than this are counted, not kept: a hostile file cannot make a large answer.
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

    /// Takes over what another report has that this one has not; `note` says when it is so.
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

    /// The first error's message, for those who only need one.
    pub fn first_error(&self) -> Option<&str> {
        let error = self.problems.iter().find(|problem| problem.severity == Severity::Error);
        error.map(|problem| problem.message.as_str())
    }

    /// Hands over what was found.
    pub fn pour(self, report: &mut Report) {
        for Problem { severity, code, span, message, help, .. } in self.problems {
            report.add(severity, code, span, message, help);
        }
    }
}

/// "did you mean", or the list of what there is where nothing is near.
pub(crate) fn meant<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    match nearest(word, candidates.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None if candidates.is_empty() || candidates.len() > 16 => None,
        None => Some(format!("one of: {}", candidates.join(", "))),
    }
}
