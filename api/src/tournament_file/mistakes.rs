//! Converts mistakes that the checks of requests find to problems of a file: with line and column, and in words of
//! YAML.

use pagade_rules::nearest::nearest;
use pagade_rules::source::{Report, Severity};
use pagade_rules::written::Written;
use serde_json::Value;

use crate::error::ProblemPart;

/// Reports a mistake at the position that its JSON Pointer leads to.
pub(super) fn report(written: &Written, part: ProblemPart, report: &mut Report) {
    let pointer = part.pointer.clone().unwrap_or_default();
    let arg = |name: &str| part.args.get(name).and_then(Value::as_str).unwrap_or_default();
    let list = |name: &str| {
        let words = part.args.get(name).and_then(Value::as_array).into_iter().flatten();
        words.filter_map(Value::as_str).collect::<Vec<_>>()
    };
    let suggested = |word: &str, known: &[&str], otherwise: &str| match nearest(word, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("{otherwise} `{}`", known.join("`, `")),
    };
    let value = arg("value").trim_matches('`');
    let (code, span, message, help) = match part.template {
        "unknown field `{field}`: there are {known}" => {
            let (field, known) = (arg("field"), list("known"));
            let help = suggested(field, &known, "the keys are");
            ("unknown-key", written.key_span(&pointer), format!("there is no key `{field}` here"), Some(help))
        }
        "missing field `{field}`" => {
            ("missing-key", written.span(&pointer), format!("the key `{}` is missing", arg("field")), None)
        }
        "{value} is not one of {words}" => {
            let help = suggested(value, &list("words"), "one of");
            let message = format!("`{value}` is not a possible word here");
            ("unknown-word", written.value_span(&pointer), message, Some(help))
        }
        "{value} is not between {least} and {most}" => {
            ("out-of-range", written.value_span(&pointer), part.detail.clone(), None)
        }
        "{value} is not {wanted}" => {
            let wanted = arg("wanted").replace(" or `null`", "").replace("an object", "a map");
            let (value, wanted) =
                (arg("value").replace("an object", "a map"), wanted.replace("true` or `false", "yes` or `no"));
            ("wrong-type", written.value_span(&pointer), format!("{value} is not {wanted}"), None)
        }
        "{value} does not have the form `{form}`" => {
            ("wrong-form", written.value_span(&pointer), part.detail.clone(), None)
        }
        template if template.starts_with("it has {count} characters") => {
            ("wrong-length", written.value_span(&pointer), part.detail.replacen("it", "this text", 1), None)
        }
        template if template.starts_with("there are {count}") => {
            ("wrong-count", written.span(&pointer), part.detail.clone(), None)
        }
        template if template.starts_with("it has a character") || template.ends_with("in it is visible") => {
            let message = part.detail.replacen("it ", "this text ", 1).replacen("in it", "in this text", 1);
            ("bad-text", written.value_span(&pointer), message, None)
        }
        "`{key}` has no value" => ("empty-value", written.key_span(&pointer), part.detail.clone(), None),
        "`{key}` does not go with `{kind}`" => {
            ("keys-exclude-each-other", written.key_span(&pointer), part.detail.clone(), None)
        }
        "a line of entrants has `{first}` or `{second}`, not both" => {
            ("keys-exclude-each-other", written.key_span(&pointer), part.detail.clone(), None)
        }
        "a line of entrants has one of the keys {kinds}" | "a team has `members`" => {
            ("missing-key", written.span(&pointer), part.detail.clone(), None)
        }
        _ => (
            code_of(&part),
            written.span(&pointer),
            part.detail.clone(),
            part.help.as_ref().map(|help| help.text.clone()),
        ),
    };
    report.add(Severity::Error, code, span, message, help);
}

/// The code of a mistake whose sentence is reported unchanged.
fn code_of(part: &ProblemPart) -> &'static str {
    const TABLE: [&str; 5] =
        ["unknown-option", "bad-option-value", "options-clash", "unknown-seat", "seats-not-playable"];
    if let Some(code) = TABLE.into_iter().find(|code| part.code.as_deref() == Some(*code)) {
        return code;
    }
    match part.template {
        "this form of tournament has no `{name}`" => "wrong-key",
        "this form of tournament needs `{name}`" => "missing-key",
        "the rule set has no table of {seats} seats with these options" => "no-such-table",
        "{found} entrants, {needed} are needed" | "group {group} has {found} entrants, {needed} are needed" => {
            "too-few-entrants"
        }
        template if template.starts_with("a knock-out of {found} entrants needs a table") => "no-such-table",
        "with these options `{rule_set}` has no partners" => "no-partners",
        "this form needs {count} tables; a tournament has at most {most}" => "too-many-tables",
        "the name `{name}` is listed twice" | "`{name}` looks like `{other}`, which is another entrant" => "name-taken",
        "{found} members are named, {needed} are needed" => "wrong-count",
        _ => "not-possible",
    }
}
