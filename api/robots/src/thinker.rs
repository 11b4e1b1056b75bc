//! The thinker and the learned robot: both search the whole hand, and differ in their weights.

use std::time::Instant;

use pagade_rules::play::{Action, Engine, State};

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
        let search = HandSearch::new(engine, (&self.evaluation, &self.weights), state.decider(), until);
        search.choose(state, open, most_tried)
    }
}
