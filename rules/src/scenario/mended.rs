//! Finds all structural errors of a scenario file, where its reader stops at the first one.
//!
//! After an error, the part of the text that has it is replaced by one that is right: a line of a script, a scenario,
//! or a key of the file. Then the text is read again, which finds the next error.

use super::file::ReadError;

/// Maximum number of errors that are reported. Each error costs another reading of the file.
const MOST_ERRORS: usize = 20;

/// Lists the errors of a text whose first error is `first`. `read` reads a text, and returns its first error.
pub(super) fn all_errors(text: &str, first: ReadError, read: impl Fn(&str) -> Option<ReadError>) -> Vec<ReadError> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut errors = vec![first];
    while errors.len() < MOST_ERRORS {
        let line = errors.last().map_or(0, |error| error.line as usize);
        if !replace(&mut lines, line) {
            break;
        }
        match read(&lines.join("\n")) {
            // A second error on one line comes from the replacement itself. The search then ends.
            Some(error) if errors.iter().all(|known| known.line != error.line) => errors.push(error),
            _ => break,
        }
    }
    let misspelt = |missing: &ReadError| {
        let key = missing.message.strip_prefix("the key ").and_then(|rest| rest.strip_suffix(" is missing"));
        key.is_some_and(|key| errors.iter().any(|error| error.message.ends_with(&format!("did you mean {key}?"))))
    };
    // A misspelt key is told once; and where the whole text was replaced, its end is no error.
    let is_own = |(index, error): &(usize, &ReadError)| {
        !misspelt(error) && (*index == 0 || error.message != "unexpected end of input")
    };
    let mut errors: Vec<ReadError> = errors.iter().enumerate().filter(is_own).map(|(_, error)| error.clone()).collect();
    errors.sort_by_key(|error| error.line);
    errors
}

/// Replaces the innermost item of a list, or the key at the top of the file, that contains a line (counted from 1).
/// Returns false if no item or key contains the line.
fn replace(lines: &mut [String], line: usize) -> bool {
    let Some(wrong) = line.checked_sub(1).filter(|index| *index < lines.len()) else { return false };
    let inside = indent(&lines[wrong]);
    let begins = |index: &usize| is_item(&lines[*index]) && (*index == wrong || indent(&lines[*index]) < inside);
    let (first, with) = match (0..=wrong).rev().find(begins) {
        Some(first) => {
            let outer = indent(&lines[first]);
            // The items of a list may begin in the column of its key.
            let is_key = |line: &&String| !is_blank(line) && !is_item(line) && indent(line) <= outer;
            let outer_key =
                lines[..first].iter().rev().find(|line| is_key(line) || indent(line) < outer && is_item(line));
            let is_step = outer_key.is_some_and(|line| line.trim() == "script:");
            let item = if is_step { "- {events: []}" } else { "- {name: left out, script: []}" };
            (first, format!("{}{item}", " ".repeat(outer)))
        }
        None if inside == 0 => (wrong, String::new()),
        None => return false,
    };
    let outer = indent(&lines[first]);
    let ends = |line: &&mut String| !is_blank(line) && indent(line) <= outer;
    let rest = lines[first + 1..].iter_mut().take_while(|line| !ends(line));
    rest.for_each(String::clear);
    lines[first] = with;
    true
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with("- ")
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}
