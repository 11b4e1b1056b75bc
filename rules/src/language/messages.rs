//! Messages about values of a wrong form.

use std::fmt::Display;

use crate::expr::{SyntaxError, effect_forms};
use crate::language::{Form, MapKey, MapShape, TextForm};
use crate::nearest::nearest;
use crate::source::{Report, Severity, Span};
use crate::yaml::tree::Tree;

pub(super) fn empty_value(tree: &Tree, form: &Form, name: &str, report: &mut Report) {
    let expected = match report.line(tree.span).contains(" #") {
        true => format!("{}; what follows `#` is a comment, unless it stands in quotes", expected(form)),
        false => expected(form),
    };
    report.error_with_help("empty-value", tree.span, format!("`{name}` has no value"), expected);
}

pub(super) fn wrong_type(tree: &Tree, form: &Form, name: &str, report: &mut Report) {
    let message = format!("`{name}` is {}, this is {}", expected(form), tree.what());
    match (form, tree.entries()) {
        (Form::Lines(MapShape { id: Some(id), .. }), [first, ..]) => {
            let help =
                format!("each line begins with `-`, and its name stands in `{id}`: `- {{{id}: {}, ..}}`", first.key);
            report.error_with_help("wrong-type", tree.span, message, help);
        }
        _ => report.error("wrong-type", tree.span, message),
    }
}

pub(super) fn not_a_map(tree: &Tree, shape: &MapShape, report: &mut Report) {
    let message = format!("{} is a mapping of keys to values, and this is {}", shape.name, tree.what());
    report.error("wrong-type", tree.span, message);
}

pub(super) fn bad_form(form: &TextForm, text: &str, meant: Option<String>, span: Span, report: &mut Report) {
    let message = format!("`{text}` is not {}", form.described);
    let help = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if form.code == "bad-label" && text.contains("..") => "a range counts by its number: `h1..h4`".to_owned(),
        None => (form.example)(),
    };
    report.error_with_help(form.code, span, message, help);
}

/// Reports a text that is none of `words`. The help suggests a similar word; if there is none, it lists all words, with
/// `also` at the end of the list.
pub(super) fn bad_word(text: &str, span: Span, words: &[&str], also: &str, report: &mut Report) {
    let help = match nearest(text, words.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("one of {}{also}", quoted(words, ", ")),
    };
    report.error_with_help("unknown-word", span, format!("`{text}` is not a possible word here"), help);
}

pub(super) fn syntax_error(error: SyntaxError, report: &mut Report) {
    let SyntaxError { code, message, help, span } = error;
    report.add(Severity::Error, code, span, message, help);
}

pub(super) fn unknown_key(key: &str, span: Span, shape: &MapShape, report: &mut Report) {
    let message = format!("{} has no key `{key}`", shape.name);
    let help = if key.contains(['(', ')', '[', ']', '=', ' ']) {
        "an expression with commas or square brackets stands in quotes inside `{ }`".to_owned()
    } else {
        let names = shape.all_keys().map(|key| key.name);
        match meant_key(key, names.clone()) {
            Some(meant) if key.starts_with(&format!("{meant}:")) => {
                format!("a space stands after the colon: `{meant}: ..`")
            }
            Some(meant) => format!("did you mean `{meant}`?"),
            None => match section_of(key, shape) {
                Some(section) => format!("`{key}` is a key of `{section}`"),
                None => format!("its keys are {}", names.collect::<Vec<_>>().join(", ")),
            },
        }
    };
    report.error_with_help("unknown-key", span, message, help);
}

/// The key of a map whose value is a map that has this key.
fn section_of(key: &str, shape: &MapShape) -> Option<&'static str> {
    let has_it = |one: &&MapKey| matches!(one.form, Form::Map(section) if section.key(key).is_some());
    shape.keys.iter().find(has_it).map(|one| one.name)
}

/// Whether an unknown key of a map was probably meant to be this key.
fn is_misspelled(tree: &Tree, shape: &MapShape, key: &str) -> bool {
    let names = || shape.all_keys().map(|key| key.name);
    let unknown = tree.entries().iter().filter(|entry| shape.key(&entry.key).is_none());
    unknown.map(|entry| meant_key(&entry.key, names())).any(|meant| meant == Some(key))
}

/// The key that an unknown key probably stands for. In `id:six` the space after the colon is missing.
pub(super) fn meant_key<'k>(unknown: &str, names: impl Iterator<Item = &'k str> + Clone) -> Option<&'k str> {
    let small = unknown.to_lowercase();
    let before_colon = small.split_once(':').map_or(small.as_str(), |(key, _)| key);
    let alike = LIKE_KEYS.iter().find(|(other, key)| *other == before_colon && names.clone().any(|name| name == *key));
    let same = names.clone().find(|name| *name == before_colon);
    same.or_else(|| names.clone().find(|name| alike.is_some_and(|(_, key)| key == name)))
        .or_else(|| nearest(unknown, names))
}

/// Words that authors write for keys, each with the key.
const LIKE_KEYS: [(&str, &str); 4] = [("then", "do"), ("effect", "do"), ("if", "when"), ("condition", "when")];

/// Reports missing required keys. A key that is only misspelled is reported as an unknown key instead.
pub(super) fn missing_keys(tree: &Tree, shape: &MapShape, report: &mut Report) {
    let is_missing = |key: &str| tree.get(key).is_none() && !is_misspelled(tree, shape, key);
    for key in shape.keys.iter().filter(|key| key.required && is_missing(key.name)) {
        let message = format!("{} lacks `{}`", shape.name, key.name);
        let help = format!("{} It is {}.", key.doc, expected(&key.form));
        report.error_with_help("missing-key", tree.span, message, help);
    }
}

/// Checks that the map has all keys of exactly one group of [`MapShape::one_of`]. Reports an error if it has not.
pub(super) fn check_choice(tree: &Tree, shape: &MapShape, report: &mut Report) -> bool {
    if shape.one_of.is_empty() {
        return true;
    }
    let begun: Vec<_> = shape.one_of.iter().filter(|group| group.iter().any(|key| tree.get(key).is_some())).collect();
    match begun.as_slice() {
        [] if shape.one_of.contains(&[].as_slice()) => true,
        [] => {
            let groups: Vec<_> = shape.one_of.iter().map(|group| quoted(group, " and ")).collect();
            report.error("missing-key", tree.span, format!("{} lacks {}", shape.name, groups.join(", or ")));
            false
        }
        [group] => {
            let mut is_complete = true;
            for key in group.iter().filter(|key| tree.get(key).is_none()) {
                report.error("missing-key", tree.span, format!("{} lacks `{key}`", shape.name));
                is_complete = false;
            }
            is_complete
        }
        [first, second, ..] => {
            let message =
                format!("{} has {} or {}, not both", shape.name, quoted(first, " and "), quoted(second, " and "));
            report.error("keys-exclude-each-other", tree.span, message);
            false
        }
    }
}

/// Describes a range of numbers. All messages use it, so that they describe ranges in the same words.
pub(crate) fn number_within(from: impl Display, to: impl Display) -> String {
    format!("a number from {from} to {to}")
}

/// Describes a value of this form, for messages.
fn expected(form: &Form) -> String {
    match *form {
        Form::Prose => "a text".into(),
        Form::Text(text) => text.described.into(),
        Form::Truth => "`yes` or `no`".into(),
        Form::Expression => "an expression".into(),
        Form::Place => "a label or an expression".into(),
        Form::Effect => format!("an effect ({})", effect_forms()),
        Form::Word(words) => format!("one of {}", quoted(words, ", ")),
        Form::Setting([]) => "a name or `$option`".into(),
        Form::Setting(words) => format!("one of {} or `$option`", quoted(words, ", ")),
        Form::WordOr(words, other) => format!("{}, {}", quoted(words, ", "), expected(other)),
        Form::Whole(from, to) => number_within(from, to),
        Form::List(item, _) => match *item {
            Form::Prose => "a list of texts".into(),
            Form::Word(words) => format!("one or several of {}", quoted(words, ", ")),
            Form::Expression => "a list of expressions".into(),
            Form::Effect => format!("a list of effects ({})", effect_forms()),
            item => format!("a list, each {}", expected(&item)),
        },
        Form::Map(shape) => {
            let keys: Vec<_> = shape.all_keys().map(|key| key.name).collect();
            format!("a map with the keys {}", keys.join(", "))
        }
        Form::Names(..) => "names with values".into(),
        Form::Lines(_) => "a list of lines `- {..}`".into(),
        Form::ListOrLines(_, line) => {
            let keys: Vec<_> = line.all_keys().map(|key| format!("{}: ..", key.name)).collect();
            format!("a place list, or a list of lines `- {{{}}}`", keys.join(", "))
        }
        Form::Undecided => "a value of the kind declared".into(),
    }
}

/// Lists words, each in quotes, with `between` between two.
pub(crate) fn quoted(words: &[&str], between: &str) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(between)
}
