//! An upper bound for the count of numbers that can be spent: as many of the smallest numbers as the steps to home
//! allow.

use crate::play::companions::pawns_of;
use crate::play::engine::Engine;
use crate::play::state::{Banked, State};
use crate::units::{MAX_NUMBERS, MAX_PAWNS, MAX_STEP, PathPlace, PawnSet, Pips, Seat};

impl Engine {
    /// An upper bound for the count of numbers that any plan spends. `locked` has one bit for each pawn that cannot
    /// move.
    pub(super) fn at_most(&self, state: &State, left: u32, last_too: bool, locked: PawnSet) -> u32 {
        if !self.only_walks_home(state, last_too) {
            return left;
        }
        let colour = self.colour(state);
        let pawns = &self.walkers(state, colour, locked)[..self.pawns.count as usize & 31];
        let steps = |at: PathPlace| u32::from(self.steps_home(at).0);
        let numbers = UsableNumbers::of(self, state, pawns);
        let longest = pawns.iter().map(|&at| steps(at)).max().unwrap_or_default();
        if longest >= numbers.sum {
            return left.min(numbers.all);
        }
        // A pawn that enters may go farther than the pips of its number, so the steps to home do not bound its numbers.
        // The bound allows `MAX_NUMBERS` more numbers for each pawn off the board.
        let short = if self.assumptions.enters_by_number { 0 } else { MAX_NUMBERS };
        let entering = pawns.iter().filter(|&&at| at == PathPlace::OUT).count() * short;
        let sums = if entering == 0 { numbers.sums() } else { u128::MAX };
        // A pawn can only walk a distance that is a sum of numbers in the hand.
        let walks = |at: PathPlace| 127 - (sums & ((2u128 << steps(at)) - 1)).leading_zeros();
        let together = numbers.within(pawns.iter().map(|&at| walks(at)).sum());
        let apart: u32 = pawns.iter().map(|&at| numbers.within(walks(at))).sum();
        left.min(together.min(apart) + entering as u32)
    }

    /// The places of the pawns. A locked pawn is given home as its place, because it has no step to go.
    pub(super) fn walkers(&self, state: &State, colour: Seat, locked: PawnSet) -> [PathPlace; MAX_PAWNS] {
        let mut places = state.at[colour.index()];
        pawns_of(locked).for_each(|pawn| places[pawn.index()] = self.board.home());
        places
    }

    pub(super) fn steps_home(&self, at: PathPlace) -> Pips {
        Pips(self.board.home().0.saturating_sub(at.0))
    }

    /// Whether pawns of the colour only walk towards home until the hand is spent, and stay home once there.
    pub(super) fn only_walks_home(&self, state: &State, last_too: bool) -> bool {
        let ahead = &self.assumptions;
        let colour = self.colour(state);
        let home = self.board.home();
        let is_out = |&at: &PathPlace| at != home;
        let was_home = state.has_finished(colour);
        ahead.walks_home
            && !last_too
            && (!was_home || ahead.home_again_ends)
            && state.at[colour.index()][..self.pawns.count as usize & 31].iter().any(is_out)
            && ahead.gate_stays
            && self.gate_is_open(state, colour)
    }

    /// The numbers of a throw that some pawn can still spend, one bit each. Valid only where pawns only walk home.
    pub(super) fn usable(&self, thrown: &Banked, pawns: &[PathPlace]) -> u8 {
        let whole = thrown.is_whole();
        if thrown.left == 0 || whole || !self.turn.once_per_throw {
            return thrown.left;
        }
        let others = pawns.iter().enumerate().filter(|(pawn, _)| thrown.moved >> pawn & 1 == 0);
        let farthest = others.map(|(_, &at)| self.steps_home(at)).max().unwrap_or_default();
        let reaches = |i: &usize| thrown.numbers[*i] <= farthest || self.enters_any(pawns);
        (0..MAX_NUMBERS).filter(reaches).fold(0, |all, i| all | 1 << i) & thrown.left
    }

    fn enters_any(&self, pawns: &[PathPlace]) -> bool {
        !self.assumptions.enters_by_number && pawns.contains(&PathPlace::OUT)
    }
}

/// The usable numbers of a hand, counted by size.
struct UsableNumbers {
    count: [u8; MAX_STEP.index() + 1],
    sum: u32,
    all: u32,
}

impl UsableNumbers {
    fn of(engine: &Engine, state: &State, pawns: &[PathPlace]) -> UsableNumbers {
        let mut numbers = UsableNumbers { count: [0; MAX_STEP.index() + 1], sum: 0, all: 0 };
        for thrown in &state.hand.banked[..state.hand.throws as usize & 31] {
            let usable = engine.usable(thrown, pawns);
            for (i, &number) in thrown.numbers.iter().enumerate() {
                if usable >> i & 1 == 1 {
                    numbers.count[number.min(MAX_STEP).index()] += 1;
                    numbers.sum += u32::from(number.0);
                    numbers.all += 1;
                }
            }
        }
        numbers
    }

    /// All sums that a selection of the numbers can have, one bit for each sum.
    fn sums(&self) -> u128 {
        let mut sums = 1u128;
        for (number, &count) in self.count.iter().enumerate().skip(1) {
            let mut more = usize::from(count);
            let mut taken = 1;
            while more > 0 {
                taken = taken.min(more);
                sums |= sums.checked_shl((number * taken) as u32).unwrap_or_default();
                more -= taken;
                taken *= 2;
            }
        }
        sums
    }

    /// The greatest count of numbers whose sum is at most `steps`. The smallest numbers are taken first.
    fn within(&self, mut steps: u32) -> u32 {
        let mut fit = 0;
        for (number, &count) in self.count.iter().enumerate().skip(1) {
            let number = number as u32;
            if steps < number {
                break;
            }
            let taken = u32::from(count).min(steps / number);
            steps -= taken * number;
            fit += taken;
        }
        fit
    }
}
