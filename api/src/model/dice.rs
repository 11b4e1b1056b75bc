//! The proof of the dice of a game, on the wire.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::game::SeedBy;

/// The server's dice of a game: what is known of them, and when it is over everything needed to draw each throw again.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "scheme": "pagade-dice-1", "seed_hash": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "seed_by": "server", "seed": "abc", "players": ["red", "yellow"], "contributions": {"yellow": "nine tamarind seeds"},
    "first": "red", "begins": "seat", "dice": {"kind": "faces", "count": 2, "faces": [1, 3, 4, 6]}, "throws": ["3+4", "6+6"]
}))]
pub(crate) struct DiceProof {
    /// How throws come from the seed and the contributions.
    pub scheme: String,
    /// SHA-256 of the seed, as it was published when the game was created.
    pub seed_hash: String,
    /// Who chose the seed.
    pub seed_by: SeedBy,
    /// The seed; shown when the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The seats that play, in the order of travel.
    pub players: Vec<String>,
    /// The contributions of the players, by seat.
    pub contributions: BTreeMap<String, String>,
    /// The seat that began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The rule that decided which seat began.
    pub begins: Begins,
    /// What is thrown.
    pub dice: DiceShape,
    /// Every throw so far, in order.
    pub throws: Vec<String>,
}

/// How it is decided who begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Begins {
    /// The rules name the seat.
    Seat,
    /// Any seat, by chance.
    Random,
    /// The seat with the highest throw. Tied seats throw again.
    Highest,
}

/// What is thrown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum DiceShape {
    /// Dice, all alike.
    #[schema(title = "DiceWithFaces")]
    Faces {
        /// How many.
        count: u8,
        /// The faces of each, equally likely.
        faces: Vec<u8>,
    },
    /// Cowries or other two-sided lots.
    #[schema(title = "TwoSidedLots")]
    Lots {
        /// How many.
        count: u8,
        /// The value of a throw with 0, 1, .. lots mouth up.
        values: Vec<u8>,
    },
}
