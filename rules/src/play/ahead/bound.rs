//! How many numbers could be spent at the very best: as many of the smallest as there are steps to home.

use crate::play::state::{MAX_NUMBERS, MAX_STEP, State};
use crate::tables::Rules;

impl Rules {
    /// No plan spends more numbers than this.
    pub(super) fn at_most(&self, state: &State, left: u32, last_too: bool) -> u32 {
        let ahead = &self.ahead;
        let colour = self.colour(state);
        if !ahead.walks_home
            || last_too
            || state.has_finished(colour)
            || !self.gate_is_open(state, colour)
            || !ahead.gate_stays
        {
            return left;
        }
        let numbers = Numbers::of(state);
        let home = self.board.len - 1;
        let pawns = &state.at[colour.index()][..self.pawns as usize & 15];
        let steps = |at: u8| u32::from(home - at.min(home));
        let longest = pawns.iter().map(|&at| steps(at)).max().unwrap_or_default();
        if longest >= numbers.sum {
            return left;
        }
        let entering = pawns.iter().filter(|&&at| at == 0).count() * MAX_NUMBERS;
        let together = numbers.within(pawns.iter().map(|&at| steps(at)).sum());
        let apart: u32 = pawns.iter().map(|&at| numbers.within(steps(at))).sum();
        left.min(together.min(apart) + entering as u32)
    }
}

/// The numbers that are left, by size.
struct Numbers {
    count: [u8; MAX_STEP as usize + 1],
    sum: u32,
}

impl Numbers {
    fn of(state: &State) -> Numbers {
        let mut numbers = Numbers { count: [0; MAX_STEP as usize + 1], sum: 0 };
        for thrown in &state.hand.banked[..state.hand.throws as usize & 31] {
            for (i, &number) in thrown.numbers.iter().enumerate() {
                if thrown.left >> i & 1 == 1 {
                    numbers.count[usize::from(number.min(MAX_STEP))] += 1;
                    numbers.sum += u32::from(number);
                }
            }
        }
        numbers
    }

    /// How many of the smallest numbers fit into so many steps.
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
