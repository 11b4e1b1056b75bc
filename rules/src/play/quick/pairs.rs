//! Pairs: which pawns can move together, and which pawns of a parted pair may not meet again.

use super::landings::{LandingBits, MAY};
use super::moves::{Side, Spent};
use super::sight::Sees;
use super::tables::NONE;
use crate::play::companions::bits;
use crate::play::lanes::lane;
use crate::tables::Mover;
use crate::units::NOWHERE;

impl<S: Sees> Side<'_, S> {
    /// The square of a pawn.
    #[inline(always)]
    pub fn stands_on(&self, pawn: usize) -> u8 {
        self.quick.stand[self.colour.index()][lane(self.at, pawn) as usize & 127]
    }

    /// The pawns that stand together with another own pawn on a place where pairs count.
    #[inline(always)]
    pub fn paired<const N: usize>(&self) -> u8 {
        let shift = 2 * (self.colour.0 & 3);
        let mut together = 0;
        for pawn in 0..N {
            let there = self.state.occupied[self.stands_on(pawn) as usize & 127] >> shift & 3;
            together |= (there >> 1) << pawn;
        }
        if together == 0 { 0 } else { self.where_pairs_count(together) }
    }

    #[inline(never)]
    fn where_pairs_count(self, together: u8) -> u8 {
        let counts = |pawn: usize| self.engine.board.pairing >> lane(self.at, pawn) & 1 == 1;
        together & self.pawns().fold(0, |set, pawn| set | u8::from(counts(pawn)) << pawn)
    }

    /// The landing flags of a square for a pair.
    #[inline(never)]
    pub fn pair_word(&self, square: u8) -> LandingBits {
        let occupied = self.state.occupied[square as usize & 127];
        self.quick.words.of_square(Mover::Pair, square, occupied)[self.colour.index()]
    }

    /// The pairs that can move together. Each pair is given by its first pawn on the path.
    #[inline(never)]
    pub fn joint(self, paired: u8, steps: u8) -> u8 {
        let at = &self.state.at[self.colour.index()];
        let (mut named, mut listed) = (0u8, 0u128);
        for pawn in self.pawns().filter(|pawn| paired >> pawn & 1 == 1) {
            let place = at[pawn];
            let lined = self.quick.line[2][place as usize & 127] != NONE;
            if listed >> place & 1 == 1 || !lined {
                continue;
            }
            if self.companion(pawn, steps).is_some() && self.pair_word(self.square_ahead(pawn, steps)) & MAY != 0 {
                named |= 1 << pawn;
                listed |= 1 << place;
            }
        }
        named
    }

    /// The second pawn of a pair that `pawn` leads. Of several pawns that reach the same place, the first one on the
    /// path.
    pub fn companion(&self, pawn: usize, steps: u8) -> Option<u8> {
        let lands = &self.quick.lands[usize::from(self.gate)];
        let landing = |pawn: usize| {
            let index = lane(self.starts, pawn).wrapping_add(steps);
            (self.square_ahead(pawn, steps), lands[index as usize])
        };
        let others = bits(self.engine.companions(self.state, self.colour, pawn, 0));
        others
            .filter(|&other| landing(other as usize) == landing(pawn))
            .min_by_key(|&other| (lane(self.at, other as usize), other))
    }

    /// The pawns that would meet again the pawn from which they parted with this throw.
    #[inline(never)]
    pub fn kept_apart(self, spent: Spent, steps: u8) -> u8 {
        let moved_to = self.stands_on(spent.pawn as usize);
        let meets = |pawn: usize| moved_to < NOWHERE && self.square_ahead(pawn, steps) == moved_to;
        self.pawns().fold(0, |set, pawn| set | u8::from(meets(pawn)) << pawn) & spent.parted
    }
}
