//! Whether two states are the same for the rules: whether all values that rules can read in the rest of the turn are
//! equal. The index of a pawn is no such value, nor is the order of throws that no rule distinguishes.

use std::array::from_fn;

use arrayvec::ArrayVec;

use super::engine::Engine;
use super::state::{Banked, Hand, State};
use crate::units::{MAX_BANKED, MAX_NUMBERS, MAX_PAWNS, PawnIndex, PawnSet, Pips, Seat};

impl Engine {
    /// Whether all values that rules can read in the rest of the turn are equal in two states. Values by which most
    /// different states differ are compared first.
    pub(super) fn is_same(&self, one: &State, other: &State) -> bool {
        let colour = self.colour(one);
        if standing(one, colour) != standing(other, colour)
            || one.occupied != other.occupied
            || self.colour(other) != colour
            || !has_same_course(one, other)
        {
            return false;
        }
        if self.has_same_movers(one, other, colour) {
            return self
                .seating
                .players
                .iter()
                .all(|&seat| seat == colour || self.looks_same(one, other, seat, [&[]; 2]));
        }
        let (hand, other_hand) = (self.ordered_throws(one), self.ordered_throws(other));
        let content = |thrown: &Banked| (thrown.numbers, thrown.left, thrown.flags);
        hand.iter().map(content).eq(other_hand.iter().map(content))
            && self.seating.colours.iter().all(|&seat| {
                let [throws, other_throws]: [&[Banked]; 2] =
                    if seat == colour { [&hand, &other_hand] } else { [&[], &[]] };
                self.looks_same(one, other, seat, [throws, other_throws])
            })
    }

    /// Whether all values of a seat's pawns that rules can read are equal in two states. `throws` are the throws of
    /// both hands; both empty if the seat does not move now.
    fn looks_same(&self, one: &State, other: &State, seat: Seat, [throws, other_throws]: [&[Banked]; 2]) -> bool {
        seat != self.colour(one) && self.has_same_pawns(one, other, seat)
            || self.arranged(one, seat, throws) == self.arranged(other, seat, other_throws)
    }

    /// The throws of the hand in an order that depends only on values that rules can read, with their numbers in
    /// ascending order. Values that no rule can read in the rest of the turn have their defaults.
    fn ordered_throws(&self, state: &State) -> ArrayVec<Banked, MAX_BANKED> {
        let mut hand: ArrayVec<Banked, MAX_BANKED> =
            state.hand.banked[..usize::from(state.hand.throws).min(MAX_BANKED)].iter().map(sorted).collect();
        if self.assumptions.has_loose_numbers {
            put_in_order(&mut hand);
        } else if !self.assumptions.tells_throws
            && (self.assumptions.asks_throw.iter().all(Option::is_none) || !self.may_ask_throw(state))
        {
            hand.sort_by_key(|thrown| (thrown.numbers, thrown.left, thrown.flags));
        }
        hand
    }

    /// The pawns of a seat in an order that depends only on values that rules can read. `throws` are the throws of the
    /// hand; empty if the seat does not move now.
    fn arranged(&self, state: &State, seat: Seat, throws: &[Banked]) -> SortedPawns {
        let newest = if self.tracks_newest { self.arrivals_that_matter(state, seat) } else { 0 };
        let bit = |set: PawnSet, pawn: usize| u128::from(set >> pawn & 1);
        let is_moving = seat == self.colour(state);
        // A key has, from its highest bit on: place, marks, arrival, throws that moved the pawn, throws that parted it,
        // count of pawns from which it parted, and the index of the pawn in the lowest byte.
        let key = |pawn: usize| {
            let (at, marks) = (state.at[seat.index()][pawn], state.marks[seat.index()][pawn]);
            let apart = if is_moving { state.apart[pawn].count_ones() } else { 0 };
            let standing = u128::from(at.0) << 9 | u128::from(marks) << 1 | bit(newest, pawn);
            standing << 96 | u128::from(apart) << 8 | pawn as u128
        };
        let mut keys: ArrayVec<u128, MAX_PAWNS> = (0..usize::from(self.pawns.count)).map(key).collect();
        for (index, thrown) in throws.iter().enumerate().filter(|(_, thrown)| thrown.moved | thrown.parted != 0) {
            let (moved, parted) = (95 - index, 63 - index);
            for (pawn, key) in keys.iter_mut().enumerate() {
                *key |= bit(thrown.moved, pawn) << moved | bit(thrown.parted, pawn) << parted;
            }
        }
        keys.sort_unstable();
        let order: ArrayVec<usize, MAX_PAWNS> = keys.iter().map(|key| (key & 0xff) as usize).collect();
        keys.iter_mut().for_each(|key| *key &= !0xff);
        let mut apart = [0; MAX_PAWNS];
        if is_moving && state.apart != apart {
            let renamed =
                |set: PawnSet| (0..order.len()).fold(0, |new, index| new | (set >> order[index] & 1) << index);
            apart.iter_mut().zip(&order).for_each(|(apart, &pawn)| *apart = renamed(state.apart[pawn]));
        }
        let last = state.last_moved.filter(|last| self.assumptions.asks_mover && last.seat() == seat);
        let last_moved = last.and_then(|last| order.iter().position(|&pawn| pawn == last.pawn().index()));
        SortedPawns { pawns: keys, apart, last_moved }
    }

    /// Whether the pawns of a seat have the same places and marks in two states and came to their squares in the same
    /// order, and the same pawn moved last, if rules ask for it.
    fn has_same_pawns(&self, one: &State, other: &State, seat: Seat) -> bool {
        let last = |state: &State| state.last_moved.filter(|last| self.assumptions.asks_mover && last.seat() == seat);
        let pawns = |state: &State| (state.at[seat.index()], state.marks[seat.index()], state.newest[seat.index()]);
        pawns(one) == pawns(other) && last(one) == last(other)
    }

    /// Whether each pawn of the moving colour has the same place and the same past in two states, and the hands hold
    /// the same throws in the same order. The pawns then need not be put in order.
    fn has_same_movers(&self, one: &State, other: &State, colour: Seat) -> bool {
        let throws = |state: &State| usize::from(state.hand.throws).min(MAX_BANKED);
        self.has_same_pawns(one, other, colour)
            && one.apart == other.apart
            && one.hand.banked[..throws(one)] == other.hand.banked[..throws(other)]
    }

    /// The pawns of a seat that came last to their square, where it matters: pawns of another seat stand there, or the
    /// marks of the seat's pawns there differ.
    fn arrivals_that_matter(&self, state: &State, seat: Seat) -> PawnSet {
        let stands = |pawn: PawnIndex| self.square(seat, state.place_of(seat, pawn));
        let marks = &state.marks[seat.index()];
        let is_kept = |pawn: &PawnIndex| {
            let square = stands(*pawn);
            let has_others = state.on(square) & !(3 << (2 * seat.index())) != 0;
            let differs = |other: PawnIndex| stands(other) == square && marks[other.index()] != marks[pawn.index()];
            has_others || PawnIndex::all(self.pawns.count).any(differs)
        };
        let kept = PawnIndex::all(self.pawns.count).filter(is_kept).fold(0, |kept, pawn| kept | pawn.alone());
        state.newest[seat.index()] & kept
    }
}

/// The pawns of a seat in an order that depends only on values that rules can read.
#[derive(PartialEq)]
struct SortedPawns {
    /// The values of each pawn that rules can read, packed into a number, in ascending order.
    pawns: ArrayVec<u128, MAX_PAWNS>,
    /// For each pawn in this order, the pawns from which it parted in this turn.
    apart: [PawnSet; MAX_PAWNS],
    /// Which pawn of this order moved last in this turn, if rules ask for it.
    last_moved: Option<usize>,
}

/// Whether the turn has come equally far in two states, with the same counters. Pawns, squares and throws of the hand
/// are not compared.
fn has_same_course(one: &State, other: &State) -> bool {
    let State {
        at: _,
        marks: _,
        newest: _,
        counters,
        game,
        occupied: _,
        barred: _,
        turn,
        phase,
        asked,
        thrown,
        owed,
        last,
        hand: Hand { banked: _, throws, bonuses, granted },
        apart: _,
        last_moved: _,
        ranking,
        placed,
        ending,
        jumps,
        before,
    } = one;
    (turn, phase, asked, thrown, owed, last, ending)
        == (&other.turn, &other.phase, &other.asked, &other.thrown, &other.owed, &other.last, &other.ending)
        && (throws, granted, bonuses) == (&other.hand.throws, &other.hand.granted, &other.hand.bonuses)
        && (counters, game) == (&other.counters, &other.game)
        && (placed, ranking, jumps, before) == (&other.placed, &other.ranking, &other.jumps, &other.before)
}

/// A sum that is equal for two states if the pawns of a seat stand on the same places with the same marks, whichever
/// pawn stands on which place.
#[inline(always)]
fn standing(state: &State, seat: Seat) -> u64 {
    let (places, marks) = (&state.at[seat.index()], &state.marks[seat.index()]);
    let pawns = places.iter().zip(marks).map(|(place, &marks)| u64::from(place.0) << 8 | u64::from(marks));
    pawns.fold(0, |sum: u64, pawn| sum.wrapping_add((pawn + 1).wrapping_mul(pawn ^ 0x9e37_79b9_7f4a_7c15)))
}

/// Writes the numbers that are left in ascending order, whatever throws they come from. The rules cannot tell the
/// throws apart, and no spend line needs several numbers of one throw.
fn put_in_order(hand: &mut [Banked]) {
    let mut left: ArrayVec<Pips, { MAX_BANKED * MAX_NUMBERS }> = ArrayVec::new();
    for thrown in hand.iter() {
        left.extend((0..MAX_NUMBERS).filter(|i| thrown.left >> i & 1 == 1).map(|i| thrown.numbers[i]));
    }
    left.sort_unstable();
    hand.fill(Banked::default());
    for (thrown, numbers) in hand.iter_mut().zip(left.chunks(MAX_NUMBERS)) {
        thrown.numbers[..numbers.len()].copy_from_slice(numbers);
    }
}

/// A throw with its numbers in ascending order. A throw of which nothing is left has default values.
fn sorted(thrown: &Banked) -> Banked {
    if thrown.left == 0 {
        return Banked::default();
    }
    let mut numbers: [(u8, bool); 4] = from_fn(|i| (thrown.numbers[i].0, thrown.left >> i & 1 == 1));
    let count = thrown.count() as usize;
    numbers[..count].sort_unstable();
    let left = (0..4).fold(0, |left, i| left | u8::from(numbers[i].1) << i);
    let numbers = numbers.map(|(number, _)| Pips(number));
    Banked { numbers, left, ..*thrown }
}
