//! A rule set written out as one text, always in the same way: sections and keys in the order of the language, one
//! line of a table a line, no comments. Two files that say the same have the same text, and so the same digest.

use crate::language::{FILE, Value};
use crate::read::tree::{Kind, Tree};

/// Writes the whole tree.
pub(crate) fn flat(root: &Tree) -> String {
    let mut out = String::new();
    block(root, &Value::Map(&FILE), 0, &mut out);
    out
}

/// Writes maps, lines and names over several lines; what is inside lines and names stays on one.
fn block(tree: &Tree, value: &Value, depth: usize, out: &mut String) {
    let margin = "  ".repeat(depth);
    match (value, &tree.kind) {
        (Value::Map(_) | Value::Names(..), Kind::Map(entries)) if !entries.is_empty() => {
            for (key, inner, tree) in ordered(tree, value) {
                out.push_str(&format!("{margin}{}:", scalar(key)));
                let is_block = match (&inner, &tree.kind) {
                    (Value::Map(_) | Value::Names(..), Kind::Map(entries)) => {
                        !entries.is_empty() && matches!(value, Value::Map(_))
                    }
                    (Value::Lines(..), Kind::List(lines)) => !lines.is_empty(),
                    _ => false,
                };
                if is_block {
                    out.push('\n');
                    block(tree, &inner, depth + 1, out);
                } else {
                    out.push(' ');
                    flow(tree, &inner, out);
                    out.push('\n');
                }
            }
        }
        (Value::Lines(shape, _), Kind::List(lines)) => {
            for line in lines {
                out.push_str(&margin);
                out.push_str("- ");
                flow(line, &Value::Map(shape), out);
                out.push('\n');
            }
        }
        _ => {
            flow(tree, value, out);
            out.push('\n');
        }
    }
}

/// Entries with what their values are: known keys in the language's order, free names as written.
fn ordered<'a>(tree: &'a Tree, value: &Value) -> Vec<(&'a str, Value, &'a Tree)> {
    let inner = |key: &str| match value {
        Value::Map(shape) => shape.key(key).map_or(Value::Text, |key| key.value),
        Value::Names(_, inner, _) => **inner,
        _ => Value::Text,
    };
    let entries = tree.entries().iter();
    let mut entries: Vec<_> = entries.map(|entry| (entry.key.as_str(), inner(&entry.key), &entry.value)).collect();
    if let Value::Map(shape) = value {
        entries.sort_by_key(|(key, ..)| shape.keys.iter().position(|known| known.name == *key));
    }
    entries
}

fn flow(tree: &Tree, value: &Value, out: &mut String) {
    match &tree.kind {
        Kind::Empty => out.push('~'),
        Kind::Scalar(text) => out.push_str(&scalar(text.text.trim_end())),
        Kind::List(items) => {
            let inner = match value {
                Value::Lines(shape, _) | Value::PlacesOrLines(shape) => Value::Map(shape),
                _ => Value::Text,
            };
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                flow(item, &inner, out);
            }
            out.push(']');
        }
        Kind::Map(_) => {
            out.push('{');
            for (index, (key, inner, tree)) in ordered(tree, value).into_iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                out.push_str(&format!("{}: ", scalar(key)));
                flow(tree, &inner, out);
            }
            out.push('}');
        }
    }
}

/// A scalar as it is, or in double quotes where YAML could read something else.
fn scalar(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " _.-+/<>=%$*()".contains(c);
    let begins = |c: char| c.is_ascii_alphanumeric() || "_$(".contains(c);
    let is_safe =
        text.starts_with(begins) && text.chars().all(is_plain) && !text.ends_with(' ') && !matches!(text, "null" | "~");
    if is_safe { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}
