//! Clause ids in comments (`# XY-47`), and the values to which they belong.

use crate::source::Span;
use crate::yaml::tree::{Comment, Content, Tree};

/// Maximum number of clause ids that are taken from one comment. Further ids are ignored.
const MOST_OF_A_COMMENT: usize = 64;

/// Adds the clause ids of each comment to the outermost value that begins on the text line of the comment: a line of a
/// table, for example, or a setting.
///
/// A comment alone on its text line belongs to the next line with content. If no value begins on the text line of a
/// comment, as at the end of a long list, the comment belongs to the innermost value that covers this line.
pub(crate) fn attach(root: &mut Tree, comments: &[Comment], text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let mut next_content = vec![None; lines.len() + 2];
    for (index, line) in lines.iter().enumerate().rev() {
        let line = line.trim_start();
        next_content[index] = if line.is_empty() || line.starts_with('#') {
            next_content[index + 1]
        } else {
            u32::try_from(index + 1).ok()
        };
    }
    for comment in comments {
        let mut clauses = clause_ids(&comment.text);
        clauses.truncate(MOST_OF_A_COMMENT);
        if clauses.is_empty() {
            continue;
        }
        // `comment.line` counts from 1 and `next_content` from 0, so this is the entry of the line after the comment.
        let line =
            if comment.alone { next_content.get(comment.line as usize).copied().flatten() } else { Some(comment.line) };
        if let Some(line) = line {
            give(root, line, clauses);
        }
    }
}

/// Adds clause ids to the outermost value that begins on a text line, or else to the innermost value that covers it.
fn give(tree: &mut Tree, line: u32, clauses: Vec<String>) {
    let before = match &tree.content {
        Content::Map(entries) => entries.partition_point(|entry| entry.key_span.line < line),
        Content::List(items) => items.partition_point(|item| item.span.line < line),
        _ => 0,
    };
    let begins = match &tree.content {
        Content::Map(entries) => entries.get(before).map(|entry| entry.key_span.line),
        Content::List(items) => items.get(before).map(|item| item.span.line),
        _ => None,
    };
    let (child, is_it) = if begins == Some(line) { (Some(before), true) } else { (before.checked_sub(1), false) };
    let child = child.and_then(|index| match &mut tree.content {
        Content::Map(entries) => entries.get_mut(index).map(|entry| &mut entry.value),
        Content::List(items) => items.get_mut(index),
        _ => None,
    });
    match child {
        Some(child) if is_it => child.clauses.extend(clauses),
        Some(child) => give(child, line, clauses),
        None => tree.clauses.extend(clauses),
    }
}

/// Lists the clause ids of a text. A clause id is capitals, a hyphen, at most one capital, and digits: `XY-47`.
pub(crate) fn clause_ids(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| is_clause_id(word))
        .map(str::to_owned)
        .collect()
}

pub(crate) fn is_clause_id(word: &str) -> bool {
    let Some((letters, number)) = word.split_once('-') else {
        return false;
    };
    let digits = number.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(number);
    !letters.is_empty()
        && letters.bytes().all(|byte| byte.is_ascii_uppercase())
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Lists the clause ids of a value and of all values inside it, in order, each once.
pub(crate) fn clauses(tree: &Tree) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let inner = tree.entries().iter().map(|entry| &entry.value);
    let inner = inner.chain(tree.items()).flat_map(clauses);
    for clause in tree.clauses.iter().cloned().chain(inner) {
        if !found.contains(&clause) {
            found.push(clause);
        }
    }
    found
}

/// Lists the clause ids outside of tables: the ids, their span, and the name of the section or setting.
pub(crate) fn other_clauses(root: &Tree) -> Vec<(Vec<String>, Span, String)> {
    let mut found = Vec::new();
    add_others(root, "", &mut found);
    found
}

fn add_others(tree: &Tree, path: &str, found: &mut Vec<(Vec<String>, Span, String)>) {
    if !tree.clauses.is_empty() {
        found.push((tree.clauses.clone(), tree.span, path.to_owned()));
    }
    for entry in tree.entries() {
        let path = match path {
            "" => entry.key.clone(),
            path => format!("{path}.{}", entry.key),
        };
        if !has_own_clauses(&path) {
            add_others(&entry.value, &path, found);
        }
    }
    for item in tree.items() {
        if !LINES.contains(&path) {
            add_others(item, path, found);
        }
    }
}

/// Tables whose lines have their own list of clause ids in the parsed document.
const LINES: &[&str] =
    &["players", "board.path", "board.tags", "numbers", "spend", "must", "landing", "passing", "on", "choices"];

fn has_own_clauses(path: &str) -> bool {
    let is_counter = path.starts_with("counters.") && path.matches('.').count() == 2;
    path == "finish" || path == "board.gate" || path.starts_with("options.") || path.starts_with("terms.") || is_counter
}

#[cfg(test)]
mod tests {
    use super::clause_ids;

    #[test]
    fn only_capitals_and_digits_make_a_clause() {
        assert_eq!(
            clause_ids(" XY-47 S-03, XY-R1: see x-1, CH-009 A-12B and UTF-8x"),
            ["XY-47", "S-03", "XY-R1", "CH-009"]
        );
    }
}
