//! The proof of the dice, as JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::game::SeedBy;

/// The dice that the server throws in a game. When the game is over, the answer has all that is needed to draw each
/// throw again.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "scheme": "pagade-dice-1", "seed_hash": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "seed_by": "server", "seed": "abc", "players": ["red", "yellow"], "contributions": {"yellow": "nine tamarind seeds"},
    "first": "red", "begins": "seat", "dice": {"kind": "faces", "count": 2, "faces": [1, 3, 4, 6]}, "throws": ["3+4", "6+6"]
}))]
pub(crate) struct DiceProof {
    /// The name of the scheme by which throws are computed from seed and contributions. `GET /v1/games/{id}/dice`
    /// describes it.
    pub scheme: String,
    /// SHA-256 of the seed in hexadecimal, as it was published when the game was created.
    pub seed_hash: String,
    /// The one who chose the seed.
    pub seed_by: SeedBy,
    /// The seed. Present only when the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The seats that play, in the order of travel.
    pub players: Vec<String>,
    /// The texts that players contributed to the dice, by seat.
    pub contributions: BTreeMap<String, String>,
    /// The seat that began. Absent before the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The rule that decided which seat began.
    pub begins: Begins,
    /// The dice or lots of the game.
    pub dice: DiceShape,
    /// Every throw so far, in order.
    pub throws: Vec<String>,
}

/// The rule that decides which seat begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Begins {
    /// The rule set names the seat.
    Seat,
    /// A random number chooses the seat. All seats are equally likely.
    Random,
    /// The seat with the highest throw begins. Tied seats throw again.
    Highest,
}

/// The dice or lots of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum DiceShape {
    /// Dice that are all alike.
    #[schema(title = "DiceWithFaces")]
    Faces {
        /// Number of dice.
        count: u8,
        /// The faces of each die. All are equally likely.
        faces: Vec<u8>,
    },
    /// Cowries or other lots with two sides.
    #[schema(title = "TwoSidedLots")]
    Lots {
        /// Number of lots.
        count: u8,
        /// The values of throws, by the number of lots that lie mouth up, from 0.
        values: Vec<u8>,
    },
}
