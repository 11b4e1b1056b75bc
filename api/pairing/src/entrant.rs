//! The entrants of a tournament: people, robots, or fixed teams.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The number of an entrant, chosen by the caller and never used again in the tournament.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct EntrantId(pub u32);

impl fmt::Display for EntrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// One side of a tournament: a single person, or a fixed team whose members sit at the same table.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// The number of the entrant.
    pub id: EntrantId,
    /// The members of a team, by names of the caller's choice. Empty for somebody who plays alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
}

impl Entrant {
    /// Returns an entrant who plays alone.
    pub const fn alone(id: u32) -> Self {
        Self { id: EntrantId(id), members: Vec::new() }
    }

    /// Returns a fixed team.
    pub fn team(id: u32, members: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { id: EntrantId(id), members: members.into_iter().map(Into::into).collect() }
    }
}
