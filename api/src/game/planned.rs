//! The plan of a game: a game that is decided on, but not yet created. A group stores the plans of its games until they
//! are created.

use std::sync::Arc;

use pagade_rules::play::Engine;
use serde::{Deserialize, Serialize};

use crate::error::Problem;
use crate::game::GameId;
use crate::game::edit::Edit;
use crate::game::event::Event;
use crate::game::setup::Setup;
use crate::game::stored::Game;
use crate::model::event_kind::EventKind;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PlannedGame {
    /// The setup of the game, with the players who have a seat from the beginning.
    pub setup: Setup,
    /// Whether the game starts at once.
    pub starts: bool,
}

impl PlannedGame {
    /// Makes the game, ready for its first commit. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// The rule set has no seat with the name of a planned seat.
    pub(crate) fn begin(self, id: GameId, engine: Arc<Engine>, now: u64) -> Result<Edit, Problem> {
        let mut edit = Edit::begin(id, Game::of(self.setup), engine).at(now);
        edit.add(Event::of_game(EventKind::Created));
        edit.moved = edit.game.setup.seated_players().collect();
        let taken = edit.game.setup.seats.iter().filter(|seat| seat.is_taken());
        for name in taken.map(|seat| seat.seat.clone()).collect::<Vec<_>>() {
            let seat = edit.player(&name)?;
            let joined = Event::of_joining(seat, edit.seat_mut(&name)?);
            edit.add(joined);
        }
        if self.starts {
            edit.start();
        }
        Ok(edit)
    }
}
