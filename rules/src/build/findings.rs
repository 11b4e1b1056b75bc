//! Collects the problems that building finds in a rule file. A problem that several tables share is reported once.

use crate::nearest::nearest;
use crate::source::{Problem, Report, Severity, Span};
use crate::texts::{Sentence, sentence};

/// Maximum number of problems that are stored. Further problems are only counted, which limits the report of a hostile
/// file.
const MOST_PROBLEMS: usize = 200;

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
        if self.problems.len() >= MOST_PROBLEMS {
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

    /// Whether a problem with this code was found at this span.
    pub(super) fn has(&self, code: &str, span: Span) -> bool {
        self.problems.iter().any(|problem| problem.code == code && problem.span == span)
    }

    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    /// Adds those problems of another report that are new. `note` names the options with which they occur, and is added
    /// to their messages.
    pub(super) fn absorb(&mut self, other: Findings, note: Option<&str>) {
        for mut problem in other.problems {
            if self.problems.len() >= MOST_PROBLEMS {
                self.errors += usize::from(problem.severity == Severity::Error);
                continue;
            }
            let is_listed =
                self.problems.iter().any(|listed| listed.code == problem.code && listed.span == problem.span);
            if !is_listed {
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

    /// Moves the problems to the report of the file. An unknown name is reported once, however often it stands in the
    /// file.
    pub(super) fn pour(mut self, report: &mut Report) {
        self.problems.sort_by_key(|problem| problem.span);
        let mut told: Vec<(Problem, Vec<u32>)> = Vec::new();
        for problem in self.problems {
            let is_again = |(first, _): &&mut (Problem, Vec<u32>)| {
                (first.code, named(&first.message), first.span.file)
                    == (problem.code, named(&problem.message), problem.span.file)
            };
            match told.iter_mut().find(is_again).filter(|_| NAMES.contains(&problem.code)) {
                Some((_, again)) => again.push(problem.span.line),
                None => told.push((problem, Vec::new())),
            }
        }
        for (Problem { severity, code, span, message, help, .. }, again) in told {
            report.add_unless_refused(severity, code, span, message + &places(span.line, again), help);
        }
    }
}

/// The name that a message is about: the last text in backticks.
fn named(message: &str) -> Option<&str> {
    message.rsplit('`').nth(1)
}

/// The codes of problems whose one cause is that a name is declared nowhere.
const NAMES: [&str; 4] = ["unknown-name", "unknown-label", "unknown-option", "unknown-seat"];
/// Maximum number of further lines that a message lists.
const MOST_LINES: usize = 5;

/// Says in which other lines the same problem stands.
fn places(first: u32, mut lines: Vec<u32>) -> String {
    lines.dedup();
    lines.retain(|line| *line != first);
    let listed: Vec<String> = lines.iter().take(MOST_LINES).map(u32::to_string).collect();
    match (lines.as_slice(), lines.len().saturating_sub(MOST_LINES)) {
        ([], _) => String::new(),
        ([line], _) => format!("; also in line {line}"),
        (_, 0) => format!("; also in the lines {}", listed.join(", ")),
        (_, more) => format!("; also in the lines {} and {more} more", listed.join(", ")),
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
