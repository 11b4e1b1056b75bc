//! Single values against what they should be: words, numbers, forms, expressions.

use crate::expr::{FORMS, RESERVED, SyntaxError, parse_expression};
use crate::language::{Form, Value};
use crate::nearest::nearest;
use crate::read::tree::Scalar;
use crate::source::{Report, Severity, Span};

pub(super) fn check_scalar(scalar: &Scalar, span: Span, value: &Value, report: &mut Report) {
    let text = scalar.text.as_str();
    match *value {
        Value::Text if text.chars().count() > MOST_TEXT => {
            let message = format!("a text has at most {MOST_TEXT} characters");
            report.error("text-too-long", span, message);
        }
        Value::Form(form) => check_form(form, text, Some(scalar), span, report),
        Value::Word(words) if !words.contains(&text) => {
            bad_word(text, span, words, "", report);
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
        None => format!("one of {}{also}", quoted(words, ", ")),
    };
    report.error_with_help("unknown-word", span, format!("`{text}` is not known here"), help);
}

pub(super) fn check_form(form: Form, text: &str, scalar: Option<&Scalar>, span: Span, report: &mut Report) {
    if form == Form::Expression {
        let Some(scalar) = scalar else { return };
        let place = |from, to| scalar.span(span.file, from, to);
        if let Err(error) = parse_expression(text, &place) {
            syntax_error(error, report);
        }
    } else if !form.fits(text) {
        let message = format!("`{text}` is not {}", form.describe());
        let meant = form.meant(text).map(|meant| format!("did you mean `{meant}`?"));
        let help = meant.unwrap_or_else(|| form.example().to_owned());
        report.error_with_help(form.code(), span, message, help);
    } else if form == Form::Name && RESERVED.contains(&text) {
        let message = format!("`{text}` is a word of expressions and cannot be a name");
        report.error("reserved-name", span, message);
    }
}

pub(super) fn syntax_error(error: SyntaxError, report: &mut Report) {
    let SyntaxError { code, message, help, span } = error;
    report.add(Severity::Error, code, span, message, help);
}

/// What a value should be, in words.
pub(super) fn expected(value: &Value) -> String {
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
        Value::Effects => format!("a list of effects ({FORMS})"),
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

pub(super) fn quoted(words: &[&str], between: &str) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(between)
}
