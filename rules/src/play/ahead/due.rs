//! Compulsions over the whole hand (`within: hand`). Meeting them counts more than spending many numbers.
//!
//! This search tries every plan, because the best plan is only known after all plans have been tried. Rule sets with
//! such compulsions have short hands.

use super::memo::LikeThrows;
use crate::play::actions::{Actions, MAX_ACTIONS};
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::stage::HandStage;
use crate::play::state::{Action, Phase, State};
use crate::play::state_hash::mix;
use crate::play::watch::Ahead;
use crate::tables::Duty;
use crate::units::Due;

/// Maximum number of positions that one search may visit. Beyond it, the best plan found so far counts.
///
/// With the limit, no rule file can make a decision slow. Real games stay far below it.
const LOOK_AHEAD_LIMIT: u32 = 1500;

/// Size of the table of known positions. A new position replaces an older one with the same index.
const KNOWN: usize = 1024;

/// The worth of an action that meets a compulsion over the whole hand. Each number spent is worth 1.
const DUE: u32 = 1 << 8;

/// The progress of one search.
struct DueSearch<'v> {
    /// The compulsion to meet, by its index.
    must: usize,
    /// The number of positions visited at this decision.
    visited: &'v mut u32,
    /// The throws that rules cannot distinguish.
    alike: LikeThrows,
    /// The keys of visited positions, each with the greatest worth of the actions that can follow.
    worths: [(u64, u32); KNOWN],
    /// Whether a list of actions had no room for all of them.
    lacks_actions: bool,
}

impl Engine {
    /// Keeps the actions that begin a plan which meets a compulsion over the hand, given by its index, as often as
    /// possible. If players must spend the most, the count of numbers spent decides among these plans. Of the other
    /// compulsions, only those that stand before it bind in a plan. Returns false, and keeps all actions, if no plan
    /// meets the compulsion.
    ///
    /// `visited` counts the positions that the searches of one decision have visited.
    #[inline(never)]
    pub(in crate::play) fn keep_due(
        &self,
        state: &State,
        must: usize,
        out: &mut Actions,
        last_too: bool,
        visited: &mut u32,
    ) -> bool {
        let left = state.numbers_left();
        let whole = state.must_spend_all();
        let alike = LikeThrows::of(self, state);
        let before = *visited;
        let mut search = DueSearch { must, visited, alike, worths: [(0, 0); KNOWN], lacks_actions: false };
        let mut best = 0;
        let mut worth = [0u16; MAX_ACTIONS];
        for (i, action) in out.iter().enumerate() {
            let spent = action.spends();
            let mut total = spent + self.due(state, must, action);
            if spent < left || state.hand.granted > 0 {
                let mut next = *state;
                self.perform(&mut next, action, &mut Ahead);
                total += self.spendable(&next, left - spent, last_too, &mut search);
            }
            if !self.turn.most && !whole {
                total -= total % DUE;
            }
            worth[i] = total as u16;
            best = best.max(total);
        }
        out.add_work(*search.visited - before);
        if *search.visited > LOOK_AHEAD_LIMIT || search.lacks_actions {
            out.cut_short();
        }
        if best < DUE {
            return false;
        }
        if whole && best % DUE < left {
            out.retain_from(0, |_| false);
            return true;
        }
        let mut i = 0;
        out.retain_from(0, |_| {
            i += 1;
            u32::from(worth[i - 1]) == best
        });
        true
    }

    #[inline(always)]
    pub(in crate::play) fn has_due(&self) -> bool {
        self.assumptions.has_due
    }

    /// The worth of an action for a compulsion over the whole hand: [`DUE`] if the action meets the compulsion,
    /// otherwise 0.
    fn due(&self, state: &State, must: usize, action: &Action) -> u32 {
        let must = &self.moves.must[must];
        let meets = must.actions >> action.line & 1 == 1
            && self.holds(state, must.open, &Context::seat(action.colour))
            && self.is_asked_for(state, must, action);
        if meets { DUE } else { 0 }
    }

    /// The greatest worth of the actions that can still follow in this hand. Each number spent is worth 1, and `left`
    /// numbers are left. Each action that meets a compulsion over the hand is worth [`DUE`] in addition.
    fn spendable(&self, state: &State, left: u32, last_too: bool, search: &mut DueSearch<'_>) -> u32 {
        *search.visited += 1 + self.assumptions.positions_of_a_move;
        let is_spent = left == 0 && state.hand.granted == 0;
        if is_spent || state.ending || state.phase == Phase::Over || *search.visited > LOOK_AHEAD_LIMIT {
            return 0;
        }
        let key = mix(search.alike.key(self, state, last_too, 0), left.into());
        let index = key as usize % KNOWN;
        if search.worths[index].0 == key {
            return search.worths[index].1;
        }
        let best = self.spendable_by_any(state, left, last_too, search);
        if *search.visited <= LOOK_AHEAD_LIMIT {
            search.worths[index] = (key, best);
        }
        best
    }

    fn spendable_by_any(&self, state: &State, left: u32, last_too: bool, search: &mut DueSearch<'_>) -> u32 {
        let mut actions = Actions::default();
        self.candidates_under(search.must, state, Duty::Ordinary, &mut actions);
        if actions.is_empty() && last_too {
            self.candidates(state, Duty::Last, &mut actions);
        }
        search.lacks_actions |= !actions.is_complete();
        if actions.is_empty() {
            if state.stage() != HandStage::BonusNow {
                return 0;
            }
            let mut forfeited = *state;
            forfeited.hand.drop_bonuses(Due::Now);
            return self.spendable(&forfeited, left, last_too, search);
        }
        let mut best = 0;
        for action in actions.iter() {
            let spent = action.spends();
            let mut next = *state;
            self.perform(&mut next, action, &mut Ahead);
            let later = self.spendable(&next, left - spent.min(left), last_too, search);
            best = best.max(spent + self.due(state, search.must, action) + later);
            if *search.visited > LOOK_AHEAD_LIMIT {
                break;
            }
        }
        best
    }
}
