//! Notes the network addresses from which the seats of a competitive game are played.

use crate::game::address::{AddressMark, GameScore};
use crate::game::edit::Edit;
use crate::limits::Caller;

impl Edit {
    /// Notes the network address from which a seat is played. Does nothing in games that do not count.
    pub(crate) fn note_address(&mut self, seat: &str, caller: Option<Caller>) {
        let setup = &self.game.setup;
        let Some(((score, table), caller)) = setup.score.as_ref().zip(setup.table).zip(caller) else { return };
        let Some(index) = setup.seats.iter().position(|record| record.seat == seat) else { return };
        let address = AddressMark::of(caller, table);
        if score.is_at_one_address || score.knows(index, address) {
            return;
        }
        if let Some(score) = &mut self.game.setup_mut().score {
            score.add(index, address);
        }
    }

    /// Removes the marks of addresses from a game that is over.
    pub(super) fn forget_addresses(&mut self) {
        let is_marked = |score: &GameScore| score.addresses.iter().any(|known| !known.is_empty());
        if self.game.setup.score.as_ref().is_some_and(is_marked)
            && let Some(score) = &mut self.game.setup_mut().score
        {
            score.addresses.iter_mut().for_each(Vec::clear);
        }
    }
}
