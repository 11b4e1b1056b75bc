//! Values whose JSON text is made while the answer is written, so that a view of a game does not keep a string for each
//! of its dozens of values.

use std::sync::Arc;

use pagade_rules::layout::SquareName;
use pagade_rules::units::PawnIndex;
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A part of an answer that exists as JSON text already.
#[derive(Debug, Clone)]
pub(crate) struct WrittenJson(Arc<RawValue>);

impl From<Box<RawValue>> for WrittenJson {
    fn from(written: Box<RawValue>) -> Self {
        Self(written.into())
    }
}

impl Serialize for WrittenJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The id of a square, which is the same in layouts and pictures of the board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SquareId(pub SquareName);

impl Serialize for SquareId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// The id of a pawn, which stays the same for the whole game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PawnId<'a> {
    /// The name of the seat.
    pub seat: &'a str,
    /// The number of the pawn within the seat.
    pub pawn: PawnIndex,
}

impl PawnId<'_> {
    /// Returns the name of the seat and the number of the pawn from 1, as in `red-2`.
    pub(crate) fn text(&self) -> String {
        [self.seat, "-", &(self.pawn.number() + 1).to_string()].concat()
    }
}

impl Serialize for PawnId<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawns_are_numbered_from_one() {
        let text = |pawn| PawnId { seat: "red", pawn }.text();
        let texts: Vec<String> = PawnIndex::all(4).map(text).collect();
        assert_eq!(texts, ["red-1", "red-2", "red-3", "red-4"]);
    }
}
