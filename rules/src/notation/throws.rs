//! Writes and reads throws as text: `3+6` for two dice, `12(0)` for lots.

use std::fmt::Write;

use crate::play::Engine;
use crate::play::state::Throw;
use crate::tables::Dice;
use crate::units::MAX_NUMBERS;

/// A text that is not a throw of these dice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThrowError {
    /// The text is not a throw.
    #[error("`{0}` is not a throw; write the dice as `3+6`, lots as `12(0)`")]
    Malformed(String),
    /// The text has too many dice, or too few.
    #[error("`{text}` shows {found} dice, {wanted} are thrown")]
    Count {
        /// The throw as it was written.
        text: String,
        /// Number of dice in the text.
        found: usize,
        /// Number of dice that the rule set throws.
        wanted: u8,
    },
    /// No die has this face.
    #[error("`{text}` cannot be thrown: no die shows {face}, only {}", list(.faces))]
    NoFace {
        /// The throw as it was written.
        text: String,
        /// The face that no die has.
        face: u8,
        /// The faces of a die.
        faces: Vec<u8>,
    },
    /// No fall of the lots has this value.
    #[error("`{text}` cannot be thrown: with 0, 1, .. mouths up the lots count {}", list(.values))]
    NoFall {
        /// The throw as it was written.
        text: String,
        /// The values of the falls, by the number of mouths up.
        values: Vec<u8>,
    },
    /// Several falls of the lots have this value.
    #[error("`{text}` may be one of several falls; say how many lots lie mouth up")]
    SeveralFalls {
        /// The throw as it was written.
        text: String,
    },
}

impl Engine {
    /// Writes a throw as text.
    #[must_use]
    pub fn throw_text(&self, throw: &Throw) -> String {
        let mut text = String::new();
        for (i, face) in throw.shown().iter().enumerate() {
            let plus = if i == 0 { "" } else { "+" };
            let _ = write!(text, "{plus}{face}");
        }
        if let Some(up) = throw.up {
            let _ = write!(text, "({up})");
        }
        text
    }

    /// Parses a throw. For lots, the number of mouths up may be left out if it follows from the value.
    ///
    /// # Errors
    /// The text is not a throw, has the wrong number of dice, or has a face or value that these dice or lots do not
    /// have.
    pub fn parse_throw(&self, text: &str) -> Result<Throw, ThrowError> {
        let malformed = || ThrowError::Malformed(text.to_string());
        match &self.throws.dice {
            Dice::Faces { count, faces } => {
                let shown = (text.split('+').map(number).collect::<Option<Vec<u8>>>()).ok_or_else(malformed)?;
                if shown.len() != usize::from(*count) || shown.len() > MAX_NUMBERS {
                    return Err(ThrowError::Count { text: text.to_string(), found: shown.len(), wanted: *count });
                }
                if let Some(face) = shown.iter().find(|face| !faces.contains(face)) {
                    let (text, face, faces) = (text.to_string(), *face, faces.to_vec());
                    return Err(ThrowError::NoFace { text, face, faces });
                }
                Ok(Throw::of_dice(&shown))
            }
            Dice::Lots { values, .. } => {
                let (value, up) = match text.split_once('(') {
                    Some((value, rest)) => {
                        let up = rest.strip_suffix(')').and_then(number);
                        (number(value), Some(up.ok_or_else(malformed)?))
                    }
                    None => (number(text), None),
                };
                let value = value.ok_or_else(malformed)?;
                let mut falls =
                    (0u8..).zip(values).filter(|&(fall, &worth)| worth == value && up.is_none_or(|up| up == fall));
                match (falls.next(), falls.next()) {
                    (Some((up, _)), None) => Ok(Throw::of_lots(value, up)),
                    (Some(_), Some(_)) => Err(ThrowError::SeveralFalls { text: text.to_string() }),
                    (None, _) => Err(ThrowError::NoFall { text: text.to_string(), values: values.to_vec() }),
                }
            }
        }
    }
}

impl Throw {
    /// Makes a throw of dice with these faces, in order. Faces after the first [`MAX_NUMBERS`] are left out.
    #[must_use]
    pub(crate) fn of_dice(shown: &[u8]) -> Throw {
        let mut faces = [0; MAX_NUMBERS];
        let count = shown.len().min(MAX_NUMBERS);
        faces[..count].copy_from_slice(&shown[..count]);
        Throw { faces, count: count as u8, up: None }
    }

    /// Makes a throw of lots from its value and the number of lots that lie mouth up.
    #[must_use]
    pub(crate) fn of_lots(value: u8, up: u8) -> Throw {
        Throw { up: Some(up), ..Throw::of_dice(&[value]) }
    }

    /// The faces that the dice show, or the value of the lots.
    #[must_use]
    pub fn shown(&self) -> &[u8] {
        &self.faces[..usize::from(self.count).min(MAX_NUMBERS)]
    }
}

/// Parses a number from 0 to 255, written without a sign.
fn number(text: &str) -> Option<u8> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

fn list(numbers: &[u8]) -> String {
    let texts: Vec<String> = numbers.iter().map(u8::to_string).collect();
    texts.join(", ")
}
