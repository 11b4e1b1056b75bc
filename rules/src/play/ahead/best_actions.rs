//! Keeps the actions that begin a plan which spends the most numbers.

use arrayvec::ArrayVec;

use super::progress::{LONG, PlanSearch, SHORT};
use super::second_number::Trial;
use crate::play::actions::{Actions, MAX_ACTIONS};
use crate::play::engine::Engine;
use crate::play::state::State;

impl Engine {
    /// Keeps the actions of the duty `Last` that begin a plan which meets a compulsion over the hand: the first
    /// compulsion that any plan can meet. Of these actions, keeps those whose plans spend the most numbers.
    pub(in crate::play) fn keep_last_resorts(&self, state: &State, out: &mut Actions) {
        let mut visited = 0;
        let mut in_hand = (0..self.moves.must.len()).filter(|index| self.moves.must[*index].in_hand);
        if !in_hand.any(|index| self.keep_due(state, index, out, true, &mut visited)) {
            self.keep_longest(state, out, true);
        }
    }

    /// Keeps the actions that begin a plan which spends the most numbers. With `last_too`, plans may also use lines of
    /// the duty `Last`. Compulsions over the whole hand are ignored.
    #[inline(always)]
    pub(in crate::play) fn keep_longest(&self, state: &State, out: &mut Actions, last_too: bool) {
        let left = state.numbers_left();
        let whole = state.must_spend_all();
        let open = self.turn.most || whole;
        if !open
            || out.is_empty()
            || left == 1 && !whole
            || (!whole && out.iter().all(|action| action.spends() == left))
        {
            return;
        }
        let sure = if last_too { 0 } else { self.surely_spend_all(state, out, left) };
        self.keep_longest_but(state, out, last_too, sure);
    }

    /// Keeps actions as [`Engine::keep_longest`] does, of a list that is not empty. `sure` are the actions that surely
    /// begin a plan which spends all numbers, one bit each.
    pub(in crate::play) fn keep_longest_but(&self, state: &State, out: &mut Actions, last_too: bool, sure: u64) {
        if sure.count_ones() as usize == out.len() {
            return;
        }
        let whole = state.must_spend_all();
        if state.numbers_left() > SHORT {
            return self.keep_best_of_many(state, out, last_too, whole, sure);
        }
        self.keep_best_by(state, out, whole, &mut PlanSearch::new(self, state, last_too, &mut [], &mut []), sure);
    }

    /// Searches a long hand with tables of known positions. This is a separate function so that the search of a short
    /// hand puts no tables on the stack.
    #[inline(never)]
    fn keep_best_of_many(&self, state: &State, out: &mut Actions, last_too: bool, whole: bool, sure: u64) {
        self.look_far(state, last_too, |search| self.keep_best_by(state, out, whole, search, sure));
    }

    /// Keeps the actions that begin a plan which spends the most numbers. `sure` are the actions that surely spend all
    /// numbers, one bit each.
    fn keep_best_by(&self, state: &State, out: &mut Actions, whole: bool, search: &mut PlanSearch<'_>, sure: u64) {
        let left = state.numbers_left();
        search.sure = sure;
        if sure != 0 {
            self.keep_reaching(state, out, left, left, search);
        } else if !whole {
            let aim = self.at_most(state, left, search.last_too, search.locked);
            self.keep_reaching(state, out, aim, 0, search);
        } else if self.keep_reaching(state, out, left, left, search) < left {
            out.retain_from(0, |_| false);
        }
        out.add_work(search.tried + search.quietly_tried);
    }

    /// Keeps the actions after which the most numbers are spent. Returns the count of numbers spent.
    ///
    /// An action whose text equals that of a kept action is tried after all others, and only with
    /// [`PlanSearch::judges_repeated`]. The search looks for actions that spend `aim` numbers, the greatest count that
    /// may be possible; if there are none, for the greatest count found, but for none below `least`.
    pub(super) fn keep_reaching(
        &self,
        state: &State,
        out: &mut Actions,
        mut aim: u32,
        least: u32,
        search: &mut PlanSearch<'_>,
    ) -> u32 {
        if state.numbers_left() > LONG {
            return self.keep_reaching_of_many(state, out, aim, search);
        }
        let mut most: ArrayVec<u32, MAX_ACTIONS> = ArrayVec::new();
        most.extend(out.iter().map(|_| state.numbers_left()));
        let mut trial = Trial::default();
        let mut judge = |i: usize, aim: u32, out: &Actions, search: &mut PlanSearch<'_>| {
            if i < 64 && search.sure >> i & 1 == 1 {
                return state.numbers_left();
            }
            match self.is_spent(state, &out[i], aim, &mut trial, search, 0) {
                Some(true) => aim,
                Some(false) => out[i].spends(),
                None => match self.spends_in_some_order(state, &out[i], aim, search) {
                    _ if search.is_exhausted() => self.spends_at_once(state, &out[i], search),
                    spent => spent,
                },
            }
        };
        let mut repeated: ArrayVec<usize, MAX_ACTIONS> = ArrayVec::new();
        loop {
            for i in 0..out.len() {
                if most[i] < aim {
                    continue;
                }
                let reached = |k: usize| most[k] >= aim && self.reads_same(state, &out[k], &out[i]);
                if (0..i).any(reached) {
                    most[i] = 0;
                    repeated.push(i);
                } else {
                    most[i] = judge(i, aim, out, search);
                }
            }
            let best = most.iter().copied().max().unwrap_or_default();
            if best >= aim {
                break;
            }
            aim = best;
            if aim < least || search.is_exhausted() {
                break;
            }
        }
        if search.judges_repeated {
            repeated.iter().for_each(|&i| most[i] = judge(i, aim, out, search));
        }
        if search.is_unsure() {
            out.cut_short();
        }
        let mut most = most.iter();
        out.retain_from(0, |_| most.next().is_some_and(|most| *most >= aim));
        aim
    }
}
