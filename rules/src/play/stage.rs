//! Stages of spending the hand.

use super::state::{Banked, State};
use crate::tables::{Spend, With};
use crate::units::Due;

/// The part of the hand that must be spent next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HandStage {
    /// Bonuses that come before the numbers.
    BonusNow,
    Numbers,
    /// Bonuses that come after the numbers.
    BonusAfter,
    /// Bonuses that come after all throws of the turn.
    BonusLast,
    /// No part is left: the hand is spent.
    Spent,
}

impl HandStage {
    /// The due time of the bonuses of this stage. `None` if the stage spends no bonuses.
    pub(crate) fn due(self) -> Option<Due> {
        match self {
            HandStage::BonusNow => Some(Due::Now),
            HandStage::BonusAfter => Some(Due::After),
            HandStage::BonusLast => Some(Due::Last),
            HandStage::Numbers | HandStage::Spent => None,
        }
    }
}

impl State {
    /// The part of the hand that must be spent next.
    #[inline(always)]
    pub(crate) fn stage(&self) -> HandStage {
        let hand = &self.hand;
        if hand.granted == 0 {
            return if self.numbers_left() > 0 { HandStage::Numbers } else { HandStage::Spent };
        }
        let granted = &hand.bonuses[..hand.granted as usize & 15];
        let waits = |due: Due| granted.iter().any(|bonus| bonus.due == due);
        if waits(Due::Now) {
            HandStage::BonusNow
        } else if self.numbers_left() > 0 {
            HandStage::Numbers
        } else if waits(Due::After) {
            HandStage::BonusAfter
        } else if waits(Due::Last) && self.owed == [0; 2] {
            HandStage::BonusLast
        } else {
            HandStage::Spent
        }
    }

    /// The count of numbers of the hand that are not spent.
    #[inline(always)]
    pub(crate) fn numbers_left(&self) -> u32 {
        match self.hand.throws {
            0 => 0,
            1 => self.hand.banked[0].count_left(),
            _ => self.numbers_left_of_several(),
        }
    }

    #[inline(never)]
    fn numbers_left_of_several(&self) -> u32 {
        let throws = self.hand.throws as usize & 31;
        self.hand.banked[..throws.min(self.hand.banked.len())].iter().map(Banked::count_left).sum()
    }
}

impl Spend {
    /// Whether the line spends the part of the hand that is next.
    #[inline(always)]
    pub(super) fn fits(&self, stage: HandStage) -> bool {
        match stage {
            HandStage::Numbers => self.with != With::Bonus,
            HandStage::BonusNow | HandStage::BonusAfter | HandStage::BonusLast => self.with == With::Bonus,
            HandStage::Spent => false,
        }
    }
}
