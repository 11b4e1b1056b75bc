//! Table options: chooses their values for a table, and lists the values that a check tries.

use super::findings::{Findings, meant_for_table};
use super::scope;
use crate::document::{Document, OptionKind, OptionLine, Text};
use crate::ruleset::{OptionValue, Options, TableProblem};
use crate::texts::{Sentence, sentence};

/// Greatest count of values of a number option at which a check tries every value. If an option has more values, the
/// check tries the least, the default and the greatest one.
const TRIED_WHOLE: i64 = 9;

/// The default value of every option, in declaration order.
pub(crate) fn defaults(document: &Document) -> Vec<OptionValue> {
    document.options.iter().map(default).collect()
}

fn default(option: &OptionLine) -> OptionValue {
    match &option.kind {
        OptionKind::OneOf { default, .. } => OptionValue::Word(default.value.clone()),
        OptionKind::Truth { default } => OptionValue::Truth(default.value),
        OptionKind::Range { default, .. } => OptionValue::Number(default.value),
    }
}

/// Lists the values of an option that a check tries. The second result is whether the option has no other values.
pub(crate) fn values(option: &OptionLine) -> (Vec<OptionValue>, bool) {
    match &option.kind {
        OptionKind::OneOf { words, .. } => {
            (words.iter().map(|word| OptionValue::Word(word.value.clone())).collect(), true)
        }
        OptionKind::Truth { .. } => (vec![OptionValue::Truth(false), OptionValue::Truth(true)], true),
        OptionKind::Range { from, to, default } => {
            let whole = to.value.saturating_sub(from.value) < TRIED_WHOLE;
            let numbers: Vec<i64> =
                if whole { (from.value..=to.value).collect() } else { vec![from.value, default.value, to.value] };
            (numbers.into_iter().map(OptionValue::Number).collect(), whole)
        }
    }
}

/// Lists the values of all options in declaration order. An option that is not in `chosen` has its default.
pub(crate) fn choose(document: &Document, chosen: &Options) -> Result<Vec<OptionValue>, Vec<TableProblem>> {
    let mut values = defaults(document);
    let mut problems = Vec::new();
    for (name, value) in chosen {
        let Some(index) = document.options.iter().position(|option| option.name.value == *name) else {
            problems.push(TableProblem {
                code: "unknown-option",
                field: name.clone(),
                message: sentence!("there is no option `{field}`", field = name.as_str()),
                help: meant_for_table(name, document.options.iter().map(|option| option.name.value.as_str())),
            });
            continue;
        };
        match unfit(&document.options[index], value) {
            None => values[index] = value.clone(),
            Some((message, help)) => {
                problems.push(TableProblem { code: "bad-option-value", field: name.clone(), message, help });
            }
        }
    }
    if problems.is_empty() { Ok(values) } else { Err(problems) }
}

/// Returns message and help if a value does not fit an option, otherwise `None`.
fn unfit(option: &OptionLine, value: &OptionValue) -> Option<(Sentence, Option<Sentence>)> {
    let name = option.name.value.as_str();
    let given = value.to_string();
    let cannot = || sentence!("`{field}` cannot be `{value}`", field = name, value = given.as_str());
    match (&option.kind, value) {
        (OptionKind::OneOf { words, .. }, OptionValue::Word(word))
            if words.iter().any(|known| known.value == *word) =>
        {
            None
        }
        (OptionKind::OneOf { words, .. }, _) => {
            let help = meant_for_table(&given, words.iter().map(|word| word.value.as_str()));
            Some((cannot(), help))
        }
        (OptionKind::Truth { .. }, OptionValue::Truth(_)) => None,
        (OptionKind::Truth { .. }, _) => {
            let message = sentence!("`{field}` is true or false, not `{value}`", field = name, value = given.as_str());
            Some((message, None))
        }
        (OptionKind::Range { from, to, .. }, OptionValue::Number(number))
            if (from.value..=to.value).contains(number) =>
        {
            None
        }
        (OptionKind::Range { from, to, .. }, _) => {
            let help = sentence!("a number from {least} to {most}", least = from.value, most = to.value);
            Some((cannot(), Some(help)))
        }
    }
}

/// Reports options whose name already has a meaning in expressions.
pub(crate) fn check(document: &Document, report: &mut Findings) {
    for OptionLine { name, .. } in &document.options {
        check_name(name, report);
    }
}

/// Reports a name that the rule language itself uses in expressions, such as `throws`.
pub(crate) fn check_name(name: &Text, report: &mut Findings) {
    if scope::fact(&name.value).is_some() {
        let message = format!("`{}` is a name of the language, with a meaning in every expression", name.value);
        let help = "the reference lists these names under \"Expressions\": choose another one".to_owned();
        report.error("name-taken", name.span, message, Some(help));
    }
}

/// Reports that two declarations have the same name. The error stands at the declaration in the file that is checked,
/// not at one in a file that it extends.
pub(crate) fn report_both(one: &Text, what: &str, other: &Text, other_what: &str, report: &mut Findings) {
    let ((first, _), (second, second_what)) = if one.span.file <= other.span.file {
        ((one, what), (other, other_what))
    } else {
        ((other, other_what), (one, what))
    };
    let file = if first.span.file == second.span.file { "" } else { " of a file that this one extends" };
    let message = format!("`{}` names a {second_what} already", first.value);
    let help = format!("it is declared in line {}{file}: choose another name", second.span.line);
    report.error("name-taken", first.span, message, Some(help));
}
