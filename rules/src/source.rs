//! The texts of rule files, spans in them, and the problems found in them.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

/// Largest YAML file, in bytes.
pub const MOST_BYTES: usize = 256 * 1024;

/// A span of a file: some characters on one line. Lines and columns count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, PartialOrd, Ord, Serialize)]
pub struct Span {
    /// The index of the file: 0 is the rule file itself, 1 and above are the files that it extends, in order.
    pub file: u16,
    /// The line, counted from 1.
    pub line: u32,
    /// The column of the first character, counted from 1.
    pub column: u32,
    /// The number of characters in the span, at least 1.
    pub width: u32,
}

/// A value of a rule file with its span.
#[derive(Debug, Clone, PartialEq)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// The span of the value in the file.
    pub span: Span,
}

/// Text with its span.
pub type Text = At<String>;

/// The text of a file, with the name of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name of the file in messages, such as `sets/village.yaml`.
    pub name: String,
    /// The content of the file.
    pub text: String,
}

/// The severity of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The rule set cannot be played.
    Error,
    /// The rule set can be played, but the file is probably not what its author meant.
    Warning,
}

/// A problem of a rule file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Error or warning.
    pub severity: Severity,
    /// The kind of the problem as a fixed word, such as `unknown-label`.
    pub code: &'static str,
    /// The message: lower case, no full stop, words of the file in backticks.
    pub message: String,
    /// Advice for the author, such as the right spelling. `None` if no correction is clear.
    pub help: Option<String>,
    /// The span in the file to which the problem belongs.
    pub span: Span,
    /// The name of the file to which `span` belongs.
    pub file: String,
    /// The text of the line on which `span` begins, or of a long line the part around the span, with `..` where it was
    /// cut.
    pub excerpt: String,
    /// The column at which `excerpt` begins, counted from 1.
    pub excerpt_column: u32,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// Prints the problem, and below it the line of the file with a mark under the span.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Span { line, column, .. } = self.span;
        writeln!(f, "{}[{}]: {}", self.severity, self.code, self.message)?;
        write!(f, "  --> {}:{line}:{column}", self.file)?;
        let before = column.saturating_sub(self.excerpt_column.max(1)) as usize;
        let length = self.excerpt.chars().count();
        if length > 0 {
            let number = line.to_string();
            let margin = " ".repeat(number.len());
            write!(f, "\n{number} | {}", self.excerpt)?;
            if before <= length {
                let width = (self.span.width as usize).clamp(1, (length - before).max(1));
                let (before, mark) = (" ".repeat(before), "^".repeat(width));
                write!(f, "\n{margin} | {before}{mark}")?;
            }
        }
        match &self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

/// Counts problems: returns the number of errors and the number of warnings.
pub fn counts(problems: &[Problem]) -> (usize, usize) {
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    let errors = problems.iter().filter(is_error).count();
    (errors, problems.len() - errors)
}

/// Collects the problems of a file and of the files that it extends.
#[derive(Debug, Default)]
pub struct Report {
    sources: Vec<Source>,
    problems: Vec<Problem>,
    refused: LeftOut,
}

/// What is left out of a file because of its errors, so that the rest can be checked.
#[derive(Debug, Default)]
struct LeftOut {
    /// Whether anything is left out.
    is_any: bool,
    /// The names whose declarations are left out.
    names: BTreeSet<String>,
    /// Whether declarations are left out whose names could not be read.
    any_name: bool,
    /// Whether zones are left out, whose labels could not be read.
    any_label: bool,
}

impl Report {
    /// Maximum number of errors in one report, and maximum number of warnings. Nobody reads more, and the bound limits
    /// the report of a hostile file.
    pub const MOST: usize = 100;

    /// Begins a report on these files.
    pub fn new(sources: Vec<Source>) -> Self {
        Self { sources, ..Self::default() }
    }

    /// Adds a file and returns its index for [`Span::file`].
    pub fn add_source(&mut self, source: Source) -> u16 {
        self.sources.push(source);
        u16::try_from(self.sources.len() - 1).expect("a chain of files is short")
    }

    /// The files of the report. [`Span::file`] is an index into them.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Adds an error.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.add(Severity::Error, code, span, message.into(), None);
    }

    /// Adds an error with help.
    pub fn error_with_help(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let help = Some(help.into());
        self.add(Severity::Error, code, span, message.into(), help);
    }

    /// Adds a warning.
    pub fn warning(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: Option<String>) {
        self.add(Severity::Warning, code, span, message.into(), help);
    }

    /// Adds a problem.
    pub fn add(&mut self, severity: Severity, code: &'static str, span: Span, message: String, help: Option<String>) {
        let alike = |problem: &&Problem| problem.severity == severity;
        if self.problems.iter().filter(alike).count() >= Self::MOST {
            return;
        }
        let source = self.sources.get(usize::from(span.file));
        let line = self.line(span);
        let (excerpt, excerpt_column) = excerpt(line, span);
        self.problems.push(Problem {
            severity,
            code,
            message: visible(&message, 400),
            // The bound of help texts is high enough for the longest one, which lists all effects.
            help: help.map(|help| visible(&help, 1000)),
            span,
            file: source.map(|source| source.name.clone()).unwrap_or_default(),
            excerpt,
            excerpt_column,
        });
    }

    /// Adds a problem, unless it only says that a name is unknown whose declaration was left out.
    pub(crate) fn add_unless_refused(
        &mut self,
        severity: Severity,
        code: &'static str,
        span: Span,
        message: String,
        help: Option<String>,
    ) {
        if !self.refused.causes(code, self.line(span), span) {
            self.add(severity, code, span, message, help);
        }
    }

    /// The text of the line on which a span begins.
    pub(crate) fn line(&self, span: Span) -> &str {
        let source = self.sources.get(usize::from(span.file));
        let line = source.and_then(|source| source.text.lines().nth(span.line.checked_sub(1)? as usize));
        line.unwrap_or_default().trim_end()
    }

    /// Notes that a part of a file is left out because of an error.
    pub(crate) fn refuse_part(&mut self) {
        self.refused.is_any = true;
    }

    /// Notes that the declaration of a name is left out. Later problems that the name is unknown are then not reported.
    pub fn refuse(&mut self, name: &str) {
        self.refused.is_any = true;
        self.refused.names.insert(name.to_owned());
    }

    /// Notes that declarations are left out, and that their names could not be read.
    pub(crate) fn refuse_names(&mut self) {
        self.refused.is_any = true;
        self.refused.any_name = true;
    }

    /// Notes that the path is left out. Later problems that a label, zone or tag is unknown are then not reported.
    pub(crate) fn refuse_path(&mut self) {
        self.refused.is_any = true;
        self.refused.any_label = true;
    }

    /// Whether a part of a file was left out.
    pub(crate) fn is_partial(&self) -> bool {
        self.refused.is_any
    }

    /// The problems found so far, in the order in which they were found.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether an error was found.
    pub fn has_errors(&self) -> bool {
        counts(&self.problems).0 > 0
    }

    /// Returns the files, and the problems sorted by file, line and column. Repeated problems are left out.
    pub fn finish(mut self) -> (Vec<Source>, Vec<Problem>) {
        self.problems.sort_by_key(|problem| (problem.span, problem.severity));
        self.problems.dedup();
        (self.sources, self.problems)
    }
}

impl LeftOut {
    /// Whether a problem only says that a name is unknown whose declaration was left out. `line` is the line of the
    /// text that `span` is in.
    fn causes(&self, code: &str, line: &str, span: Span) -> bool {
        let is_of_label = matches!(code, "unknown-label" | "unknown-text");
        self.any_label && is_of_label || code.starts_with("unknown-") && self.has(line, span)
    }

    /// Whether the text in a span of a line has a name whose declaration was left out.
    fn has(&self, line: &str, span: Span) -> bool {
        let marked = line.chars().skip(span.column.saturating_sub(1) as usize).take(span.width as usize);
        let marked: String = marked.collect();
        let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        self.any_name || marked.split(|c| !is_inner(c)).any(|word| self.names.contains(word))
    }
}

/// Longest excerpt of a line, in characters.
const EXCERPT: usize = 200;
/// The number of characters that a cut excerpt shows before the span.
const BEFORE: usize = 60;
/// The text that stands for the part of a line that was cut.
const CUT: &str = "..";

/// The part of a line that shows a span, and the column at which it begins.
fn excerpt(line: &str, span: Span) -> (String, u32) {
    let length = line.chars().count();
    if length <= EXCERPT {
        return (visible(line, EXCERPT), 1);
    }
    let at = (span.column.saturating_sub(1) as usize).min(length);
    // A span near the beginning of its line is shown with the beginning.
    let from = if at + BEFORE < EXCERPT { 0 } else { at - BEFORE };
    let shown: String = line.chars().skip(from).take(EXCERPT).collect();
    let mut text = visible(&shown, EXCERPT);
    if from > 0 {
        text = CUT.chars().chain(text.chars().skip(CUT.len())).collect();
    }
    if from + EXCERPT < length {
        text.push_str(CUT);
    }
    (text, from as u32 + 1)
}

/// Cuts a text to `most` characters and replaces control characters by spaces.
fn visible(text: &str, most: usize) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(most).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shown_where_the_problem_is() {
        for (before, after) in [(0, 300), (139, 300), (140, 300), (1000, 0), (1000, 1000)] {
            let text = format!("{}wrong{}", "a".repeat(before), "b".repeat(after));
            let mut report = Report::new(vec![Source { name: "a.yaml".into(), text }]);
            report.error("x", Span { file: 0, line: 1, column: before as u32 + 1, width: 5 }, "no");
            let told = report.finish().1[0].to_string();
            let lines: Vec<&str> = told.lines().collect();
            let mark = lines[3].find('^').unwrap();
            assert_eq!(&lines[2][mark..mark + 5], "wrong", "{told}");
            assert!(lines[2].len() < 210, "{told}");
            assert_eq!(lines[3].matches('^').count(), 5);
        }
    }

    #[test]
    fn a_problem_shows_its_line_with_a_mark_under_the_place() {
        let mut report = Report::new(vec![Source { name: "a.yaml".into(), text: "one: 1\n  two: x\n".into() }]);
        let span = Span { file: 0, line: 2, column: 3, width: 3 };
        report.error_with_help("unknown-key", span, "there is no `two`", "did you mean `to`?");
        let (_, problems) = report.finish();
        assert_eq!(
            problems[0].to_string(),
            "error[unknown-key]: there is no `two`\n  --> a.yaml:2:3\n2 |   two: x\n  |   ^^^\n  help: did you mean `to`?"
        );
        assert_eq!(counts(&problems), (1, 0));
    }
}
