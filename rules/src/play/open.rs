//! Containers for the legal actions of a state.

use super::actions::Actions;
use super::engine::Engine;
use super::state::{Action, State};

/// A container for the legal actions of a state: a list, or bits where a [`Game`](super::Game) plays a plain rule set.
pub(crate) trait OpenActions {
    fn clear(&mut self);
    fn is_empty(&self) -> bool;
    /// Finds the legal actions that spend part of the hand.
    fn find_moves(&mut self, engine: &Engine, state: &State);
    /// Finds the legal choices.
    fn find_choices(&mut self, engine: &Engine, state: &State);
}

impl OpenActions for Actions {
    fn clear(&mut self) {
        Actions::clear(self);
    }

    fn is_empty(&self) -> bool {
        <[Action]>::is_empty(self)
    }

    fn find_moves(&mut self, engine: &Engine, state: &State) {
        self.clear();
        engine.moves_into(state, self);
    }

    fn find_choices(&mut self, engine: &Engine, state: &State) {
        self.clear();
        engine.choices_into(state, self);
    }
}
