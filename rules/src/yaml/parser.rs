//! The parser of YAML.
//!
//! Only this module uses the event parser of the YAML library. It reads events one by one, so that limits (bytes,
//! nesting, lengths of lists) stop a hostile file before memory grows. Anchors, aliases, tags, second documents and
//! duplicate keys are refused.

use std::collections::HashMap;

use serde_yaml::granit_parser::{self as yaml, ErrorKind, Event, Marker, Parser, ScalarStyle};

use crate::source::{MOST_BYTES, Report, Severity, Span};
use crate::yaml::position::{Escapes, positions};
use crate::yaml::tree::{Comment, Content, Entry, Scalar, Tree};
use crate::yaml::unreadable::{NotYaml, explain};

/// Deepest nesting of lists and maps.
const DEEPEST: usize = 16;
/// Maximum number of items in a list, and of keys in a map, while a file is read. The rule language allows fewer; it
/// checks its own limits later.
const MOST_IN_ONE: usize = 512;
/// Longest scalar for which the position of every character is stored. Longer scalars are texts for people, in which no
/// error has a position.
const LONGEST_PLACED: usize = 4096;

/// The kind of a file in messages, if it is a rule file.
const RULE_FILE: &str = "a rule file";

/// Parses a rule file as YAML. Returns `None` after an error, which is then reported.
pub(crate) fn parse(file: u16, report: &mut Report) -> Option<(Tree, Vec<Comment>)> {
    parse_called(RULE_FILE, file, report)
}

/// Parses a file as YAML. `called` is the kind of the file in messages, such as `a rule file`. Returns `None` after an
/// error, which is then reported.
pub(crate) fn parse_called(called: &'static str, file: u16, report: &mut Report) -> Option<(Tree, Vec<Comment>)> {
    let text = report.sources()[usize::from(file)].text.clone();
    let top = Span { file, line: 1, column: 1, width: 1 };
    if text.len() > MOST_BYTES {
        let message = format!("the file has {} bytes; {called} may have {MOST_BYTES}", text.len());
        report.error("file-too-large", top, message);
        return None;
    }
    let mut options = yaml::Options::default();
    options.max_buffered_comment_events = 4096;
    let mut reader =
        Reader { file, called, text: &text, report, comments: Vec::new(), open: Vec::new(), root: None, failed: false };
    for event in Parser::new_from_str_with_options(&text, options) {
        match event {
            Ok((event, span)) => reader.event(event, span),
            Err(error) => reader.scan_error(&error),
        }
        if reader.failed {
            return None;
        }
    }
    let Reader { root, comments, .. } = reader;
    match root {
        Some(root) if matches!(root.content, Content::Map(_)) => Some((root, comments)),
        root => {
            let span = root.map_or(top, |root| root.span);
            match called {
                RULE_FILE => {
                    let message = "a rule file is a map of sections, `rules:` the first";
                    report.error("not-a-rule-file", span, message);
                }
                _ => report.error("not-a-map", span, format!("{called} is a map of keys with values")),
            }
            None
        }
    }
}

struct Reader<'a> {
    file: u16,
    /// The kind of the file in messages.
    called: &'static str,
    text: &'a str,
    report: &'a mut Report,
    comments: Vec<Comment>,
    open: Vec<Open>,
    root: Option<Tree>,
    failed: bool,
}

/// A list or map whose end the parser has not reached yet.
struct Open {
    span: Span,
    last_line: u32,
    items: Vec<Tree>,
    /// The keys of a map that were read so far; `None` for a list. While the value of a key is read, there is one key
    /// more than items.
    keys: Option<Vec<(String, Span)>>,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, at: yaml::Span) {
        let span = self.span(at);
        match event {
            Event::Comment(text, _) => self.comment(&text, at.start),
            Event::Scalar(value, style, anchor, tag) => {
                self.refuse(anchor, tag.is_some(), span);
                let content = self.scalar(&value, style, at);
                self.close(Tree { content, span, last_line: last_line(at), clauses: Vec::new() });
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.refuse(anchor, tag.is_some(), span);
                self.open(span, None);
            }
            Event::MappingStart(_, anchor, tag) => {
                self.refuse(anchor, tag.is_some(), span);
                self.open(span, Some(Vec::new()));
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(at),
            Event::Alias(_) => {
                let message = format!("{} has no aliases", self.called);
                let help = match self.called {
                    RULE_FILE => "write the value out, or let a variant extend this file",
                    _ => "write the value out",
                };
                self.report.error_with_help("alias-refused", span, message, help);
                self.failed = true;
            }
            Event::DocumentStart(..) if self.root.is_some() => {
                let message = format!("{} is one YAML document; here a second one begins", self.called);
                self.report.error("second-document", span, message);
                self.failed = true;
            }
            _ => {}
        }
    }

    fn scan_error(&mut self, error: &yaml::ScanError) {
        let marker = error.marker();
        let span = self.span(yaml::Span::new(*marker, *marker));
        match error.kind() {
            ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabAtBlockScalarStart
            | ErrorKind::TabInIndentation => {
                let message = "a tab in the indentation";
                let help = "indent with spaces";
                self.report.error_with_help("tab", span, message, help);
            }
            ErrorKind::UnknownAnchor => {
                let message = format!("{} has no aliases", self.called);
                self.report.error("alias-refused", span, message);
            }
            ErrorKind::RecursionLimitExceeded => self.too_deep(span),
            _ => {
                let NotYaml { code, span, message, help } = explain(&error.info(), span, self.text);
                self.report.add(Severity::Error, code, span, message, help);
            }
        }
        self.failed = true;
    }

    fn too_deep(&mut self, span: Span) {
        let message = format!("lists and maps are nested deeper than {DEEPEST}");
        self.report.error("nested-too-deep", span, message);
        self.failed = true;
    }

    fn refuse(&mut self, anchor: usize, tag: bool, span: Span) {
        if anchor != 0 {
            let message = format!("{} has no anchors", self.called);
            self.report.error("anchor-refused", span, message);
        }
        if tag {
            let message = format!("{} has no tags such as `!name`", self.called);
            self.report.error("tag-refused", span, message);
        }
    }

    fn comment(&mut self, text: &str, start: Marker) {
        let before = start.byte_offset().and_then(|offset| {
            let head = self.text.get(..offset)?;
            head.rsplit('\n').next()
        });
        self.comments.push(Comment {
            line: number(start.line()),
            alone: before.is_some_and(|before| before.trim().is_empty()),
            text: text.to_owned(),
        });
    }

    fn scalar(&self, value: &str, style: ScalarStyle, at: yaml::Span) -> Content {
        if style == ScalarStyle::Plain && matches!(value, "" | "~" | "null") {
            return Content::Empty;
        }
        let raw = at.slice(self.text).unwrap_or_default();
        let (line, column) = (number(at.start.line()), number(at.start.col() + 1));
        let (start, raw, escapes) = match style {
            ScalarStyle::SingleQuoted => ((line, column + 1), unquoted(raw), Escapes::Quotes),
            ScalarStyle::DoubleQuoted => ((line, column + 1), unquoted(raw), Escapes::Backslashes),
            ScalarStyle::Plain => ((line, column), raw, Escapes::None),
            ScalarStyle::Literal | ScalarStyle::Folded => match raw.split_once('\n') {
                Some((head, rest)) if head.starts_with(['|', '>']) => ((line + 1, 1), rest, Escapes::None),
                _ => ((line, column), raw, Escapes::None),
            },
        };
        let is_exact = raw == value || value.len() > LONGEST_PLACED;
        let positions = if is_exact { Vec::new() } else { positions(value, raw, start, escapes) };
        Content::Scalar(Scalar { text: value.to_owned(), start, positions })
    }

    fn open(&mut self, span: Span, keys: Option<Vec<(String, Span)>>) {
        if self.open.len() >= DEEPEST {
            return self.too_deep(span);
        }
        self.open.push(Open { last_line: span.line, span, items: Vec::new(), keys });
    }

    fn end(&mut self, at: yaml::Span) {
        let Some(open) = self.open.pop() else { return };
        // The YAML library reports the end of a block where the next content begins. The span has to end with the last
        // value of the block.
        let closed = at.end.index() > at.start.index();
        let last_line = if closed { last_line(at) } else { open.last_line };
        let mut span = open.span;
        span.width = if closed && last_line == span.line {
            number(at.end.col() + 1).saturating_sub(span.column).max(1)
        } else {
            let first = open.keys.as_ref().and_then(|keys| keys.first());
            first.map_or(1, |(_, key_span)| key_span.width)
        };
        let content = match open.keys {
            None => Content::List(open.items),
            Some(keys) => Content::Map(self.entries(keys, open.items)),
        };
        self.close(Tree { content, span, last_line, clauses: Vec::new() });
    }

    /// Adds a finished value to the open list or map, as an item, key or value. If none is open, the value is the root.
    fn close(&mut self, tree: Tree) {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(tree);
            return;
        };
        if open.items.len() >= MOST_IN_ONE {
            let message = format!("a list or map has more than {MOST_IN_ONE} items");
            self.report.error("too-many-items", tree.span, message);
            self.failed = true;
            return;
        }
        open.last_line = open.last_line.max(tree.last_line);
        match &mut open.keys {
            Some(keys) if keys.len() == open.items.len() => {
                let key = match tree.content {
                    Content::Scalar(scalar) => scalar.text,
                    _ => {
                        let message = format!("a key is a word, this is {}", tree.what());
                        self.report.error("bad-key", tree.span, message);
                        String::new()
                    }
                };
                keys.push((key, tree.span));
            }
            _ => open.items.push(tree),
        }
    }

    fn entries(&mut self, keys: Vec<(String, Span)>, values: Vec<Tree>) -> Vec<Entry> {
        let mut first = HashMap::new();
        let mut entries = Vec::with_capacity(values.len());
        for ((key, key_span), value) in keys.into_iter().zip(values) {
            if key.is_empty() {
                continue;
            }
            if let Some(line) = first.get(&key) {
                let message = format!("the key `{key}` is given a second time");
                let help = format!("the first is in line {line}");
                self.report.error_with_help("duplicate-key", key_span, message, help);
                continue;
            }
            first.insert(key.clone(), key_span.line);
            entries.push(Entry { key, key_span, value });
        }
        entries
    }

    fn span(&self, at: yaml::Span) -> Span {
        let width = if at.end.line() == at.start.line() {
            number(at.end.col().saturating_sub(at.start.col())).max(1)
        } else {
            1
        };
        Span { file: self.file, line: number(at.start.line()).max(1), column: number(at.start.col() + 1), width }
    }
}

/// The line of the last character of a span. A span that ends in column 0 ends on the previous line.
fn last_line(at: yaml::Span) -> u32 {
    let line = number(at.end.line());
    if at.end.col() == 0 && at.end.line() > at.start.line() { line - 1 } else { line }
}

fn unquoted(raw: &str) -> &str {
    let inner = raw.get(1..raw.len().saturating_sub(1));
    inner.unwrap_or_default()
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
