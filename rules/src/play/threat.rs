//! Captures that a pawn threatens, for the evaluation of positions.

use super::context::Context;
use super::engine::Engine;
use super::state::State;
use crate::tables::{Mover, Route, Verdict, With};
use crate::units::{PawnIndex, Pips, Seat, SquareId};

impl Engine {
    /// Whether the gate of the board is open for a colour. Boards without a gate are always open.
    #[must_use]
    pub fn is_gate_open(&self, state: &State, colour: Seat) -> bool {
        self.gate_is_open(state, colour)
    }

    /// The square on which a pawn would capture if it spent one number alone. `None` if it would capture nothing.
    ///
    /// Landing and passing lines decide as in a move. Conditions of spend lines, compulsions and the duty to spend the
    /// most numbers are not checked.
    #[must_use]
    pub fn captures_with(&self, state: &State, colour: Seat, pawn: PawnIndex, number: Pips) -> Option<SquareId> {
        let from = state.place_of(colour, pawn);
        let line = self.moves.spend.iter().find(|line| {
            line.mover == Mover::Pawn
                && line.route == Route::Ahead
                && matches!(line.with, With::Die | With::Sum)
                && from.is_in(line.from)
        })?;
        let mut context = Context { pawn, from, number, ..Context::seat(colour) };
        let steps = match line.steps {
            Some(steps) => Pips(u8::try_from(self.value(state, steps, &context)).ok()?),
            None => number,
        };
        if steps.0 == 0 || from.ahead(steps) > usize::from(u8::MAX) {
            return None;
        }
        // Most squares are empty: nobody is captured there, whether the gate is open or not.
        let is_empty = |gate: usize| state.on(self.board.square[gate][colour.index()][from.ahead(steps)]) == 0;
        if is_empty(0) && is_empty(1) {
            return None;
        }
        let landing = self.landing(state, line, steps, &mut context, self.gate_is_open(state, colour))?;
        let takes = landing.answer.captures() || landing.answer == Verdict::Swap;
        if takes { self.square(colour, landing.to) } else { None }
    }
}
