//! The search: whether a plan that begins with a given action can spend a given number of numbers.

use super::fits::{self, Packed};
use super::memo::{self, LikeThrows, Memo, MemoEntry};
use crate::play::actions::Actions;
use crate::play::engine::Engine;
use crate::play::stage::Stage;
use crate::play::state::{Action, Phase, State};
use crate::play::watch::Quiet;
use crate::tables::Duty;
use crate::units::Due;

/// Most positions that one search may try. After that, each action counts by the first plan found.
///
/// Below the limit the legal actions are exact. The limit keeps decisions fast for every rule file; tests measure how
/// far the longest hands of real games stay below it.
const MOST_TRIED: u32 = 4000;

/// Most positions that one search may try with more than [`VERY_LONG`] numbers in the hand: each position takes longer.
const MOST_TRIED_LONG: u32 = 1600;

/// Number of numbers in the hand above which [`MOST_TRIED_LONG`] applies.
const VERY_LONG: u32 = 24;

/// Most positions that one search may try to compare actions with the same text.
pub(super) const MOST_TRIED_ALIKE: u32 = 800;

/// Most positions tried in one order before the search begins again in another order.
const MOST_IN_ORDER: u32 = 300;

/// Most actions of a plan: all numbers of the fullest hand, and as many bonuses as they can bring.
const LONGEST_PLAN: u32 = 128;

/// Number of numbers in the hand up to which the search runs without a table of visited positions.
pub(super) const SHORT: u32 = 3;

/// Number of numbers in the hand above which the search checks whether the numbers fit.
pub(super) const LONG: u32 = 6;

/// The state of one search.
pub(super) struct Search<'s> {
    pub memo: Memo<'s>,
    pub packed: Packed<'s>,
    alike: LikeThrows,
    pub tried: u32,
    /// Most positions to try before the search gives up.
    pub most: u32,
    /// Most positions to try before the search changes the order.
    pub limit: u32,
    order: Order,
    pub last_too: bool,
}

/// The order in which the search tries actions. If one order wastes time, another one often succeeds quickly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// Sums first, pawns in the order of the list.
    Listed,
    /// Sums first, the pawn farthest from home first.
    Farthest,
    /// Sums first, the pawn nearest home first.
    Nearest,
    /// The order of the spending lines.
    Lines,
}

impl Order {
    /// All orders, beginning with this one.
    fn and_others(self) -> impl Iterator<Item = Order> {
        let all = [Order::Listed, Order::Farthest, Order::Nearest, Order::Lines];
        all.into_iter().cycle().skip(self as usize).take(all.len())
    }
}

impl<'s> Search<'s> {
    pub(super) fn new(
        engine: &Engine,
        state: &State,
        last_too: bool,
        table: &'s mut [MemoEntry],
        failed: &'s mut [u64],
    ) -> Self {
        Search {
            memo: Memo(table),
            packed: Packed::new(state, failed),
            alike: LikeThrows::of(engine, state),
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

/// Most positions that a search from this state may try.
pub(super) fn most_tried(state: &State) -> u32 {
    if state.numbers_left() > VERY_LONG { MOST_TRIED_LONG } else { MOST_TRIED }
}

impl Engine {
    /// Runs a search with tables whose size suits the length of the hand.
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

    /// The number of numbers that [`Engine::spends_with`] finds, trying one order after another. The last order is
    /// tried to the end.
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

    /// The number of numbers spent by playing an action and then always the first action found.
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

    /// Lists the next actions of a plan. Bonuses that no pawn can take are forfeited.
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

    /// The number of numbers that a plan beginning with an action can spend, limited as by [`Engine::spends`].
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

    /// Answers at least `aim` if a plan can spend that many numbers. Otherwise answers an upper bound for all plans.
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
        // For the last number it is enough to find any action: compulsions never remove all actions.
        decision.any = state.numbers_left() == 1;
        let compelled = !decision.any && self.moves.must.iter().any(|must| decision.may_begin(must.actions));
        if state.stage() == Stage::Numbers && !compelled {
            // The first plan found often suffices, so that actions are listed only as needed. Sums shorten the plan.
            // Small numbers come last, because they fit where greater ones do not.
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
