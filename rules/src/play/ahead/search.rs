//! One search: whether a plan that begins with a given action spends the wanted count of numbers.

use super::fits::{self, Packed};
use super::memo::{self, LikeThrows, Memo, MemoEntry};
use crate::play::actions::Actions;
use crate::play::engine::Engine;
use crate::play::stage::Stage;
use crate::play::state::{Action, Phase, State};
use crate::play::watch::Quiet;
use crate::tables::Duty;
use crate::units::Due;

/// Maximum number of positions that one search may try. Beyond it, each action is judged by a single plan, which always
/// continues with the first action found.
///
/// Below the limit, the list of legal actions is exact. The limit keeps every decision short, whatever a rule file
/// says. Tests check how rarely the longest banks of real games reach it.
const MOST_TRIED: u32 = 4000;

/// Maximum number of positions that one search may try with more than [`VERY_LONG`] numbers in the hand. Such positions
/// take longer.
const MOST_TRIED_LONG: u32 = 1600;

/// Hands with more numbers than this use [`MOST_TRIED_LONG`].
const VERY_LONG: u32 = 24;

/// Some searches only choose between actions with the same wording. This is the maximum number of positions that all
/// such searches of one decision may try together.
pub(super) const MOST_TRIED_ALIKE: u32 = 3000;

/// Maximum number of positions that are tried in one [`Order`] before the next order begins.
const MOST_IN_ORDER: u32 = 300;

/// Maximum number of actions in a plan: one for every number of the fullest hand, and for as many bonuses as it could
/// bring.
const LONGEST_PLAN: u32 = 128;

/// Up to this count of numbers, searching again is faster than a table of known positions.
pub(super) const SHORT: u32 = 3;

/// Hands with more numbers than this also check whether the numbers fit into the steps left.
pub(super) const LONG: u32 = 6;

/// The state of one search: its tables, its limits and its order.
pub(super) struct Search<'s> {
    pub memo: Memo<'s>,
    pub packed: Packed<'s>,
    alike: LikeThrows,
    pub tried: u32,
    /// The count of tried positions at which the whole search is given up.
    pub most: u32,
    /// The count of tried positions at which the present order is given up.
    pub limit: u32,
    order: Order,
    pub last_too: bool,
    /// The pawns that stay where they are until the hand is spent, one bit each. Found for long hands only.
    pub locked: u8,
    /// Whether the hand is long, so that locked pawns are looked for.
    is_long: bool,
}

/// The order in which a search tries actions. If one order does not find a plan soon, another one often does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// Tries sums first, and pawns in the order of the list.
    Listed,
    /// Tries sums first, and begins with the pawn farthest from home.
    Farthest,
    /// Tries sums first, and begins with the pawn nearest home.
    Nearest,
    /// Tries spend lines in the order of the rule file.
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
        let is_long = state.numbers_left() > LONG;
        Search {
            memo: Memo(table),
            packed: Packed::new(state, failed),
            alike: LikeThrows::of(engine, state),
            tried: 0,
            most: most_tried(state),
            limit: most_tried(state),
            order: Order::Listed,
            last_too,
            locked: if is_long { engine.locked(state, engine.colour(state)) } else { 0 },
            is_long,
        }
    }

    pub(super) fn is_given_up(&self) -> bool {
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

/// The limit of positions that one search from this state may try.
pub(super) fn most_tried(state: &State) -> u32 {
    if state.numbers_left() > VERY_LONG { MOST_TRIED_LONG } else { MOST_TRIED }
}

impl Engine {
    /// Runs a search with a table of known positions, which is larger for a long hand.
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

    /// Runs [`Engine::spends_with`] with one order after another. If all orders are given up, the last run continues to
    /// the limit of the whole search.
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
        search.limit = if state.numbers_left() > LONG { 0 } else { search.most };
        self.spends_with(state, action, aim, search, 0)
    }

    /// Counts the numbers spent by a single plan: the given action, then always the first action found.
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

    /// Counts the numbers spent after playing `action` first. How the result relates to `aim` is explained at
    /// [`Engine::spends`].
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
        let known = search.locked;
        let colour = self.colour(state);
        // A changed counter may lock pawns; the first action may move a pawn that was locked.
        let may_lock = depth == 0 || state.counters[colour.index()] != next.counters[colour.index()];
        if search.is_long && may_lock {
            search.locked = self.locked(&next, colour);
        }
        let later = self.spends(&next, aim.saturating_sub(spent), search, depth + 1);
        search.locked = known;
        spent + later
    }

    /// Returns `aim` or more if that many numbers can still be spent. A result below `aim` is an upper bound: no plan
    /// spends more.
    fn spends(&self, state: &State, aim: u32, search: &mut Search<'_>, depth: u32) -> u32 {
        let left = state.numbers_left();
        if left == 0 || state.ending || state.phase == Phase::Over || depth > LONGEST_PLAN {
            return 0;
        }
        search.tried += 1;
        if search.is_given_up() {
            return 0;
        }
        let mut most = self.at_most(state, left, search.last_too, search.locked);
        if most < aim {
            return most;
        }
        let key = if search.memo.is_idle() { 0 } else { search.alike.key(self, state, search.last_too, search.locked) };
        let seen = search.memo.get(key);
        if u32::from(seen.least) >= aim {
            return seen.least.into();
        }
        most = most.min(seen.most.into());
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

    fn spends_by_any(&self, state: &State, aim: u32, search: &mut Search<'_>, depth: u32) -> u32 {
        let mut actions = Actions::default();
        let mut best = 0;
        let mut decision = self.decision(state, self.colour(state));
        // For the last number, one possible action is enough. Compulsions do not matter: they never remove all actions.
        decision.any = state.numbers_left() == 1;
        let compelled = !decision.any && self.moves.must.iter().any(|must| decision.may_begin(must.actions));
        if state.stage() == Stage::Numbers && !compelled {
            // Lines are tried one at a time, because the first line often reaches the aim. Throws with great numbers
            // come first: small numbers fit later where great ones do not. Sums make the plan shorter.
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
                        Order::Farthest => actions.sort_from(known, |action| action.from.0),
                        Order::Nearest => actions.sort_from(known, |action| u8::MAX - action.from.0),
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
