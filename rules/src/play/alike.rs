//! Pawns that are interchangeable, so that only one of them is listed.

use super::engine::Engine;
use super::state::State;
use crate::units::Seat;

impl Engine {
    /// Whether two pawns of one place are interchangeable: no rule can tell them apart by marks or earlier moves of the
    /// turn.
    #[inline(always)]
    pub(super) fn are_alike(&self, state: &State, colour: Seat, pawn: u8, other: u8) -> bool {
        pawn == other
            || !self.assumptions.tells_pawns && state.hand.throws < 2
            || self.look_alike(state, colour, pawn, other)
    }

    #[inline(never)]
    fn look_alike(&self, state: &State, colour: Seat, pawn: u8, other: u8) -> bool {
        let differ = |bits: u8| (bits >> (pawn & 7) ^ bits >> (other & 7)) & 1 == 1;
        let [one, another] = [pawn, other].map(|pawn| {
            let pawn = pawn as usize & 7;
            let apart = if self.assumptions.asks_apart { state.apart[pawn] } else { 0 };
            (state.marks[colour.index()][pawn], apart)
        });
        let throws = &state.hand.banked[..state.hand.throws as usize & 31];
        one == another
            && !throws.iter().any(|thrown| thrown.left != 0 && (differ(thrown.moved) || differ(thrown.parted)))
    }
}
