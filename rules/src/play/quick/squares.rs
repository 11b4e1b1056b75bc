//! The paths as tables: one index gives the square or place that some steps reach.

use crate::play::lanes::ONES;
use crate::tables::Rules;
use crate::units::{MAX_PLACES, MAX_SEATS, MAX_STEP, PathPlace, WALL};

/// The offset of the indices of places beyond the gate. Steps from places before the gate never reach these indices.
const BEYOND: u8 = 64;
const _: () = assert!(MAX_PLACES + BEYOND as usize + (MAX_STEP as usize) < 256);

/// Squares by start plus steps. The table is longer than 256, so that the squares `n` steps ahead of all starts are a
/// slice of it.
pub(super) type Cells = [u8; 256 + 2 * BEYOND as usize];

/// The squares that lie `steps` ahead of every start.
#[inline(always)]
pub(super) fn ahead(cells: &Cells, steps: u8) -> &[u8; 256] {
    let steps = steps as usize & (BEYOND as usize - 1);
    cells[steps..steps + 256].try_into().expect("the slice is 256 long")
}

/// A number with one value in every byte. Added to places, it sets the top bit of places beyond the gate.
pub(super) fn beyond(rules: &Rules) -> u64 {
    u64::from(127u8.saturating_sub(rules.board.gate_at)) * ONES
}

/// Calls `each` for every gate state, place and count of steps, with three values: the gate, the index in the tables of
/// the fast engine, and the index in the tables of the board.
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
