//! The result of a game of a table.

use serde::{Deserialize, Serialize};

use crate::game::terms::Control;
use crate::game::terms::EndedBy;

/// The result of a game, as the table stores it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GameResult {
    /// The reason why the game is over, as `ended_by` of the game names it; `None` if the game was removed.
    pub ended_by: Option<EndedBy>,
    /// All seats of the game.
    pub places: Vec<PlayedSeat>,
    /// The seats, with who has decided for them at the end.
    pub controls: SeatControls,
    /// Whether two players have played from one network address.
    pub is_at_one_address: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlayedSeat {
    /// The name of the seat.
    pub seat: String,
    /// The number of the side: the same for all seats of a team.
    pub side: u8,
    /// The rank of the seat, from 1, which all seats of a team share; `None` if it has none.
    pub place: Option<u8>,
    /// Whether the seat has given up.
    pub gave_up: bool,
    /// Whether the player has abandoned the seat, and had not given up before.
    #[serde(default)]
    pub is_abandoned: bool,
}

/// The names of the seats of a game, with who decides for each; `None` if the seat has given up.
pub(crate) type SeatControls = Vec<(String, Option<Control>)>;
