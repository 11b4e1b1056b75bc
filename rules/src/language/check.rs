//! The structure of a file against the description of the language: all problems at once.

use crate::expr::parse_effect;
use crate::language::scalar::{check_form, check_scalar, expected, quoted, syntax_error};
use crate::language::{Form, MOST_ITEMS, Shape, Value};
use crate::nearest::nearest;
use crate::read::tree::{Kind, Tree};
use crate::source::{Report, Span};

/// Checks a value; `name` is its key, for messages.
pub(crate) fn check(tree: &Tree, value: &Value, name: &str, report: &mut Report) {
    if matches!(tree.kind, Kind::Empty) {
        let message = format!("`{name}` has no value");
        report.error_with_help("empty-value", tree.span, message, expected(value));
        return;
    }
    match *value {
        Value::Text | Value::Form(_) | Value::Word(_) | Value::Setting(_) | Value::Default | Value::Integer(..) => {
            match &tree.kind {
                Kind::Scalar(scalar) => check_scalar(scalar, tree.span, value, report),
                _ => wrong_type(tree, value, name, report),
            }
        }
        Value::Texts => check_list(tree, &Value::Text, value, name, report),
        Value::Forms(form) => check_list(tree, &Value::Form(form), value, name, report),
        Value::Integers(from, to) => {
            check_list(tree, &Value::Integer(from, to), value, name, report);
        }
        Value::Expressions => {
            check_list(tree, &Value::Form(Form::Expression), value, name, report);
        }
        Value::Effects => check_effects(tree, name, report),
        Value::Map(shape) => match &tree.kind {
            Kind::Map(_) => check_map(tree, shape, report),
            _ => wrong_type(tree, value, name, report),
        },
        Value::Names(form, inner, most) => check_names(tree, form, inner, most, name, report),
        Value::Lines(shape, most) => match &tree.kind {
            Kind::List(lines) => check_lines(lines, shape, most, tree.span, report),
            _ => wrong_type(tree, value, name, report),
        },
        Value::PlacesOrLines(shape) => {
            let has_lines = tree.items().iter().any(|item| !item.entries().is_empty());
            if has_lines {
                check_lines(tree.items(), shape, MOST_ITEMS, tree.span, report);
            } else {
                check(tree, &Value::Forms(Form::Places), name, report);
            }
        }
    }
}

fn wrong_type(tree: &Tree, value: &Value, name: &str, report: &mut Report) {
    let message = format!("`{name}` is {}, this is {}", expected(value), tree.what());
    report.error("wrong-type", tree.span, message);
}

fn check_list(tree: &Tree, item: &Value, whole: &Value, name: &str, report: &mut Report) {
    match &tree.kind {
        Kind::List(items) => {
            if items.len() > MOST_ITEMS {
                let message = format!("`{name}` has {} items, at most {MOST_ITEMS}", items.len());
                report.error("too-many-items", tree.span, message);
            }
            for one in items.iter().take(MOST_ITEMS) {
                check(one, item, name, report);
            }
        }
        Kind::Scalar(_) => check(tree, item, name, report),
        _ => wrong_type(tree, whole, name, report),
    }
}

fn check_effects(tree: &Tree, name: &str, report: &mut Report) {
    let items = match &tree.kind {
        Kind::List(items) => items.as_slice(),
        _ => std::slice::from_ref(tree),
    };
    if items.len() > MOST_EFFECTS {
        let message = format!("`{name}` has {} effects, at most {MOST_EFFECTS}", items.len());
        report.error("too-many-items", tree.span, message);
    }
    for item in items.iter().take(MOST_EFFECTS) {
        match &item.kind {
            Kind::Scalar(scalar) => {
                let place = |from, to| scalar.span(item.span.file, from, to);
                if let Err(error) = parse_effect(&scalar.text, &place) {
                    syntax_error(error, report);
                }
            }
            _ => wrong_type(item, &Value::Effects, name, report),
        }
    }
}

/// Most effects of one line.
const MOST_EFFECTS: usize = 16;

fn check_names(tree: &Tree, form: Form, inner: &Value, most: usize, name: &str, report: &mut Report) {
    let Kind::Map(entries) = &tree.kind else {
        let message = format!("`{name}` is names with values, this is {}", tree.what());
        report.error("wrong-type", tree.span, message);
        return;
    };
    if entries.len() > most {
        let message = format!("`{name}` has {} names, at most {most}", entries.len());
        report.error("too-many-lines", tree.span, message);
    }
    for entry in entries.iter().take(most) {
        check_form(form, &entry.key, None, entry.key_span, report);
        check(&entry.value, inner, &entry.key, report);
    }
}

fn check_lines(lines: &[Tree], shape: &Shape, most: usize, span: Span, report: &mut Report) {
    if lines.len() > most {
        let message = format!("{} lines, at most {most}", lines.len());
        report.error("too-many-lines", span, message);
    }
    let mut seen = std::collections::HashMap::new();
    for line in lines.iter().take(most) {
        if !matches!(line.kind, Kind::Map(_)) {
            let message = format!("{} is keys with values, this is {}", shape.name, line.what());
            report.error("wrong-type", line.span, message);
            continue;
        }
        check_map(line, shape, report);
        let Some(id) = shape.id.and_then(|key| line.get(key)) else {
            continue;
        };
        let Some(text) = id.text() else { continue };
        if let Some(first) = seen.insert(text.to_owned(), id.span.line) {
            let message = format!("`{text}` names a second line");
            let help = format!("the first is in line {first}");
            report.error_with_help("duplicate-id", id.span, message, help);
        }
    }
}

/// Checks a map that has a shape: unknown keys, missing keys, each value.
pub(crate) fn check_map(tree: &Tree, shape: &Shape, report: &mut Report) {
    for entry in tree.entries() {
        match shape.key(&entry.key) {
            Some(key) => check(&entry.value, &key.value, key.name, report),
            None => unknown_key(&entry.key, entry.key_span, shape, report),
        }
    }
    for key in shape.keys {
        if key.required && tree.get(key.name).is_none() {
            let message = format!("{} lacks `{}`", shape.name, key.name);
            report.error_with_help("missing-key", tree.span, message, key.doc);
        }
    }
    check_choice(tree, shape, report);
}

/// Exactly one of the groups, whole.
fn check_choice(tree: &Tree, shape: &Shape, report: &mut Report) {
    if shape.one_of.is_empty() {
        return;
    }
    let begun: Vec<_> = shape.one_of.iter().filter(|group| group.iter().any(|key| tree.get(key).is_some())).collect();
    let groups = || {
        let groups = shape.one_of.iter().map(|group| quoted(group, " and "));
        groups.collect::<Vec<_>>().join(", or ")
    };
    match begun.as_slice() {
        [] if shape.one_of.contains(&[].as_slice()) => {}
        [] => {
            let message = format!("{} lacks {}", shape.name, groups());
            report.error("missing-key", tree.span, message);
        }
        [group] => {
            for key in group.iter().filter(|key| tree.get(key).is_none()) {
                let message = format!("{} lacks `{key}`", shape.name);
                report.error("missing-key", tree.span, message);
            }
        }
        [first, second, ..] => {
            let message =
                format!("{} has {} or {}, not both", shape.name, quoted(first, " and "), quoted(second, " and "));
            report.error("keys-exclude-each-other", tree.span, message);
        }
    }
}

fn unknown_key(key: &str, span: Span, shape: &Shape, report: &mut Report) {
    let message = format!("{} has no key `{key}`", shape.name);
    let help = if key.contains(['(', ')', '[', ']', '=', ' ']) {
        "an expression with commas or square brackets stands in quotes inside `{ }`".to_owned()
    } else {
        let names = shape.keys.iter().map(|key| key.name);
        match nearest(key, names.clone()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("its keys are {}", names.collect::<Vec<_>>().join(", ")),
        }
    };
    report.error_with_help("unknown-key", span, message, help);
}
