//! Values that become text only while an answer is written: a view of a game has dozens of them.

use std::sync::Arc;

use pagade_rules::units::PawnIndex;
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A part of an answer that was written before.
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

/// A pawn's id: stays the same for the whole game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PawnId<'a> {
    /// The colour.
    pub seat: &'a str,
    /// Which of its pawns.
    pub pawn: PawnIndex,
}

impl PawnId<'_> {
    /// The seat and the number from 1.
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
