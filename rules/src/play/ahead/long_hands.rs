//! Long hands: finds the count of numbers that the best plan spends, then keeps the actions that begin such a plan.
//!
//! The upper bound is tried first, for a short time, because most hands can be spent to the bound. If no plan reaches
//! it soon, the search begins with the count that some plan is known to spend, and raises it until no plan spends more.

use arrayvec::ArrayVec;

use super::progress::PlanSearch;
use crate::play::actions::{Actions, MAX_ACTIONS};
use crate::play::engine::Engine;
use crate::play::state::State;

/// Maximum number of positions that are tried in the search for plans that reach the upper bound.
const MOST_TRIED_FOR_BOUND: u32 = 1200;

/// Bounds for the count of numbers that the plans beginning with an action spend.
#[derive(Clone, Copy)]
struct Worth {
    /// At least one plan spends this many numbers.
    least: u32,
    /// No plan spends more numbers.
    most: u32,
}

impl Engine {
    /// Keeps the actions after which the most numbers are spent, as [`Engine::keep_reaching`] does. Returns the count
    /// of numbers spent.
    pub(super) fn keep_reaching_of_many(
        &self,
        state: &State,
        out: &mut Actions,
        bound: u32,
        search: &mut PlanSearch<'_>,
    ) -> u32 {
        let mut worth: ArrayVec<Worth, MAX_ACTIONS> = out.iter().map(|_| Worth { least: 0, most: bound }).collect();
        let mut aim = bound;
        if !self.reaches_bound(state, out, bound, &mut worth, search) {
            aim = self.most_spent(state, out, &mut worth, search);
        }
        let judge = |i: usize, worth: &mut Worth, search: &mut PlanSearch<'_>| {
            if worth.least < aim && worth.most >= aim {
                self.learn(state, out, i, aim, worth, search);
                if search.is_exhausted() && worth.least < aim {
                    worth.least = self.spends_at_once(state, &out[i], search);
                }
            }
        };
        let mut repeated: ArrayVec<(usize, Worth), MAX_ACTIONS> = ArrayVec::new();
        for i in 0..out.len() {
            let is_kept = |k: usize| worth[k].least >= aim && self.reads_same(state, &out[k], &out[i]);
            if (0..i).any(is_kept) {
                repeated.push((i, worth[i]));
                worth[i] = Worth { least: 0, most: 0 };
            } else {
                judge(i, &mut worth[i], search);
            }
        }
        if search.judges_repeated {
            for (i, mut once_more) in repeated {
                judge(i, &mut once_more, search);
                worth[i] = once_more;
            }
        }
        if search.is_unsure() {
            out.cut_short();
        }
        let mut worth = worth.iter();
        out.retain_from(0, |_| worth.next().is_some_and(|worth| worth.least >= aim));
        aim
    }

    /// Whether a short search finds an action that begins a plan which spends as many numbers as the upper bound.
    fn reaches_bound(
        &self,
        state: &State,
        out: &Actions,
        bound: u32,
        worth: &mut [Worth],
        search: &mut PlanSearch<'_>,
    ) -> bool {
        for (i, action) in out.iter().enumerate() {
            let spent = self.spends_in_some_order(state, action, bound, search);
            if spent >= bound {
                worth[i].least = bound;
                return true;
            }
            if !search.is_given_up() {
                worth[i].most = worth[i].most.min(spent);
            }
            if search.tried > MOST_TRIED_FOR_BOUND {
                break;
            }
        }
        false
    }

    /// The count of numbers that the best plan spends. If the search is exhausted, the best count found so far.
    fn most_spent(&self, state: &State, out: &Actions, worth: &mut [Worth], search: &mut PlanSearch<'_>) -> u32 {
        for (action, worth) in out.iter().zip(&mut *worth) {
            worth.least = self.spends_at_once(state, action, search);
        }
        let mut best = worth.iter().map(|worth| worth.least).max().unwrap_or_default();
        let mut i = 0;
        while i < out.len() && !search.is_exhausted() {
            if worth[i].most <= best {
                i += 1;
                continue;
            }
            self.learn(state, out, i, best + 1, &mut worth[i], search);
            best = best.max(worth[i].least);
        }
        best
    }

    /// Finds out whether a plan that begins with an action spends `aim` numbers.
    fn learn(&self, state: &State, out: &Actions, i: usize, aim: u32, worth: &mut Worth, search: &mut PlanSearch<'_>) {
        let mut spent = self.spends_in_some_order(state, &out[i], aim, search);
        if spent < aim && search.is_given_up() && !search.is_exhausted() {
            search.limit = search.most;
            spent = self.spends_with(state, &out[i], aim, search, 0);
        }
        if spent >= aim {
            worth.least = spent;
        } else if !search.is_exhausted() {
            worth.most = spent;
        }
    }
}
