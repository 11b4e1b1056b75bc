//! The means to declare the rule language: maps with keys, and the forms of values. [`crate::document`] declares each
//! key and word once, with its type. The parser, its messages, the JSON Schema, the merge of variants and the flat text
//! all follow from these declarations.

mod forms;
mod lists;
pub(crate) mod macros;
mod messages;
mod parsed_forms;
mod values;

pub(crate) use forms::{
    Clause, FileName, Id, LanguageTag, Name, OnePlace, Paint, PathForm, PlaceName, TextForm, TextValue, Version,
    name_pattern,
};
pub(crate) use lists::{Lines, List, Named, Names, PlacesOrLines, Several, parse_keys};
pub(crate) use macros::shape;
pub(crate) use messages::number_within;
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
    /// Its name in messages: `a line of landing`.
    pub(crate) name: &'static str,
    /// A description for the JSON Schema and for help texts.
    pub(crate) doc: &'static str,
    pub(crate) keys: &'static [Key],
    /// Keys that only variants may have. The document does not keep them.
    pub(crate) variant_keys: &'static [Key],
    /// Groups of keys that exclude each other: a file has all keys of exactly one group. With an empty group the file
    /// may have none of them.
    pub(crate) one_of: &'static [&'static [&'static str]],
    /// The key with the id of a line.
    pub(crate) id: Option<&'static str>,
    /// Maximum number of lines of a table.
    pub(crate) most: usize,
}

/// A key of a map.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) form: Form,
    /// A description for the JSON Schema and for help texts.
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
    /// A map with free names as keys, and the largest number of them.
    Names(&'static TextForm, &'static Form, usize),
    /// A list of lines; lines with an id can be replaced by variants.
    Lines(&'static Shape),
    /// A list of single values, or lines with such a list each.
    ListOrLines(&'static Form, &'static Shape),
    /// A scalar whose form depends on other keys, such as the default of a table option.
    Undecided,
}

/// How many items a list has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count {
    pub(crate) least: usize,
    pub(crate) most: usize,
}

/// Maximum number of items in a list, unless the declaration of the list has a smaller number.
pub(crate) const MOST_ITEMS: usize = 128;

/// A way to write a value, with the type that it is parsed to.
pub(crate) trait Value {
    /// The type that the document keeps.
    type Output;
    /// The description for messages, schema and variants.
    const FORM: Form;
    /// Parses the value of the key `name`; `None` after an error, which is reported.
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
