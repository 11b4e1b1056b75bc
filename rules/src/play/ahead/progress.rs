//! The progress of one search: its tables, its limits, and the order in which it tries actions.

use super::memo::{LikeThrows, Memo, MemoEntry};
use super::room_to_home::Packed;
use crate::play::engine::Engine;
use crate::play::state::State;
use crate::units::PawnSet;

/// Maximum number of positions that one search may try. Beyond it, each action is judged by a single plan, which always
/// continues with the first action found.
///
/// Below the limit, the list of legal actions is exact. The limit keeps every decision short, whatever a rule file
/// says. Tests check that the longest hands of real games rarely reach it.
const MOST_TRIED: u32 = 4000;

/// The number of operations of conditions, run to list the actions of a position, that counts as one more position
/// tried.
pub(super) const WORK_OF_A_POSITION: u32 = 256;

/// Maximum number of positions that one search may try with more than [`VERY_LONG`] numbers in the hand. Such positions
/// take longer.
const MOST_TRIED_LONG: u32 = 1600;

/// Hands with more numbers than this use [`MOST_TRIED_LONG`].
const VERY_LONG: u32 = 24;

/// Maximum number of positions that the searches among actions with the same plain text may try together, for one
/// decision.
pub(super) const MOST_TRIED_ALIKE: u32 = 3000;

/// Up to this count of numbers, searching again is faster than a table of known positions.
pub(super) const SHORT: u32 = 3;

/// A hand with more numbers than this is long: its search also checks whether the numbers fit into the steps left.
pub(super) const LONG: u32 = 6;

/// The state of one search: its tables, its limits and its order.
pub(super) struct PlanSearch<'s> {
    /// The results for known positions.
    pub memo: Memo<'s>,
    /// The sizes of the numbers, for the test whether they fit into the steps left.
    pub packed: Packed<'s>,
    /// The position in which the search begins.
    start: &'s State,
    /// The groups of throws, and the throws that rules cannot distinguish. Most searches of two numbers need none.
    alike: Option<LikeThrows>,
    /// The count of positions that have been tried.
    pub tried: u32,
    /// The count of positions that were visited to find quiet plans.
    pub quietly_tried: u32,
    /// The count of tried positions at which the whole search is given up.
    pub most: u32,
    /// The count of tried positions at which the present order is given up.
    pub limit: u32,
    /// Whether a list of actions had no room for all of them, so that the search may have missed a plan.
    pub lacks_actions: bool,
    /// The order in which actions are tried.
    pub order: SearchOrder,
    /// Whether plans may use lines of the duty `Last`.
    pub last_too: bool,
    /// The pawns that stay where they are until the hand is spent, one bit each. Found for long hands only.
    pub locked: PawnSet,
    /// Whether the hand is long, so that locked pawns are looked for.
    pub is_long: bool,
    /// The actions of the decision that surely begin a plan which spends all numbers: a bit for each of the first 64.
    pub sure: u64,
    /// Whether every action is judged. Otherwise the search keeps only the first best action of each plain text.
    pub judges_repeated: bool,
}

/// The order in which a search tries actions. If one order does not find a plan soon, another one often does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchOrder {
    /// Tries sums first, and pawns in the order in which their actions are listed.
    Listed,
    /// Tries sums first, and begins with the pawn farthest from home.
    Farthest,
    /// Tries sums first, and begins with the pawn nearest home.
    Nearest,
    /// Tries spend lines in the order of the rule file.
    Lines,
}

impl SearchOrder {
    /// All orders, beginning with this one.
    pub(super) fn and_others(self) -> impl Iterator<Item = SearchOrder> {
        let all = [SearchOrder::Listed, SearchOrder::Farthest, SearchOrder::Nearest, SearchOrder::Lines];
        all.into_iter().cycle().skip(self as usize).take(all.len())
    }
}

impl<'s> PlanSearch<'s> {
    pub(super) fn new(
        engine: &Engine,
        state: &'s State,
        last_too: bool,
        table: &'s mut [MemoEntry],
        failed: &'s mut [u64],
    ) -> Self {
        let is_long = state.numbers_left() > LONG;
        PlanSearch {
            memo: Memo(table),
            packed: Packed::new(state, failed),
            start: state,
            alike: None,
            tried: 0,
            quietly_tried: 0,
            most: most_tried(state),
            limit: most_tried(state),
            lacks_actions: false,
            order: SearchOrder::Listed,
            last_too,
            locked: if is_long { engine.locked(state, engine.colour(state)) } else { 0 },
            is_long,
            sure: 0,
            judges_repeated: true,
        }
    }

    /// The groups of throws, and the throws that rules cannot distinguish, in the state where the search begins.
    pub(super) fn alike(&mut self, engine: &Engine) -> &LikeThrows {
        self.alike.get_or_insert_with(|| LikeThrows::of(engine, self.start))
    }

    /// Counts the operations of conditions that listing actions has run, as further positions (see
    /// [`WORK_OF_A_POSITION`]).
    pub(super) fn add_work(&mut self, work: u32) {
        self.tried += work / WORK_OF_A_POSITION;
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.tried > self.limit
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.tried > self.most
    }

    /// Whether the search may have missed a plan: it is exhausted, or a list had no room for all actions.
    pub(super) fn is_unsure(&self) -> bool {
        self.is_exhausted() || self.lacks_actions
    }
}

#[cfg(test)]
impl Drop for PlanSearch<'_> {
    fn drop(&mut self) {
        super::tests::banks::note(self.tried);
    }
}

/// The limit of positions that one search from this state may try.
pub(super) fn most_tried(state: &State) -> u32 {
    if state.numbers_left() > VERY_LONG { MOST_TRIED_LONG } else { MOST_TRIED }
}
