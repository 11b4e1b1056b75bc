//! The rule language described once: the check of a file's structure, the JSON Schema and the key tables all read
//! the same description.

pub(crate) mod check;
pub(crate) mod form;
mod parts;
pub(crate) mod scalar;
mod schema;
mod sections;
mod tables;

pub use schema::schema;
pub(crate) use sections::FILE;

/// A map with known keys.
#[derive(Debug)]
pub(crate) struct Shape {
    /// As it is called in messages: `a line of landing`.
    pub(crate) name: &'static str,
    /// One sentence.
    pub(crate) doc: &'static str,
    pub(crate) keys: &'static [Key],
    /// Groups of keys of which exactly one group stands there, whole (an empty group: none may, too); no groups: no
    /// such choice.
    pub(crate) one_of: &'static [&'static [&'static str]],
    /// The key that names the line in its table.
    pub(crate) id: Option<&'static str>,
}

/// A key of a map.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) value: Value,
    /// One sentence.
    pub(crate) doc: &'static str,
}

/// The kinds of values.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    /// Words for people.
    Text,
    /// Several of them, or one.
    Texts,
    /// A single value of a fixed form.
    Form(Form),
    /// A list of them, or one.
    Forms(Form),
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words (any name where the list is empty), or `$option`.
    Setting(&'static [&'static str]),
    /// A whole number within bounds.
    Integer(i64, i64),
    /// A list of them.
    Integers(i64, i64),
    /// A list of expressions, or one.
    Expressions,
    /// A list of effects, or one.
    Effects,
    /// A map with known keys.
    Map(&'static Shape),
    /// A map with free names as keys, at most so many.
    Names(Form, &'static Value, usize),
    /// A list of lines, at most so many; lines with an id can be replaced by variants.
    Lines(&'static Shape, usize),
    /// A place list, or lines with one each.
    PlacesOrLines(&'static Shape),
    /// The default of a table option: what it may be depends on the option.
    Default,
}

/// Forms of single values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `yes` or `no`.
    Truth,
    /// Lower case, digits, `-`, `_`.
    Id,
    /// A name that expressions can use: lower case, digits, `_`.
    Name,
    /// A name or a path of a file.
    File,
    /// `1.0.0`.
    Version,
    /// `en`, `pt-BR`.
    Language,
    /// `19 x 19`.
    Grid,
    /// A CSS colour.
    Paint,
    /// `12`, `8r`, `home`.
    Label,
    /// A label, a range of labels, a zone or a tag.
    Places,
    /// `from 9,11 S6 E1`.
    Walk,
    /// Who stands there: `own`, `enemy pair`, `two friends`.
    Pattern,
    /// A condition or number.
    Expression,
    /// `section.id`.
    Path,
    /// `XY-47`.
    Clause,
}

/// Longest list of single values.
pub(crate) const MOST_ITEMS: usize = 128;

impl Shape {
    /// The key of that name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl Key {
    pub(crate) const fn required(name: &'static str, value: Value, doc: &'static str) -> Self {
        Self { name, required: true, value, doc }
    }

    pub(crate) const fn optional(name: &'static str, value: Value, doc: &'static str) -> Self {
        Self { name, required: false, value, doc }
    }
}
