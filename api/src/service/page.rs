//! Parameters of paged lists: cursors, page sizes, numbers.

use crate::error::{Code, Problem, ProblemPart};
use uuid::Uuid;

/// Items of a page, unless the client asks for another number.
pub(crate) const DEFAULT: u32 = 20;
/// Maximum number of items on a page.
pub(crate) const MOST: u32 = 100;

/// Greatest integer that every JSON reader represents exactly.
pub(crate) const GREATEST: u64 = (1 << 53) - 1;

/// Reads the cursor of an earlier page.
///
/// # Errors
/// 400 if the text is no cursor.
pub(crate) fn cursor(text: &str) -> Result<Uuid, Problem> {
    let id = (text.len() == 32).then(|| Uuid::try_parse(text).ok()).flatten();
    id.ok_or_else(|| parameter("cursor", "a cursor is what the last page gave as `next_cursor`"))
}

/// The cursor after the item with this id.
pub(crate) fn cursor_after(id: Uuid) -> String {
    id.simple().to_string()
}

/// The problem of a query parameter that is refused.
pub(crate) fn parameter(name: &str, detail: impl Into<String>) -> Problem {
    let detail = detail.into();
    let part = ProblemPart { parameter: Some(name.to_owned()), detail: detail.clone(), ..ProblemPart::default() };
    Problem::new(Code::BadQuery, detail).with(vec![part])
}

/// Checks that a number can be represented exactly by every JSON reader.
///
/// # Errors
/// 400 if the number is greater than [`GREATEST`].
pub(crate) fn number(name: &str, number: Option<u64>) -> Result<Option<u64>, Problem> {
    match number {
        Some(number) if number > GREATEST => Err(parameter(name, format!("`{number}` is more than {GREATEST}"))),
        number => Ok(number),
    }
}

/// The size of a page: `asked` or the default.
///
/// # Errors
/// 400 unless it is between 1 and `most`.
pub(crate) fn limit(asked: Option<u32>, most: u32, default: u32) -> Result<usize, Problem> {
    match asked {
        None => Ok(default as usize),
        Some(limit) if (1..=most).contains(&limit) => Ok(limit as usize),
        Some(limit) => Err(parameter("limit", format!("`{limit}` is not between 1 and {most}"))),
    }
}
