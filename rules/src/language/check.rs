//! The structure of a file against the description of the language: all problems at once.

use crate::expr::{RESERVED, SyntaxError, parse_effect, parse_expression};
use crate::language::{Form, MOST_ITEMS, Shape, Value};
use crate::nearest::nearest;
use crate::read::tree::{Kind, Scalar, Tree};
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

fn check_scalar(scalar: &Scalar, span: Span, value: &Value, report: &mut Report) {
    let text = scalar.text.as_str();
    match *value {
        Value::Text => {
            if text.chars().count() > MOST_TEXT {
                let message = format!("a text has at most {MOST_TEXT} characters");
                report.error("text-too-long", span, message);
            }
        }
        Value::Form(form) => check_form(form, text, Some(scalar), span, report),
        Value::Word(words) => {
            if !words.contains(&text) {
                bad_word(text, span, words, "", report);
            }
        }
        Value::Setting(words) => {
            if let Some(option) = text.strip_prefix('$') {
                check_form(Form::Name, option, None, span, report);
            } else if words.is_empty() {
                check_form(Form::Name, text, None, span, report);
            } else if !words.contains(&normal_truth(text)) {
                bad_word(text, span, words, " or `$option`", report);
            }
        }
        Value::Integer(from, to) => match text.parse::<i64>() {
            Ok(number) if (from..=to).contains(&number) => {}
            Ok(number) => {
                let message = format!("{number} is not within {from} to {to}");
                report.error("out-of-range", span, message);
            }
            Err(_) => {
                let message = format!("`{text}` is no whole number");
                let help = format!("a number from {from} to {to}");
                report.error_with_help("not-a-number", span, message, help);
            }
        },
        // Checked with the option or counter that it belongs to.
        _ => {}
    }
}

/// Longest text for people.
const MOST_TEXT: usize = 2000;

/// `true` and `false` as the language writes them.
pub(crate) fn normal_truth(text: &str) -> &str {
    match text {
        "true" => "yes",
        "false" => "no",
        other => other,
    }
}

fn bad_word(text: &str, span: Span, words: &[&str], also: &str, report: &mut Report) {
    let help = match nearest(text, words.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("it is {}{also}", quoted(words, ", ")),
    };
    report.error_with_help("unknown-word", span, format!("`{text}` is not known here"), help);
}

fn check_form(form: Form, text: &str, scalar: Option<&Scalar>, span: Span, report: &mut Report) {
    if form == Form::Expression {
        let Some(scalar) = scalar else { return };
        let place = |from, to| scalar.span(span.file, from, to);
        if let Err(error) = parse_expression(text, &place) {
            syntax_error(error, report);
        }
    } else if !form.fits(text) {
        let message = format!("`{text}` is not {}", form.describe());
        report.error_with_help(form.code(), span, message, form.example());
    } else if form == Form::Name && RESERVED.contains(&text) {
        let message = format!("`{text}` is a word of expressions and cannot be a name");
        report.error("reserved-name", span, message);
    }
}

fn syntax_error(error: SyntaxError, report: &mut Report) {
    let SyntaxError { code, message, help, span } = error;
    report.add(crate::source::Severity::Error, code, span, message, help);
}

/// What a value should be, in words.
fn expected(value: &Value) -> String {
    match value {
        Value::Text => "a text".into(),
        Value::Texts => "a list of texts".into(),
        Value::Form(form) => form.describe().into(),
        Value::Forms(form) => format!("a list, each {}", form.describe()),
        Value::Word(words) => format!("one of {}", quoted(words, ", ")),
        Value::Setting([]) => "a name or `$option`".into(),
        Value::Setting(words) => format!("one of {} or `$option`", quoted(words, ", ")),
        Value::Integer(from, to) => format!("a number from {from} to {to}"),
        Value::Integers(from, to) => format!("a list of numbers from {from} to {to}"),
        Value::Expressions => "a list of expressions".into(),
        Value::Effects => format!("a list of effects: {}", crate::expr::FORMS),
        Value::Map(shape) => {
            let keys: Vec<_> = shape.keys.iter().map(|key| key.name).collect();
            format!("a map with the keys {}", keys.join(", "))
        }
        Value::Names(..) => "names with values".into(),
        Value::Lines(..) => "a list of lines `- {..}`".into(),
        Value::PlacesOrLines(_) => "a place list or lines `- {..}`".into(),
        Value::Default => "a value of the kind declared".into(),
    }
}

fn quoted(words: &[&str], between: &str) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(between)
}
