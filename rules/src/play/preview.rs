//! Previews of legal actions: what an action would do, and which pawns may make it.

use super::engine::Engine;
use super::report::StepReport;
use super::state::{Action, ActionKind, State};
use crate::units::{PawnIndex, PawnSet};

impl Engine {
    /// Reports the effects of a legal action itself, without the rest of the turn.
    #[must_use]
    pub fn preview(&self, state: &State, action: &Action) -> StepReport {
        let (mut state, mut report) = (*state, StepReport::default());
        self.perform(&mut state, action, &mut report);
        report
    }

    /// The pawns that may make an action, one bit each: the pawns that move in it or in another legal action of the
    /// same wording, and the interchangeable pawns on the same places.
    #[must_use]
    pub fn pawns_for(&self, state: &State, legal: &[Action], action: &Action) -> PawnSet {
        if action.kind != ActionKind::Move {
            return 0;
        }
        let (colour, wording) = (action.colour, self.wording(state, action));
        let reads_same = |other: &&Action| self.wording(state, other) == wording;
        let may_stand_in = |mover: PawnIndex, pawn: PawnIndex| {
            state.place_of(colour, mover) == state.place_of(colour, pawn) && self.are_alike(state, colour, mover, pawn)
        };
        let moving = legal.iter().filter(reads_same).fold(0, |all, other| all | self.movers_of(state, other));
        let movers = PawnIndex::all(self.pawns.count).filter(|pawn| pawn.is_in(moving));
        let alike = |mover| PawnIndex::all(self.pawns.count).filter(move |&pawn| may_stand_in(mover, pawn));
        movers.flat_map(alike).fold(moving, |all, pawn| all | pawn.alone())
    }
}
