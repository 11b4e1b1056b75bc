//! One look ahead: whether a plan that begins with an action spends as many numbers as are asked for.

use super::fits::{self, Packed};
use super::memo::{self, LikeThrows, Memo, MemoEntry};
use crate::play::actions::Actions;
use crate::play::engine::Engine;
use crate::play::stage::Stage;
use crate::play::state::{Action, Phase, State};
use crate::play::watch::Quiet;
use crate::tables::Duty;
use crate::units::Due;

/// Positions that one look ahead may try out; from then on every action is judged by the first plan that is found.
///
/// What is legal is exact below it. It keeps a decision short whatever a rule file says; the tests say how far the
/// longest banks of the games stay below.
const MOST_TRIED: u32 = 4000;

/// The same where more than [`VERY_LONG`] numbers are left: each position takes longer there.
const MOST_TRIED_LONG: u32 = 1600;

/// Numbers in the hand from which on a position takes longer to look at.
const VERY_LONG: u32 = 24;

/// Positions that one look ahead may try out where it is only asked which of two like actions leaves more to spend.
pub(super) const MOST_TRIED_ALIKE: u32 = 800;

/// Positions that are tried out in one order before another one is taken.
const MOST_IN_ORDER: u32 = 300;

/// The longest plan that is followed: every number of the fullest hand, and as many bonuses as it could bring.
const LONGEST_PLAN: u32 = 128;

/// Numbers in the hand up to which looking things up costs more than finding them out again.
pub(super) const SHORT: u32 = 3;

/// Numbers in the hand from which on it is worth knowing whether they fit.
pub(super) const LONG: u32 = 6;

/// One look ahead: what was found out and how much was tried.
pub(super) struct Search<'s> {
    pub memo: Memo<'s>,
    pub packed: Packed<'s>,
    alike: LikeThrows,
    pub tried: u32,
    /// How many may be tried before this look ahead is given up.
    pub most: u32,
    /// How many may be tried before this order is given up.
    pub limit: u32,
    order: Order,
    pub last_too: bool,
}

/// What is tried first. Where one order leads astray another one often does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// Sums, by the pawns as they are listed.
    Listed,
    /// Sums, by the pawn farthest from home.
    Farthest,
    /// Sums, by the pawn nearest home.
    Nearest,
    /// As the lines are listed.
    Lines,
}

impl Order {
    /// All of them, one after the other, from this one on.
    fn and_others(self) -> impl Iterator<Item = Order> {
        let all = [Order::Listed, Order::Farthest, Order::Nearest, Order::Lines];
        all.into_iter().cycle().skip(self as usize).take(all.len())
    }
}

impl<'s> Search<'s> {
    pub(super) fn new(
        rules: &Engine,
        state: &State,
        last_too: bool,
        table: &'s mut [MemoEntry],
        failed: &'s mut [u64],
    ) -> Self {
        Search {
            memo: Memo(table),
            packed: Packed::new(state, failed),
            alike: LikeThrows::of(rules, state),
            tried: 0,
            most: most_tried(state),
            limit: most_tried(state),
            order: Order::Listed,
            last_too,
        }
    }

    fn is_given_up(&self) -> bool {
        self.tried > self.limit
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.tried > self.most
    }
}

#[cfg(test)]
impl Drop for Search<'_> {
    fn drop(&mut self) {
        super::tests::banks::note(self.tried);
    }
}

/// How many positions a look ahead from here may try.
pub(super) fn most_tried(state: &State) -> u32 {
    if state.numbers_left() > VERY_LONG { MOST_TRIED_LONG } else { MOST_TRIED }
}

impl Engine {
    /// Looks ahead with tables of what was found out, as large as the hand is worth.
    pub(super) fn look_far<T>(&self, state: &State, last_too: bool, look: impl FnOnce(&mut Search<'_>) -> T) -> T {
        if state.numbers_left() > LONG {
            return self.look_farther(state, last_too, look);
        }
        let mut table = [MemoEntry::default(); memo::SMALL];
        look(&mut Search::new(self, state, last_too, &mut table, &mut []))
    }

    #[inline(never)]
    fn look_farther<T>(&self, state: &State, last_too: bool, look: impl FnOnce(&mut Search<'_>) -> T) -> T {
        let mut table = [MemoEntry::default(); memo::LARGE];
        look(&mut Search::new(self, state, last_too, &mut table, &mut [0; fits::FAILED]))
    }

    /// As [`Engine::spends_with`], looked for in one order after another, and in the last one to the end.
    pub(super) fn spends_in_some_order(
        &self,
        state: &State,
        action: &Action,
        aim: u32,
        search: &mut Search<'_>,
    ) -> u32 {
        for order in search.order.and_others() {
            search.order = order;
            search.limit = (search.tried + MOST_IN_ORDER).min(search.most);
            let spent = self.spends_with(state, action, aim, search, 0);
            if spent >= aim || !search.is_given_up() {
                return spent;
            }
        }
        search.limit = search.most;
        self.spends_with(state, action, aim, search, 0)
    }

    /// How many numbers are spent if an action is played first and then always the first one found.
    pub(super) fn spends_at_once(&self, state: &State, action: &Action, last_too: bool) -> u32 {
        let (mut state, mut action, mut spent) = (*state, *action, 0);
        for _ in 0..LONGEST_PLAN {
            spent += action.spends();
            self.perform(&mut state, &action, &mut Quiet);
            let mut actions = Actions::default();
            self.next_into(&mut state, last_too, &mut actions);
            match actions.first() {
                Some(first) if !state.ending && state.phase != Phase::Over => action = *first,
                _ => break,
            }
        }
        spent
    }

    /// What can be done next in a plan; bonuses that nobody can take are forfeited.
    fn next_into(&self, state: &mut State, last_too: bool, actions: &mut Actions) {
        loop {
            let colour = self.colour(state);
            self.candidates(state, colour, Duty::Ordinary, actions);
            if actions.is_empty() && last_too {
                self.candidates(state, colour, Duty::Last, actions);
            }
            if !actions.is_empty() || state.stage() != Stage::BonusNow {
                return;
            }
            state.hand.drop_bonuses(Due::Now);
        }
    }

    /// How many numbers are spent if an action is played first; see [`Engine::spends`].
    pub(super) fn spends_with(
        &self,
        state: &State,
        action: &Action,
        aim: u32,
        search: &mut Search<'_>,
        depth: u32,
    ) -> u32 {
        let spent = action.spends();
        if spent == state.numbers_left() {
            return spent;
        }
        let mut next = *state;
        self.perform(&mut next, action, &mut Quiet);
        spent + self.spends(&next, aim.saturating_sub(spent), search, depth + 1)
    }

    /// Answers `aim` or more where so many numbers can still be spent, else fewer: no plan spends more than that.
    fn spends(&self, state: &State, aim: u32, search: &mut Search<'_>, depth: u32) -> u32 {
        let left = state.numbers_left();
        if left == 0 || state.ending || state.phase == Phase::Over || depth > LONGEST_PLAN {
            return 0;
        }
        search.tried += 1;
        if search.is_given_up() {
            return 0;
        }
        let mut most = self.at_most(state, left, search.last_too);
        if most < aim {
            return most;
        }
        let key = if search.memo.is_idle() { 0 } else { search.alike.key(self, state, search.last_too) };
        let seen = search.memo.get(key);
        if u32::from(seen.least) >= aim {
            return seen.least.into();
        }
        most = most.min(seen.most.into());
        if most < aim {
            return most;
        }
        if !self.may_fit(state, aim, &mut search.packed, search.last_too) {
            search.memo.put(key, aim, aim - 1, seen);
            return aim - 1;
        }
        let found = self.spends_by_any(state, aim, search, depth);
        if !search.is_given_up() {
            search.memo.put(key, aim, found, seen);
        }
        found
    }

    fn spends_by_any(&self, state: &State, aim: u32, search: &mut Search<'_>, depth: u32) -> u32 {
        let mut actions = Actions::default();
        let mut best = 0;
        let mut decision = self.decision(state, self.colour(state));
        // Of the last number it is only asked whether it can be spent: compulsions leave one of the ways.
        decision.any = state.numbers_left() == 1;
        let compelled = !decision.any && self.moves.must.iter().any(|must| decision.may_begin(must.actions));
        if state.stage() == Stage::Numbers && !compelled {
            // The first way that is found often does: the others need not be found. Small numbers are kept for last,
            // they fit where others do not; sums are the shorter way.
            let throws = search.alike.distinct_throws(state);
            let open = decision.lines(self, Duty::Ordinary);
            let sums = if search.order == Order::Lines { 0 } else { self.assumptions.sums & open };
            for (group, lines) in search.alike.greatest_first().flat_map(|group| [(group, sums), (group, open & !sums)])
            {
                let mut lines = if throws & group == 0 { 0 } else { lines };
                while lines != 0 {
                    let line = lines.trailing_zeros() as usize;
                    lines &= lines - 1;
                    let known = actions.len();
                    self.candidates_by(state, &decision, Duty::Ordinary, line, throws & group, &mut actions);
                    match search.order {
                        Order::Farthest => actions.sort_from(known, |action| action.from),
                        Order::Nearest => actions.sort_from(known, |action| u8::MAX - action.from),
                        Order::Listed | Order::Lines => {}
                    }
                    best = best.max(self.spends_by_each(state, &actions[known..], aim, search, depth));
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
        self.spends_by_each(&state, &actions, aim, search, depth)
    }

    fn spends_by_each(&self, state: &State, actions: &[Action], aim: u32, search: &mut Search<'_>, depth: u32) -> u32 {
        let mut best = 0;
        for action in actions {
            best = best.max(self.spends_with(state, action, aim, search, depth));
            if best >= aim || search.is_given_up() {
                break;
            }
        }
        best
    }
}
