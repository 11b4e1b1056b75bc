//! Tables of the squares that steps reach, read by one index.

use crate::play::lanes::ONES;
use crate::tables::Rules;
use crate::units::{MAX_PLACES, MAX_SEATS, MAX_STEP, PathPlace, WALL};

/// The offset added to places past the gate, so that steps from places before the gate never reach their entries.
const BEYOND: u8 = 64;
const _: () = assert!(MAX_PLACES + BEYOND as usize + (MAX_STEP as usize) < 256);

/// Squares by start index plus steps. It has more than 256 entries, so that a slice holds the squares `n` steps ahead
/// of every start index.
pub(super) type Cells = [u8; 256 + 2 * BEYOND as usize];

/// The squares that are this many steps ahead of every start index.
#[inline(always)]
pub(super) fn ahead(cells: &Cells, steps: u8) -> &[u8; 256] {
    let steps = steps as usize & (BEYOND as usize - 1);
    cells[steps..steps + 256].try_into().expect("the slice is 256 long")
}

/// A constant that sets the top bit of each byte whose place is past the gate, when added to the places.
pub(super) fn beyond(rules: &Rules) -> u64 {
    u64::from(127u8.saturating_sub(rules.board.gate_at)) * ONES
}

/// Calls `each` for every possible start and number of steps, with the gate, the index in the tables of the fast engine
/// and the index in the tables of the board.
fn each_step(rules: &Rules, mut each: impl FnMut(usize, usize, usize)) {
    for gate in 0..2 {
        for place in 0..rules.board.len as usize {
            let past = place > rules.board.gate_at as usize;
            let start = place + if past { BEYOND as usize } else { 0 };
            for steps in 0..=MAX_STEP as usize {
                each(gate, start + steps, (usize::from(gate == 1 || past) << 8) + place + steps);
            }
        }
    }
}

pub(super) fn lands(rules: &Rules) -> [[PathPlace; 256]; 2] {
    let mut lands = [[0; 256]; 2];
    each_step(rules, |gate, index, walked| lands[gate][index] = rules.board.lands[walked >> 8][walked & 255]);
    lands
}

pub(super) fn cells(rules: &Rules) -> Box<[[Cells; MAX_SEATS]; 2]> {
    let mut cells = Box::new([[[WALL; 256 + 2 * BEYOND as usize]; MAX_SEATS]; 2]);
    for colour in 0..MAX_SEATS {
        each_step(rules, |gate, index, walked| {
            cells[gate][colour][index] = rules.board.square[walked >> 8][colour][walked & 255];
        });
    }
    cells
}
