//! The means to declare the rule language: maps with keys, and the forms of values. [`crate::document`] declares each
//! key and word once, with its type. The parser, its messages, the JSON Schema, the merge of variants and the normal
//! form of rule sets all follow from these declarations.

mod forms;
mod lists;
pub(crate) mod macros;
mod messages;
mod parsed_forms;
mod readable;
mod values;

pub(crate) use forms::{
    Clause, FileName, Id, LanguageTag, Name, OnePlace, Paint, PathForm, PlaceName, SourceText, TextForm, TextValue,
    ThrowName, ValueName, Version, name_pattern,
};
pub(crate) use lists::{AllLines, Different, Lines, List, Named, Names, PlacesOrLines, Several, parse_keys};
pub(crate) use macros::shape;
pub(crate) use messages::{number_within, quoted};
pub(crate) use parsed_forms::{GridForm, RangeForm, two_digits, up_to};
pub use readable::is_control;
pub(crate) use values::{
    EffectForm, Flag, GoalForm, MOST_TEXT, NameSetting, Prose, Truth, Undecided, Whole, WordOrForm, WordOrOption,
    WordValue, Words,
};
pub use values::{Setting, WordOr};

use crate::source::{Report, Span, Text};
use crate::yaml::tree::Tree;

/// A map with fixed keys.
#[derive(Debug)]
pub(crate) struct MapShape {
    /// The name of the map in messages, such as `a line of landing`.
    pub(crate) name: &'static str,
    /// A description for the JSON Schema and for help texts.
    pub(crate) doc: &'static str,
    pub(crate) keys: &'static [MapKey],
    /// Keys that only variants may have. They say how files are merged, and the parsed document has no fields for them.
    pub(crate) variant_keys: &'static [MapKey],
    /// Groups of keys that exclude each other: a file has all keys of exactly one group. If one group is empty, the
    /// file may also have none of these keys.
    pub(crate) one_of: &'static [&'static [&'static str]],
    /// If the map is a line of a table: the key whose value is the id of the line.
    pub(crate) id: Option<&'static str>,
    /// If the map is a line of a table: the maximum number of lines.
    pub(crate) most: usize,
}

#[derive(Debug)]
pub(crate) struct MapKey {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) form: Form,
    /// A description for the JSON Schema and for help texts.
    pub(crate) doc: &'static str,
}

/// The ways in which a value can be written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    /// Free text for people, such as a title.
    Prose,
    /// A single value of a fixed form.
    Text(&'static TextForm),
    /// `yes` or `no`.
    Truth,
    Expression,
    /// A label, or an expression whose value is a place.
    Place,
    Effect,
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words, or `$option`. If the list is empty, any name may stand for the word.
    Setting(&'static [&'static str]),
    /// One of these words, or a value of this form.
    WordOr(&'static [&'static str], &'static Form),
    /// A whole number from the first bound to the second.
    Whole(i64, i64),
    /// A list. One item may stand without brackets.
    List(&'static Form, Count),
    /// A map with fixed keys.
    Map(&'static MapShape),
    /// A map whose keys are free names. The last number is the maximum number of names.
    Names(&'static TextForm, &'static Form, usize),
    /// A list of lines. Variants can replace lines that have an id.
    Lines(&'static MapShape),
    /// A list of single values, or a list of lines that each have such a list.
    ListOrLines(&'static Form, &'static MapShape),
    /// A scalar whose form depends on other keys, such as the default of a table option.
    Undecided,
}

/// The minimum and maximum number of items in a list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count {
    pub(crate) least: usize,
    pub(crate) most: usize,
}

/// Maximum number of items in a list, unless the declaration of the list has a smaller number.
pub(crate) const MOST_ITEMS: usize = 128;

/// A form of values, with the type that such a value is parsed to.
pub(crate) trait Value {
    /// The type of the parsed value.
    type Output;
    /// The description of the form. Messages, the JSON Schema and the merge of variants use it.
    const FORM: Form;
    /// Parses the value of the key `name`. Returns `None` after an error, which is then reported.
    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output>;
}

/// A value that stands for a wrong one, so that the rest of the file can be checked. It causes no problem by itself.
pub(crate) trait ErrorValue {
    /// Makes the value. `span` is that of the map in which it should stand.
    fn stand_in(span: Span) -> Self;
}

impl ErrorValue for Text {
    fn stand_in(span: Span) -> Self {
        Text { value: String::new(), span }
    }
}

impl<T> ErrorValue for Vec<T> {
    fn stand_in(_: Span) -> Self {
        Vec::new()
    }
}

/// Notes that a section is left out, and with it the names that it would have declared.
pub(crate) fn refuse_section(form: &Form, report: &mut Report) {
    if let Form::Lines(MapShape { id: Some("zone"), .. }) = form {
        return report.refuse_path();
    }
    let declares = |form: &Form| matches!(form, Form::Names(..) | Form::Lines(_));
    let has_names = match form {
        Form::Map(shape) => shape.keys.iter().any(|key| declares(&key.form)),
        form => declares(form),
    };
    if has_names { report.refuse_names() } else { report.refuse_part() }
}

impl MapShape {
    /// All keys of the map. Keys that only variants may have come last.
    pub(crate) fn all_keys(&self) -> impl Iterator<Item = &'static MapKey> + Clone {
        self.keys.iter().chain(self.variant_keys)
    }

    /// Finds the key with this name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static MapKey> {
        self.all_keys().find(|key| key.name == name)
    }
}
