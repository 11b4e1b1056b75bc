//! The thinker and the learned robot: both search the whole hand, and differ in their weights.

use std::time::Instant;

use pagade_rules::play::{Action, Engine, Seat, State};

use super::features::Evaluation;
use super::search::HandSearch;
use super::weights::Weights;

/// Values positions for the decisions of one table.
#[derive(Debug, Clone)]
pub struct Thinker {
    evaluation: Evaluation,
    weights: Weights,
}

impl Thinker {
    /// Prepares a thinker for the dice of this table. If the places of its paths are not those of the weights, places
    /// are not weighted.
    pub fn new(engine: &Engine, weights: &Weights) -> Thinker {
        let mut weights = weights.clone();
        if weights.own.len() != usize::from(engine.board.len) {
            (weights.own, weights.enemies) = (Vec::new(), Vec::new());
        }
        Thinker { evaluation: Evaluation::new(engine), weights }
    }

    /// Chooses the action that begins the best way to spend the hand, and returns its index in `open`. Tries about
    /// `most_tried` actions at most, and none after the time `until`.
    pub(super) fn choose(
        &self,
        engine: &Engine,
        state: &State,
        open: &[Action],
        most_tried: u32,
        until: Option<Instant>,
    ) -> usize {
        self.search(engine, state, until).choose(state, open, most_tried)
    }

    /// Chooses as [`Thinker::choose`] does, without a time limit. Returns the index, and the work that it took: the
    /// number of actions tried, and the work of the engine to list actions.
    pub(super) fn choose_counted(
        &self,
        engine: &Engine,
        state: &State,
        open: &[Action],
        most_tried: u32,
    ) -> (usize, [u32; 2]) {
        let search = self.search(engine, state, None);
        (search.choose(state, open, most_tried), search.effort())
    }

    /// Lists the indices of the actions among which the thinker chooses. Empty if all actions are passes or voluntary.
    pub(super) fn tried(&self, engine: &Engine, state: &State, open: &[Action]) -> Vec<usize> {
        self.search(engine, state, None).worth_trying(state, open).collect()
    }

    pub(super) fn value(&self, engine: &Engine, state: &State, seat: Seat) -> f32 {
        self.evaluation.value(engine, state, seat, &self.weights)
    }

    fn search<'s>(&'s self, engine: &'s Engine, state: &State, until: Option<Instant>) -> HandSearch<'s> {
        HandSearch::new(engine, (&self.evaluation, &self.weights), state.decider(), until)
    }
}
