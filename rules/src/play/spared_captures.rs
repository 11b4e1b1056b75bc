//! Spared captures: pawns that could have captured, but the player chose another action.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::companions::pawns_of;
use super::context::Context;
use super::engine::Engine;
use super::state::{Action, Phase, State};
use super::watch::Watch;
use crate::tables::Event;
use crate::units::{MAX_SEATS, PawnIndex, PawnSet, Seat};

/// The pawns that could have captured, one bit each, by colour.
pub(super) type Spared = ArrayVec<(Seat, PawnSet), MAX_SEATS>;

impl Engine {
    /// The pawns that could capture in this state, by colour. Empty if the chosen action captures or is no move.
    pub(super) fn spared_by(&self, state: &State, action: &Action) -> Spared {
        if state.phase != Phase::Move || self.captures_any(state, action) {
            return Spared::new();
        }
        let open = self.legal(state);
        let cutters = |colour: Seat| {
            let cuts = |action: &Action| action.colour == colour && self.captures_any(state, action);
            let cutting = |pawn: PawnIndex| open.iter().any(|a| a.from == state.place_of(colour, pawn) && cuts(a));
            PawnIndex::all(self.pawns.count).filter(|&pawn| cutting(pawn)).fold(0, |all, pawn| all | pawn.alone())
        };
        let spared = self.moving_colours(state).into_iter().map(|colour| (colour, cutters(colour)));
        spared.filter(|(_, pawns)| *pawns != 0).collect()
    }

    pub(super) fn answer_spared(
        &self,
        state: &mut State,
        spared: &Spared,
        mut watch: &mut dyn Watch,
    ) -> ControlFlow<()> {
        let each = spared.iter().flat_map(|&(colour, pawns)| pawns_of(pawns).map(move |pawn| (colour, pawn)));
        for (colour, pawn) in each {
            let place = state.place_of(colour, pawn);
            let context = Context { pawn, from: place, to: place, ..Context::seat(colour) };
            self.moment(state, Event::Spared, &context, &mut watch)?;
        }
        ControlFlow::Continue(())
    }
}
