//! Compulsions over the whole hand (`within: hand`). Meeting them counts more than spending many numbers.
//!
//! The search asks whether a plan is worth a given amount: first the greatest one that may be possible, then the next
//! one below that the search has not ruled out.

use super::memo::{LikeThrows, Memo, MemoEntry};
use crate::play::actions::{Actions, MAX_ACTIONS};
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::stage::HandStage;
use crate::play::state::{Action, Phase, State};
use crate::play::state_hash::mix;
use crate::play::watch::Ahead;
use crate::tables::{Duty, Effect, With};
use crate::units::{Due, MAX_BONUSES};

/// Maximum number of positions that the searches of one decision may visit. Beyond it, the first plan that is found for
/// each action counts.
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
    /// Whether plans may use lines of the duty `Last`.
    last_too: bool,
    /// The worth of a number that is spent: 1, or 0 where players need not spend as many as possible.
    number: u32,
    /// The number of positions visited at this decision.
    visited: &'v mut u32,
    /// The throws that rules cannot distinguish.
    alike: LikeThrows,
    memo: Memo<'v>,
    /// Whether a list of actions had no room for all of them.
    lacks_actions: bool,
    /// Whether an effect may grant a bonus.
    grants: bool,
    /// Whether a bonus may meet the compulsion.
    by_bonus: bool,
}

impl DueSearch<'_> {
    /// No plan is worth more from this state.
    fn bound(&self, state: &State, left: u32) -> u32 {
        let bonuses = if self.by_bonus { u32::from(state.hand.granted) } else { 0 };
        // Each action may grant as many bonuses as the hand holds.
        let granted = if self.grants && self.by_bonus { (left + bonuses) * MAX_BONUSES as u32 } else { 0 };
        self.number * left + DUE * (left + bonuses + granted)
    }

    fn is_exhausted(&self) -> bool {
        *self.visited > LOOK_AHEAD_LIMIT
    }
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
        let before = *visited;
        let met_by = self.moves.must[must].actions;
        let mut lines = self.moves.spend.iter().enumerate().filter(|(index, _)| met_by >> index & 1 == 1);
        let mut search = DueSearch {
            must,
            last_too,
            number: u32::from(self.turn.most || whole),
            visited,
            alike: LikeThrows::of(self, state),
            memo: Memo(&mut [MemoEntry::default(); KNOWN]),
            lacks_actions: false,
            grants: self.events.effects().any(|effect| matches!(effect, Effect::Bonus(..))),
            by_bonus: lines.any(|(_, line)| line.with == With::Bonus),
        };
        let bound = search.bound(state, left);
        let mut most = [bound; MAX_ACTIONS];
        let mut aim =
            if search.grants && search.by_bonus { self.worth_of_any(state, out, left, &mut search) } else { bound };
        loop {
            for (action, most) in out.iter().zip(&mut most).filter(|(_, most)| **most >= aim) {
                *most = self.worth_of(state, action, left, aim, &mut search);
            }
            let best = most[..out.len()].iter().copied().max().unwrap_or_default();
            if best >= aim || search.is_exhausted() {
                break;
            }
            aim = best;
        }
        if search.is_exhausted() || search.lacks_actions {
            out.cut_short();
        }
        if search.is_exhausted() {
            for (action, most) in out.iter().zip(&mut most) {
                *most = self.worth_at_once(state, action, left, &mut search);
            }
            aim = most[..out.len()].iter().copied().max().unwrap_or_default();
        }
        out.add_work(*search.visited - before);
        if aim < DUE {
            return false;
        }
        if whole && aim % DUE < left {
            out.retain_from(0, |_| false);
            return true;
        }
        let mut worths = most.iter();
        out.retain_from(0, |_| worths.next().is_some_and(|worth| *worth >= aim));
        true
    }

    /// The worth of the best plan that begins with one of these actions, if it meets the compulsion; otherwise [`DUE`].
    /// The search begins with a small worth, because a bound that counts bonuses still to be granted is far too great.
    fn worth_of_any(&self, state: &State, actions: &Actions, left: u32, search: &mut DueSearch<'_>) -> u32 {
        let mut best = DUE - 1;
        for action in actions.iter() {
            while !search.is_exhausted() {
                let worth = self.worth_of(state, action, left, best + 1, search);
                if worth <= best {
                    break;
                }
                best = worth;
            }
        }
        best.max(DUE)
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

    /// The worth of the best plan that begins with an action, if it is worth `aim` or more; otherwise a number below
    /// `aim` that no such plan exceeds.
    fn worth_of(&self, state: &State, action: &Action, left: u32, aim: u32, search: &mut DueSearch<'_>) -> u32 {
        let spent = action.spends().min(left);
        let worth = spent * search.number + self.due(state, search.must, action);
        if spent == left && state.hand.granted == 0 && !search.grants {
            return worth;
        }
        let mut next = *state;
        self.perform(&mut next, action, &mut Ahead);
        worth + self.worth_after(&next, left - spent, aim.saturating_sub(worth), search)
    }

    /// The worth of the best plan from a state, if it is worth `aim` or more; otherwise a number below `aim` that no plan
    /// exceeds. `left` numbers are left.
    fn worth_after(&self, state: &State, left: u32, aim: u32, search: &mut DueSearch<'_>) -> u32 {
        *search.visited += 1 + self.assumptions.positions_of_a_move;
        let is_spent = left == 0 && state.hand.granted == 0;
        if is_spent || state.ending || state.phase == Phase::Over || search.is_exhausted() {
            return 0;
        }
        let bound = search.bound(state, left);
        if bound < aim {
            return bound;
        }
        let key = mix(search.alike.key(self, state, search.last_too, 0), left.into());
        let seen = search.memo.get(key);
        if seen.least >= aim {
            return seen.least;
        }
        if seen.most < aim {
            return seen.most;
        }
        let found = self.worth_by_any(state, left, aim, search);
        if !search.is_exhausted() {
            search.memo.put(key, aim, found, seen);
        }
        found
    }

    fn worth_by_any(&self, state: &State, left: u32, aim: u32, search: &mut DueSearch<'_>) -> u32 {
        let mut actions = Actions::default();
        self.next_due(state, search, &mut actions);
        if actions.is_empty() {
            if state.stage() != HandStage::BonusNow {
                return 0;
            }
            let mut forfeited = *state;
            forfeited.hand.drop_bonuses(Due::Now);
            return self.worth_after(&forfeited, left, aim, search);
        }
        let mut best = 0;
        for action in actions.iter() {
            best = best.max(self.worth_of(state, action, left, aim, search));
            if best >= aim || search.is_exhausted() {
                break;
            }
        }
        best
    }

    /// Lists the next actions of a plan.
    fn next_due(&self, state: &State, search: &mut DueSearch<'_>, actions: &mut Actions) {
        *search.visited += self.assumptions.positions_of_a_list;
        self.candidates_under(search.must, state, Duty::Ordinary, actions);
        if actions.is_empty() && search.last_too {
            self.candidates(state, Duty::Last, actions);
        }
        search.lacks_actions |= !actions.is_complete();
    }

    /// The worth of a single plan: the given action, then always the first that meets the compulsion, or the first of
    /// all. Beyond a second limit of the search, a quarter above the first one, the plan ends early.
    fn worth_at_once(&self, state: &State, action: &Action, mut left: u32, search: &mut DueSearch<'_>) -> u32 {
        let (mut state, mut action, mut worth) = (*state, *action, 0);
        loop {
            let spent = action.spends().min(left);
            worth += spent * search.number + self.due(&state, search.must, &action);
            left -= spent;
            *search.visited += 1 + self.assumptions.positions_of_a_move;
            if *search.visited > LOOK_AHEAD_LIMIT + LOOK_AHEAD_LIMIT / 4 {
                return worth;
            }
            self.perform(&mut state, &action, &mut Ahead);
            let mut actions = Actions::default();
            if !state.ending && state.phase != Phase::Over && (left > 0 || state.hand.granted > 0) {
                self.next_due(&state, search, &mut actions);
            }
            let meets = actions.iter().find(|action| self.due(&state, search.must, action) > 0);
            match meets.or(actions.first()) {
                Some(next) => action = *next,
                None => return worth,
            }
        }
    }
}
