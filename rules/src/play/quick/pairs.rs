//! Pairs: which pawns can move together, and which pawns of a parted pair may not meet again.

use super::index_of;
use super::landings::{LandingBits, MAY};
use super::moves::{Side, Spent};
use super::sight::Sees;
use super::squares::LandingIndex;
use crate::play::companions::pawns_of;
use crate::play::lanes::lane;
use crate::tables::Mover;
use crate::units::{PathPlace, PawnIndex, Pips, SquareId};

impl<S: Sees> Side<'_, S> {
    #[inline(always)]
    pub(super) fn stands_on(&self, pawn: usize) -> Option<SquareId> {
        self.quick.stand[index_of(self.colour)][lane(self.at, pawn) as usize & 127]
    }

    /// The pawns that stand together with another own pawn on a place where pairs count.
    #[inline(always)]
    pub(super) fn paired<const N: usize>(&self) -> u8 {
        let shift = 2 * index_of(self.colour);
        let mut together = 0;
        for pawn in 0..N {
            let there = (self.state.on(self.stands_on(pawn)) >> shift) as u8 & 3;
            together |= (there >> 1) << pawn;
        }
        if together == 0 { 0 } else { self.where_pairs_count(together) }
    }

    #[inline(never)]
    fn where_pairs_count(self, together: u8) -> u8 {
        let counts = |pawn: usize| PathPlace(lane(self.at, pawn)).is_in(self.engine.board.pairing);
        together & self.pawns().fold(0, |set, pawn| set | u8::from(counts(pawn)) << pawn)
    }

    /// The landing flags of a target of a move, for a pair.
    #[inline(never)]
    pub(super) fn pair_word(&self, cell: LandingIndex) -> LandingBits {
        let occupied = self.state.occupied[cell.index()];
        self.quick.words.of_cell(Mover::Pair, cell, occupied)[index_of(self.colour)]
    }

    /// The pairs that can move together. Each pair is given by its first pawn on the path.
    #[inline(never)]
    pub(super) fn joint(self, paired: u8, steps: Pips) -> u8 {
        let at = &self.state.at[self.colour.index()];
        let (mut named, mut listed) = (0u8, 0u128);
        for pawn in self.pawns().filter(|pawn| paired >> pawn & 1 == 1) {
            let place = at[pawn];
            let lined = self.quick.line[2][place.index() & 127].is_some();
            if place.is_in(listed) || !lined {
                continue;
            }
            if self.companion(pawn as u8, steps).is_some() && self.pair_word(self.cell_ahead(pawn, steps)) & MAY != 0 {
                named |= 1 << pawn;
                listed |= place.alone();
            }
        }
        named
    }

    /// The second pawn of a pair that `pawn` leads. Of several pawns that reach the same place, the first one on the
    /// path.
    pub(super) fn companion(&self, pawn: u8, steps: Pips) -> Option<PawnIndex> {
        let lands = &self.quick.lands[usize::from(self.gate)];
        let landing = |pawn: PawnIndex| {
            let index = lane(self.starts, pawn.index()).wrapping_add(steps.0);
            (self.cell_ahead(pawn.index(), steps), lands[index as usize])
        };
        let pawn = PawnIndex::new(pawn);
        let others = pawns_of(self.engine.companions(self.state, self.colour, pawn, 0));
        others
            .filter(|&other| landing(other) == landing(pawn))
            .min_by_key(|&other| (lane(self.at, other.index()), other))
    }

    /// The pawns that may not move by the other die, one bit each: they stood together with the pawn that the spent die
    /// moved, and would land on the square where that pawn stands now.
    #[inline(never)]
    pub(super) fn kept_apart(self, spent: Spent, steps: Pips) -> u8 {
        let moved_to = self.stands_on(spent.pawn as usize);
        let meets = |pawn: usize| moved_to.is_some() && self.cell_ahead(pawn, steps) == LandingIndex::of(moved_to);
        self.pawns().fold(0, |set, pawn| set | u8::from(meets(pawn)) << pawn) & spent.parted
    }
}
