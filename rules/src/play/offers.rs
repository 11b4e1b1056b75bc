//! Offers: the distinct parts of the hand that a spend line can spend.

use super::context::Context;
use super::engine::Engine;
use super::stage::HandStage;
use super::state::{Banked, State};
use crate::tables::{Program, Spend, With};
use crate::units::{Pips, Places, ThrowIndex};

/// A part of the hand that an action may spend, and its pips.
pub(super) struct Offer {
    pub throw: Option<ThrowIndex>,
    pub numbers: u8,
    /// The number, sum or bonus; for a doublet or triplet, one of its equal numbers.
    pub number: Pips,
}

impl State {
    /// The number of the hand that is left, if there is exactly one.
    #[inline(always)]
    pub(super) fn only_number(&self) -> Option<Offer> {
        if self.hand.throws == 1 {
            let thrown = &self.hand.banked[0];
            let left = thrown.left & 15;
            let number = thrown.numbers[left.trailing_zeros() as usize & 3];
            let only = Offer { throw: Some(ThrowIndex::new(0)), numbers: left, number };
            return (left != 0 && left & left - 1 == 0).then_some(only);
        }
        self.only_number_of_several()
    }

    #[inline(never)]
    fn only_number_of_several(&self) -> Option<Offer> {
        let mut only = None;
        for (index, thrown) in self.hand.banked[..self.hand.throws as usize & 31].iter().enumerate() {
            let left = thrown.left & 15;
            if left & left.wrapping_sub(1) != 0 || left != 0 && only.is_some() {
                return None;
            }
            if left != 0 {
                let number = thrown.numbers[left.trailing_zeros() as usize & 3];
                only = Some(Offer { throw: Some(ThrowIndex::new(index as u8)), numbers: left, number });
            }
        }
        only
    }
}

impl Engine {
    /// Whether a rule can distinguish two throws of the hand that have the same numbers.
    pub(crate) fn tells_throw(&self, state: &State, one: usize, other: usize) -> bool {
        let answer = |asked: Program, throw: usize| {
            self.value_by_code(
                state,
                asked,
                &Context { throw: Some(ThrowIndex::new(throw as u8)), ..Context::seat(self.colour(state)) },
            )
        };
        let tells = |asked: &Program| answer(*asked, one) != answer(*asked, other);
        self.assumptions.tells_throws
            || self.assumptions.asks_throw.iter().flatten().any(tells) && self.may_ask_throw(state)
    }

    /// Whether a line that reads `throw_number` may apply before the hand is spent.
    pub(super) fn may_ask_throw(&self, state: &State) -> bool {
        let Some(lines) = &self.assumptions.throw_lines else { return true };
        let throws = &state.hand.banked[..state.hand.throws as usize & 31];
        let pips = throws.iter().map(|thrown| u32::from(thrown.sum_of(thrown.left).0)).sum();
        let colour = self.colour(state);
        let places = &state.at[colour.index()][..self.pawns.count as usize & 31];
        // A closed gate may lead pawns to another lap.
        let is_open = self.assumptions.gate_stays && self.gate_is_open(state, colour);
        let leaps = if is_open { 0 } else { Places::MAX << self.board.gate_at.0 };
        lines.may_apply(places, leaps, pips, state.numbers_left())
    }

    /// A mask of the throws that have numbers left. Of throws that no rule can distinguish, only the first is in it.
    #[inline(always)]
    pub(crate) fn distinct_throws(&self, state: &State) -> u32 {
        let hand = &state.hand.banked[..state.hand.throws as usize & 31];
        if let [one] = hand {
            return u32::from(one.left != 0);
        }
        let mut throws = 0u32;
        for (i, thrown) in hand.iter().enumerate() {
            let is_like = |(k, earlier): (usize, &Banked)| earlier == thrown && !self.tells_throw(state, k, i);
            if thrown.left != 0 && !hand[..i].iter().enumerate().any(is_like) {
                throws |= 1 << i;
            }
        }
        throws
    }

    /// Calls `offer` with each distinct part of the hand that a line may spend.
    #[inline(always)]
    pub(super) fn offers(
        &self,
        state: &State,
        line: &Spend,
        stage: HandStage,
        mut throws: u32,
        mut offer: impl FnMut(Offer),
    ) {
        let hand = &state.hand;
        if line.with == With::Bonus {
            for (index, bonus) in hand.bonuses[..hand.granted as usize].iter().enumerate() {
                let seen = hand.bonuses[..index].iter().any(|earlier| earlier == bonus);
                if !seen && Some(bonus.due) == stage.due() {
                    offer(Offer { throw: None, numbers: index as u8, number: bonus.steps });
                }
            }
            return;
        }
        while throws != 0 {
            let index = ThrowIndex::new(throws.trailing_zeros() as u8);
            throws &= throws - 1;
            let (throw, Some(thrown)) = (Some(index), hand.banked.get(index.index())) else { continue };
            match line.with {
                With::Die => {
                    let mut open = thrown.left & 15;
                    let mut offered = 0u64;
                    while open != 0 {
                        let one = open & open.wrapping_neg();
                        let number = thrown.numbers[open.trailing_zeros() as usize & 3];
                        open ^= one;
                        let seen = offered >> (number.0 & 63) & 1 == 1;
                        offered |= 1 << (number.0 & 63);
                        if !seen && line.exactly.has(number) {
                            offer(Offer { throw, numbers: one, number });
                        }
                    }
                }
                With::Sum if thrown.is_whole() && thrown.count() > 1 => {
                    let sum = thrown.sum_of(15);
                    if line.exactly.has(sum) {
                        offer(Offer { throw, numbers: thrown.left, number: sum });
                    }
                }
                With::Doublet if thrown.count_left() > 1 => {
                    each_of_equals(thrown, 2, |numbers, number| offer(Offer { throw, numbers, number }))
                }
                With::Triplet if thrown.count_left() > 2 => {
                    each_of_equals(thrown, 3, |numbers, number| offer(Offer { throw, numbers, number }))
                }
                _ => {}
            }
        }
    }
}

/// For every number of which at least `count` are left, calls `each` with a mask of the first `count` of them and with
/// the number.
#[inline(always)]
fn each_of_equals(thrown: &Banked, count: u32, mut each: impl FnMut(/* bits */ u8, Pips)) {
    let open = (0..thrown.numbers.len()).filter(|i| thrown.left >> i & 1 == 1);
    for first in open.clone() {
        let number = thrown.numbers[first];
        let equal = open.clone().filter(|&i| thrown.numbers[i] == number).fold(0u8, |all, i| all | 1 << i);
        if equal.trailing_zeros() as usize == first && equal.count_ones() >= count {
            let kept = (count..equal.count_ones()).fold(equal, |left, _| left & !(1 << (7 - left.leading_zeros())));
            each(kept, number);
        }
    }
}
