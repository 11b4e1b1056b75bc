//! Effects on pawns that a condition chooses. All pawns are chosen before the first one moves.

use arrayvec::ArrayVec;

use super::context::Context;
use super::perform::tell;
use super::state::State;
use super::watch::{HappeningKind, Watch};
use crate::play::engine::Engine;
use crate::tables::{Each, Program};
use crate::units::{MAX_SEATS, PathPlace, PawnIndex, Pips, Seat};

impl Engine {
    /// Puts pawns on a place of their own path, without a landing there: own ones or those of all opponents.
    pub(super) fn send_each(
        &self,
        state: &mut State,
        (each, place, condition): (Each, PathPlace, Program),
        context: &Context,
        watch: &mut dyn Watch,
    ) {
        let seats = self.seating.players.iter().copied().filter(|&seat| match each {
            Each::Own => seat == context.own,
            Each::Enemy => seat != context.own && seat != self.seating.partner[context.own.index()],
        });
        let chosen = |seat| (seat, self.chosen(state, seat, condition, context));
        let chosen: ArrayVec<(Seat, u8), MAX_SEATS> = seats.map(chosen).collect();
        for (seat, pawns) in chosen {
            for pawn in PawnIndex::all(self.pawns.count).filter(|pawn| pawn.is_in(pawns)) {
                let from = state.place_of(seat, pawn);
                self.send_off(state, seat, pawn, place);
                tell(watch, HappeningKind::Sent, seat, pawn, from, place, Pips(0));
            }
        }
    }

    /// Lets own pawns jump to a place, one after another. A pawn that has moved meanwhile does not jump.
    pub(super) fn jump_each(
        &self,
        state: &mut State,
        to: PathPlace,
        condition: Program,
        context: &Context,
        watch: &mut dyn Watch,
    ) {
        let stood = state.at[context.own.index()];
        let pawns = self.chosen(state, context.own, condition, context);
        for pawn in PawnIndex::all(self.pawns.count).filter(|pawn| pawn.is_in(pawns)) {
            if state.place_of(context.own, pawn) == stood[pawn.index()] {
                self.jump(state, pawn, to, context, watch);
            }
        }
    }

    /// The pawns of a seat for which a condition holds: a bit for each. The condition is about this seat and the place
    /// of the pawn. For an opponent's pawn the other seat is the one that the effect belongs to.
    fn chosen(&self, state: &State, seat: Seat, condition: Program, context: &Context) -> u8 {
        let other = if seat == context.own { context.other } else { context.own };
        PawnIndex::all(self.pawns.count).fold(0, |chosen, pawn| {
            let place = state.place_of(seat, pawn);
            let each = Context { own: seat, other, pawn, from: place, to: place, ..*context };
            if self.value(state, condition, &each) != 0 { chosen | pawn.alone() } else { chosen }
        })
    }
}
