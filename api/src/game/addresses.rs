//! Notes the network addresses from which the seats of a competitive game are played.

use crate::game::address::{AddressMark, GameScore};
use crate::game::edit::Edit;
use crate::game::setup::Setup;
use crate::limits::Caller;

impl Setup {
    /// Tells whether the game counts for more than its chips.
    pub(super) fn counts(&self) -> bool {
        self.score.as_ref().is_some_and(|score| !score.is_at_one_address)
    }

    /// Tells whether comparing this address of a seat would change nothing: it was compared before, or the game
    /// compares no addresses.
    pub(super) fn has_compared(&self, seat: &str, address: AddressMark) -> bool {
        let index = self.seats.iter().position(|game_seat| game_seat.seat == seat);
        let score = self.score.as_ref().filter(|score| !score.is_at_one_address);
        score.zip(index).is_none_or(|(score, index)| score.knows(index, address))
    }

    /// Compares the network address from which a seat is played with those of the other seats, and keeps it.
    pub(crate) fn compare_address(&mut self, seat: &str, address: AddressMark) {
        let index = self.seats.iter().position(|game_seat| game_seat.seat == seat);
        if let Some((score, index)) = self.score.as_mut().zip(index) {
            score.add(index, address);
        }
    }

    /// Returns the addresses of a seat that are kept.
    pub(crate) fn addresses_of(&self, seat: &str) -> &[AddressMark] {
        let index = self.seats.iter().position(|game_seat| game_seat.seat == seat);
        let marks = self.score.as_ref().zip(index).and_then(|(score, index)| score.addresses.get(index));
        marks.map_or(&[], Vec::as_slice)
    }
}

impl Edit {
    /// Compares the network address from which a seat is played with those of the other seats, and notes it. Does
    /// nothing in games that do not count.
    pub(crate) fn note_address(&mut self, seat: &str, caller: Option<Caller>) {
        if let Some((table, caller)) = self.game.setup.table.zip(caller).filter(|_| self.game.setup.counts()) {
            self.compare_address(seat, AddressMark::of(caller, table));
        }
    }

    /// Does the same as [`Edit::note_address`] for the mark of an address.
    pub(super) fn compare_address(&mut self, seat: &str, address: AddressMark) {
        if self.game.setup.has_compared(seat, address) {
            return;
        }
        self.game.setup_mut().compare_address(seat, address);
    }

    /// Removes the marks of addresses from a game that is over.
    pub(super) fn forget_addresses(&mut self) {
        let is_marked = |score: &GameScore| score.addresses.iter().any(|marks| !marks.is_empty());
        if self.game.setup.score.as_ref().is_some_and(is_marked)
            && let Some(score) = &mut self.game.setup_mut().score
        {
            score.addresses.iter_mut().for_each(Vec::clear);
        }
    }
}
