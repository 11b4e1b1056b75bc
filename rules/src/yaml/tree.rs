//! A rule file as a tree of scalars, lists and maps with their spans, before it is parsed to a document.

use crate::source::Span;
use crate::yaml::position::Position;

/// A value with its span.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) content: Content,
    /// The span of the value, or of its first line if it has several.
    pub(crate) span: Span,
    /// The line on which the value ends.
    pub(crate) last_line: u32,
    /// The clause ids in the comments of the value (see [`crate::yaml::clauses`]).
    pub(crate) clauses: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// No value: nothing at all, `~` or `null`.
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

/// The text of a scalar after quotes, escapes and folded lines are resolved.
#[derive(Debug, Clone)]
pub(crate) struct Scalar {
    pub(crate) text: String,
    /// The position of the first character. An opening quote is not counted.
    pub(super) start: Position,
    /// The position of each character. Empty if all characters follow each other on one line.
    pub(super) positions: Vec<Position>,
}

impl Scalar {
    /// The span of the characters `from..to` of the text. `file` is the index of the scalar's file.
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
    /// The span from the key to the end of the value. If the value begins on another line, the span of the key alone.
    pub(crate) fn span(&self) -> Span {
        let (key, value) = (self.key_span, self.value.span);
        let end = value.column + value.width;
        let width = if value.line == key.line && end > key.column { end - key.column } else { key.width };
        Span { width, ..key }
    }
}

impl Tree {
    /// Finds the value of a key. A tree that is no map has no keys.
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

    /// The items of a list. Other content counts as a list of one item.
    pub(crate) fn one_or_more(&self) -> &[Tree] {
        match &self.content {
            Content::List(items) => items,
            _ => std::slice::from_ref(self),
        }
    }

    /// The text of a scalar. `None` for other content.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// Describes the content in messages.
    pub(crate) fn what(&self) -> &'static str {
        match self.content {
            Content::Empty => "nothing",
            Content::Scalar(_) => "a single value",
            Content::List(_) => "a list",
            Content::Map(_) => "a mapping",
        }
    }
}

/// A comment: its line, whether it stands alone on the line, and its text.
#[derive(Debug)]
pub(crate) struct Comment {
    pub(crate) line: u32,
    pub(crate) alone: bool,
    pub(crate) text: String,
}
