//! Places with special rules: some actions have no spend line there, a line has a condition, or some actions come
//! before others.

use super::landings::Sets;
use super::moves::Side;
use super::sight::Sees;
use super::tables::{ASKED, ASKED_DIE, FIRST_BY, KINDS, UNLINED};
use crate::play::context::Context;
use crate::play::lanes::lane;
use crate::tables::WaySet;

impl<S: Sees> Side<'_, S> {
    /// Removes from the moves that the squares allow (`sets`, and `joint` for pairs) those without a spend line, those
    /// whose line has a false condition, and those that a compulsion excludes.
    ///
    /// Returns three values: the landing flags without the pawns that have no usable spend line; the pawns that may
    /// move by first die, second die and sum; the pairs that may move. Compulsions change only the last two.
    #[inline(never)]
    pub(super) fn restricted(self, mut sets: [Sets; 3], mut joint: u8, flags: u8) -> ([Sets; 3], [u8; 3], u8) {
        if flags & (UNLINED | ASKED) != 0 {
            let [die, sum, pair] = self.lined(flags);
            sets = [sets[0].only(die), sets[1].only(die), sets[2].only(sum)];
            joint &= pair;
        }
        let mut may = sets.map(Sets::may);
        if flags & (FIRST_BY[0] | FIRST_BY[1] | FIRST_BY[2]) != 0 {
            let [die, sum, pair] = FIRST_BY.map(|flag| self.flagged(flag));
            if (may[0] | may[1]) & die | may[2] & sum | joint & pair != 0 {
                may = [may[0] & die, may[1] & die, may[2] & sum];
                joint &= pair;
            }
        }
        (sets, may, joint)
    }

    /// Applies spend lines and compulsion to the pawns that may move by a single die.
    #[inline(never)]
    pub(super) fn restricted_die(self, mut may: u8, flags: u8) -> u8 {
        if flags & (UNLINED | ASKED_DIE) != 0 {
            may &= self.lined(flags)[0];
        }
        let first = may & self.flagged(FIRST_BY[0]);
        if first != 0 { first } else { may }
    }

    /// For each kind of spend line, the pawns on places where a line of this kind starts. Lines whose condition
    /// (`open`) is false do not count.
    fn lined(&self, flags: u8) -> [u8; KINDS] {
        let mut shut: WaySet = 0;
        if flags & ASKED != 0 {
            for &(line, open) in &self.quick.asked {
                let is_open = self.engine.value(self.state, open, &Context::seat(self.colour)) != 0;
                shut |= WaySet::from(!is_open) << (line & 63);
            }
        }
        let mut lined = [0; KINDS];
        for pawn in self.pawns() {
            let place = lane(self.at, pawn) as usize & 127;
            for (lined, lines) in lined.iter_mut().zip(&self.quick.line) {
                let is_open = lines[place].is_some_and(|line| shut >> (line & 63) & 1 == 0);
                *lined |= u8::from(is_open) << pawn;
            }
        }
        lined
    }

    /// The pawns on places that have the flag.
    fn flagged(&self, flag: u8) -> u8 {
        let stands = |pawn: usize| self.quick.flags[lane(self.at, pawn) as usize & 127] & flag != 0;
        self.pawns().fold(0, |set, pawn| set | u8::from(stands(pawn)) << pawn)
    }
}
