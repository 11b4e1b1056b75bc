//! Actions that read the same: which pawn of a place moves, and which throw is spent, is told by no text.
//!
//! Of those that begin a way to spend most, the first is played; what is never measured against the others is measured
//! here, so that a text always stands for what leaves most to spend.

use super::search::{MOST_TRIED_ALIKE, SHORT, Search};
use crate::play::actions::Actions;
use crate::play::engine::Engine;
use crate::play::state::{Action, State};

impl Engine {
    /// Keeps one of the actions from `start` on that read the same: the first that leaves most to spend.
    pub(crate) fn merge_alike(&self, state: &State, out: &mut Actions, start: usize, last_too: bool) {
        if out.len() < start + 2 || !self.assumptions.tells_pawns && state.hand.throws < 2 {
            return;
        }
        // Mostly no two lead from one place to another: those that do have one bit.
        let mut ways = 0u64;
        let is_new = |action: &Action| {
            let way = 1 << (action.from.wrapping_mul(7) ^ action.to) % 64;
            let is_new = ways & way == 0;
            ways |= way;
            is_new
        };
        if out[start..].iter().all(is_new) {
            return;
        }
        let mut first = start;
        while first < out.len() {
            let action = out[first];
            let reads_same = |other: &Action| self.reads_same(state, &action, other);
            if out[first + 1..].iter().any(reads_same) {
                let mut alike = Actions::default();
                out[first..].iter().filter(|other| reads_same(other)).for_each(|other| alike.push(*other));
                self.keep_most(state, &mut alike, last_too);
                out.replace_alike(first, alike[0], reads_same);
                if !alike.is_complete() {
                    out.cut_short();
                }
            }
            first += 1;
        }
    }

    /// Whether two actions are written alike.
    pub(super) fn reads_same(&self, state: &State, one: &Action, other: &Action) -> bool {
        (one.from, one.to) == (other.from, other.to) && self.wording(state, one) == self.wording(state, other)
    }

    /// Keeps the actions that leave most to spend, whether or not that is a duty.
    #[inline(never)]
    fn keep_most(&self, state: &State, alike: &mut Actions, last_too: bool) {
        let left = state.numbers_left();
        if left > SHORT {
            self.look_far(state, last_too, |search| {
                (search.most, search.limit) = (MOST_TRIED_ALIKE, MOST_TRIED_ALIKE);
                self.keep_reaching(state, alike, left, 0, search)
            });
        } else {
            self.keep_reaching(state, alike, left, 0, &mut Search::new(self, state, last_too, &mut [], &mut []));
        }
    }
}
