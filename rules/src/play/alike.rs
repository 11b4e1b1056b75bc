//! Pawns that are interchangeable, so that only one of them is listed.

use super::engine::Engine;
use super::state::State;
use crate::units::{PawnIndex, Seat};

impl Engine {
    /// Whether two pawns of one place are interchangeable: no rule can tell them apart by marks or earlier moves of the
    /// turn.
    #[inline(always)]
    pub(super) fn are_alike(&self, state: &State, colour: Seat, pawn: PawnIndex, other: PawnIndex) -> bool {
        pawn == other
            || !self.assumptions.tells_pawns && state.hand.throws < 2
            || self.look_alike(state, colour, pawn, other)
    }

    #[inline(never)]
    fn look_alike(&self, state: &State, colour: Seat, pawn: PawnIndex, other: PawnIndex) -> bool {
        let differ = |pawns: u8| pawn.is_in(pawns) != other.is_in(pawns);
        let [one, another] = [pawn, other].map(|pawn| {
            let pawn = pawn.index();
            let apart = if self.assumptions.asks_apart { state.apart[pawn] } else { 0 };
            (state.marks[colour.index()][pawn], apart)
        });
        let throws = &state.hand.banked[..state.hand.throws as usize & 31];
        one == another
            && !throws.iter().any(|thrown| thrown.left != 0 && (differ(thrown.moved) || differ(thrown.parted)))
    }
}
