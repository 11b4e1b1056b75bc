//! Values that are put into words only while they are written: a view of a game has dozens of them.

use std::fmt;

use serde::ser::{Serialize, Serializer};

use super::game::OptionValue;

/// Options as a table of rules has them, by name.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a>(pub &'a [(String, String)]);

impl Serialize for Chosen<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, text)| (name, OptionValue::read(text))))
    }
}

/// A pawn's id: stays the same for the whole game.
#[derive(Debug, Clone, Copy)]
pub struct PawnId<'a> {
    /// The colour.
    pub seat: &'a str,
    /// Which of its pawns, from 0.
    pub pawn: u8,
}

impl fmt::Display for PawnId<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.seat, u32::from(self.pawn) + 1)
    }
}

impl Serialize for PawnId<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
