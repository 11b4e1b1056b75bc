//! Whose pawns are moved.

use super::context::Context;
use super::evaluator::Evaluator;
use super::state::State;
use crate::units::Seat;

impl Evaluator {
    /// Whose pawns are moved: the seat's whose turn it is, or its partner's where it helps.
    #[inline(always)]
    pub fn colour(&self, state: &State) -> Seat {
        let turn = state.turn;
        let partner = self.seating.partner[turn.index()];
        if partner == turn || !state.has_finished(turn) || self.is_all_home(state, partner) {
            return turn;
        }
        match self.finish.help {
            Some(help) if self.value(state, help, &Context::seat(turn)) != 0 => partner,
            _ => turn,
        }
    }
}
