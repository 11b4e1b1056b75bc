//! One search: whether a plan that begins with a given action spends the wanted count of numbers.

use super::memo::{self, MemoEntry};
use super::progress::{LONG, PlanSearch, SHORT, SearchOrder};
use super::room_to_home;
use super::second_number::Trial;
use crate::play::actions::Actions;
use crate::play::engine::Engine;
use crate::play::stage::HandStage;
use crate::play::state::{Action, Phase, State};
use crate::play::watch::Ahead;
use crate::tables::Duty;
use crate::units::Due;

/// Maximum number of positions that are tried in one [`SearchOrder`] before the next order begins.
const MOST_IN_ORDER: u32 = 300;

/// Maximum number of actions in a plan: one for every number of the fullest hand, and one for every bonus that these
/// actions could bring.
const LONGEST_PLAN: u32 = 128;

impl Engine {
    /// Runs a search with a table of known positions, which is larger for a long hand.
    pub(super) fn look_far<T>(&self, state: &State, last_too: bool, look: impl FnOnce(&mut PlanSearch<'_>) -> T) -> T {
        if state.numbers_left() > LONG {
            return self.look_farther(state, last_too, look);
        }
        let mut table = [MemoEntry::default(); memo::SMALL];
        look(&mut PlanSearch::new(self, state, last_too, &mut table, &mut []))
    }

    #[inline(never)]
    fn look_farther<T>(&self, state: &State, last_too: bool, look: impl FnOnce(&mut PlanSearch<'_>) -> T) -> T {
        let mut table = [MemoEntry::default(); memo::LARGE];
        look(&mut PlanSearch::new(self, state, last_too, &mut table, &mut [0; room_to_home::FAILED]))
    }

    /// Runs [`Engine::spends_with`] with one order after another. If all orders are given up, a last run continues to
    /// the limit of the whole search. A long hand has no such run: the search then stays given up.
    pub(super) fn spends_in_some_order(
        &self,
        state: &State,
        action: &Action,
        aim: u32,
        search: &mut PlanSearch<'_>,
    ) -> u32 {
        if state.numbers_left() < SHORT {
            search.limit = search.most;
            return self.spends_with(state, action, aim, search, 0);
        }
        for order in search.order.and_others() {
            if search.is_exhausted() {
                return action.spends();
            }
            search.order = order;
            search.limit = (search.tried + MOST_IN_ORDER).min(search.most);
            let spent = self.spends_with(state, action, aim, search, 0);
            if spent >= aim || !search.is_given_up() {
                return spent;
            }
        }
        search.limit = if state.numbers_left() > LONG { 0 } else { search.most };
        self.spends_with(state, action, aim, search, 0)
    }

    /// Counts the numbers spent by a single plan: the given action, then always the first action found. Beyond a second
    /// limit of the search, a quarter above the first one, the plan ends early.
    pub(super) fn spends_at_once(&self, state: &State, action: &Action, search: &mut PlanSearch<'_>) -> u32 {
        let (mut state, mut action, mut spent) = (*state, *action, 0);
        for _ in 0..LONGEST_PLAN {
            spent += action.spends();
            if search.tried > search.most + search.most / 4 {
                break;
            }
            self.perform(&mut state, &action, &mut Ahead);
            let mut actions = Actions::default();
            self.first_into(&mut state, search, &mut actions);
            match actions.first() {
                Some(first) if !state.ending && state.phase != Phase::Over => action = *first,
                _ => break,
            }
        }
        spent
    }

    /// Lists next actions of a plan: only those of the first spend line that has any. If a compulsion may apply, it
    /// lists those of all lines instead ([`Engine::next_into`]). Bonuses that no pawn can take are forfeited.
    fn first_into(&self, state: &mut State, search: &mut PlanSearch<'_>, actions: &mut Actions) {
        search.tried += 1 + self.assumptions.positions_of_a_move;
        let mut decision = self.decision(state, self.colour(state));
        let compelled = self.moves.must.iter().any(|must| decision.may_begin(must.actions));
        if !compelled && state.stage() == HandStage::Numbers && !self.seating.shares {
            decision.any = true;
            let throws = self.distinct_throws(state);
            let mut lines = decision.lines(self, Duty::Ordinary);
            while lines != 0 && actions.is_empty() {
                let line = lines.trailing_zeros() as usize;
                lines &= lines - 1;
                self.candidates_by(state, &decision, Duty::Ordinary, line, throws, actions);
            }
            search.add_work(decision.work_done());
            if !actions.is_empty() {
                return;
            }
        }
        self.next_into(state, search.last_too, actions);
    }

    /// Lists the next actions of a plan. Bonuses that no pawn can take are forfeited.
    fn next_into(&self, state: &mut State, last_too: bool, actions: &mut Actions) {
        loop {
            self.candidates(state, Duty::Ordinary, actions);
            if actions.is_empty() && last_too {
                self.candidates(state, Duty::Last, actions);
            }
            if !actions.is_empty() || state.stage() != HandStage::BonusNow {
                return;
            }
            state.hand.drop_bonuses(Due::Now);
        }
    }

    /// Counts the numbers that `action` and the actions after it spend. How the result relates to `aim` is explained at
    /// [`Engine::spends`].
    pub(super) fn spends_with(
        &self,
        state: &State,
        action: &Action,
        aim: u32,
        search: &mut PlanSearch<'_>,
        depth: u32,
    ) -> u32 {
        let spent = action.spends();
        if spent >= aim || spent == state.numbers_left() {
            return spent;
        }
        let mut next = *state;
        self.perform(&mut next, action, &mut Ahead);
        search.tried += self.assumptions.positions_of_a_move;
        let locked_before = search.locked;
        let colour = self.colour(state);
        // A changed counter may lock pawns; the first action may move a pawn that was locked.
        let may_lock = depth == 0 || state.counters[colour.index()] != next.counters[colour.index()];
        if search.is_long && may_lock {
            search.locked = self.locked(&next, colour);
        }
        let later = self.spends(&next, aim.saturating_sub(spent), search, depth + 1);
        search.locked = locked_before;
        spent + later
    }

    /// Whether a plan of `aim` numbers begins with this action. `None` if only a search can decide it. `depth` is the
    /// number of actions that the plan has before this one.
    #[inline(always)]
    pub(super) fn is_spent(
        &self,
        state: &State,
        action: &Action,
        aim: u32,
        trial: &mut Trial,
        search: &mut PlanSearch<'_>,
        depth: u32,
    ) -> Option<bool> {
        if action.spends() >= aim {
            return Some(true);
        }
        let is_pair = aim == 2 && !search.last_too && state.numbers_left() == 2;
        let (is_followed, work) = if is_pair { self.is_followed(state, action, trial) } else { (None, 0) };
        search.add_work(work);
        if is_followed.is_some() || depth > 0 {
            return is_followed;
        }
        // Quiet plans only make the search shorter. After too many of them were tried in vain, no more are tried.
        if search.quietly_tried > search.most {
            return None;
        }
        let mut visited = 0;
        let begins = self.begins_a_quiet_plan(state, action, aim, search.last_too, &mut visited);
        search.quietly_tried += visited;
        begins.then_some(true)
    }

    /// Returns `aim` or more if that many numbers can still be spent. A result below `aim` means that no plan spends
    /// more numbers than the result, unless the search was given up.
    fn spends(&self, state: &State, aim: u32, search: &mut PlanSearch<'_>, depth: u32) -> u32 {
        let left = state.numbers_left();
        if left == 0 || state.ending || state.phase == Phase::Over || depth > LONGEST_PLAN {
            return 0;
        }
        search.tried += 1;
        if search.is_given_up() {
            return 0;
        }
        if left == 1 && !search.last_too && state.stage() == HandStage::Numbers {
            let (can, work) = self.can_spend_one_by(state);
            search.add_work(work);
            return u32::from(can);
        }
        let mut most = self.at_most(state, left, search.last_too, search.locked);
        if most < aim {
            return most;
        }
        let (last_too, locked) = (search.last_too, search.locked);
        let key = if search.memo.is_idle() { 0 } else { search.alike(self).key(self, state, last_too, locked) };
        let seen = search.memo.get(key);
        if seen.least >= aim {
            return seen.least;
        }
        most = most.min(seen.most);
        if most < aim {
            return most;
        }
        if !self.may_fit(state, aim, &mut search.packed, search.last_too, search.locked) {
            search.memo.put(key, aim, aim - 1, seen);
            return aim - 1;
        }
        let found = self.spends_by_any(state, aim, search, depth);
        if !search.is_given_up() {
            search.memo.put(key, aim, found, seen);
        }
        found
    }

    fn spends_by_any(&self, state: &State, aim: u32, search: &mut PlanSearch<'_>, depth: u32) -> u32 {
        let mut actions = Actions::default();
        let mut trial = Trial::default();
        let mut best = 0;
        let mut decision = self.decision(state, self.colour(state));
        // For the last number, one possible action is enough. Compulsions do not matter: they never remove all actions.
        decision.any = state.numbers_left() == 1;
        let compelled = !decision.any && self.moves.must.iter().any(|must| decision.may_begin(must.actions));
        if state.stage() == HandStage::Numbers && !compelled && !self.seating.shares {
            // Lines are tried one at a time, because the first line often reaches the aim. Throws with great numbers
            // come first, because small numbers are more likely to fit afterwards. Sums make the plan shorter.
            let throws = search.alike(self).distinct_throws(state);
            let open = decision.lines(self, Duty::Ordinary);
            let mut work = decision.work_done();
            let sums = if search.order == SearchOrder::Lines { 0 } else { self.assumptions.sums & open };
            for (group, lines) in
                search.alike(self).greatest_first().flat_map(|group| [(group, sums), (group, open & !sums)])
            {
                let mut lines = if throws & group == 0 { 0 } else { lines };
                while lines != 0 {
                    let line = lines.trailing_zeros() as usize;
                    lines &= lines - 1;
                    let before = actions.len();
                    self.candidates_by(state, &decision, Duty::Ordinary, line, throws & group, &mut actions);
                    search.lacks_actions |= !actions.is_complete();
                    search.add_work(decision.work_done() - work);
                    work = decision.work_done();
                    match search.order {
                        SearchOrder::Farthest => actions.sort_from(before, |action| action.from.0),
                        SearchOrder::Nearest => actions.sort_from(before, |action| u8::MAX - action.from.0),
                        SearchOrder::Listed | SearchOrder::Lines => {}
                    }
                    best = best.max(self.spends_by_each(state, &actions[before..], aim, search, depth, &mut trial));
                    if best >= aim || search.is_given_up() {
                        return best;
                    }
                }
            }
            if !actions.is_empty() || !search.last_too {
                return best;
            }
        }
        let mut state = *state;
        self.next_into(&mut state, search.last_too, &mut actions);
        search.lacks_actions |= !actions.is_complete();
        self.spends_by_each(&state, &actions, aim, search, depth, &mut Trial::default())
    }

    fn spends_by_each(
        &self,
        state: &State,
        actions: &[Action],
        aim: u32,
        search: &mut PlanSearch<'_>,
        depth: u32,
        trial: &mut Trial,
    ) -> u32 {
        let mut best = 0;
        for action in actions {
            let spent = match self.is_spent(state, action, aim, trial, search, depth + 1) {
                Some(true) => aim,
                Some(false) => action.spends(),
                None => self.spends_with(state, action, aim, search, depth),
            };
            best = best.max(spent);
            if best >= aim || search.is_given_up() {
                break;
            }
        }
        best
    }
}
