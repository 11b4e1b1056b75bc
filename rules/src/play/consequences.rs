//! Compares the possible continuations of two actions with the same plain text.
//!
//! Two orders of the same moves lead to the same pair of positions. The result for each pair is kept, so that each pair
//! is compared once.

use std::array::from_fn;

use super::actions::{Actions, MAX_ACTIONS};
use super::engine::Engine;
use super::stage::HandStage;
use super::state::{Action, Phase, State};
use super::state_hash::{mix, state_hash};
use super::watch::Quiet;
use crate::tables::Places;
use crate::units::{MAX_PAWNS, PathPlace};

/// Maximum number of pairs of positions that are compared for one decision, over all its comparisons. Two actions that
/// are not found to be interchangeable within this limit count as different.
const MOST_COMPARED: u32 = 120;

/// Size of the table of compared pairs. A new pair replaces an older one with the same index.
const TABLE: usize = 256;

/// The comparison of a pair of positions takes about as long as this many positions that a search tries.
const POSITIONS_OF_A_PAIR: u32 = 8;

/// The count of actions in the lists of two positions that counts as one more pair of positions.
const ACTIONS_OF_A_PAIR: u32 = 64;

/// Greatest count of unspent numbers for which the comparison leaves out actions that waste numbers. With more numbers
/// it compares all actions that fit the hand, because looking ahead for each of them takes too long.
const FEW: u32 = 2;

/// The pairs of positions that were compared for one decision.
pub(super) struct ComparedPairs {
    /// The number of pairs that may still be compared.
    left: u32,
    /// For each pair, its hash. The lowest bit is not part of the hash: it says whether the same follows from both
    /// positions. 0 for no pair.
    results: [u64; TABLE],
}

impl ComparedPairs {
    /// No pairs yet.
    pub(super) fn new() -> ComparedPairs {
        ComparedPairs { left: MOST_COMPARED, results: [0; TABLE] }
    }

    /// The time that the comparisons took, as the number of positions that a search tries in the same time.
    pub(super) fn work(&self) -> u32 {
        (MOST_COMPARED - self.left) * POSITIONS_OF_A_PAIR
    }

    /// The result for the pair with this hash, if the pair was compared.
    fn result(&self, pair: u64) -> Option<bool> {
        let result = self.results[Self::index(pair)];
        (result | 1 == pair | 1 && result != 0).then_some(result & 1 == 1)
    }

    fn store(&mut self, pair: u64, is_same: bool) {
        self.results[Self::index(pair)] = pair & !1 | u64::from(is_same);
    }

    fn index(pair: u64) -> usize {
        (pair >> 1) as usize % TABLE
    }

    fn use_up(&mut self, pairs: u32) {
        self.left = self.left.saturating_sub(pairs);
    }
}

impl Engine {
    /// Whether two actions have the same consequences: the same actions may follow until the hand is spent, and they
    /// lead to the same positions. False if this is not found within the limit of `pairs`.
    pub(super) fn lead_to_the_same(
        &self,
        state: &State,
        one: &Action,
        other: &Action,
        pairs: &mut ComparedPairs,
    ) -> bool {
        self.same_follows(&self.after(state, one), &self.after(state, other), pairs)
    }

    /// The position after an action, before the turn goes on.
    fn after(&self, state: &State, action: &Action) -> State {
        let mut next = *state;
        self.perform(&mut next, action, &mut Quiet);
        next
    }

    fn same_follows(&self, one: &State, other: &State, pairs: &mut ComparedPairs) -> bool {
        if self.is_same(one, other) {
            return true;
        }
        let pair = mix(state_hash(self, one), state_hash(self, other));
        if let Some(is_same) = pairs.result(pair) {
            return is_same;
        }
        if pairs.left == 0 {
            return false;
        }
        pairs.use_up(1 + self.assumptions.positions_of_a_move);
        let is_same = self.continue_alike(*one, *other, pairs);
        pairs.store(pair, is_same);
        is_same
    }

    /// Whether the same actions may follow in two positions that differ, and lead to the same positions.
    fn continue_alike(&self, mut one: State, mut other: State, pairs: &mut ComparedPairs) -> bool {
        let [mut open, mut other_open] = [Actions::default(), Actions::default()];
        let one = self.continued(&mut one, &mut open);
        let another = self.continued(&mut other, &mut other_open);
        // Long lists take longer to compare, so they use up more of the limit.
        pairs.use_up((one.actions.len() + another.actions.len()) as u32 / ACTIONS_OF_A_PAIR);
        if one.actions.is_empty() && another.actions.is_empty() {
            return self.is_same(one.state, another.state);
        }
        // A list without room for all actions says nothing about the actions that it lacks.
        one.actions.is_complete()
            && another.actions.is_complete()
            && self.offers_each(&one, &another)
            && self.offers_each(&another, &one)
            && self.answer_each_other(&one, &another, pairs)
    }

    /// Whether each action of `one` has the plain text of an action of `other`.
    fn offers_each(&self, one: &Continued, other: &Continued) -> bool {
        one.actions
            .iter()
            .all(|action| other.actions.iter().any(|like| self.is_written_alike(one, action, other, like)))
    }

    /// Whether for each action of one position there is an action of the other one with the same plain text and the
    /// same consequences.
    fn answer_each_other(&self, one: &Continued, other: &Continued, pairs: &mut ComparedPairs) -> bool {
        let mut is_answered = [false; MAX_ACTIONS];
        // Moves of pawns that stand alike in both positions come first: after them, the difference between the
        // positions remains, so a mismatch shows soonest.
        let different = self.places_that_differ(one.state, other.state);
        let leaves_it = |action: &&Action| !action.from.is_in(different);
        let ordered =
            one.actions.iter().filter(leaves_it).chain(one.actions.iter().filter(|action| !leaves_it(action)));
        let mut answers = |action: &Action| {
            let next = self.after(one.state, action);
            let answer = other.actions.iter().position(|like| {
                self.is_written_alike(one, action, other, like)
                    && self.same_follows(&next, &self.after(other.state, like), pairs)
            });
            answer.inspect(|&answer| is_answered[answer] = true).is_some()
        };
        if !{ ordered }.all(&mut answers) {
            return false;
        }
        // An action of `other` may be left without a partner, if several actions have its text. Any action of `one` may
        // then answer it.
        let mut left = other.actions.iter().zip(is_answered).filter(|(_, is_answered)| !is_answered);
        left.all(|(like, _)| {
            let next = self.after(other.state, like);
            one.actions.iter().any(|action| {
                self.is_written_alike(one, action, other, like)
                    && self.same_follows(&self.after(one.state, action), &next, pairs)
            })
        })
    }

    /// The places of the moving colour whose pawns, or the marks of whose pawns, differ between two states.
    fn places_that_differ(&self, one: &State, other: &State) -> Places {
        let colour = self.colour(one).index();
        let pawns = |state: &State| {
            let pawn = |pawn: usize| (state.at[colour][pawn], state.marks[colour][pawn]);
            let mut pawns: [(PathPlace, u8); MAX_PAWNS] = from_fn(pawn);
            pawns.sort_unstable();
            pawns
        };
        let pairs = pawns(one).into_iter().zip(pawns(other)).filter(|(one, other)| one != other);
        pairs.fold(0, |places, (one, other)| places | one.0.alone() | other.0.alone())
    }

    fn is_written_alike(&self, one: &Continued, action: &Action, other: &Continued, like: &Action) -> bool {
        (action.from, action.to) == (like.from, like.to)
            && self.plain_wording(one.state, action) == self.plain_wording(other.state, like)
    }

    /// Continues the turn to the next choice of an action, and lists its actions in `actions`, which is empty before.
    /// Bonuses that cannot be taken are dropped. If no number can be spent either, the turn goes on to its next throw,
    /// or to the next turn; the list of actions then stays empty.
    fn continued<'s>(&self, state: &'s mut State, actions: &'s mut Actions) -> Continued<'s> {
        let is_move = |state: &State| !state.ending && state.phase != Phase::Over && state.owed[0] == 0;
        while is_move(state) && state.stage() != HandStage::Spent {
            let looks_ahead = state.numbers_left() <= FEW;
            self.repeated_moves_into(state, looks_ahead, actions);
            match state.stage().due() {
                Some(due) if actions.is_empty() => state.hand.drop_bonuses(due),
                _ => break,
            }
        }
        if actions.is_empty() && state.phase != Phase::Over {
            // The actions of a next turn are not compared: equal positions have equal actions.
            let _ = self.go_on(state, &mut Actions::default(), &mut Quiet);
        }
        Continued { state, actions }
    }
}

/// A position in which the next action of a turn is chosen. It borrows the list of actions, which is too large to move.
struct Continued<'s> {
    state: &'s State,
    /// The actions of this position. Empty if the turn has gone on.
    actions: &'s Actions,
}
