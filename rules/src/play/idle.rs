//! Idle `on` lines: lines that would change nothing, because they only set counters or marks to constants that are
//! their values already.
//!
//! Most lines that reset a counter or a mark are idle most of the time. If no watcher needs the lines that fire, the
//! conditions of idle lines are not evaluated.

use super::context::Context;
use super::engine::Engine;
use super::idle_lines::Constants;
use super::state::State;
use crate::tables::Event;
use crate::units::{MAX_COUNTERS, Seat};

impl Engine {
    /// Whether the effects of a line would leave the state unchanged. The condition of the line is not evaluated. The
    /// line, given by its event and its index there, must be one that may be idle.
    #[inline(always)]
    pub(super) fn is_idle(&self, state: &State, event: Event, index: usize, context: &Context) -> bool {
        let [first, second] = &self.idle_lines.constants[event as usize][index];
        self.are_set(state, first, context) && self.are_set(state, second, context)
    }

    /// Whether counters or marks have these values already.
    #[inline(always)]
    fn are_set(&self, state: &State, constants: &Constants, context: &Context) -> bool {
        match constants {
            Constants::None => true,
            Constants::Counters(whose, bits, values) => {
                let counters = match self.owner_of_counter(state, context, *whose) {
                    Some(seat) => &state.counters[seat.index()],
                    None => &state.game,
                };
                (0..MAX_COUNTERS).fold(0, |differ, i| differ | (counters[i] ^ values[i]) & bits[i]) == 0
            }
            Constants::Mark(bits, values) => state.marks[context.own.index()][context.pawn.index()] & bits == *values,
            Constants::Marks(bits, values) => {
                let are_set = |colour: Seat| u128::from_le_bytes(state.marks[colour.index()]) & bits == *values;
                if context.whole && self.seating.shares {
                    self.seating.colours_of(context.own).all(are_set)
                } else {
                    are_set(context.own)
                }
            }
        }
    }
}
