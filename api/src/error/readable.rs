//! Texts of requests and files that people read: names, titles, reasons.

use super::{Detail, ProblemPart, detail};
use crate::ground::text::{DELETED_PLAYER, Unreadable, alike, for_people};

/// Returns a title or a reason in its normal form. If the text cannot be shown to people, adds a mistake at `pointer`
/// and returns `None`.
pub(crate) fn readable(pointer: &str, text: Option<&str>, mistakes: &mut Vec<ProblemPart>) -> Option<String> {
    match for_people(text?) {
        Ok(text) => Some(text),
        Err(unreadable) => {
            mistakes.push(ProblemPart::at(pointer, reason(unreadable)));
            None
        }
    }
}

/// Does the same as [`readable`] for the name of a person. Nobody may have the name that stands for deleted players.
pub(crate) fn readable_name(pointer: &str, name: Option<&str>, mistakes: &mut Vec<ProblemPart>) -> Option<String> {
    let name = readable(pointer, name, mistakes)?;
    if alike(&name) == alike(DELETED_PLAYER) {
        mistakes.push(ProblemPart::at(pointer, detail!("this name stands for players who were deleted")));
        return None;
    }
    Some(name)
}

fn reason(unreadable: Unreadable) -> Detail {
    match unreadable {
        Unreadable::Control => {
            detail!("it has a character that controls the text around it: a line feed, NUL, a change of direction")
        }
        Unreadable::Blank => detail!("nothing in it is visible"),
    }
}
