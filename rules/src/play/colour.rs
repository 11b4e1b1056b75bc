//! The moving colour: the owner of the pawns that the current seat moves.

use super::context::Context;
use super::evaluator::Evaluator;
use super::state::State;
use crate::units::Seat;

impl Evaluator {
    /// The colour whose pawns move: the seat whose turn it is, or its partner while the seat helps it.
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
