//! The rule language. Each key and word of it is declared once, with the type that it becomes (see
//! [`crate::document`]): the parser, its messages, the JSON Schema, the laying over of variants and the flat text
//! follow from the declaration.

mod forms;
mod lists;
pub(crate) mod macros;
mod messages;
mod parsed_forms;
mod values;

pub(crate) use forms::{
    Clause, FileName, Id, Label, LanguageTag, Name, Paint, PathForm, PlaceName, TextForm, TextValue, Version,
    name_pattern,
};
pub(crate) use lists::{Lines, List, Named, Names, PlacesOrLines, parse_keys};
pub(crate) use macros::shape;
pub(crate) use parsed_forms::{GridForm, RangeForm, two_digits, up_to};
pub use values::Setting;
pub(crate) use values::{
    Effect, Flag, MOST_TEXT, NameSetting, Prose, Truth, Undecided, Whole, WordOrOption, WordValue,
};

use crate::source::Report;
use crate::yaml::tree::Tree;

/// A map with known keys.
#[derive(Debug)]
pub(crate) struct Shape {
    /// As it is called in messages: `a line of landing`.
    pub(crate) name: &'static str,
    /// One sentence.
    pub(crate) doc: &'static str,
    pub(crate) keys: &'static [Key],
    /// Keys of variants only, which the document does not keep.
    pub(crate) variant_keys: &'static [Key],
    /// Groups of keys of which exactly one group is given, complete; an empty group allows that none is given. Without
    /// groups there is no such choice.
    pub(crate) one_of: &'static [&'static [&'static str]],
    /// The key that names a line in its table.
    pub(crate) id: Option<&'static str>,
    /// Most lines of such a table.
    pub(crate) most: usize,
}

/// A key of a map.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) form: Form,
    /// One sentence.
    pub(crate) doc: &'static str,
}

/// How a value is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    /// Text for people.
    Prose,
    /// A single value of a fixed form.
    Text(&'static TextForm),
    /// `yes` or `no`.
    Truth,
    Expression,
    Effect,
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words (any name where the list is empty), or `$option`.
    Setting(&'static [&'static str]),
    /// A whole number within bounds.
    Whole(i64, i64),
    /// A list, or one item alone.
    List(&'static Form, Count),
    /// A map with known keys.
    Map(&'static Shape),
    /// A map with free names as keys, at most so many.
    Names(&'static TextForm, &'static Form, usize),
    /// A list of lines; lines with an id can be replaced by variants.
    Lines(&'static Shape),
    /// A list of single values, or lines with such a list each.
    ListOrLines(&'static Form, &'static Shape),
    /// A scalar whose form depends on its neighbours: the default of a table option.
    Undecided,
}

/// How many items a list has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count {
    pub(crate) least: usize,
    pub(crate) most: usize,
}

/// Most items of a list, where its declaration names no smaller number.
pub(crate) const MOST_ITEMS: usize = 128;

/// A way to write a value, with the type that it is parsed to.
pub(crate) trait Value {
    /// The type that the document keeps.
    type Output;
    /// The description for messages, schema and variants.
    const FORM: Form;
    /// Parses the value of the key `name`; `None` where it has none, with the reason reported.
    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output>;
}

impl Shape {
    /// All keys, those of variants last.
    pub(crate) fn all_keys(&self) -> impl Iterator<Item = &'static Key> + Clone {
        self.keys.iter().chain(self.variant_keys)
    }

    /// The key of that name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.all_keys().find(|key| key.name == name)
    }
}
