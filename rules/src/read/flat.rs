//! Writes the normal form of a rule set: one YAML text without comments, with all keys in the order in which the
//! language declares them, and each line of a table on one text line. Rule files with equal rules have the same normal
//! form, and so the same digest.

use crate::document::FILE;
use crate::language::Form;
use crate::yaml::tree::{Content, Tree};

/// Writes a whole rule file in normal form.
pub(crate) fn flat(root: &Tree) -> String {
    let mut out = String::new();
    block(root, &FILE, 0, &mut out);
    out
}

/// Writes a value. Maps and tables take several text lines; a line of a table or a named value takes one.
fn block(tree: &Tree, form: &Form, depth: usize, out: &mut String) {
    let margin = "  ".repeat(depth);
    match (form, &tree.content) {
        (Form::Map(_) | Form::Names(..), Content::Map(entries)) if !entries.is_empty() => {
            for (key, inner, tree) in ordered(tree, form) {
                out.push_str(&format!("{margin}{}:", scalar(key)));
                let is_block = match (&inner, &tree.content) {
                    (Form::Map(_) | Form::Names(..), Content::Map(entries)) => {
                        !entries.is_empty() && matches!(form, Form::Map(_))
                    }
                    (Form::Lines(..), Content::List(lines)) => !lines.is_empty(),
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
        (Form::Lines(shape), Content::List(lines)) => {
            for line in lines {
                out.push_str(&margin);
                out.push_str("- ");
                flow(line, &Form::Map(shape), out);
                out.push('\n');
            }
        }
        _ => {
            flow(tree, form, out);
            out.push('\n');
        }
    }
}

/// Lists the entries of a map with the forms of their values. Keys of the language are sorted in the order in which it
/// declares them; free names stay in the order of the file.
fn ordered<'a>(tree: &'a Tree, form: &Form) -> Vec<(&'a str, Form, &'a Tree)> {
    let inner = |key: &str| match form {
        Form::Map(shape) => shape.key(key).map_or(Form::Prose, |key| key.form),
        Form::Names(_, inner, _) => **inner,
        _ => Form::Prose,
    };
    let entries = tree.entries().iter();
    let mut entries: Vec<_> = entries.map(|entry| (entry.key.as_str(), inner(&entry.key), &entry.value)).collect();
    if let Form::Map(shape) = form {
        entries.sort_by_key(|(key, ..)| shape.all_keys().position(|known| known.name == *key));
    }
    entries
}

fn flow(tree: &Tree, form: &Form, out: &mut String) {
    match &tree.content {
        Content::Empty => out.push('~'),
        Content::Scalar(text) => out.push_str(&scalar(text.text.trim_end())),
        Content::List(items) => {
            let inner = match form {
                Form::Lines(shape) | Form::ListOrLines(_, shape) => Form::Map(shape),
                _ => Form::Prose,
            };
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                flow(item, &inner, out);
            }
            out.push(']');
        }
        Content::Map(_) => {
            out.push('{');
            for (index, (key, inner, tree)) in ordered(tree, form).into_iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                out.push_str(&format!("{}: ", scalar(key)));
                flow(tree, &inner, out);
            }
            out.push('}');
        }
    }
}

/// Writes a scalar without quotes, or with double quotes if YAML could read it as something else.
fn scalar(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " _.-+/<>=%$*()".contains(c);
    let begins = |c: char| c.is_ascii_alphanumeric() || "_$(".contains(c);
    let is_safe =
        text.starts_with(begins) && text.chars().all(is_plain) && !text.ends_with(' ') && !matches!(text, "null" | "~");
    if is_safe { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}
