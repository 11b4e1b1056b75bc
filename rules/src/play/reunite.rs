//! Parted pairs: the pawns of a pair that was split may not meet again for a time (`reunite`).

use super::companions::pawns_of;
use super::context::Context;
use super::state::State;
use crate::play::engine::Engine;
use crate::tables::Reunite;
use crate::units::{MAX_PAWNS, PathPlace, PawnSet, Seat, ThrowIndex};

impl Engine {
    /// Whether a landing would bring the pawns of a parted pair together again.
    #[inline(always)]
    pub(crate) fn reunites(&self, state: &State, context: &Context, to: PathPlace) -> bool {
        match self.turn.reunite {
            Reunite::Free => false,
            Reunite::Throw => match state.hand.thrown(context.throw) {
                Some(thrown) => {
                    context.pawn.is_in(thrown.parted)
                        && thrown.has_spent(context.number)
                        && self.meets(state, context.own, thrown.moved, to)
                }
                None => false,
            },
            Reunite::Roll | Reunite::Turn => {
                let parted = state.apart[context.pawn.index()];
                parted != 0 && self.meets(state, context.own, parted, to)
            }
        }
    }

    /// Whether there is a parted pair whose pawns may not meet again, so that some landing may be forbidden.
    #[inline(always)]
    pub(super) fn may_reunite(&self, state: &State, throw: Option<ThrowIndex>) -> bool {
        match self.turn.reunite {
            Reunite::Free => false,
            Reunite::Throw => state.hand.thrown(throw).is_some_and(|thrown| thrown.parted != 0),
            Reunite::Roll | Reunite::Turn => state.apart != [0; MAX_PAWNS],
        }
    }

    fn meets(&self, state: &State, colour: Seat, pawns: PawnSet, to: PathPlace) -> bool {
        let square = self.square(colour, to);
        square.is_some() && pawns_of(pawns).any(|pawn| self.square(colour, state.place_of(colour, pawn)) == square)
    }
}
