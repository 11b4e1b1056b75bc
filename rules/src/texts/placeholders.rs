//! Placeholders in texts: `{seat}` stands for a value that is known when the text is shown.

use std::collections::BTreeSet;

/// The names of the placeholders of a text.
pub fn placeholders(text: &str) -> BTreeSet<&str> {
    text_parts(text).into_iter().filter_map(|part| part.err()).collect()
}

/// Replaces the placeholders of a text. A placeholder without a value stays.
pub fn fill(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let part = |part: Result<&str, &str>| match part {
        Ok(plain) => plain.to_owned(),
        Err(name) => value(name).unwrap_or_else(|| format!("{{{name}}}")),
    };
    text_parts(text).into_iter().map(part).collect()
}

/// The parts of a text in order: `Ok` is text to copy, `Err` is the name of a placeholder.
fn text_parts(text: &str) -> Vec<Result<&str, &str>> {
    let (mut parts, mut rest, mut from) = (Vec::new(), text, 0);
    while let Some(open) = rest[from..].find('{').map(|at| from + at) {
        let inside = &rest[open + 1..];
        let length = inside.bytes().take_while(|byte| byte.is_ascii_lowercase() || *byte == b'_').count();
        if length == 0 || !inside[length..].starts_with('}') {
            from = open + 1;
            continue;
        }
        parts.push(Ok(&rest[..open]));
        parts.push(Err(&inside[..length]));
        (rest, from) = (&inside[length + 1..], 0);
    }
    parts.push(Ok(rest));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_a_name_in_braces() {
        let text = "{seat} has {count} of {\"throw\": \"3\"} and {} and {seat}";
        assert_eq!(placeholders(text).into_iter().collect::<Vec<_>>(), ["count", "seat"]);
        let value = |name: &str| (name == "seat").then(|| "S".to_owned());
        assert_eq!(fill(text, value), "S has {count} of {\"throw\": \"3\"} and {} and S");
    }
}
