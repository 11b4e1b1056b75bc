//! A rule file as a tree of scalars, lists and maps with their spans, none of them parsed yet.

use crate::source::Span;
use crate::yaml::position::Position;

/// A value with its span.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) content: Content,
    /// The span of the value, or of its part on the first line.
    pub(crate) span: Span,
    /// The line of its last character.
    pub(crate) last_line: u32,
    /// Clauses named in comments on its line (see [`crate::yaml::clauses`]).
    pub(crate) clauses: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// Nothing, `~` or `null`.
    Empty,
    Scalar(Scalar),
    List(Vec<Tree>),
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) value: Tree,
}

/// The text of a scalar, without quotes, escapes and folded lines.
#[derive(Debug, Clone)]
pub(crate) struct Scalar {
    pub(crate) text: String,
    /// The position of the first character, after an opening quote.
    pub(super) start: Position,
    /// The position of each character; empty where the characters follow each other on one line.
    pub(super) positions: Vec<Position>,
}

impl Scalar {
    /// The span of the characters `from..to` of the text; `file` is the file of the scalar.
    pub(crate) fn span(&self, file: u16, from: usize, to: usize) -> Span {
        let position = |index: usize| match self.positions.as_slice() {
            [] => (self.start.0, self.start.1 + u32::try_from(index).unwrap_or(0)),
            positions => positions[index.min(positions.len() - 1)],
        };
        let (line, column) = position(from);
        let (last_line, last_column) = position(to.saturating_sub(1));
        let width = if to > from && last_line == line && last_column >= column { last_column - column + 1 } else { 1 };
        Span { file, line, column, width }
    }
}

impl Entry {
    /// The span from the key to the end of the value, or of the key alone where the value is on other lines.
    pub(crate) fn span(&self) -> Span {
        let (key, value) = (self.key_span, self.value.span);
        let end = value.column + value.width;
        let width = if value.line == key.line && end > key.column { end - key.column } else { key.width };
        Span { width, ..key }
    }
}

impl Tree {
    /// The value of a key of a map.
    pub(crate) fn get(&self, key: &str) -> Option<&Tree> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// The entries of a map. Other content has none.
    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.content {
            Content::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list. Other content has none.
    pub(crate) fn items(&self) -> &[Tree] {
        match &self.content {
            Content::List(items) => items,
            _ => &[],
        }
    }

    /// The items of a list, or the one value that stands for a list of one.
    pub(crate) fn one_or_more(&self) -> &[Tree] {
        match &self.content {
            Content::List(items) => items,
            _ => std::slice::from_ref(self),
        }
    }

    /// The text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// A description of the content for messages.
    pub(crate) fn what(&self) -> &'static str {
        match self.content {
            Content::Empty => "nothing",
            Content::Scalar(_) => "a single value",
            Content::List(_) => "a list",
            Content::Map(_) => "a mapping",
        }
    }
}

/// A comment: its line, whether it stands alone there, its text.
#[derive(Debug)]
pub(crate) struct Comment {
    pub(crate) line: u32,
    pub(crate) alone: bool,
    pub(crate) text: String,
}
