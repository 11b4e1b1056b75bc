//! Checks whether numbers of the hand fit into the steps that the pawns have left to home. Other colours are ignored.
//!
//! Numbers that do not fit cannot be spent, because a pawn that only walks home needs one step for each pip. It is
//! enough to try the smallest numbers: if any others fit, these do. The pawns are filled one after another, each with
//! as many numbers as possible; for the last two pawns it is enough that one of them can be filled well enough.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::memo::mix;
use crate::play::engine::Engine;
use crate::play::state::State;
use crate::units::{MAX_PAWNS, MAX_STEP};

/// Number of failed fillings that are remembered.
pub(super) const FAILED: usize = 1024;

/// Most fillings that one search may try. After that, numbers count as fitting.
const MOST_FILLED: u32 = 20_000;

/// Most different sizes of numbers. Hands with more sizes are not checked.
const MAX_SIZES: usize = 8;

/// Most numbers that only some pawns may take. Beyond them, numbers count as free for all pawns.
const MAX_BOUND: usize = 6;

/// A number that some pawns may not take, because they have moved by the same throw. The pawns are a mask.
struct Bound {
    size: u8,
    moved: u8,
}

/// For each size, how many numbers there are.
type Counts = [u8; MAX_SIZES];

/// The steps that each pawn has left, fewest first.
type Rooms = ArrayVec<u8, MAX_PAWNS>;

/// The sizes of a hand's numbers, and the fillings that are known to fail.
pub(super) struct Packed<'s> {
    /// The sizes, greatest first. Empty if the hand is not checked.
    sizes: ArrayVec<u8, MAX_SIZES>,
    failed: &'s mut [u64],
    /// Number of fillings tried.
    tried: u32,
}

impl Engine {
    /// Whether it may still be possible to spend `aim` numbers. `false` is certain, `true` is not.
    pub(super) fn may_fit(&self, state: &State, aim: u32, packed: &mut Packed<'_>, last_too: bool) -> bool {
        if packed.sizes.is_empty() || !self.assumptions.enters_by_number || !self.only_walks_home(state, last_too) {
            return true;
        }
        let home = self.board.len - 1;
        let pawns = &state.at[self.colour(state).index()][..self.pawns.count as usize & 15];
        let mut rooms = [0; MAX_PAWNS];
        rooms.iter_mut().zip(pawns).for_each(|(room, &at)| *room = home - at.min(home));
        let mut all = [0u8; MAX_STEP as usize + 1];
        let mut bound: ArrayVec<Bound, MAX_BOUND> = ArrayVec::new();
        for thrown in &state.hand.banked[..state.hand.throws as usize & 31] {
            let usable = self.usable(thrown, pawns);
            let numbers = thrown.numbers.iter().enumerate().filter(|(i, _)| usable >> i & 1 == 1);
            for (_, &size) in numbers {
                let is_free = !self.turn.once_per_throw || thrown.moved == 0;
                if is_free || bound.try_push(Bound { size, moved: thrown.moved }).is_err() {
                    all[usize::from(size.min(MAX_STEP))] += 1;
                }
            }
        }
        let mut free = Counts::default();
        free.iter_mut().zip(&packed.sizes).for_each(|(free, &size)| *free = all[usize::from(size)]);
        bound.sort_unstable_by_key(|bound| Reverse(bound.size));
        packed.fit_with(&bound, &free, aim, rooms)
    }
}

impl<'s> Packed<'s> {
    /// Prepares the check for a hand. `failed` is the memory for failed fillings; if it is empty, the hand is not
    /// checked.
    pub fn new(state: &State, failed: &'s mut [u64]) -> Self {
        let mut packed = Packed { sizes: ArrayVec::new(), failed, tried: 0 };
        if !packed.failed.is_empty() {
            packed.sizes = sizes(state).unwrap_or_default();
        }
        packed
    }

    /// Whether `wanted` of the bound and free numbers fit.
    fn fit_with(&mut self, bound: &[Bound], free: &Counts, wanted: u32, rooms: [u8; MAX_PAWNS]) -> bool {
        let Some((first, others)) = bound.split_first() else { return self.fit_freely(free, wanted, rooms) };
        if !self.fit_freely(&self.with(bound, free), wanted, rooms) {
            return false;
        }
        let may_take = |pawn: &usize| first.moved >> pawn & 1 == 0 && rooms[*pawn] >= first.size;
        (0..MAX_PAWNS).filter(may_take).any(|pawn| {
            let mut rooms = rooms;
            rooms[pawn] -= first.size;
            self.fit_with(others, free, wanted.saturating_sub(1), rooms)
        }) || self.fit_with(others, free, wanted, rooms)
    }

    /// The counts of all numbers, with the bound ones counted as free.
    fn with(&self, bound: &[Bound], free: &Counts) -> Counts {
        let mut counts = *free;
        for (count, &size) in counts.iter_mut().zip(&self.sizes) {
            *count += bound.iter().filter(|bound| bound.size == size).count() as u8;
        }
        counts
    }

    /// Whether the `wanted` smallest numbers fit.
    fn fit_freely(&mut self, free: &Counts, mut wanted: u32, rooms: [u8; MAX_PAWNS]) -> bool {
        let mut sorted: Rooms = rooms.into_iter().filter(|&room| room > 0).collect();
        sorted.sort_unstable();
        let (mut counts, mut total) = (Counts::default(), 0);
        for ((counted, &free), &size) in counts.iter_mut().zip(free).zip(&self.sizes).rev() {
            *counted = free.min(wanted.min(255) as u8);
            wanted -= u32::from(*counted);
            total += u32::from(*counted) * u32::from(size);
        }
        wanted == 0 && self.fits(&counts, total, &sorted)
    }

    /// Whether all numbers fit. `total` is their sum.
    fn fits(&mut self, counts: &Counts, total: u32, rooms: &[u8]) -> bool {
        let room: u32 = rooms.iter().map(|&room| u32::from(room)).sum();
        let Some(spare) = room.checked_sub(total) else { return false };
        let greatest = self.sizes.iter().zip(counts).find(|(_, count)| **count > 0).map_or(0, |(&size, _)| size);
        // With this much spare room, every number fits somewhere.
        if rooms.len() < 2 || spare + rooms.len() as u32 >= u32::from(greatest) * rooms.len() as u32 {
            return true;
        }
        if let &[fewer, more] = rooms {
            let least = total.saturating_sub(more.into());
            return self.sums(counts) >> least & ((2u128 << (u32::from(fewer) - least)) - 1) != 0;
        }
        let key = mix(u64::from_le_bytes(*counts), rooms.iter().fold(0, |key, &room| key << 8 | u64::from(room))) | 1;
        let index = (key >> 1) as usize % FAILED;
        if self.failed[index] == key {
            return false;
        }
        let fits = self.fill(0, counts, total, rooms, rooms[0], spare);
        if !fits {
            self.failed[index] = key;
        }
        fits
    }

    /// Whether all fit if the pawn with the fewest steps takes numbers of the sizes from `size` on. It has `left` steps
    /// left.
    fn fill(&mut self, size: usize, counts: &Counts, total: u32, rooms: &[u8], left: u8, spare: u32) -> bool {
        let Some(&pips) = self.sizes.get(size) else {
            self.tried += 1;
            let takes_more = self.sizes.iter().zip(counts).any(|(&size, &count)| count > 0 && size <= left);
            return !takes_more
                && u32::from(left) <= spare
                && (self.tried > MOST_FILLED || self.fits(counts, total, &rooms[1..]));
        };
        let most = counts[size].min(left / pips);
        (0..=most).rev().any(|taken| {
            let mut counts = *counts;
            counts[size] -= taken;
            let pips = taken * pips;
            self.fill(size + 1, &counts, total - u32::from(pips), rooms, left - pips, spare)
        })
    }

    /// All sums of some of the numbers, with one bit for each sum.
    fn sums(&self, counts: &Counts) -> u128 {
        let mut sums = 1u128;
        for (&size, &count) in self.sizes.iter().zip(counts) {
            let (mut more, mut taken) = (u32::from(count), 1);
            while more > 0 {
                taken = taken.min(more);
                sums |= sums.checked_shl(u32::from(size) * taken).unwrap_or_default();
                more -= taken;
                taken *= 2;
            }
        }
        sums
    }
}

/// The sizes of a hand's numbers, greatest first. `None` if there are too many sizes.
fn sizes(state: &State) -> Option<ArrayVec<u8, MAX_SIZES>> {
    let mut sizes = ArrayVec::new();
    let numbers = state.hand.banked[..state.hand.throws as usize & 31].iter().flat_map(|thrown| thrown.numbers);
    for number in numbers.filter(|&number| number > 0) {
        if !sizes.contains(&number) {
            sizes.try_push(number.min(MAX_STEP)).ok()?;
        }
    }
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    Some(sizes)
}
