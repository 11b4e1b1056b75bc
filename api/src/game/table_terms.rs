//! The terms that a table sets for its game in play: who may watch, the time limit, who has left, whether the game
//! ends, and the addresses from which its players sent requests to the table.

use uuid::Uuid;

use crate::error::Problem;
use crate::game::address::AddressMark;
use crate::game::edit::Edit;
use crate::game::event::{Event, EventKind};
use crate::game::stored::Game;
use crate::game::terms::{Status, TurnTimer};

/// The terms that a table sets for its game in play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableTerms {
    /// The players who may watch.
    pub watchers: Vec<Uuid>,
    /// The time limit for decisions; `None` if there is none.
    pub timer: Option<TurnTimer>,
    /// The seats whose players have left the table.
    pub left: Vec<String>,
    /// Whether the players have voted to end the game.
    pub is_cancelled: bool,
    /// The seats of a competitive game with the addresses from which their players last changed the table.
    pub addresses: Vec<(String, AddressMark)>,
}

impl TableTerms {
    /// Tells whether the terms hold in a game. They always hold in a game that is not in play, because they cannot
    /// change it.
    pub(crate) fn hold_in(&self, game: &Game) -> bool {
        let setup = &game.setup;
        let has_left = |seat: &String| setup.has_given_up(seat) || setup.is_abandoned(seat);
        game.status != Status::Playing
            || (setup.watchers == self.watchers
                && setup.timer == self.timer
                && !self.is_cancelled
                && self.left.iter().all(has_left)
                && self.addresses.iter().all(|(seat, address)| setup.has_compared(seat, *address)))
    }
}

impl Edit {
    /// Brings the game in line with the terms of its table. Does nothing if they hold already.
    ///
    /// # Errors
    /// `left` has a name that no seat has, or a turn cannot be played.
    pub(crate) fn set_table_terms(&mut self, terms: &TableTerms) -> Result<(), Problem> {
        if terms.hold_in(&self.game) {
            return Ok(());
        }
        let setup = &self.game.setup;
        let has_new_address = terms.addresses.iter().any(|(seat, address)| !setup.has_compared(seat, *address));
        if setup.watchers != terms.watchers || setup.timer != terms.timer || has_new_address {
            self.has_other_watchers |= setup.watchers != terms.watchers;
            let setup = self.game.setup_mut();
            setup.set_watchers(terms.watchers.clone());
            setup.timer = terms.timer;
            for (seat, address) in &terms.addresses {
                self.compare_address(seat, *address);
            }
            self.add(Event::of_game(EventKind::TermsChanged));
        }
        if terms.is_cancelled {
            self.end_without_players();
            return Ok(());
        }
        for name in &terms.left {
            if self.game.status == Status::Playing {
                self.leave_for_good(name)?;
            }
        }
        self.settle()
    }
}
