//! Checks and makes parameters of paged lists: cursors, page sizes, numbers.

use crate::error::{Code, Detail, Problem, ProblemPart, detail};
use uuid::Uuid;

/// Number of items on a page if the client names no other number.
pub(crate) const DEFAULT: u32 = 20;
/// Maximum number of items on a page.
pub(crate) const MOST: u32 = 100;

/// Largest whole number that every JSON parser represents exactly.
pub(crate) const GREATEST: u64 = (1 << 53) - 1;

/// Reads a cursor, which a client has from an earlier page.
///
/// # Errors
/// 400 if the text is not a cursor.
pub(crate) fn cursor(text: &str) -> Result<Uuid, Problem> {
    let id = (text.len() == 32).then(|| Uuid::try_parse(text).ok()).flatten();
    id.ok_or_else(|| parameter("cursor", detail!("the cursor must be the `next_cursor` of an earlier page")))
}

/// Makes the cursor of the page that begins after the item with this id.
pub(crate) fn cursor_after(id: Uuid) -> String {
    id.simple().to_string()
}

/// Makes the problem of a wrong query parameter.
pub(crate) fn parameter(name: &str, detail: impl Into<Detail>) -> Problem {
    Problem::one(Code::BadQuery, ProblemPart { parameter: Some(name.to_owned()), ..ProblemPart::of(detail) })
}

/// Checks that every JSON parser can represent a number exactly.
///
/// # Errors
/// 400 if the number is greater than [`GREATEST`].
pub(crate) fn number(name: &str, number: Option<u64>) -> Result<Option<u64>, Problem> {
    match number {
        Some(number) if number > GREATEST => {
            Err(parameter(name, detail!("`{value}` is more than {most}", value = number, most = GREATEST)))
        }
        number => Ok(number),
    }
}

/// Returns the size of a page: `asked`, or the default if `asked` is `None`.
///
/// # Errors
/// 400 unless it is between 1 and `most`.
pub(crate) fn limit(asked: Option<u32>, most: u32, default: u32) -> Result<usize, Problem> {
    match asked {
        None => Ok(default as usize),
        Some(limit) if (1..=most).contains(&limit) => Ok(limit as usize),
        Some(limit) => Err(parameter(
            "limit",
            detail!("`{value}` is not between {least} and {most}", value = limit, least = 1, most),
        )),
    }
}
