//! Actions with the same plain text. The plain text of an action shows neither which of the pawns on a place moves nor
//! which throw is spent.
//!
//! A plain text stands for the action after which the most numbers can be spent. Another action of the same text is
//! listed beside it if other actions or another position may follow; its text then names its throw or its pawns.

use super::progress::{MOST_TRIED_ALIKE, PlanSearch, SHORT};
use crate::play::actions::Actions;
use crate::play::consequences::ComparedPairs;
use crate::play::engine::Engine;
use crate::play::state::{Action, ActionForm, State};

impl Engine {
    /// Compares the actions from index `start` on that have the same text. Keeps one of each group of actions after
    /// which the same actions and positions can follow, and makes the texts of the kept actions different. `is_most`
    /// says that no action of the list spends fewer numbers than another one.
    pub(crate) fn tell_apart(&self, state: &State, out: &mut Actions, start: usize, last_too: bool, is_most: bool) {
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
        if !out[start..].iter().all(is_new) {
            self.tell_repeated_apart(state, out, start, last_too, is_most);
        }
    }

    /// Compares actions with the same text for [`Engine::tell_apart`], where some actions have the same start and end.
    #[inline(never)]
    fn tell_repeated_apart(&self, state: &State, out: &mut Actions, start: usize, last_too: bool, is_most: bool) {
        let (mut most, mut pairs) = (MOST_TRIED_ALIKE, ComparedPairs::new());
        let mut first = start;
        while first < out.len() {
            let action = out[first];
            let reads_same = |other: &Action| self.reads_same(state, &action, other);
            if out[first + 1..].iter().any(reads_same) {
                let mut alike = Actions::default();
                out[first..].iter().filter(|other| reads_same(other)).for_each(|other| alike.push(*other));
                if !is_most {
                    let tried = self.begin_with_most(state, &mut alike, last_too, most);
                    most = most.saturating_sub(tried);
                    out.add_work(tried);
                }
                self.keep_different(state, &mut alike, &mut pairs);
                out.replace_alike(first, &alike, reads_same);
                if !alike.is_complete() {
                    out.cut_short();
                }
                first += alike.len();
            } else {
                first += 1;
            }
        }
        out.add_work(pairs.work());
    }

    /// Whether two actions have the same plain text.
    pub(in crate::play) fn reads_same(&self, state: &State, one: &Action, other: &Action) -> bool {
        (one.from, one.to) == (other.from, other.to)
            && self.plain_wording(state, one) == self.plain_wording(state, other)
    }

    /// Removes interchangeable actions from `alike`, a list of actions with the same plain text. An action is kept if
    /// the actions or positions that can follow it differ from those of every action kept before it. Sets the forms of
    /// the kept actions, so that their texts differ.
    fn keep_different(&self, state: &State, alike: &mut Actions, pairs: &mut ComparedPairs) {
        let plain = alike[0];
        let pawns = |action: &Action| self.movers_of(state, action);
        let mut kept = Actions::default();
        kept.push(plain);
        for action in alike[1..].iter() {
            // No text distinguishes two spend lines that move the same pawns by the same throw.
            let is_same = |known: &Action| known.throw == action.throw && pawns(known) == pawns(action);
            if !kept.iter().any(|known| is_same(known) || self.lead_to_the_same(state, known, action, pairs)) {
                let names_throw = action.throw != plain.throw;
                let form = ActionForm { names_throw, names_pawns: pawns(action) != pawns(&plain) };
                kept.push(Action { form, ..*action });
            }
        }
        alike.replace_alike(0, &kept, |_| true);
    }

    /// Moves an action after which the most numbers can be spent to the front of the list, even if the rules do not
    /// make players spend the most. Returns how many positions the search tried. A search of more than [`SHORT`]
    /// numbers stops soon after `most` positions.
    #[inline(never)]
    fn begin_with_most(&self, state: &State, alike: &mut Actions, last_too: bool, most: u32) -> u32 {
        let left = state.numbers_left();
        let mut best = alike.clone();
        let tried = if left > SHORT {
            self.look_far(state, last_too, |search| {
                (search.most, search.limit, search.judges_repeated) = (most, most, false);
                self.keep_reaching(state, &mut best, left, 0, search);
                search.tried
            })
        } else {
            let mut search = PlanSearch::new(self, state, last_too, &mut [], &mut []);
            search.judges_repeated = false;
            self.keep_reaching(state, &mut best, left, 0, &mut search);
            search.tried
        };
        alike.move_to_front(&best[0]);
        if !best.is_complete() {
            alike.cut_short();
        }
        tried
    }
}
