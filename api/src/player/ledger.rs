//! The chips of a player: the balance, and the stakes of games in escrow.
//!
//! A chip is in exactly one of three places: in a balance, in escrow for a game, or in the bank. The stake of a game
//! moves from the balance into escrow once, however often it is asked for, because the ledger names the games. When the
//! game is settled, its stake leaves the escrow and the player's share is added to the balance in one commit. A game
//! that is not in escrow was settled before.

use serde::{Deserialize, Serialize};

use crate::error::{Code, Problem, detail};
use crate::game::GameId;

/// The chips of a player.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ledger {
    /// The chips that the player can stake.
    pub balance: u64,
    /// The chips that the player has got from the service.
    pub issued: u64,
    /// The stakes of games that are not settled. A game without a bet has a stake of 0.
    pub escrow: Vec<Stake>,
}

/// The stake of a game in escrow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stake {
    pub game: GameId,
    pub chips: u64,
}

impl Ledger {
    /// Adds chips that the service gives to a new player.
    pub(crate) fn issue(&mut self, chips: u64) {
        self.balance += chips;
        self.issued += chips;
    }

    /// Tells whether the stake of a game is in escrow.
    pub(crate) fn holds(&self, game: GameId) -> bool {
        self.escrow.iter().any(|stake| stake.game == game)
    }

    /// Returns the sum of all stakes.
    pub(crate) fn staked(&self) -> u64 {
        self.escrow.iter().map(|stake| stake.chips).sum()
    }

    /// Moves the stake of a game into escrow. Returns whether it was moved: `false` if it is in escrow already.
    ///
    /// # Errors
    /// The balance is smaller than the stake.
    pub(super) fn stake(&mut self, game: GameId, chips: u64) -> Result<bool, Problem> {
        if self.holds(game) {
            return Ok(false);
        }
        self.balance = self.balance.checked_sub(chips).ok_or_else(|| too_few(self.balance, chips))?;
        self.escrow.push(Stake { game, chips });
        Ok(true)
    }

    /// Removes the stake of a game from the escrow and adds `gets` to the balance. Returns the stake; `None`, and
    /// changes nothing, if the game is not in escrow.
    pub(super) fn settle(&mut self, game: GameId, gets: u64) -> Option<u64> {
        let index = self.escrow.iter().position(|stake| stake.game == game)?;
        self.balance += gets;
        Some(self.escrow.remove(index).chips)
    }
}

/// Makes the problem of a player who has fewer chips than the bet, for the player alone: nobody else may learn the
/// balance.
pub(crate) fn too_few(balance: u64, bet: u64) -> Problem {
    let detail = detail!("the bet is {bet} chips, and your balance is {balance}", bet, balance);
    Problem::new(Code::InsufficientChips, detail)
}

/// Makes the problem of a seat whose player has fewer chips than the bet, for other callers. It does not show the
/// balance.
pub(crate) fn others_too_few(seat: &str, bet: u64) -> Problem {
    let detail = detail!("the bet is {bet} chips, and the player at `{seat}` has fewer", bet, seat);
    Problem::new(Code::InsufficientChips, detail)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_stake_is_taken_once_and_settled_once() {
        let mut ledger = Ledger::default();
        ledger.issue(100);
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert!(ledger.stake(one, 60).unwrap() && !ledger.stake(one, 60).unwrap());
        assert_eq!((ledger.balance, ledger.staked()), (40, 60));
        let refused = ledger.stake(other, 41).unwrap_err();
        assert_eq!((refused.code, ledger.balance, ledger.holds(other)), (Code::InsufficientChips, 40, false));
        assert_eq!(ledger.settle(other, 500), None);
        assert_eq!((ledger.settle(one, 90), ledger.settle(one, 90)), (Some(60), None));
        assert_eq!((ledger.balance, ledger.staked(), ledger.issued), (130, 0, 100));
    }
}
