//! Colours of seats for the picture.

use crate::tables::Rules;
use crate::units::Seat;

/// Returns the colour of a seat if it is a colour word or a hexadecimal colour, otherwise grey.
///
/// Rule files come from untrusted authors, so no other text of a colour may get into the SVG.
pub(super) fn paint(rules: &Rules, seat: Seat) -> &str {
    let paint = rules.seating.seats[seat.index()].paint.as_str();
    let is_word = !paint.is_empty() && paint.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_hex = paint
        .strip_prefix('#')
        .is_some_and(|hex| matches!(hex.len(), 3 | 4 | 6 | 8) && hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if is_word || is_hex { paint } else { "#888888" }
}
