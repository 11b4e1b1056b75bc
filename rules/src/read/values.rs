//! Typed values out of a checked tree. `None` means that the check has reported why it cannot be had.

use crate::document::{At, EffectText, Expr, Line, Setting, Text};
use crate::expr::{parse_effect, parse_expression};
use crate::language::scalar::normal_truth;
use crate::read::clauses;
use crate::read::tree::{Kind, Tree};

/// A key that may be missing: `Some(None)` then, `None` where its value cannot be read.
pub(crate) fn optional<T>(tree: &Tree, key: &str, read: impl FnOnce(&Tree) -> Option<T>) -> Option<Option<T>> {
    match tree.get(key) {
        None => Some(None),
        Some(value) => read(value).map(Some),
    }
}

/// A key that is required.
pub(crate) fn required<T>(tree: &Tree, key: &str, read: impl FnOnce(&Tree) -> Option<T>) -> Option<T> {
    tree.get(key).and_then(read)
}

pub(crate) fn text(tree: &Tree) -> Option<Text> {
    Some(At { value: tree.text()?.trim_end().to_owned(), span: tree.span })
}

/// The items of a list, or the one value that stands for a list of one.
pub(crate) fn one_or_more(tree: &Tree) -> &[Tree] {
    match &tree.kind {
        Kind::List(items) => items,
        _ => std::slice::from_ref(tree),
    }
}

pub(crate) fn each<T>(tree: &Tree, read: impl Fn(&Tree) -> Option<T>) -> Option<Vec<T>> {
    one_or_more(tree).iter().map(read).collect()
}

pub(crate) fn texts(tree: &Tree) -> Option<Vec<Text>> {
    each(tree, text)
}

pub(crate) fn integer<T: TryFrom<i64>>(tree: &Tree) -> Option<At<T>> {
    let number: i64 = tree.text()?.parse().ok()?;
    Some(At { value: T::try_from(number).ok()?, span: tree.span })
}

pub(crate) fn truth(tree: &Tree) -> Option<At<bool>> {
    let value = match normal_truth(tree.text()?) {
        "yes" => true,
        "no" => false,
        _ => return None,
    };
    Some(At { value, span: tree.span })
}

/// A truth value that is `no` where the key is missing.
pub(crate) fn flag(tree: &Tree, key: &str) -> Option<bool> {
    Some(optional(tree, key, truth)?.is_some_and(|truth| truth.value))
}

pub(crate) fn setting(tree: &Tree) -> Option<At<Setting>> {
    let text = tree.text()?;
    Some(At {
        value: match text.strip_prefix('$') {
            Some(option) => Setting::Option(option.to_owned()),
            None => Setting::Fixed(normal_truth(text).to_owned()),
        },
        span: tree.span,
    })
}

/// A setting, or the word that holds where nothing is written, placed at the map.
pub(crate) fn setting_or(tree: &Tree, key: &str, word: &str) -> Option<At<Setting>> {
    let written = optional(tree, key, setting)?;
    Some(written.unwrap_or_else(|| At { value: Setting::Fixed(word.to_owned()), span: tree.span }))
}

pub(crate) fn expression(tree: &Tree) -> Option<Expr> {
    let Kind::Scalar(scalar) = &tree.kind else {
        return None;
    };
    let place = |from, to| scalar.span(tree.span.file, from, to);
    parse_expression(&scalar.text, &place).ok()
}

pub(crate) fn effect(tree: &Tree) -> Option<EffectText> {
    let Kind::Scalar(scalar) = &tree.kind else {
        return None;
    };
    let place = |from, to| scalar.span(tree.span.file, from, to);
    parse_effect(&scalar.text, &place).ok()
}

/// What every line of a table has; `id` is the key that names it.
pub(crate) fn line(tree: &Tree, id: &str) -> Option<Line> {
    Some(Line {
        id: required(tree, id, text)?,
        when: optional(tree, "when", expression)?,
        clauses: clauses::all(tree),
        span: tree.span,
    })
}
