//! Finds where each character of a YAML scalar stands in the file.

/// Line and column, both counted from 1.
pub(crate) type Position = (u32, u32);

/// Finds the position of every character of `text`, and of its end, in the file.
///
/// `raw` is the scalar as it is written in the file, without quotes, beginning at `start`. Folded lines and escapes
/// make `text` shorter than `raw`. If the two texts differ in another way, the last position is repeated.
pub(crate) fn positions(text: &str, raw: &str, start: Position, escapes: Escapes) -> Vec<Position> {
    let mut cursor = RawCursor { raw: raw.chars().collect(), index: 0, position: start };
    let mut positions = Vec::with_capacity(text.len() + 1);
    for c in text.chars() {
        if c.is_whitespace() && cursor.peek().is_none_or(char::is_whitespace) {
            positions.push(cursor.position);
            if cursor.peek() == Some(c) && c != '\n' {
                cursor.step();
            }
            continue;
        }
        cursor.skip_folds(escapes);
        positions.push(cursor.position);
        cursor.step_written(escapes);
    }
    positions.push(cursor.position);
    positions
}

/// The escapes that a scalar can contain, by its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// Plain and block scalars have no escapes.
    None,
    /// A scalar in single quotes writes a quote as two quotes.
    Quotes,
    /// A scalar in double quotes writes special characters with a backslash.
    Backslashes,
}

/// A position in the text of a scalar as it is written in the file.
struct RawCursor {
    raw: Vec<char>,
    index: usize,
    position: Position,
}

impl RawCursor {
    fn peek(&self) -> Option<char> {
        self.raw.get(self.index).copied()
    }

    fn step(&mut self) {
        match self.peek() {
            Some('\n') => self.position = (self.position.0 + 1, 1),
            Some(_) => self.position.1 += 1,
            None => return,
        }
        self.index += 1;
    }

    /// Skips blanks and line ends, and in double quotes also a line end after a backslash.
    fn skip_folds(&mut self, escapes: Escapes) {
        loop {
            let next = self.raw.get(self.index + 1);
            let joined =
                escapes == Escapes::Backslashes && self.peek() == Some('\\') && matches!(next, Some('\n' | '\r'));
            if joined || self.peek().is_some_and(char::is_whitespace) {
                self.step();
            } else {
                return;
            }
        }
    }

    /// Steps over one character, or over the escape that stands for it.
    fn step_written(&mut self, escapes: Escapes) {
        let length = match (escapes, self.peek()) {
            (Escapes::Quotes, Some('\'')) => 2,
            (Escapes::Backslashes, Some('\\')) => match self.raw.get(self.index + 1) {
                Some('x') => 4,
                Some('u') => 6,
                Some('U') => 10,
                _ => 2,
            },
            _ => 1,
        };
        for _ in 0..length {
            self.step();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_lines_keep_their_own_columns() {
        let found = positions("ab cd", "ab\n    cd", (3, 5), Escapes::None);
        assert_eq!(found, [(3, 5), (3, 6), (3, 7), (4, 5), (4, 6), (4, 7)]);
    }

    #[test]
    fn an_escaped_letter_is_as_wide_as_it_is_written() {
        let found = positions("aé=", r"a\u00e9=", (1, 2), Escapes::Backslashes);
        assert_eq!(found, [(1, 2), (1, 3), (1, 9), (1, 10)]);
        let found = positions("a'b", "a''b", (1, 2), Escapes::Quotes);
        assert_eq!(found, [(1, 2), (1, 3), (1, 5), (1, 6)]);
    }
}
