//! The decisions of a tournament about its games: when they are shown, and whether they are aborted.
//!
//! A game is withheld while the same dice may be in play at other tables: nobody may learn the next throws from it.

use crate::error::{Code, Problem};
use crate::game::edit::Edit;
use crate::game::event::{Event, EventKind};
use crate::game::terms::{Ending, Status};

impl Edit {
    /// Makes a withheld game visible to everybody, and its seed once the game is over. Does nothing if the game is not
    /// withheld.
    pub(crate) fn show(&mut self) {
        if self.game.setup.is_withheld {
            let setup = self.game.setup_mut();
            (setup.is_withheld, setup.private) = (false, false);
            self.add(Event::of_game(EventKind::TermsChanged));
        }
    }

    /// Aborts the game, because its round was taken back. A game that is over is not aborted, only made visible.
    pub(crate) fn abort(&mut self) {
        self.show();
        if self.game.status != Status::Finished {
            self.end(Ending::Abort);
        }
    }
}

/// Makes the problem of somebody who may not see a withheld game.
pub(crate) fn is_withheld() -> Problem {
    Problem::new(
        Code::GameNotFound,
        "all tables of the round have the same dice: until the round is over, only the organiser and the players of a game see it",
    )
}
