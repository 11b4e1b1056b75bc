//! Whether a count of numbers fits into the steps that the pawns have left to home. Opposing pawns are ignored.
//!
//! Where pawns only walk home, every pip needs a step, so numbers that do not fit cannot be spent. If any `n` numbers
//! fit, then the `n` smallest fit too. The search gives numbers to one pawn after another, each time until no further
//! number fits. This is called filling the pawn. For the last two pawns, it is enough to find a sum for one of them
//! that leaves no more than the other can take.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::play::engine::Engine;
use crate::play::state::State;
use crate::play::state_hash::mix;
use crate::units::{MAX_PAWNS, MAX_STEP, PawnSet, Pips};

/// Size of the table of combinations of numbers and pawns that are known not to fit.
pub(super) const FAILED: usize = 1024;

/// Maximum number of fillings of a pawn that one search tries. Beyond it, every count of numbers is assumed to fit.
const MOST_FILLED: u32 = 20_000;

/// Maximum number of different sizes in a hand. The size of a number is its pips. If a hand has more sizes, the search
/// is left out, and all numbers are assumed to fit.
const MAX_SIZES: usize = 8;

/// Maximum number of [`Bound`] numbers in one search. Further bound numbers are treated as if any pawn could take them.
const MAX_BOUND: usize = 6;

/// A bound number: its throw has already moved pawns (`moved`, one bit each), and those pawns may not take this number.
/// All other numbers are free: any pawn may take them.
struct Bound {
    size: u8,
    moved: PawnSet,
}

/// For each size, the count of numbers with this size.
type SizeCounts = [u8; MAX_SIZES];

/// The steps that each pawn has left to home, the fewest first.
type Rooms = ArrayVec<u8, MAX_PAWNS>;

/// The sizes of the numbers in a hand, and the combinations that are known not to fit.
pub(super) struct Packed<'s> {
    /// The sizes, greatest first. Empty if there is no search; all numbers are then assumed to fit.
    sizes: ArrayVec<u8, MAX_SIZES>,
    failed: &'s mut [u64],
    /// Number of fillings of a pawn that the search has tried.
    tried: u32,
}

impl Engine {
    /// Whether `aim` numbers may fit. `false` is certain, `true` is not.
    pub(super) fn may_fit(
        &self,
        state: &State,
        aim: u32,
        packed: &mut Packed<'_>,
        last_too: bool,
        locked: PawnSet,
    ) -> bool {
        if packed.sizes.is_empty() || !self.assumptions.enters_by_number || !self.only_walks_home(state, last_too) {
            return true;
        }
        let pawns = &self.walkers(state, self.colour(state), locked)[..self.pawns.count as usize & 31];
        let mut rooms = [0; MAX_PAWNS];
        rooms.iter_mut().zip(pawns).for_each(|(room, &at)| *room = self.steps_home(at).0);
        let mut all = [0u8; MAX_STEP.index() + 1];
        let mut bound: ArrayVec<Bound, MAX_BOUND> = ArrayVec::new();
        for thrown in &state.hand.banked[..state.hand.throws as usize & 31] {
            let usable = self.usable(thrown, pawns);
            let numbers = thrown.numbers.iter().enumerate().filter(|(i, _)| usable >> i & 1 == 1);
            for (_, &size) in numbers {
                let is_free = !self.turn.once_per_throw || thrown.moved == 0;
                if is_free || bound.try_push(Bound { size: size.0, moved: thrown.moved }).is_err() {
                    all[size.min(MAX_STEP).index()] += 1;
                }
            }
        }
        let mut free = SizeCounts::default();
        free.iter_mut().zip(&packed.sizes).for_each(|(free, &size)| *free = all[usize::from(size)]);
        bound.sort_unstable_by_key(|bound| Reverse(bound.size));
        packed.fit_with(&bound, &free, aim, rooms)
    }
}

impl<'s> Packed<'s> {
    /// Collects the sizes of the numbers in the hand. The search stores combinations that do not fit in the table
    /// `failed`. With an empty table there is no search: no sizes are collected, and [`Engine::may_fit`] returns
    /// `true`.
    pub(super) fn new(state: &State, failed: &'s mut [u64]) -> Self {
        let mut packed = Packed { sizes: ArrayVec::new(), failed, tried: 0 };
        if !packed.failed.is_empty() {
            packed.sizes = sizes(state).unwrap_or_default();
        }
        packed
    }

    /// Whether `wanted` numbers fit, chosen from the bound and the free numbers.
    fn fit_with(&mut self, bound: &[Bound], free: &SizeCounts, wanted: u32, rooms: [u8; MAX_PAWNS]) -> bool {
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

    /// Counts the free and the bound numbers together, as if all were free.
    fn with(&self, bound: &[Bound], free: &SizeCounts) -> SizeCounts {
        let mut counts = *free;
        for (count, &size) in counts.iter_mut().zip(&self.sizes) {
            *count += bound.iter().filter(|bound| bound.size == size).count() as u8;
        }
        counts
    }

    /// Whether the `wanted` smallest of the free numbers fit.
    fn fit_freely(&mut self, free: &SizeCounts, mut wanted: u32, rooms: [u8; MAX_PAWNS]) -> bool {
        let mut sorted: Rooms = rooms.into_iter().filter(|&room| room > 0).collect();
        sorted.sort_unstable();
        let (mut counts, mut total) = (SizeCounts::default(), 0);
        for ((counted, &free), &size) in counts.iter_mut().zip(free).zip(&self.sizes).rev() {
            *counted = free.min(wanted.min(255) as u8);
            wanted -= u32::from(*counted);
            total += u32::from(*counted) * u32::from(size);
        }
        wanted == 0 && self.fits(&counts, total, &sorted)
    }

    /// Whether all numbers of `counts` fit. `total` is the sum of their pips.
    fn fits(&mut self, counts: &SizeCounts, total: u32, rooms: &[u8]) -> bool {
        let room: u32 = rooms.iter().map(|&room| u32::from(room)).sum();
        let Some(spare) = room.checked_sub(total) else { return false };
        let greatest = self.sizes.iter().zip(counts).find(|(_, count)| **count > 0).map_or(0, |(&size, _)| size);
        // With this many spare steps, some pawn always has room for the greatest number.
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

    /// Whether all numbers fit if the pawn with the fewest steps takes numbers of the sizes from index `size` on. That
    /// pawn has `left` steps left.
    fn fill(&mut self, size: usize, counts: &SizeCounts, total: u32, rooms: &[u8], left: u8, spare: u32) -> bool {
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

    /// All sums that a selection of the numbers can have, one bit for each sum.
    fn sums(&self, counts: &SizeCounts) -> u128 {
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

/// The sizes of the numbers in a hand, greatest first. `None` if there are too many sizes.
fn sizes(state: &State) -> Option<ArrayVec<u8, MAX_SIZES>> {
    let mut sizes = ArrayVec::new();
    let numbers = state.hand.banked[..state.hand.throws as usize & 31].iter().flat_map(|thrown| thrown.numbers);
    for Pips(number) in numbers.filter(|number| number.0 > 0) {
        if !sizes.contains(&number) {
            sizes.try_push(number.min(MAX_STEP.0)).ok()?;
        }
    }
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    Some(sizes)
}
