//! Whether so many numbers fit into the steps that pawns have left to home, whoever else is on the board.
//!
//! What does not fit cannot be spent: who only walks home needs a step for each pip, and one throw moves a pawn once.
//! Throws are packed one after another, the greatest first; what failed is kept.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::Search;
use super::memo::mix;
use crate::play::state::{Banked, MAX_BANKED, MAX_PAWNS, Place, State};
use crate::tables::Rules;

/// Packings that failed, of which so many are kept.
pub(super) const FAILED: usize = 8192;

/// Ways to pack that one look ahead may try; beyond it whatever is asked may fit.
const MOST_PACKED: u32 = 100_000;

/// What is known of packings.
pub(super) struct Packed<'s> {
    failed: &'s mut [u64],
    /// Ways to pack that were tried.
    pub tried: u32,
}

impl<'s> Packed<'s> {
    /// `failed`: room for [`FAILED`] packings, or none: then nothing is packed.
    pub fn new(failed: &'s mut [u64]) -> Self {
        Packed { failed, tried: 0 }
    }
}

/// Two numbers of a throw, or one.
#[derive(Clone, Copy)]
struct Item {
    numbers: [u8; 2],
    /// Both may go to one pawn.
    whole: bool,
    /// Bit `p`: pawn `p` may take none.
    moved: u8,
}

/// The throws to pack and, of each and all after it together, what is known.
struct Items {
    list: ArrayVec<Item, MAX_BANKED>,
    /// The sums of some of their numbers, a bit each.
    sums: ArrayVec<u128, MAX_BANKED>,
    /// Their least number, the sum of the two least, ..
    least: ArrayVec<ArrayVec<u16, { 2 * MAX_BANKED }>, MAX_BANKED>,
    /// A number that stands for them.
    key: ArrayVec<u64, MAX_BANKED>,
}

/// Steps to home of every pawn.
type Steps = [u8; MAX_PAWNS];

impl Rules {
    /// Whether `aim` numbers may yet be spent; false is certain.
    pub(super) fn may_fit(&self, state: &State, aim: u32, search: &mut Search<'_>) -> bool {
        let packed = &mut search.packed;
        if packed.failed.is_empty()
            || packed.tried > MOST_PACKED
            || !self.turn.once_per_throw
            || !self.ahead.enters_by_number
            || !self.only_walks_home(state, search.last_too)
        {
            return true;
        }
        let pawns = &state.at[self.colour(state).index()][..self.pawns as usize & 15];
        let Some(items) = Items::of(self, state, pawns) else { return true };
        let home = self.board.len - 1;
        let mut steps = [0; MAX_PAWNS];
        for (steps, &at) in steps.iter_mut().zip(pawns) {
            *steps = home - at.min(home);
        }
        items.fit_easily(&steps, aim) || items.pack(0, steps, aim, packed)
    }
}

impl Items {
    /// The throws of which something can be used; `None` where one holds more than two numbers.
    fn of(rules: &Rules, state: &State, pawns: &[Place]) -> Option<Items> {
        let mut list = ArrayVec::new();
        for thrown in &state.hand.banked[..state.hand.throws as usize & 31] {
            let usable = rules.usable(thrown, pawns);
            if usable != 0 {
                list.push(Item::of(thrown, usable)?);
            }
        }
        list.sort_unstable_by_key(|item: &Item| (!item.whole, Reverse(item.sum()), item.numbers, item.moved));
        let mut items = Items { list, sums: ArrayVec::new(), least: ArrayVec::new(), key: ArrayVec::new() };
        let mut sorted: ArrayVec<u8, { 2 * MAX_BANKED }> = ArrayVec::new();
        let (mut sums, mut key) = (1u128, 1);
        for item in items.list.iter().rev() {
            for number in item.each() {
                sums |= sums.checked_shl(number.into()).unwrap_or_default();
                sorted.insert(sorted.partition_point(|&other| other < number), number);
            }
            let [a, b] = item.numbers;
            key = mix(key, u64::from_le_bytes([a, b, item.whole.into(), item.moved, 0, 0, 0, 0]));
            let add = |sum: &mut u16, &number: &u8| {
                *sum += u16::from(number);
                Some(*sum)
            };
            items.sums.push(sums);
            items.least.push(sorted.iter().scan(0, add).collect());
            items.key.push(key);
        }
        items.sums.reverse();
        items.least.reverse();
        items.key.reverse();
        Some(items)
    }

    /// Whether there is so much room that any order of packing leads to the end.
    fn fit_easily(&self, steps: &Steps, aim: u32) -> bool {
        let room: u32 = steps.iter().map(|&steps| u32::from(steps)).sum();
        let greatest = self.list.iter().map(|item| u32::from(item.sum())).max().unwrap_or_default();
        let sums = self.least.first().map_or(&[][..], |sums| sums);
        sums.len() as u32 >= aim
            && sums.last().is_some_and(|&sum| u32::from(sum) + greatest * MAX_PAWNS as u32 / 2 <= room)
    }

    /// Whether `need` numbers of the items from `first` on fit.
    fn pack(&self, first: usize, steps: Steps, need: u32, packed: &mut Packed<'_>) -> bool {
        let Some(fewest) = need.checked_sub(1) else { return true };
        let Some(&sums) = self.sums.get(first) else { return false };
        let walks = |steps: u8| 127 - (sums & ((2u128 << steps) - 1)).leading_zeros();
        let room: u32 = steps.iter().map(|&steps| walks(steps)).sum();
        if self.least[first].get(fewest as usize).is_none_or(|&sum| u32::from(sum) > room) {
            return false;
        }
        packed.tried += 1;
        if packed.tried > MOST_PACKED {
            return true;
        }
        let key = mix(self.key[first] ^ u64::from(need), u64::from_le_bytes(steps)) | 1;
        let index = (key >> 1) as usize % FAILED;
        if packed.failed[index] == key {
            return false;
        }
        let fits = self.pack_item(first, &steps, need, packed);
        if !fits {
            packed.failed[index] = key;
        }
        fits
    }

    fn pack_item(&self, first: usize, steps: &Steps, need: u32, packed: &mut Packed<'_>) -> bool {
        let item = self.list[first];
        let [a, b] = item.numbers;
        let mut order: [usize; MAX_PAWNS] = std::array::from_fn(|pawn| pawn);
        order.sort_unstable_by_key(|&pawn| Reverse(steps[pawn]));
        let may = |pawn: usize, number: u8| item.moved >> pawn & 1 == 0 && steps[pawn] >= number;
        // Of pawns that are equally far one stands for all.
        let is_first = |pawn: usize| item.moved != 0 || !(0..pawn).any(|other| steps[other] == steps[pawn]);
        let less = |mut steps: Steps, pawn: usize, number: u8| {
            steps[pawn] -= number;
            steps
        };
        if item.whole && need > 1 {
            for pawn in order.into_iter().filter(|&pawn| may(pawn, a + b) && is_first(pawn)) {
                if self.pack(first + 1, less(*steps, pawn, a + b), need - 2, packed) {
                    return true;
                }
            }
            for one in order.into_iter().filter(|&pawn| may(pawn, a)) {
                for other in order.into_iter().filter(|&pawn| may(pawn, b)) {
                    let twice = a == b && other < one;
                    let both = less(*steps, one, a);
                    if other != one && !twice && self.pack(first + 1, less(both, other, b), need - 2, packed) {
                        return true;
                    }
                }
            }
        }
        for number in item.each().take(if a == b { 1 } else { 2 }) {
            for pawn in order.into_iter().filter(|&pawn| may(pawn, number) && is_first(pawn)) {
                if self.pack(first + 1, less(*steps, pawn, number), need - 1, packed) {
                    return true;
                }
            }
        }
        self.pack(first + 1, *steps, need, packed)
    }
}

impl Item {
    fn of(thrown: &Banked, usable: u8) -> Option<Item> {
        let mut left = (0..thrown.numbers.len()).filter(|i| usable >> i & 1 == 1).map(|i| thrown.numbers[i]);
        let numbers = [left.next()?, left.next().unwrap_or_default()];
        let whole = thrown.is_whole() && numbers[1] > 0;
        let plain = left.next().is_none() && (whole || numbers[1] == 0);
        plain.then_some(Item { numbers, whole, moved: thrown.moved })
    }

    fn each(&self) -> impl Iterator<Item = u8> + use<> {
        self.numbers.into_iter().filter(|&number| number > 0)
    }

    fn sum(&self) -> u8 {
        self.numbers[0] + self.numbers[1]
    }
}
