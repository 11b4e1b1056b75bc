//! The pairing of one round: tables with seats in their order, byes, and the reasons of each.

use serde::{Deserialize, Serialize};

use super::entrant::EntrantId;
use super::why::{ByeWhy, TableWhy};

/// The pairing of one round.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// The tables, the first table first.
    pub tables: Vec<Table>,
    /// Entrants who are present and have no table.
    pub byes: Vec<Bye>,
}

/// One table of a round.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The entrants in the order of play: the first one begins.
    pub seats: Vec<EntrantId>,
    /// The greatest number of games that decide the table. If this is more than one, [`series()`](super::series()) says
    /// which game is next.
    pub games: u32,
    /// Why these entrants sit here, in this order.
    pub why: TableWhy,
}

/// An entrant without a table.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Bye {
    /// The entrant.
    pub entrant: EntrantId,
    /// Why this entrant has a bye.
    pub why: ByeWhy,
}
