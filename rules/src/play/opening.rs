//! How a game begins.

use super::engine::Engine;
use super::state::State;
use super::watch::Quiet;
use crate::units::Seat;

impl Engine {
    /// The opening position: the first turn has begun, by the rules that answer it.
    pub fn opening(&self, first: Seat) -> State {
        let mut state = self.laid_out(first);
        self.start_turn(&mut state, &mut Quiet);
        state
    }

    /// The pawns where they start; no turn has begun.
    pub(crate) fn laid_out(&self, first: Seat) -> State {
        let mut state = State::empty();
        for &seat in &self.seating.players {
            state.at[seat.index()] = self.pawns.start;
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
