//! Merges actions with the same wording. The text of an action shows neither which of the pawns on a place moves nor
//! which throw is spent.
//!
//! Of several actions with the same wording, only the one after which the most numbers can be spent is legal. The
//! search for plans that spend the most already keeps only this action. If that search did not run, the actions are
//! compared here.

use super::progress::{MOST_TRIED_ALIKE, SHORT, Search};
use crate::play::actions::Actions;
use crate::play::engine::Engine;
use crate::play::state::{Action, State};

impl Engine {
    /// Among the actions from index `start` on, keeps one of each wording: the first one after which the most numbers
    /// can be spent.
    pub(crate) fn merge_alike(&self, state: &State, out: &mut Actions, start: usize, last_too: bool) {
        if out.len() < start + 2 || !self.assumptions.tells_pawns && state.hand.throws < 2 {
            return;
        }
        // Most lists have no two actions with the same start and end. One bit for each start and end, chosen by a hash,
        // shows this fast; only a repeated bit needs the comparison below.
        let mut ways = 0u64;
        let is_new = |action: &Action| {
            let way = 1 << (action.from.0.wrapping_mul(7) ^ action.to.0) % 64;
            let is_new = ways & way == 0;
            ways |= way;
            is_new
        };
        if out[start..].iter().all(is_new) {
            return;
        }
        let mut most = MOST_TRIED_ALIKE;
        let mut first = start;
        while first < out.len() {
            let action = out[first];
            let reads_same = |other: &Action| self.reads_same(state, &action, other);
            if out[first + 1..].iter().any(reads_same) {
                let mut alike = Actions::default();
                out[first..].iter().filter(|other| reads_same(other)).for_each(|other| alike.push(*other));
                most = most.saturating_sub(self.keep_most(state, &mut alike, last_too, most));
                out.replace_alike(first, alike[0], reads_same);
                if !alike.is_complete() {
                    out.cut_short();
                }
            }
            first += 1;
        }
    }

    /// Whether two actions have the same wording.
    pub(super) fn reads_same(&self, state: &State, one: &Action, other: &Action) -> bool {
        (one.from, one.to) == (other.from, other.to) && self.wording(state, one) == self.wording(state, other)
    }

    /// Keeps the actions after which the most numbers can be spent, even if the rules do not make players spend the
    /// most. Returns how many positions the search tried. A search of more than [`SHORT`] numbers stops soon after
    /// `most` positions.
    #[inline(never)]
    fn keep_most(&self, state: &State, alike: &mut Actions, last_too: bool, most: u32) -> u32 {
        let left = state.numbers_left();
        if left > SHORT {
            self.look_far(state, last_too, |search| {
                (search.most, search.limit) = (most, most);
                self.keep_reaching(state, alike, left, 0, search);
                search.tried
            })
        } else {
            let mut search = Search::new(self, state, last_too, &mut [], &mut []);
            self.keep_reaching(state, alike, left, 0, &mut search);
            search.tried
        }
    }
}
