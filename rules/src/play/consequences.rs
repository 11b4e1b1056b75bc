//! Compares the possible continuations of two actions with the same plain text.

use std::array::from_fn;

use arrayvec::ArrayVec;

use super::actions::{Actions, MAX_ACTIONS};
use super::engine::Engine;
use super::stage::Stage;
use super::state::{Action, Banked, Phase, State};
use super::watch::Quiet;
use crate::tables::Places;
use crate::units::{
    MAX_BANKED, MAX_NUMBERS, MAX_PAWNS, MAX_SEATS, PathPlace, PawnIndex, PawnOfSeat, PawnSet, Pips, Seat,
};

/// Maximum number of pairs of positions that are compared for one decision, over all its comparisons. Two actions that
/// are not found to be interchangeable within this limit count as different.
pub(super) const MOST_COMPARED: u32 = 120;

/// Greatest count of unspent numbers for which the comparison leaves out actions that waste numbers. With more numbers
/// it compares all actions that fit the hand, because looking ahead for each of them takes too long.
const FEW: u32 = 2;

impl Engine {
    /// Whether two actions have the same consequences: the same actions may follow until the hand is spent, and they
    /// lead to the same positions. False if this is not found within `limit` pairs of positions. Each compared pair
    /// reduces `limit` by 1.
    pub(super) fn lead_to_the_same(&self, state: &State, one: &Action, other: &Action, limit: &mut u32) -> bool {
        self.same_follows(&self.after(state, one), &self.after(state, other), limit)
    }

    /// The position after an action, before the turn goes on.
    fn after(&self, state: &State, action: &Action) -> State {
        let mut next = *state;
        self.perform(&mut next, action, &mut Quiet);
        next
    }

    fn same_follows(&self, one: &State, other: &State, limit: &mut u32) -> bool {
        if self.is_same(one, other) {
            return true;
        }
        if *limit == 0 {
            return false;
        }
        *limit = limit.saturating_sub(1 + self.assumptions.positions_of_a_move);
        let (one, another) = (self.continued(one), self.continued(other));
        if one.actions.is_empty() && another.actions.is_empty() {
            return self.is_same(&one.state, &another.state);
        }
        // A list without room for all actions says nothing about the actions that it lacks.
        one.actions.is_complete()
            && another.actions.is_complete()
            && self.offers_each(&one, &another)
            && self.offers_each(&another, &one)
            && self.answer_each_other(&one, &another, limit)
    }

    /// Whether each action of `one` has the plain text of an action of `other`.
    fn offers_each(&self, one: &Continued, other: &Continued) -> bool {
        one.actions
            .iter()
            .all(|action| other.actions.iter().any(|like| self.is_written_alike(one, action, other, like)))
    }

    /// Whether for each action of one position there is an action of the other one with the same plain text and the
    /// same consequences.
    fn answer_each_other(&self, one: &Continued, other: &Continued, limit: &mut u32) -> bool {
        let mut is_answered = [false; MAX_ACTIONS];
        // Moves that leave the difference of the two positions in place come first: they show soonest that it remains.
        let different = self.places_that_differ(&one.state, &other.state);
        let leaves_it = |action: &&Action| !action.from.is_in(different);
        let ordered =
            one.actions.iter().filter(leaves_it).chain(one.actions.iter().filter(|action| !leaves_it(action)));
        let mut answers = |action: &Action| {
            let next = self.after(&one.state, action);
            let answer = other.actions.iter().position(|like| {
                self.is_written_alike(one, action, other, like)
                    && self.same_follows(&next, &self.after(&other.state, like), limit)
            });
            answer.inspect(|&answer| is_answered[answer] = true).is_some()
        };
        if !{ ordered }.all(&mut answers) {
            return false;
        }
        // Actions with the text of another one may be left over.
        let mut left = other.actions.iter().zip(is_answered).filter(|(_, is_answered)| !is_answered);
        left.all(|(like, _)| {
            let next = self.after(&other.state, like);
            one.actions.iter().any(|action| {
                self.is_written_alike(one, action, other, like)
                    && self.same_follows(&self.after(&one.state, action), &next, limit)
            })
        })
    }

    /// The places of the moving colour where other pawns stand in one state than in the other, or pawns with other
    /// marks.
    fn places_that_differ(&self, one: &State, other: &State) -> Places {
        let colour = self.colour(one).index();
        let pawns = |state: &State| {
            let pawn = |pawn: usize| (state.at[colour][pawn], state.marks[colour][pawn]);
            let mut pawns: [(PathPlace, u8); MAX_PAWNS] = from_fn(pawn);
            pawns.sort_unstable();
            pawns
        };
        let pairs = pawns(one).into_iter().zip(pawns(other)).filter(|(one, other)| one != other);
        pairs.fold(0, |places, (one, other)| places | one.0.alone() | other.0.alone())
    }

    fn is_written_alike(&self, one: &Continued, action: &Action, other: &Continued, like: &Action) -> bool {
        (action.from, action.to) == (like.from, like.to)
            && self.plain_wording(&one.state, action) == self.plain_wording(&other.state, like)
    }

    /// Continues the turn to the next choice of an action, and returns that position with its actions. Bonuses that
    /// cannot be taken are dropped. If no number can be spent either, the turn goes on to its next throw, or to the
    /// next turn; the list of actions is then empty.
    fn continued(&self, state: &State) -> Continued {
        let mut next = Continued { state: *state, actions: Actions::default() };
        let is_move = |state: &State| !state.ending && state.phase != Phase::Over && state.owed[0] == 0;
        while is_move(&next.state) && next.state.stage() != Stage::Spent {
            let looks_ahead = next.state.numbers_left() <= FEW;
            self.repeated_moves_into(&next.state, looks_ahead, &mut next.actions);
            match next.state.stage().due() {
                Some(due) if next.actions.is_empty() => next.state.hand.drop_bonuses(due),
                _ => break,
            }
        }
        if next.actions.is_empty() && next.state.phase != Phase::Over {
            // The actions of a next turn are not compared: equal positions have equal actions.
            let _ = self.go_on(&mut next.state, &mut Actions::default(), &mut Quiet);
        }
        next
    }

    /// Whether all values that rules can read are equal in two states. Counters and hands are compared first, because
    /// most states that differ have other hands or counters, and sorting the pawns takes longer.
    fn is_same(&self, one: &State, other: &State) -> bool {
        let colour = self.colour(one);
        if standing(one, colour) != standing(other, colour) || one.occupied != other.occupied {
            return false;
        }
        let is_moved = |seat: &Seat| {
            let pawns = |state: &State| (state.at[seat.index()], state.marks[seat.index()], state.newest[seat.index()]);
            *seat == colour || pawns(one) != pawns(other)
        };
        let seats: ArrayVec<Seat, MAX_SEATS> = self.seating.players.iter().copied().filter(is_moved).collect();
        (one.turn, one.phase, one.owed, one.ending) == (other.turn, other.phase, other.owed, other.ending)
            && (one.counters, one.game) == (other.counters, other.game)
            && (self.assumptions.has_loose_numbers || self.throws_left(one) == self.throws_left(other))
            && self.canonical(one, &seats) == self.canonical(other, &seats)
    }

    /// The throws with unspent numbers: for each throw its numbers, and one bit for each number that is left. The list
    /// is in ascending order.
    fn throws_left(&self, state: &State) -> ArrayVec<([Pips; MAX_NUMBERS], u8), MAX_BANKED> {
        let throws = &state.hand.banked[..usize::from(state.hand.throws).min(MAX_BANKED)];
        let left = throws.iter().filter(|thrown| thrown.left != 0).map(sorted);
        let mut left: ArrayVec<_, MAX_BANKED> = left.map(|thrown| (thrown.numbers, thrown.left)).collect();
        left.sort_unstable();
        left
    }

    /// The state with the pawns of these seats and all throws in a fixed order, which depends only on values that rules
    /// can read. Values that no rule can read in the rest of the turn have their defaults.
    fn canonical(&self, state: &State, seats: &[Seat]) -> State {
        let mut plain = *state;
        let throws = usize::from(plain.hand.throws).min(plain.hand.banked.len());
        let hand = &mut plain.hand.banked[..throws];
        if self.assumptions.has_loose_numbers {
            put_in_order(hand);
        } else {
            hand.iter_mut().for_each(|thrown| *thrown = sorted(thrown));
        }
        if !self.assumptions.tells_throws && self.assumptions.asks_throw.iter().all(Option::is_none) {
            hand.sort_by_key(|thrown| (thrown.numbers, thrown.left, thrown.flags));
        }
        if !self.assumptions.asks_mover {
            plain.last_moved = None;
        }
        if !self.tracks_newest {
            plain.newest = Default::default();
        }
        for &seat in seats {
            if self.tracks_newest {
                self.forget_arrivals(&mut plain, seat);
            }
            self.sort_pawns(&mut plain, seat);
        }
        plain
    }

    /// Clears the order in which pawns of a seat arrived on a square, unless it matters: pawns of another seat stand
    /// there, or the marks of the pawns differ.
    fn forget_arrivals(&self, state: &mut State, seat: Seat) {
        let stands = |pawn: PawnIndex| self.square(seat, state.place_of(seat, pawn));
        let marks = &state.marks[seat.index()];
        let is_kept = |pawn: &PawnIndex| {
            let square = stands(*pawn);
            let has_others = state.on(square) & !(3 << (2 * seat.index())) != 0;
            let differs = |other: PawnIndex| stands(other) == square && marks[other.index()] != marks[pawn.index()];
            has_others || PawnIndex::all(self.pawns.count).any(differs)
        };
        let kept = PawnIndex::all(self.pawns.count).filter(is_kept).fold(0, |kept, pawn| kept | pawn.alone());
        state.newest[seat.index()] &= kept;
    }

    /// Gives the pawns of a seat new indexes: by place, then by marks and by what they did in this turn.
    fn sort_pawns(&self, state: &mut State, seat: Seat) {
        let is_moving = seat == self.colour(state);
        let throws = if is_moving { usize::from(state.hand.throws).min(state.hand.banked.len()) } else { 0 };
        let bit = |set: PawnSet, pawn: usize| u128::from(set >> pawn & 1);
        // A key has, from its highest bit on: place, marks, arrival, throws that moved the pawn, throws that parted it,
        // count of pawns from which it parted.
        let mut keys: [u128; MAX_PAWNS] = from_fn(|pawn| {
            let (at, marks) = (state.at[seat.index()][pawn], state.marks[seat.index()][pawn]);
            let apart = if is_moving { state.apart[pawn].count_ones() } else { 0 };
            let standing = u128::from(at.0) << 9 | u128::from(marks) << 1 | bit(state.newest[seat.index()], pawn);
            standing << 96 | u128::from(apart)
        });
        for (index, thrown) in state.hand.banked[..throws].iter().enumerate() {
            if thrown.moved | thrown.parted != 0 {
                let (moved, parted) = (95 - index, 63 - index);
                keys.iter_mut().enumerate().for_each(|(pawn, key)| {
                    *key |= bit(thrown.moved, pawn) << moved | bit(thrown.parted, pawn) << parted;
                });
            }
        }
        let count = usize::from(self.pawns.count);
        if keys[..count].is_sorted() {
            return;
        }
        // The entry `i` is the old index of the pawn with the new index `i`.
        let mut order: [u8; MAX_PAWNS] = from_fn(|index| index as u8);
        order[..count].sort_by_key(|&pawn| keys[usize::from(pawn)]);
        let renamed = |set: PawnSet| (0..MAX_PAWNS).fold(0, |new, index| new | (set >> order[index] & 1) << index);
        let old = *state;
        for (new, from) in order.iter().map(|&from| usize::from(from)).enumerate() {
            state.at[seat.index()][new] = old.at[seat.index()][from];
            state.marks[seat.index()][new] = old.marks[seat.index()][from];
            if is_moving {
                state.apart[new] = renamed(old.apart[from]);
            }
        }
        state.newest[seat.index()] = renamed(old.newest[seat.index()]);
        for thrown in &mut state.hand.banked[..throws] {
            (thrown.moved, thrown.parted) = (renamed(thrown.moved), renamed(thrown.parted));
        }
        if let Some(last) = old.last_moved.filter(|last| last.seat() == seat) {
            let new = order.iter().position(|&from| from == last.pawn().number()).unwrap_or_default();
            state.last_moved = Some(PawnOfSeat::new(seat, PawnIndex::new(new as u8)));
        }
    }
}

/// A sum that is equal for two states if the pawns of a seat stand on the same places with the same marks, whichever
/// pawn stands on which place.
#[inline(always)]
fn standing(state: &State, seat: Seat) -> u64 {
    let (places, marks) = (&state.at[seat.index()], &state.marks[seat.index()]);
    let pawns = places.iter().zip(marks).map(|(place, &marks)| u64::from(place.0) << 8 | u64::from(marks));
    pawns.fold(0, |sum: u64, pawn| sum.wrapping_add((pawn + 1).wrapping_mul(pawn ^ 0x9e37_79b9_7f4a_7c15)))
}

/// A position in which the next action of a turn is chosen.
struct Continued {
    state: State,
    /// The actions of this position. Empty if the turn has gone on.
    actions: Actions,
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
