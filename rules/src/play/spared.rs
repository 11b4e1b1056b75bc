//! Spared captures: pawns that could have captured, but the player chose another action.

use std::ops::ControlFlow;

use super::companions::pawns_of;
use super::context::Context;
use super::engine::Engine;
use super::state::{Action, Phase, State};
use super::watch::Watch;
use crate::tables::Event;
use crate::units::{PathPlace, PawnIndex, PawnSet, Seat};

impl Engine {
    /// A mask of the pawns that could capture now. It is empty if the chosen action captures.
    pub(super) fn spared_by(&self, state: &State, action: &Action) -> PawnSet {
        if state.phase != Phase::Move || self.captures_any(state, action) {
            return 0;
        }
        let colour = self.colour(state);
        let at = &state.at[colour.index()][..self.pawns.count as usize];
        let open = self.legal(state);
        let cutting =
            |place: PathPlace| open.iter().any(|action| action.from == place && self.captures_any(state, action));
        let cutters = PawnIndex::all(self.pawns.count).filter(|pawn| cutting(at[pawn.index()]));
        cutters.fold(0, |all, pawn| all | pawn.alone())
    }

    pub(super) fn answer_spared(
        &self,
        state: &mut State,
        colour: Seat,
        pawns: PawnSet,
        watch: &mut dyn Watch,
    ) -> ControlFlow<()> {
        for pawn in pawns_of(pawns) {
            let place = state.place_of(colour, pawn);
            let context = Context { pawn, from: place, to: place, ..Context::seat(colour) };
            self.moment(state, Event::Spared, &context, watch)?;
        }
        ControlFlow::Continue(())
    }
}
