//! Finds the places that labels name, in a seat's own numbering or in that of another seat.

use crate::play::Engine;
use crate::texts::{Sentence, sentence};
use crate::units::{PathPlace, Seat};

/// A text that is not the name of a square.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct UnknownSquare {
    /// The text that names no square.
    pub square: String,
    /// The reason in words.
    pub message: Sentence,
}

impl UnknownSquare {
    fn new(square: &str, message: Sentence) -> Self {
        let square = square.to_string();
        UnknownSquare { square, message }
    }
}

impl Engine {
    /// Finds the place on the path of `seat` that a text names: `12`, or `north.12` for the square that `north` calls
    /// 12.
    ///
    /// If the path of `seat` goes over the square twice, the result is the first of the two places.
    ///
    /// # Errors
    /// The text names an unknown square or an unknown seat, or the path of `seat` does not go over the square.
    pub fn place(&self, text: &str, seat: Seat) -> Result<PathPlace, UnknownSquare> {
        let Some((name, label)) = text.split_once('.') else {
            return self.own_place(text, text);
        };
        let Some(other) = self.seat_named(name) else {
            return Err(UnknownSquare::new(text, sentence!("no seat is called `{seat}`", seat = name)));
        };
        let theirs = self.own_place(label, text)?;
        self.board.seen_as(other, seat, theirs).ok_or_else(|| {
            let path_of = self.seat_name(seat);
            let message = sentence!("the path of {seat} does not lead over `{square}`", seat = path_of, square = text);
            UnknownSquare::new(text, message)
        })
    }

    fn own_place(&self, label: &str, text: &str) -> Result<PathPlace, UnknownSquare> {
        match self.board.labels.iter().position(|known| known == label) {
            Some(place) => Ok(PathPlace(place as u8)),
            None => Err(UnknownSquare::new(text, sentence!("no square is called `{square}`", square = label))),
        }
    }

    /// Whether two places of one path lie on the same square.
    #[must_use]
    pub fn is_same_square(&self, seat: Seat, one: PathPlace, other: PathPlace) -> bool {
        if one == other {
            return true;
        }
        let square = self.square(seat, one);
        square.is_some() && square == self.square(seat, other)
    }
}
