//! Network addresses from which the seats of a competitive game are played.
//!
//! A game in which two players share an address counts for its chips only. A game stores marks of addresses, not the
//! addresses: hashes that differ from table to table. When the game is over, the marks are removed.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ground::mark::mark;
use crate::limits::Caller;

/// Maximum number of marks that a seat keeps. Further addresses are compared with those of the other seats, but not
/// kept.
const MOST_MARKS: usize = 8;

/// The mark of a network address at one table. The mark of an IPv6 address is that of its first 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AddressMark(u64);

impl AddressMark {
    /// Makes the mark of a caller's address at a table.
    pub(crate) fn of(caller: Caller, table: Uuid) -> Self {
        let bytes = [&table.as_bytes()[..], &caller.client_bytes()].concat();
        Self(mark("pagade addresses at one table v1", &bytes))
    }
}

/// The stake of a competitive game, and whether the game counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GameScore {
    /// Number of chips that each player has staked.
    pub bet: u64,
    /// The marks of each seat, in the order of the seats.
    pub addresses: Vec<Vec<AddressMark>>,
    /// Whether two players have played from one network address.
    pub is_at_one_address: bool,
}

impl GameScore {
    /// Makes the stake of a new game. `addresses` has one entry for each seat: the mark of the address from which its
    /// player sat down, if it is known.
    pub(crate) fn new(bet: u64, addresses: impl Iterator<Item = Option<AddressMark>>) -> Self {
        let mut score = Self { bet, ..Self::default() };
        for (seat, address) in addresses.enumerate() {
            score.addresses.push(Vec::new());
            if let Some(address) = address {
                score.add(seat, address);
            }
        }
        score
    }

    /// Tells whether noting this address for the seat with this index would change nothing: the seat has the mark
    /// already; or it has [`MOST_MARKS`] marks, and no other seat has this mark.
    pub(super) fn knows(&self, seat: usize, address: AddressMark) -> bool {
        let Some(marks) = self.addresses.get(seat) else { return true };
        marks.contains(&address) || marks.len() >= MOST_MARKS && !self.is_of_any(address)
    }

    pub(super) fn add(&mut self, seat: usize, address: AddressMark) {
        if self.knows(seat, address) {
            return;
        }
        self.is_at_one_address |= self.is_of_any(address);
        if self.addresses[seat].len() < MOST_MARKS {
            self.addresses[seat].push(address);
        }
    }

    fn is_of_any(&self, address: AddressMark) -> bool {
        self.addresses.iter().any(|marks| marks.contains(&address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(number: u64) -> AddressMark {
        AddressMark(number)
    }

    #[test]
    fn two_seats_share_an_address_at_any_time_of_the_game() {
        let mut score = GameScore::new(5, [Some(mark(1)), None, Some(mark(2))].into_iter());
        assert!(!score.is_at_one_address);
        score.add(1, mark(3));
        score.add(0, mark(4));
        score.add(0, mark(4));
        assert!(!score.is_at_one_address, "one player may have several");
        score.add(2, mark(1));
        assert!(score.is_at_one_address, "although the other player has moved on");
        assert!(GameScore::new(5, [Some(mark(1)), Some(mark(1))].into_iter()).is_at_one_address);
        for number in 10..99 {
            score.add(1, mark(number));
        }
        assert_eq!(score.addresses[1].len(), MOST_MARKS);
        let mut moving = GameScore::new(5, [Some(mark(1)), Some(mark(2))].into_iter());
        (10..30).for_each(|number| moving.add(0, mark(number)));
        assert!(!moving.is_at_one_address);
        moving.add(0, mark(2));
        assert!(moving.is_at_one_address, "also by an address for which the seat has no room");
    }
}
