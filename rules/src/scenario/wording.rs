//! Words the structural errors of a scenario file in the terms of its author, where the YAML reader speaks of its own.

use crate::nearest::nearest;

/// Words an error of the YAML reader. `rest` is the text of the file from the value at which the reader stopped, and
/// `before` is the text before it.
pub(super) fn reworded(message: &str, before: &str, rest: &str) -> String {
    let message = message.split(" at line ").next().unwrap_or(message);
    if let Some((unknown, known)) = unknown_key(message) {
        return match nearest(unknown, known.split(", ").map(|key| key.trim_matches('`'))) {
            Some(near) => format!("unknown key `{unknown}`; did you mean `{near}`?"),
            None => format!("unknown key `{unknown}`, expected one of {known}"),
        };
    }
    if let Some(key) = message.strip_prefix("missing field ") {
        return format!("the key {key} is missing");
    }
    if message.starts_with("expected end of mapping after enum variant") {
        return "a line of a script has one key; write further keys as lines of their own".to_owned();
    }
    if let Some(rest) = message.strip_prefix("duplicate mapping key: ") {
        return format!("the key `{}` stands twice", rest.split(',').next().unwrap_or(rest));
    }
    let key = key_before(before).map_or_else(|| "this".to_owned(), |key| format!("`{key}`"));
    if message.starts_with("cannot deserialize null") {
        let line = [before, rest.lines().next().unwrap_or_default()].concat();
        return key_before(&line).map_or_else(|| format!("{key} has no value"), |key| format!("`{key}` has no value"));
    }
    match (message, value(rest)) {
        ("expected sequence start", "") => format!("{key} is a list: each item begins with `- `"),
        ("expected sequence start", value) => format!("{key} is a list: `[{value}]`"),
        ("expected mapping start", "") => format!("{key} has keys of its own: `{{KEY: VALUE}}`"),
        ("expected mapping start", value) => format!("{key} has keys of its own, as in `{{KEY: {value}}}`"),
        ("expected string scalar", _) if key == "`throw`" => {
            "`throw` is one text: the faces joined by `+`, and a space between two throws".to_owned()
        }
        ("expected string scalar", _) => format!("{key} is one text, not a list and not a map"),
        (message, _) => message.to_owned(),
    }
}

/// The unknown key that a message names, and the list of the known ones.
fn unknown_key(message: &str) -> Option<(&str, &str)> {
    let named = message.strip_prefix("unknown field `").or_else(|| message.strip_prefix("unknown variant `"))?;
    named.split_once("`, expected one of ")
}

/// The key whose value comes next in the text.
fn key_before(text: &str) -> Option<&str> {
    let text = text.trim_end().strip_suffix(':')?;
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let key = &text[text.trim_end_matches(is_letter).len()..];
    Some(key).filter(|key| !key.is_empty())
}

/// The plain value with which a text begins. Empty for a map, a list or a value of several lines.
fn value(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    let line = line.split(" #").next().unwrap_or_default();
    let value = line.split([',', '}', ']']).next().unwrap_or_default().trim();
    if value.starts_with(['{', '[', '|', '>', '&', '*']) { "" } else { value }
}
