//! Texts of requests and files that people read: names, titles, reasons.

use super::{Detail, ProblemPart, detail};
use crate::ground::text::{Unreadable, for_people};

/// Returns a name or title in its normal form. If the text cannot be shown to people, adds a mistake at `pointer` and
/// returns `None`.
pub(crate) fn readable(pointer: &str, text: Option<&str>, mistakes: &mut Vec<ProblemPart>) -> Option<String> {
    match for_people(text?) {
        Ok(text) => Some(text),
        Err(unreadable) => {
            mistakes.push(ProblemPart::at(pointer, reason(unreadable)));
            None
        }
    }
}

fn reason(unreadable: Unreadable) -> Detail {
    match unreadable {
        Unreadable::Control => {
            detail!("it has a character that controls the text around it: a line feed, NUL, a change of direction")
        }
        Unreadable::Blank => detail!("nothing in it is visible"),
    }
}
