//! The opening of a game.

use std::ops::ControlFlow;

use super::engine::Engine;
use super::state::State;
use super::watch::{Quiet, Watch};
use crate::units::Seat;

impl Engine {
    /// The opening position. The first turn has begun, and the `on` lines for its beginning have run.
    pub fn opening(&self, first: Seat) -> State {
        self.opening_heard(first, &mut Quiet)
    }

    /// The opening, as [`Engine::opening`] returns it. The watcher hears what rules do as the first turn begins.
    pub(crate) fn opening_heard(&self, first: Seat, mut watch: &mut dyn Watch) -> State {
        let mut state = self.laid_out(first);
        if self.end_if_decided(&mut state, watch).is_continue() {
            // `Break` needs no handling: if a rule ends the game at the beginning of the turn, the phase is
            // `Phase::Over`.
            let _: ControlFlow<()> = self.start_turn(&mut state, &mut watch);
        }
        state
    }

    /// The state with pawns and counters at their start values, before the first turn begins.
    pub(crate) fn laid_out(&self, first: Seat) -> State {
        let mut state = State::empty();
        for &seat in &self.seating.colours {
            state.at[seat.index()] = self.pawns.start[seat.index()];
            for (value, counter) in state.counters[seat.index()].iter_mut().zip(&self.counters.seat) {
                *value = counter.start;
            }
        }
        for (value, counter) in state.game.iter_mut().zip(&self.counters.game) {
            *value = counter.start;
        }
        self.settle_position(&mut state);
        state.turn = first;
        state
    }
}
