//! The paths as tables: the place of a pawn plus its steps is the index of the square or place that the pawn reaches.

use super::SEATS;
use crate::play::lanes::ONES;
use crate::tables::Rules;
use crate::units::{MAX_PLACES, MAX_STEP, PathPlace, Pips, SquareId};

/// The offset of the indices of places beyond the gate. Steps from places before the gate never reach these indices.
const BEYOND: u8 = 64;
const _: () = assert!(MAX_PLACES + BEYOND as usize + MAX_STEP.index() < 256);

/// The target of a move, as an index of tables of landing flags: a square, a place without a square, or `BEYOND_END`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(super) struct LandingIndex(
    // INVARIANT: the slot of the square, 0 for a place without a square, or `BEYOND_END`.
    u8,
);

impl LandingIndex {
    /// The target beyond the end of a path. No square has this number as its slot ([`SquareId::table_index`]).
    const BEYOND_END: LandingIndex = LandingIndex(127);

    /// Every possible target, also slots without a square.
    pub(super) fn all() -> impl Iterator<Item = LandingIndex> {
        (0..=LandingIndex::BEYOND_END.0).map(LandingIndex)
    }

    /// The target for a square, or for a place without a square.
    #[inline(always)]
    pub(super) fn of(square: Option<SquareId>) -> LandingIndex {
        LandingIndex(SquareId::table_index(square) as u8)
    }

    /// The target for a place and its square, as the tables of the board give them. Without a place, `BEYOND_END`.
    fn reached(place: Option<PathPlace>, square: Option<SquareId>) -> LandingIndex {
        if place.is_some() { LandingIndex::of(square) } else { LandingIndex::BEYOND_END }
    }

    /// The square of the target. `None` if the target is no square.
    #[inline(always)]
    pub(super) fn square(self) -> Option<SquareId> {
        if self == LandingIndex::BEYOND_END { None } else { SquareId::of_table_index(self.0) }
    }

    /// The square of a target on which a pawn can land. The target must not be `BEYOND_END`.
    #[inline(always)]
    pub(super) fn landed(self) -> Option<SquareId> {
        debug_assert_ne!(self, LandingIndex::BEYOND_END);
        SquareId::of_table_index(self.0)
    }

    /// The target as an index of tables with 256 entries.
    #[inline(always)]
    pub(super) fn byte(self) -> usize {
        self.0 as usize
    }

    /// The target as an index below 128.
    #[inline(always)]
    pub(super) fn index(self) -> usize {
        self.0 as usize & 127
    }
}

/// The targets that pawns of one colour reach, at the index start plus steps (`Quick::starts` explains the start). The
/// table is longer than 256, so that the targets `n` steps ahead of all starts are a slice of it.
pub(super) type Cells = [LandingIndex; 256 + 2 * BEYOND as usize];

/// The targets that a move of `steps` reaches, one for each start: the index is the start of the pawn.
#[inline(always)]
pub(super) fn ahead(cells: &Cells, steps: Pips) -> &[LandingIndex; 256] {
    let steps = steps.index() & (BEYOND as usize - 1);
    cells[steps..steps + 256].try_into().expect("the slice is 256 long")
}

/// A number with one value in every byte. Added to places, it sets the top bit of places beyond the gate.
pub(super) fn beyond(rules: &Rules) -> u64 {
    u64::from(127u8.saturating_sub(rules.board.gate_at.0)) * ONES
}

/// Calls `each` for every gate state, place and count of steps, with three values: the gate, the index in the tables of
/// the fast engine, and the index in the tables of the board.
fn each_step(rules: &Rules, mut each: impl FnMut(usize, usize, usize)) {
    for gate in 0..2 {
        for place in 0..rules.board.len as usize {
            let past = place > rules.board.gate_at.index();
            let start = place + if past { BEYOND as usize } else { 0 };
            for steps in 0..=MAX_STEP.index() {
                each(gate, start + steps, (usize::from(gate == 1 || past) << 8) + place + steps);
            }
        }
    }
}

pub(super) fn lands(rules: &Rules) -> [[PathPlace; 256]; 2] {
    let mut lands = [[PathPlace::OUT; 256]; 2];
    each_step(rules, |gate, index, walked| {
        // Beyond the end of the path, `cells` has the target `BEYOND_END`, so the place here does not matter.
        lands[gate][index] = rules.board.lands[walked >> 8][walked & 255].unwrap_or_default();
    });
    lands
}

pub(super) fn cells(rules: &Rules) -> Box<[[Cells; SEATS]; 2]> {
    let mut cells = Box::new([[[LandingIndex::BEYOND_END; 256 + 2 * BEYOND as usize]; SEATS]; 2]);
    for colour in 0..SEATS {
        each_step(rules, |gate, index, walked| {
            let (gate_of, position) = (walked >> 8, walked & 255);
            let square = rules.board.square[gate_of][colour][position];
            cells[gate][colour][index] = LandingIndex::reached(rules.board.lands[gate_of][position], square);
        });
    }
    cells
}
