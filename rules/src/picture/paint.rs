//! The colour of a seat.

use crate::tables::Rules;
use crate::units::Seat;

/// The colour of a seat: a colour word or a hexadecimal colour, else grey.
///
/// Anyone may write a rule file, so no other text of a paint gets into the picture.
pub(super) fn paint(rules: &Rules, seat: Seat) -> &str {
    let paint = rules.seating.seats[seat.index()].paint.as_str();
    let is_word = !paint.is_empty() && paint.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_hex = paint
        .strip_prefix('#')
        .is_some_and(|hex| matches!(hex.len(), 3 | 4 | 6 | 8) && hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if is_word || is_hex { paint } else { "#888888" }
}
