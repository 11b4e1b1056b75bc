//! Collects what is wrong with a rule file, and finds the name that was probably meant.

use crate::source::{Problem, Severity, Source, Span};

/// Problems found so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    problems: Vec<Problem>,
    errors: usize,
}

impl Report {
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
    pub fn absorb(&mut self, other: Report, note: Option<&str>) {
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

    /// The problems by place, each with its file's name and its line.
    pub fn finish(mut self, sources: &[Source]) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| (problem.span, problem.code));
        self.problems.dedup_by(|a, b| a.span == b.span && a.code == b.code && a.message == b.message);
        for problem in &mut self.problems {
            if let Some(source) = sources.get(problem.span.file as usize) {
                problem.file.clone_from(&source.name);
                let line = source.text.lines().nth(problem.span.line.saturating_sub(1) as usize);
                problem.excerpt = line.unwrap_or_default().to_owned();
            }
        }
        self.problems
    }
}

/// The candidate that was probably meant: few letters apart.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (word.chars().count() / 3).clamp(1, 3);
    let ranked = candidates.into_iter().map(|candidate| (distance(word, candidate), candidate));
    ranked.filter(|&(apart, _)| apart <= allowed).min_by_key(|&(apart, _)| apart).map(|(_, candidate)| candidate)
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

/// Letters to change, add, leave out or swap to get from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(40).collect(), b.chars().take(40).collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            next[j] = changed.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[j] = next[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_far_ones_are_not() {
        assert_eq!(nearest("cust", ["cuts", "missed"]), Some("cuts"));
        assert_eq!(nearest("doublte", ["doublet", "total"]), Some("doublet"));
        assert_eq!(nearest("xyz", ["cuts", "missed"]), None);
    }
}
