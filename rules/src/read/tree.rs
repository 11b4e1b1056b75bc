//! A rule file as a tree of places: scalars, lists and maps, none of them understood yet.

use crate::read::place::Place;
use crate::source::Span;

/// A value with its place.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) kind: Kind,
    /// From its first character; to its end where that is on the same line.
    pub(crate) span: Span,
    /// The line of its last character.
    pub(crate) last_line: u32,
    /// Clauses named in comments on its line (see [`crate::read::clauses`]).
    pub(crate) clauses: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
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

/// Text as it is after quotes, escapes and folding.
#[derive(Debug, Clone)]
pub(crate) struct Scalar {
    pub(crate) text: String,
    /// Where the text begins, inside quotes.
    pub(super) start: Place,
    /// Place of each character, where they do not simply follow each other.
    pub(super) places: Vec<Place>,
}

impl Scalar {
    /// The place of the characters `from..to` of the text (of the whole scalar's `file`).
    pub(crate) fn span(&self, file: u16, from: usize, to: usize) -> Span {
        let place = |index: usize| match self.places.as_slice() {
            [] => (self.start.0, self.start.1 + u32::try_from(index).unwrap_or(0)),
            places => places[index.min(places.len() - 1)],
        };
        let (line, column) = place(from);
        let (last_line, last_column) = place(to.saturating_sub(1));
        let width = if to > from && last_line == line && last_column >= column { last_column - column + 1 } else { 1 };
        Span { file, line, column, width }
    }
}

impl Tree {
    /// The value of a key of a map.
    pub(crate) fn get(&self, key: &str) -> Option<&Tree> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// The entries of a map; none of anything else.
    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.kind {
            Kind::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list; none of anything else.
    pub(crate) fn items(&self) -> &[Tree] {
        match &self.kind {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    /// The text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// What it is, for messages.
    pub(crate) fn what(&self) -> &'static str {
        match self.kind {
            Kind::Empty => "nothing",
            Kind::Scalar(_) => "a single value",
            Kind::List(_) => "a list",
            Kind::Map(_) => "keys with values",
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
