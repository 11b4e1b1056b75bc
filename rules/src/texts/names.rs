//! The names of a rule set that people read, each with its text.

use super::sections::sections;
use super::{ENGLISH, language};
use crate::document::Document;

/// The subject of a text. A translation has a section for each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// The title of the game.
    Title,
    /// A seat.
    Seat,
    /// The description of an option.
    Option,
    /// A value of an option.
    OptionValue,
    /// A question that a player answers during play.
    Choice,
    /// Another name: a counter, a mark, a place, a line, ..
    Name,
}

impl NameKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Title, Self::Seat, Self::Option, Self::OptionValue, Self::Choice, Self::Name];

    /// The section of a translation with the texts of this kind.
    pub fn section(self) -> &'static str {
        match self {
            Self::Title => "titles",
            Self::Seat => "seats",
            Self::Option => "options",
            Self::OptionValue => "values",
            Self::Choice => "choices",
            Self::Name => "names",
        }
    }
}

/// A name that a rule file defines, such as that of a seat, an option or a counter, with its text for people, if the
/// file gives it one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedText<'d> {
    /// `title`, or the section and name: `seats.NAME`, `options.NAME`, `options.NAME.VALUE`, `counters.seat.NAME`, ..
    pub path: String,
    /// The subject of the text.
    pub kind: NameKind,
    /// The text; `None` for a name that needs one and has none.
    pub text: Option<&'d str>,
}

/// Every name of a rule set that players see, and every other name with a text: the title, the options, the names in
/// the order of the sections of `texts`, the ranks.
///
/// Players see seats, options and their values, counters and marks that are not hidden, zones, tags with `for`, lines
/// of `spend`, choices and ranks.
pub fn names(document: &Document) -> Vec<NamedText<'_>> {
    let mut names = vec![NamedText::of("title".to_owned(), NameKind::Title, &document.title.value)];
    for option in &document.options {
        names.push(NamedText::of(format!("options.{}", option.name.value), NameKind::Option, &option.text.value));
    }
    for section in sections(document) {
        let text = |name: &str| section.called.iter().find(|(of, _)| of.value == name).map(|(_, text)| &*text.value);
        let path = |name: &str| format!("{}.{name}", section.path);
        for name in &section.needed {
            let text = text(name).or_else(|| usual(document, section.kind, name));
            names.push(NamedText { path: path(name), kind: section.kind, text });
        }
        for (name, text) in section.called {
            let is_other = section.others.as_ref().is_none_or(|others| others.contains(&name.value.as_str()));
            if is_other && !section.needed.contains(&name.value.as_str()) {
                names.push(NamedText::of(path(&name.value), section.kind, &text.value));
            }
        }
    }
    for (index, rank) in document.finish.ranks.iter().enumerate() {
        names.push(NamedText::of(format!("ranks.{}", index + 1), NameKind::Name, &rank.value));
    }
    names
}

/// The texts of `yes` and `no` in an English file that gives none.
fn usual(document: &Document, kind: NameKind, name: &str) -> Option<&'static str> {
    match name {
        "yes" if kind == NameKind::OptionValue && language(document) == ENGLISH => Some("Yes"),
        "no" if kind == NameKind::OptionValue && language(document) == ENGLISH => Some("No"),
        _ => None,
    }
}

impl<'d> NamedText<'d> {
    fn of(path: String, kind: NameKind, text: &'d str) -> Self {
        Self { path, kind, text: Some(text) }
    }
}
