//! Texts that people read: which characters they may have.

/// Longest text of a name, in characters.
pub(crate) const MOST_WORDS: usize = 300;

/// Whether a text can be shown to people: it has a visible character, and no character that controls the text around
/// it, such as NUL or a change of direction. Line feeds are allowed.
pub(crate) fn is_readable(text: &str) -> bool {
    !text.trim().is_empty() && !text.chars().any(|c| c != '\n' && is_control(c))
}

/// Whether a text is readable, on one line, and not longer than `most` characters.
pub(crate) fn is_one_line(text: &str, most: usize) -> bool {
    is_readable(text) && !text.contains('\n') && text.chars().count() <= most
}

/// Whether a character is a control character, a line or paragraph separator, or changes the direction of text
/// (`Bidi_Control`).
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}
